"""Rules over the past: what they keep from being shown at once, and what of it can be forgotten."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from pathlib import Path
from typing import Any

from collectors.event import EPOCH, Event
from desktop_memory.asking import Parts
from desktop_memory.model import Remembered
from desktop_memory.pipeline.privacy import Rules, judging
from desktop_memory.pipeline.projects import alike
from desktop_memory.project import Project
from desktop_memory.projects import FOLLOW_SECONDS, Projects
from desktop_memory.receipts import Excluded
from desktop_memory.resources import resource
from desktop_memory.store import copies, project_book
from desktop_memory.store.copies import SavedCopy
from desktop_memory.store.density import Bucket
from desktop_memory.store.whole import Cancelled

_NEWEST = 8
_NOBODY = Event(identity="", kind="other", start=EPOCH)


class Looking:
    """One look at all that is stored at a time: how far it is, and ending it."""

    def __init__(self) -> None:
        self.share = 0.0
        self.cancelled = threading.Event()
        self._one = threading.Lock()

    def at(
        self, events: Iterable[Remembered], last: int, why: Callable[[Event], str]
    ) -> Iterator[tuple[Remembered, str]]:
        """What speaks against which of the events, which come by id. Raises Cancelled."""
        with self._one:
            self.cancelled.clear()
            try:
                for event in events:
                    if self.cancelled.is_set():
                        raise Cancelled
                    self.share = min(1.0, event.id / max(1, last))
                    if told := why(event):
                        yield event, told
            finally:
                self.share = 0.0


class Excluding(Projects):
    """Whatever is read passes the rules of now once more: stored before a rule, it is as if it were not there."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._hidden = (-1, frozenset[str](), frozenset[str]())
        self._looking = Looking()
        self._names: tuple[object, int, frozenset[int]] = (None, 0, frozenset())
        self._key: tuple[Rules | None, int, str] = (None, -1, "")
        self._previewed: tuple[object, int, list[int]] = (None, 0, [])
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
        """What is stored that the rules of now would not let in. Takes as long as reading all of it.

        Raises Cancelled when `cancel_excluded` ended it.
        """
        return self._excluded_now()[0]

    def excluded_share(self) -> float:
        """How much of all that is stored was looked at, 0 to 1; 0 when nobody looks."""
        return self._looking.share

    def cancel_excluded(self) -> None:
        """End the look at all that is stored that is under way."""
        self._looking.cancelled.set()

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

    def density(self, since: datetime, until: datetime, seconds: float) -> list[Bucket]:
        """How many events of each kind that may be shown began in each so long stretch."""
        return self._store.density(since, until, seconds, self._hidden_names())

    def projects(self) -> list[Project]:
        """All that may be named, the last worked on first."""
        shown = [project for project in super().projects() if self.shows_name("project", project.name)]
        return [
            replace(project, names=self._named(project.names), merged=self._named(project.merged))
            for project in shown
        ]

    def follow_rules(self, stopped: Callable[[], bool] | None = None) -> bool:
        """Judge stored events by the rules of now for a moment; True while there is more to do.

        Counts of long stretches and of projects leave out what was found hidden; a crash loses nothing of it.
        """
        rules, until = self._rules_key(), time.monotonic() + FOLLOW_SECONDS
        more = worked = self._store.follow_rules(rules)
        while more and time.monotonic() < until and not (stopped and stopped()):
            more = self._store.follow_rules(rules)
        if worked and not more:
            self._tell()
        return more

    def _rules_key(self) -> str:
        """Another one whenever the rules may judge otherwise; it tells nobody what they say."""
        rules, version = self._judged_by()
        if self._key[:2] != (rules, version):
            told = json.dumps(judging(self._parts.gate.privacy), sort_keys=True)
            lists = hashlib.sha256(resource("privacy.toml").read_bytes()).hexdigest()
            projects = version if rules.projects or rules.only.projects else 0
            key = self._store.key(f"rules\n{told}\n{lists}\n{Path.home()}\n{projects}")
            self._key = rules, version, key
        return self._key[2]

    def _named(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(name for name in names if self.shows_name("project", name))

    def _hidden_names(self) -> frozenset[int]:
        """Where the rules say what alone is recorded, a name by itself is hidden by none of them."""
        judged_by = self._judged_by()
        if judged_by[0].only:
            return frozenset()
        known_by, last, hidden = self._names
        if known_by != judged_by:
            last, hidden = 0, frozenset()
        if fresh := self._store.names(last):
            hidden |= {id_ for id_, kind, name in fresh if not self.shows_name(kind, name)}
            last = fresh[-1][0]
        self._names = (judged_by, last, hidden)
        return hidden

    def _excluded_now(self) -> tuple[Excluded, list[int]]:
        found: list[Remembered] = []
        ids: list[int] = []
        whys: Counter[str] = Counter()
        judged_by, last = self._judged_by(), self._store.last_id()
        for event, why in self._looking.at(self._store.all_there_are(), last, self._why_not):
            ids.append(event.id)
            whys[why] += 1
            found = sorted([*found, event], key=attrgetter("start"), reverse=True)[:_NEWEST]
        self._previewed = judged_by, last, ids
        return Excluded(events=len(ids), rules=dict(whys.most_common()), newest=tuple(found)), ids

    def _excluded_ids(self) -> list[int]:
        """Those of the last preview, where the rules are as they were, and what came since; all are looked at else."""
        judged_by, last, ids = self._previewed
        if judged_by != self._judged_by():
            return self._excluded_now()[1]
        since = self._store.all_there_are(after=last)
        return [
            *ids,
            *(event.id for event, _ in self._looking.at(since, self._store.last_id(), self._why_not)),
        ]

    def _judged_by(self) -> tuple[Rules, int]:
        return self._parts.gate.rules, project_book.version(self._store.read())

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
