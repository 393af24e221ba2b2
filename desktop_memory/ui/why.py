"""Why a hit was found, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from desktop_memory.model import Hit
from desktop_memory.ui.facts import Fact
from desktop_memory.ui.rows import headline, marked
from desktop_memory.ui.words import clock_time, day_name, decimal, local, number, tr

VERY_CLOSE, CLOSE = 0.5, 0.3


def reasons(hit: Hit, words: Sequence[str], place: int, total: int, now: datetime) -> list[Fact]:
    """Words, meaning, time, use, the second look, and the place that all this gave it."""
    found: list[Fact] = []
    said = _words_in(hit, words)
    if said or "text" in hit.lanes:
        covers = tr("{percent} % of the question").format(percent=number(round(100 * hit.coverage)))
        found.append(Fact(tr("words"), said or covers, f" · {covers}" if said and hit.coverage else ""))
    if hit.relevance is not None:
        found.append(Fact(tr("meaning"), _closeness(hit.relevance), f" · {decimal(hit.relevance)}"))
    if not hit.lanes:
        found.append(Fact(tr("filters"), tr("the newest that pass them")))
    start = hit.event.start
    day = day_name(local(start).date(), local(now).date())
    found.append(Fact(tr("when"), f"{day} {clock_time(start)}"))
    if hit.usage:
        found.append(Fact(tr("use"), tr("opened, copied or pinned before"), f" · {decimal(hit.usage)}"))
    if hit.judged is not None:
        found.append(Fact(tr("second look"), decimal(hit.judged), tr(" of 1")))
    spot = tr("{place} of {total}").format(place=number(place), total=number(total))
    found.append(Fact(tr("place"), spot, f" · {decimal(hit.score)}" if hit.score else ""))
    return found


def _words_in(hit: Hit, words: Sequence[str]) -> str:
    """The words of the question that stand in the title, as they stand there."""
    title = headline(hit.event)
    return ", ".join(dict.fromkeys(title[start:end] for start, end in marked(title, words)))


def _closeness(relevance: float) -> str:
    if relevance >= VERY_CLOSE:
        return tr("very close")
    return tr("near") if relevance >= CLOSE else tr("loosely related")
