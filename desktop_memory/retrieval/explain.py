"""Why a hit is there, in words."""

from __future__ import annotations

from datetime import datetime, tzinfo

from desktop_memory.model import Hit

_SURE = 0.5
_CLOSE = 0.35
_OFTEN = 0.5


def reasons(hit: Hit, now: datetime, zone: tzinfo) -> tuple[str, ...]:
    """Each thing that counted for this hit, the weightiest first; its age last."""
    said = []
    if "text" in hit.lanes:
        said.append(_words(hit.coverage))
    if hit.relevance is not None and hit.relevance > 0 and (said or "meaning" in hit.lanes):
        said.append(f"{_nearness(hit.relevance)} in meaning ({hit.relevance:.2f})")
    if hit.judged is not None:
        said.append(f"judged {hit.judged:.2f}")
    if hit.usage > 0:
        said.append("opened or copied often" if hit.usage >= _OFTEN else "opened or copied before")
    if not said:
        said.append("passes the filter")
    return (*said, _age(hit.event.start, now, zone))


def _words(coverage: float) -> str:
    if coverage >= 0.995:
        return "holds all words"
    return f"holds words worth {coverage:.0%} of the question" if coverage >= 0.005 else "holds its words"


def _nearness(r: float) -> str:
    return "very near" if r >= _SURE else "near" if r >= _CLOSE else "somewhat near"


def _age(at: datetime, now: datetime, zone: tzinfo) -> str:
    days = (now.astimezone(zone).date() - at.astimezone(zone).date()).days
    return "today" if days <= 0 else "yesterday" if days == 1 else f"{days:,} days old"
