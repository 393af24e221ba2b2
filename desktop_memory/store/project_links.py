"""Gives each event that is written its project: what its source tells, then merges, then the user's rules."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import apsw

from collectors.event import Event
from desktop_memory.model import Remembered
from desktop_memory.pipeline.projects import Book, alike
from desktop_memory.store import project_book
from desktop_memory.store.entities import EntityIds

NONE = 0
"""In `event.told`: the source tells of no project."""

_MOST_NAMES = 6


class Placed(NamedTuple):
    """The columns of an event: `told` says what its source tells, where `project` says otherwise."""

    project: int | None
    told: int | None
    rule: int | None


class ProjectLinks:
    """For the writing connection only; reads what is known of projects again when it changed."""

    def __init__(self, entities: EntityIds) -> None:
        self._entities = entities
        self._labels: dict[int, str] = {}
        self.book = Book(version=-1)

    def begin(self, connection: apsw.Connection) -> None:
        """Called at the start of each transaction."""
        if project_book.version(connection) != self.book.version:
            self._entities.forget_all()
            self.forget_cached()
            self.book = project_book.read(connection)

    def forget_cached(self) -> None:
        self._labels.clear()
        self.book = Book(version=-1)

    def place(self, connection: apsw.Connection, event: Event) -> Placed:
        """Where an event belongs whose `project` is what its source tells."""
        told = self.book.own(event)
        if told is None and event.project:
            told, _ = self._entities.get(connection, "project", event.project)
        rule = self.book.rule(event)
        wanted = told if rule is None else rule.project
        project = None if wanted is None else self.book.last(wanted)
        differs = None if project == told else NONE if told is None else told
        return Placed(project, differs, None if rule is None else rule.id)

    def as_told(self, connection: apsw.Connection, event: Remembered, told: int | None) -> Remembered:
        """The event with the project that its source tells of, by the column `told`."""
        if told is None:
            return event
        return replace(event, project="" if told == NONE else self.label(connection, told))

    def as_called(self, connection: apsw.Connection, event: Event) -> Event:
        """The event with the project it would get, under its present name; nothing is made for it."""
        told = self.book.own(event)
        if told is None and event.project:
            told = project_book.called(connection, event.project)
        rule = self.book.rule(event)
        wanted = told if rule is None else rule.project
        return (
            event
            if wanted is None
            else replace(event, project=self.label(connection, self.book.last(wanted)))
        )

    def label(self, connection: apsw.Connection, project: int) -> str:
        if project not in self._labels:
            self._labels[project] = project_book.label(connection, project)
        return self._labels[project]

    def within(self, connection: apsw.Connection, event: Event, placed: Placed) -> str:
        """The name under which a branch of this event is kept: the first one of its project."""
        own = placed.project if placed.told is None else placed.told
        if not own:
            return event.repo
        return self.book.first.get(own) or alike(self.label(connection, own))

    def names(self, connection: apsw.Connection, placed: Placed) -> tuple[str, ...]:
        """What the event's project is called, first, and every other name by which the event may be sought."""
        both = [project for project in (placed.project, placed.told) if project]
        if not both:
            return ()
        names = [self.label(connection, project) for project in both]
        names += self.book.other_names(*both)
        return tuple({alike(name): name for name in reversed(names)}.values())[::-1][:_MOST_NAMES]
