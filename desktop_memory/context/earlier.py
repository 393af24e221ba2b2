"""The session before this one in the same project, in one line."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from desktop_memory.context import moments
from desktop_memory.context.draft import Entry, Part, own, said
from desktop_memory.context.facts import shorter_names
from desktop_memory.context.fold import active_seconds, is_call
from desktop_memory.context.select import Selection
from desktop_memory.context.sources import Sources
from desktop_memory.context.walls import in_front, kept_from
from desktop_memory.context.window_title import subject
from desktop_memory.model import Remembered

LOOK_BACK = timedelta(days=14)
DOCUMENTS = 2


def earlier_session(selection: Selection, sources: Sources) -> Entry | None:
    """`Before this (Tue 11 Aug, 1 h 50): plan-v1.docx, v2.docx, "Kick-off" call`; None when there is none."""
    if not selection.project or selection.session is None:
        return None
    zone = sources.zone()
    for session in reversed(sources.sessions(selection.since - LOOK_BACK, selection.since)):
        if session.end > selection.since or selection.project not in session.projects:
            continue
        events, _ = kept_from(sources.session_events(session.id), selection.walls)
        if in_front(events) != selection.project:
            continue
        things = _things(events)
        if not things:
            continue
        active = moments.short_stretch(active_seconds(events))
        day = moments.near_day(session.start, sources.now(), zone)
        parts: list[Part] = [own(f"Before this ({day}, {active}): ")]
        for at, thing in enumerate(things):
            parts += [own(", " if at else ""), *thing]
        return Entry(at=session.start, when="", text=tuple(parts), kind="session", events=(session.id,))
    return None


def _things(events: Iterable[Remembered]) -> list[tuple[Part, ...]]:
    """Its documents, its call and its last commit."""
    files: dict[str, float] = {}
    calls: dict[str, None] = {}
    commit = ""
    for event in events:
        if is_call(event):
            given = event.details.get("call")
            calls.setdefault(given if isinstance(given, str) else subject(event).text)
        elif event.kind == "window" and (shown := subject(event)).is_file:
            length = ((event.end or event.start) - event.start).total_seconds()
            files[shown.text] = files.get(shown.text, 0.0) + length
        elif event.kind == "git_commit":
            commit = " ".join(event.title.split())
    longest = sorted(sorted(files, key=lambda name: -files[name])[:DOCUMENTS], key=list(files).index)
    things: list[tuple[Part, ...]] = [(said(name),) for name in shorter_names(longest)]
    things += [(own('"'), said(name.replace('"', "'")), own('" call')) for name in list(calls)[:1]]
    if commit:
        things.append((own('commit "'), said(commit.replace('"', "'")), own('"')))
    return things
