"""Says to which project an event belongs: by its repository, names a project goes by, merges and the user's rules."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from collectors.event import Event
from desktop_memory.errors import UsageError
from desktop_memory.pipeline import title_pattern
from desktop_memory.pipeline.names import app_names, host, hosts, listed
from desktop_memory.pipeline.places import own_paths, under, whole
from desktop_memory.project import ProjectRuleKind


def alike(name: str) -> str:
    """What all spellings of a project's name share."""
    return " ".join(name.split()).casefold()


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule of the user's, ready to judge one event after the other; `project` is an entity."""

    id: int
    kind: ProjectRuleKind
    pattern: str
    project: int

    def matches(self, event: Event) -> bool:
        """Commits and commands belong where they were made: only a folder's rule moves them."""
        if event.kind == "note" and event.project:
            return False
        if self.kind == "folder":
            return bool(under(own_paths(event), [self._folder]))
        if event.kind.startswith("git"):
            return False
        if self.kind == "title":
            return bool(event.title) and title_pattern.matches(self._title, event.title)
        if self.kind == "domain":
            return bool(listed(hosts(event), frozenset([self._host])))
        return bool(event.app) and not app_names(event.app).isdisjoint(self._apps)

    @cached_property
    def _folder(self) -> str:
        return whole(self.pattern)

    @cached_property
    def _title(self) -> re.Pattern[str]:
        return title_pattern.compiled(self.pattern)

    @cached_property
    def _host(self) -> str:
        return host(self.pattern)

    @cached_property
    def _apps(self) -> frozenset[str]:
        return app_names(self.pattern)


def checked(kind: str, pattern: str) -> str:
    """The pattern as a rule keeps it. Raises UsageError for one that can match nothing or is unsafe."""
    text = pattern.strip()
    if kind == "title":
        title_pattern.compiled(text)
    elif kind == "domain":
        if not (found := host(text).removeprefix("www.")) or " " in found:
            raise UsageError(f"{pattern!r} is no site.", "For example: example.org")
        return found
    elif kind == "folder":
        path = whole(text)
        if not path.startswith("/") and not re.match(r"[a-z]:/", path):
            raise UsageError(f"{pattern!r} is no whole path of a folder.", "For example: ~/clients/nordwind")
        return path
    elif kind == "app":
        if not app_names(text):
            raise UsageError("The rule needs the name of an app.")
    else:
        raise UsageError(f"{kind!r} is no kind of rule.", "Kinds: title, domain, folder, app.")
    return text


@dataclass(frozen=True, kw_only=True)
class Book:
    """All that is known of projects at a moment. Numbers are entities.

    `names` are those a project goes by beside its own, `folders` lead to what sources call the repository
    there and its project, `into` from what was merged to where it belongs in the end. The first rule that
    matches counts: the newest.
    """

    version: int = 0
    names: Mapping[str, int] = field(default_factory=dict)
    marks: Mapping[str, int] = field(default_factory=dict)
    folders: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    into: Mapping[int, int] = field(default_factory=dict)
    first: Mapping[int, str] = field(default_factory=dict)
    rules: Sequence[Rule] = ()

    def own(self, event: Event) -> int | None:
        """The project that the event's source tells of, where more is known of it than the name it was given."""
        if event.repo and (found := self.marks.get(f"commit {event.repo}")) is not None:
            return found
        if not event.project:
            return None
        name = alike(event.project)
        if self.folders:
            for folder in _upwards(own_paths(event)):
                called, project = self.folders.get(folder, ("", 0))
                if called == name:
                    return project
        return self.names.get(name)

    def last(self, project: int) -> int:
        """Where a project belongs that may have been merged."""
        return self.into.get(project, project)

    def rule(self, event: Event) -> Rule | None:
        return next((rule for rule in self.rules if rule.matches(event)), None)

    def other_names(self, *projects: int | None) -> list[str]:
        """What these projects are called beside their own names, normalised."""
        return [name for project in projects if project for name in self._also.get(project, ())]

    @cached_property
    def _also(self) -> Mapping[int, Sequence[str]]:
        also: dict[int, list[str]] = {}
        for name, project in self.names.items():
            also.setdefault(project, []).append(name)
        return also


def _upwards(paths: Iterable[str]) -> Iterator[str]:
    """Each path and the folders around it, nearest first."""
    for path in paths:
        while len(path) > 1:
            yield path
            path, shorter = posixpath.dirname(path), path
            if path == shorter:
                break
