"""A context before it has a format: what is said, in which order, under which numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from desktop_memory.context.sources import Topic
from desktop_memory.model import Pin

Style = Literal["own", "said", "code", "ref"]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence: our own words, something recorded, a command, or the number of another record."""

    text: str
    style: Style = "own"
    event: int = 0


Text = tuple[Part, ...]


def own(text: str) -> Part:
    return Part(text)


def said(text: str) -> Part:
    return Part(text, "said")


def code(text: str) -> Part:
    return Part(text, "code")


def ref(event: int) -> Part:
    """` [n]` of the record that holds this event; nothing if it holds no number."""
    return Part("", "ref", event)


def plain(text: Iterable[Part]) -> str:
    return "".join(part.text for part in text)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A line of the list. A gap has no event and gets no number."""

    at: datetime
    when: str
    text: Text
    day: str = ""
    """The day it began on, where `when` tells the clock alone."""
    kind: str = ""
    events: tuple[int, ...] = ()
    why: str = ""
    until: datetime | None = None
    weight: float = 0.0
    masked: Mapping[str, int] = field(default_factory=Counter)
    in_full: Text = ()
    """What the source says, where the line only points to it ("my decision, above")."""
    n: int = 0

    @property
    def key(self) -> str:
        """What `ContextRequest.without` knows this line by; a gap has none."""
        return f"event:{self.events[0]}" if self.events else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """Entries under a title; the only section of a short context has none."""

    title: str = ""
    entries: tuple[Entry, ...] = ()
    when: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """A line of where things stand: **Goal**, **Stands at**, **Failing** …"""

    label: str
    text: Text
    pin: Pin | None = None
    masked: Mapping[str, int] = field(default_factory=Counter)

    @property
    def key(self) -> str:
        """What `ContextRequest.without` knows this line by."""
        return f"fact:{self.label}" if self.pin is None else f"pin:{self.pin.id}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """All that a renderer needs."""

    heading: Text
    preamble: str
    notices: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    sections: tuple[Section, ...] = ()
    after: tuple[Entry, ...] = ()
    """Lines below the list: how the time was spent, the session before (which has a number)."""
    closing: Text = ()
    tag: str = ""
    made: datetime
    behind: tuple[str, ...] = ()
    """What follows the context as it is: the user's question, what the chat is asked to end with."""
    topics: tuple[Topic, ...] = ()
    masked: Mapping[str, int] = field(default_factory=dict)
    left_out: int = 0
    held_back: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def numbered(self) -> list[Entry]:
        """The entries that have a number, in order."""
        entries = [entry for section in self.sections for entry in section.entries] + list(self.after)
        return [entry for entry in entries if entry.n]

    def number_of(self, event: int) -> int:
        """The number of the entry that holds this event; 0 when none does."""
        return next((entry.n for entry in self.numbered() if event in entry.events), 0)
