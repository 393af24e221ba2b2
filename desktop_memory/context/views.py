"""Puts the chosen lines under headings: as one list, by session, or by why they are there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Literal

from desktop_memory.context import moments
from desktop_memory.context.draft import Entry, Section
from desktop_memory.context.select import Selection
from desktop_memory.context.sources import Sources
from desktop_memory.model import ContextRequest

View = Literal["auto", "timeline", "tasks", "neighbourhood", "profile"]

_BEFORE_OR_AFTER = re.compile(r"(?:what (?:did|was|happened) .*)?\b(?:before|after)\b", re.IGNORECASE)
_TASKS = re.compile(
    r"\b(?:to-?dos?|goals?|next steps?|what(?:'s| is| comes)? next|(?:todo|do) next)\b", re.IGNORECASE
)

SESSION_GAP = timedelta(minutes=30)
ONE_LIST = timedelta(hours=6)
MANY_DAYS = timedelta(days=2)


def sections_of(
    request: ContextRequest,
    selection: Selection,
    sources: Sources,
    told: Sequence[Entry],
    beside: Sequence[Entry],
) -> list[Section]:
    """Every line stands in exactly one section, in order of time within it."""
    view = view_of(request, selection, sources)
    if view == "timeline":
        return _by_session([*told, *beside], selection, sources)
    if view == "neighbourhood":
        return _by_reason(told, beside)
    if selection.mode in ("query", "event"):
        return _relevant_first(told, beside, selection, sources)
    return [Section(entries=_sorted(told))]


def view_of(request: ContextRequest, selection: Selection, sources: Sources) -> View:
    """The view asked for, or the one that the question calls for: its time, its tasks, a thing that it names."""
    if request.view != "auto":
        return request.view
    query = request.query.strip()
    if selection.chip or _is_long(selection, sources) or _BEFORE_OR_AFTER.match(query):
        return "timeline"
    if selection.mode == "event" or selection.about:
        return "neighbourhood"
    return "tasks" if _TASKS.search(query) else "profile"


def _is_long(selection: Selection, sources: Sources) -> bool:
    """Whether a stretch is more than one sitting: then its lines need days and sessions."""
    if selection.mode not in ("stretch", "session"):
        return False
    zone = sources.zone()
    days = moments.local_date(selection.since, zone) != moments.local_date(selection.until, zone)
    return days or selection.until - selection.since > ONE_LIST


def _relevant_first(
    told: Sequence[Entry], beside: Sequence[Entry], selection: Selection, sources: Sources
) -> list[Section]:
    first = selection.hits[0].event.start if selection.hits else selection.since
    day = moments.near_day(first, sources.now(), sources.zone())
    sections = [Section(title="Relevant", entries=_sorted(told))]
    if beside:
        sections.append(Section(title=f"Before and after ({day})", entries=_sorted(beside)))
    return sections


def _by_session(entries: Sequence[Entry], selection: Selection, sources: Sources) -> list[Section]:
    """A heading for each sitting, or for each day where there are many days."""
    zone, now = sources.zone(), sources.now()
    by_day = selection.until - selection.since > MANY_DAYS
    groups: list[list[Entry]] = []
    reached = None
    for entry in _sorted(entries):
        new_day = groups and moments.local_date(groups[-1][-1].at, zone) != moments.local_date(entry.at, zone)
        if reached is None or new_day or (entry.at - reached > SESSION_GAP and not by_day):
            groups.append([])
            reached = entry.at
        groups[-1].append(_on_its_day(entry, moments.clock(entry.at, zone)))
        if entry.events:  # a gap parts two sittings, it does not join them
            reached = max(reached, entry.until or entry.at)
    groups = [group for group in groups if any(entry.events for entry in group)]
    return [
        Section(
            title=moments.near_day(group[0].at, now, zone)
            + ("" if by_day else f", {moments.clock(group[0].at, zone)}"),
            entries=tuple(group),
            when=group[0].at,
        )
        for group in groups
    ]


def _on_its_day(entry: Entry, when: str) -> Entry:
    """The entry with its clock time alone: its day stands in the heading."""
    return entry if "–" in entry.when or entry.when == when else replace(entry, when=when)


def _by_reason(told: Sequence[Entry], beside: Sequence[Entry]) -> list[Section]:
    """What was chosen or found, then what stands beside it, grouped by why; gaps are those of its session."""
    reasons: dict[str, list[Entry]] = {}
    for entry in beside:
        if entry.events:
            reasons.setdefault(entry.why, []).append(entry)
    if "same session" in reasons:
        reasons["same session"] += [entry for entry in beside if not entry.events]
    title = "Chosen" if any(entry.why == "asked for" for entry in told) and len(told) == 1 else "Relevant"
    sections = [Section(title=title, entries=_sorted(told))] if told else []
    return sections + [
        Section(title=f"{reason[:1].upper()}{reason[1:]}", entries=_sorted(entries))
        for reason, entries in reasons.items()
    ]


def _sorted(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda entry: (entry.at, entry.kind == "gap", entry.events[:1])))
