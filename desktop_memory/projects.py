"""Projects: what there is, the user's rules, and changes that stored events follow and that can be undone."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from collectors.event import EPOCH, Event, microseconds
from collectors.repository import Checkout
from desktop_memory.keeping import Keeping
from desktop_memory.pipeline.clean import printable
from desktop_memory.pipeline.projects import Book, alike
from desktop_memory.project import Project, ProjectChange, ProjectPreview, ProjectRule
from desktop_memory.settings import Privacy, alias_names
from desktop_memory.store import (
    project_book,
    project_changes,
    project_exchange,
    project_reads,
    project_walls,
)
from desktop_memory.store.project_exchange import Decisions

FOLLOW_SECONDS = 0.5
"""How long stored events follow before it is said how far they are."""


class Projects(Keeping):
    """Names are found as they are now, as they were, and as merged projects were called."""

    _book = Book(version=-1)

    def projects(self) -> list[Project]:
        """All of them, the last worked on first."""
        return project_reads.projects(self._store.read(), self._hidden_names())

    def project_rules(self) -> list[ProjectRule]:
        """The user's rules; of two that match the first one counts, which is the newer."""
        return project_reads.rules(self._store.read())

    def project_changes(self, limit: int = 10) -> list[ProjectChange]:
        """What was changed, newest first, and how far stored events have followed."""
        return project_reads.changes(self._store.read(), min(max(limit, 1), 100))

    def preview_project_rule(self, kind: str, pattern: str, project: str = "") -> ProjectPreview:
        """How many stored events a rule would match, and how many are not in that project yet."""
        return project_reads.preview_rule(self._store.read(), kind, pattern, project)

    def project_called(self, name: str, folder: str = "") -> str:
        """What the project that goes by this name is called now; the name itself where there is none.

        With a folder it is the project there: two repositories may have one name.
        """
        there = Event(identity="", kind="other", start=EPOCH, project=name, details={"cwd": folder})
        own = self._known().own(there) if folder else None
        return self._called(name if own is None else project_book.label(self._store.read(), own))

    def project_outlet(self, walled: Sequence[str], aliases: Sequence[str]) -> tuple[list[str], list[str]]:
        """Walls and aliases of the settings, under every name of the projects that they are about."""
        read = self._store.read()
        names = project_walls.aliases(read, alias_names(Privacy(aliases=tuple(aliases))))
        return list(project_walls.walled(read, walled)), [
            f"{name} = {alias}" for name, alias in names.items()
        ]

    # changes

    def add_project_rule(self, kind: str, pattern: str, project: str) -> ProjectChange:
        """From now on what matches belongs to this project; what is stored follows."""
        return self._change(lambda to, at: project_changes.add_rule(to, kind, pattern, project, at))

    def remove_project_rule(self, rule: int) -> ProjectChange:
        """What the rule gave a project goes back to what it had."""
        return self._change(lambda to, at: project_changes.remove_rule(to, rule, at))

    def rename_project(self, name: str, new: str) -> ProjectChange:
        """Call a project otherwise; its old name goes on leading to it."""
        return self._change(lambda to, at: project_changes.rename(to, name, new, at))

    def merge_projects(self, name: str, into: str) -> ProjectChange:
        """Let all of a project belong to another one; undoing it parts them again."""
        return self._change(lambda to, at: project_changes.merge(to, name, into, at))

    def archive_project(self, name: str, archived: bool = True) -> ProjectChange:
        """Leave a project out of what is offered, or offer it again; it can be searched all the while."""
        return self._change(lambda to, at: project_changes.archive(to, name, at, archived=archived))

    def undo_project_change(self, change: int) -> ProjectChange:
        """Take a change back, also one that stored events still follow. Raises KnownError when it is too late."""

        def undo(to: Any, at: int) -> int:
            project_changes.undo(to, change)
            return change

        return self._change(undo)

    def follow_projects(self, stopped: Callable[[], bool] | None = None) -> bool:
        """Let stored events follow for a moment; True while there is more to do. A crash loses nothing of it."""
        until = time.monotonic() + FOLLOW_SECONDS
        more = worked = self._store.follow_projects()
        while more and time.monotonic() < until and not (stopped and stopped()):
            more = self._store.follow_projects()
        if worked:
            self._tell()
        return more

    def learn(self, checkout: Checkout) -> None:
        """Take note of a repository and where it lies, so that a moved one is known again."""
        # As the gate lets events tell of them.
        folders = tuple(printable(folder, lines=True) for folder in checkout.folders)
        checkout = replace(checkout, name=printable(checkout.name), folders=folders)
        remote = self._store.profile.seals(f"remote {checkout.remote}")[0] if checkout.remote else ""
        if project_book.is_known(self._store.read(), checkout, remote):
            return
        with self._store.transaction() as connection:
            joined = project_book.learn(connection, checkout, remote)
            if joined is not None:
                project_changes.join(connection, joined, microseconds(self._clock()))
        self._tell()

    def take_decisions(self, decisions: Decisions) -> int:
        """Take over what was decided about projects in another memory; how many names, merges, archives and rules."""
        with self._store.transaction() as connection:
            taken = project_exchange.take(connection, decisions, microseconds(self._clock()))
        self._tell()
        return taken

    # inside

    def _hidden_names(self) -> Collection[int]:
        """Apps, sites and projects that may not be named: nothing tells how much there is of them."""
        return ()

    def _change(self, act: Callable[[Any, int], int]) -> ProjectChange:
        with self._store.transaction() as connection:
            id_ = act(connection, microseconds(self._clock()))
        self._tell()
        return next(change for change in self.project_changes(100) if change.id == id_)

    def _known(self) -> Book:
        """What is known of projects now; read again when it changed."""
        read = self._store.read()
        if project_book.version(read) != self._book.version:
            self._book = project_book.read(read)
        return self._book

    def _excluded(self, event: Event) -> str:
        """The name under which a privacy rule excludes the project that this event would get; empty for none."""
        excluded = self._parts.gate.rules.projects
        if not excluded:
            return ""
        read, book = self._store.read(), self._known()
        told = book.own(event)
        if told is None and event.project:
            told = project_book.called(read, event.project)
        rule = book.rule(event)
        own = told if rule is None else rule.project
        for project in dict.fromkeys(one for one in (told, own) if one is not None):
            for one in (project, book.last(project)):
                for name in project_book.all_names(read, one):
                    if alike(name) in excluded:
                        return name
        return ""
