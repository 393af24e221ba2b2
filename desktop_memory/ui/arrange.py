"""From hits to rows: grouped by day and session, and merged without a jump under the cursor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from desktop_memory.model import Hit, Remembered, Session
from desktop_memory.ui.rows import Row, event_row, header
from desktop_memory.ui.timeline_paint import session_name
from desktop_memory.ui.words import day_name, local, span, stretch, tr


def grouped(
    hits: Sequence[Hit],
    sessions: Mapping[int, Session],
    words: Sequence[str],
    today: date,
    *,
    by: str = "place",
) -> list[Row]:
    """A header for each session, best one first, and under it its hits, best first."""
    groups: dict[tuple[str, object], list[Hit]] = {}
    for hit in hits:
        groups.setdefault(_group(hit.event, sessions), []).append(hit)
    rows: list[Row] = []
    for key, members in groups.items():
        first = members[0].event
        rows.append(header(_group_title(first, sessions.get(first.session or 0), today), key))
        rows += [event_row(hit.event, words=words, by=by) for hit in members]
    return rows


def merged(shown: Sequence[Row], fresh: Sequence[Row], keep: int) -> list[Row]:
    """The fresh rows below the first `keep` ones that are shown, which stay exactly where they are.

    What the kept rows hold already does not come twice; the last kept group goes on before others begin.
    """
    kept = list(shown[:keep])
    if not kept:
        return list(fresh)
    have = {row.key for row in kept if row.style != "header"}
    known = {row.key: row for row in fresh}
    kept = [known.get(row.key, row) for row in kept]
    last = next((row.key for row in reversed(kept) if row.style == "header"), None)
    same: list[list[Row]] = []
    others: list[list[Row]] = []
    group: list[Row] = []
    for row in [*fresh, header("", "end")]:
        if row.style == "header":
            if len(group) > 1:
                (same if group[0].key == last else others).append(group)
            group = [row]
        elif row.key not in have:
            group.append(row)
    return [*kept, *(row for g in same for row in g[1:]), *(row for g in others for row in g)]


def session_title(session: Session) -> str:
    """billing-api · 09:41–10:32 · 46 min active."""
    active = tr("{time} active").format(time=stretch(session.active_seconds))
    return f"{session_name(session)} · {span(session.start, session.end)} · {active}"


def day_of(moment: datetime) -> date:
    return local(moment).date()


def _group(event: Remembered, sessions: Mapping[int, Session]) -> tuple[str, object]:
    if event.session is not None and event.session in sessions:
        return ("session", event.session)
    return ("day", day_of(event.start))


def _group_title(event: Remembered, session: Session | None, today: date) -> str:
    day = day_name(day_of(event.start), today)
    if session is None:
        return day
    return f"{day} · {session_name(session)} · {span(session.start, session.end)}"
