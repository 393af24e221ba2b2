"""Rules over the past: what they keep from being shown at once, and what of it can be forgotten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from typing import Any

from collectors.event import EPOCH, Event
from desktop_memory.asking import Parts
from desktop_memory.model import Remembered
from desktop_memory.pipeline.projects import alike
from desktop_memory.project import Project
from desktop_memory.projects import Projects
from desktop_memory.receipts import Excluded
from desktop_memory.store import copies, project_book
from desktop_memory.store.copies import SavedCopy

_NEWEST = 8
_NOBODY = Event(identity="", kind="other", start=EPOCH)


class Excluding(Projects):
    """Whatever is read passes the rules of now once more: stored before a rule, it is as if it were not there."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._hidden = (-1, frozenset[str](), frozenset[str]())
        self._store.show_only(self.shows, self.shows_name)

    def shows(self, event: Event) -> bool:
        """Whether the rules of now let this be shown."""
        return not self._why_not(event)

    def shows_name(self, kind: str, name: str) -> bool:
        """Whether they let an app, project, domain, url, file or folder be named; a name has no hour."""
        if kind in ("app", "project", "domain", "url"):
            named: dict[str, Any] = {kind: name}
            return not self._why_not(replace(_NOBODY, **named), timeless=True)
        return kind != "file" or not self._why_not(replace(_NOBODY, files=(name,)), timeless=True)

    def preview_excluded(self) -> Excluded:
        """What is stored that the rules of now would not let in. Takes as long as reading all of it."""
        return self._excluded_now()[0]

    def copied(self, tag: str = "") -> SavedCopy | None:
        """A copy with its sources, by its tag; the last one when no tag is given. What a rule hides is empty."""
        copy = super().copied(tag)
        if copy is None:
            return None
        there = {event.id for event in self.events([source.event for source in copy.sources])}
        sources = tuple(
            source if source.event in there else replace(source, text="") for source in copy.sources
        )
        title = copy.title if sources == copy.sources else ""
        return replace(copy, sources=sources, title=title)

    def copies(self, limit: int = 20, before: datetime | None = None) -> list[SavedCopy]:
        """The newest copies, newest first, without their sources; a title that may tell what a rule hides is empty."""
        found = copies.latest(self._store.read(), min(max(limit, 1), 500), before, whole=True)
        there = {event.id for event in self.events([source.event for one in found for source in one.sources])}
        return [
            replace(
                one,
                sources=(),
                title=one.title if all(source.event in there for source in one.sources) else "",
            )
            for one in found
        ]

    def projects(self) -> list[Project]:
        """All that may be named, the last worked on first."""
        shown = [project for project in super().projects() if self.shows_name("project", project.name)]
        return [
            replace(project, names=self._named(project.names), merged=self._named(project.merged))
            for project in shown
        ]

    def _named(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(name for name in names if self.shows_name("project", name))

    def _excluded_now(self) -> tuple[Excluded, list[int]]:
        found: list[Remembered] = []
        ids: list[int] = []
        whys: Counter[str] = Counter()
        for event, why in self._forbidden():
            ids.append(event.id)
            whys[why] += 1
            found = sorted([*found, event], key=attrgetter("start"), reverse=True)[:_NEWEST]
        return Excluded(events=len(ids), rules=dict(whys.most_common()), newest=tuple(found)), ids

    def _forbidden(self) -> Iterator[tuple[Remembered, str]]:
        for event in self._store.all_there_are():
            if why := self._why_not(event):
                yield event, why

    def _why_not(self, event: Event, *, timeless: bool = False) -> str:
        verdict = self._parts.gate.rules.judge(event, timeless=timeless)
        if not verdict.keep:
            return verdict.why
        if event.project and alike(event.project) in self._hidden_projects():
            return f"excluded project: {event.project}"
        return ""

    def _hidden_projects(self) -> frozenset[str]:
        """What excluded projects are called now, whatever name of theirs the rule knows."""
        excluded = self._parts.gate.rules.projects
        if not excluded:
            return frozenset()
        version = project_book.version(self._store.read())
        if self._hidden[:2] != (version, excluded):
            now = frozenset(alike(self._called(name)) for name in excluded)
            self._hidden = (version, excluded, now)
        return self._hidden[2]
