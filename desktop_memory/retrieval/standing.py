"""Where things stand in a project: its branch, what is uncommitted, what fails, what was seen last."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from desktop_memory.model import Query, Remembered, Standing
from desktop_memory.store import project_reads
from desktop_memory.store.store import Clock, Store

Branch = tuple[str, str, int, tuple[str, ...]]
"""A repository's branch, its base, commits ahead of it, and up to five uncommitted names."""

ReadBranch = Callable[[str], Branch | None]
"""Reads a working tree's state now; None when it cannot be read."""

_LOOK_BACK = timedelta(days=14)
_COMMANDS = 200


def standing(store: Store, project: str, clock: Clock, read_branch: ReadBranch) -> Standing | None:
    """How the project stands, the latest one when no name is given; None when nothing is known of it."""
    now = clock()
    since = now - _LOOK_BACK
    if not project:
        project = latest_project(store, clock)
        if not project:
            return None
    until = now + timedelta(seconds=1)
    recent = store.between(since, until, query=Query(project=project), limit=400, newest_first=True)
    if not recent:
        return None
    failing, streak = _failing(recent)
    branch = _branch(store, recent, read_branch)
    return Standing(
        project=recent[0].project,
        branch=branch[0],
        base=branch[1],
        ahead=branch[2],
        uncommitted=branch[3],
        failing=failing,
        failing_streak=streak,
        last_file=next((event.files[0] for event in recent if event.files), ""),
        pages=_longest_pages(recent),
        last_note=next((event for event in recent if event.kind == "note"), None),
        last=recent[0],
    )


def latest_project(store: Store, clock: Clock) -> str:
    """The project of the newest event that has one; an archived one is not offered."""
    return next(iter(latest_projects(store, clock, 1, among=200)), "")


def latest_projects(store: Store, clock: Clock, count: int = 3, *, among: int = 2_000) -> list[str]:
    """The projects worked on last, newest first, without those that are archived."""
    archived = project_reads.archived(store.read())
    found: dict[str, None] = {}
    for event in _recent(store, clock, among):
        if event.project and event.project.casefold() not in archived:
            found.setdefault(event.project)
        if len(found) == count:
            break
    return list(found)


def _recent(store: Store, clock: Clock, limit: int) -> list[Remembered]:
    now = clock()
    return store.between(now - _LOOK_BACK, now + timedelta(seconds=1), limit=limit, newest_first=True)


def _failing(recent: list[Remembered]) -> tuple[Remembered | None, int]:
    """The newest command that failed and has not succeeded since, with how often in a row."""
    seen: set[str] = set()
    for at, event in enumerate(recent[:_COMMANDS]):
        if event.kind != "terminal" or event.details.get("exit") is None or event.text in seen:
            continue
        seen.add(event.text)
        if event.details["exit"] not in (0, 130):
            same = [other for other in recent[at:] if other.kind == "terminal" and other.text == event.text]
            streak = next(
                (n for n, other in enumerate(same) if other.details.get("exit") in (0, None)), len(same)
            )
            return event, streak
    return None, 0


def _branch(store: Store, recent: list[Remembered], read_branch: ReadBranch) -> Branch:
    folder = next((str(e.details["cwd"]) for e in recent if e.details.get("cwd")), "")
    folder = folder or next((str(e.details["root"]) for e in recent if e.details.get("root")), "")
    found = read_branch(folder) if folder else None
    if found is not None:
        return found
    return next((event.branch for event in recent if event.branch), ""), "", 0, ()


def _longest_pages(recent: list[Remembered]) -> tuple[Remembered, ...]:
    pages = [event for event in recent if event.kind == "browser" and event.end is not None]
    pages.sort(key=lambda event: (event.start - (event.end or event.start), -event.id))
    return tuple(pages[:3])
