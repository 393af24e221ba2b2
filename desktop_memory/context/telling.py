"""What is copied without being a context - lines of a list, a report - passes walls, aliases and redaction too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from desktop_memory.context.outlet import Outlet
from desktop_memory.context.report import Report, report
from desktop_memory.context.report_text import written
from desktop_memory.context.report_wording import ENGLISH, Wording
from desktop_memory.context.sources import Sources
from desktop_memory.context.walls import closed, in_front, kept_from
from desktop_memory.model import ContextRequest, HeldBack, Pin, Remembered, Spoken, Told

Words = Callable[[str], str]


def tell_lines(sources: Sources, lines: Sequence[Spoken], project: str = "") -> Told:
    """Lines that were chosen by hand. Open is `project`, or the one that most of their records belong to."""
    records = {id_: event for line in lines for id_ in line.events if (event := sources.event(id_))}
    walls = _closed(sources, project or in_front(records.values()))
    gate = _Gate(sources, walls, [event.project for event in records.values()])
    told: list[Spoken] = []
    held: Counter[str] = Counter()
    for line in lines:
        behind = kept_from((records[id_] for id_ in line.events if id_ in records), walls)[1]
        behind.update(name for name in line.projects if name.casefold() in walls and name not in behind)
        held.update(behind)
        if not behind:
            told.append(replace(line, text=gate.words(line.text)))
    events = (id_ for line in told for id_ in line.events)
    return gate.told("\n".join(line.text for line in told), events, held)


def tell_report(
    sources: Sources,
    since: date,
    until: date,
    project: str = "",
    format: str = "markdown",
    wording: Wording = ENGLISH,
) -> Told:
    """A report in one of FORMATS without what walls keep back, in the words that others may read."""
    walls = _closed(sources, project)
    found = report(sources, since, until, project, walls)
    gate = _Gate(sources, walls, found.hours)
    events = [event.id for event in (*found.commits, *found.decisions)]
    return gate.told(written(_in_words(found, gate.words), format, wording), events, found.held)


def _closed(sources: Sources, project: str) -> frozenset[str]:
    return closed(ContextRequest(project=project), sources)


class _Gate:
    """An outlet that counts what it hid."""

    def __init__(self, sources: Sources, walls: Collection[str], projects: Iterable[str]) -> None:
        redact = sources.redaction(strict=True, projects=sorted({name for name in projects if name}))
        self._outlet = Outlet(redact, sources.aliases(), walls)
        self._masked: Counter[str] = Counter()

    def words(self, text: str) -> str:
        shown, found = self._outlet.words(text)
        self._masked.update(found)
        return shown

    def told(self, text: str, events: Iterable[int], held: Mapping[str, int]) -> Told:
        return Told(
            text=text,
            events=tuple(dict.fromkeys(events)),
            masked=dict(self._masked),
            held_back=tuple(HeldBack(project=name, events=count) for name, count in sorted(held.items())),
        )


def _in_words(found: Report, words: Words) -> Report:
    hours: dict[str, dict[date, float]] = {}
    for name, days in found.hours.items():
        into = hours.setdefault(words(name), {})
        for day, seconds in days.items():
            into[day] = into.get(day, 0.0) + seconds
    return replace(
        found,
        hours=hours,
        calls=tuple(replace(call, name=words(call.name), app=words(call.app)) for call in found.calls),
        commits=tuple(_event_in_words(event, words) for event in found.commits),
        documents=tuple(replace(document, name=words(document.name)) for document in found.documents),
        decisions=tuple(_event_in_words(event, words) for event in found.decisions),
        goals=tuple(_pin_in_words(pin, words) for pin in found.goals),
        suggestions=tuple(
            replace(found, project=words(found.project), commit=words(found.commit))
            for found in found.suggestions
        ),
    )


def _event_in_words(event: Remembered, words: Words) -> Remembered:
    return replace(event, title=words(event.title), text=words(event.text), project=words(event.project))


def _pin_in_words(pin: Pin, words: Words) -> Pin:
    return replace(pin, text=words(pin.text), project=words(pin.project))
