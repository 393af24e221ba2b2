"""What a context is made from: the questions that the stores answer for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Protocol

from desktop_memory.model import (
    Entity,
    Gap,
    Hit,
    Pin,
    Query,
    Remembered,
    SearchResult,
    Session,
    Source,
    Standing,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Neighbour:
    """An event beside another one and why it is there: "same session", "same file", "same site" …"""

    event: Remembered
    why: str
    hops: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Topic:
    """Things that go together, by the name that the user or the computer gave them."""

    name: str
    entities: tuple[str, ...] = ()


Redact = Callable[[str], tuple[str, Counter[str]]]


class Sources(Protocol):
    """The stores as a context sees them; nothing here writes."""

    def now(self) -> datetime: ...
    def zone(self) -> tzinfo: ...

    def event(self, id_: int) -> Remembered | None: ...
    def overlapping(self, since: datetime, until: datetime) -> Sequence[Remembered]:
        """Events that happened or went on in [since, until), oldest first."""
        ...

    def newest(self, before: datetime, project: str = "") -> Remembered | None:
        """The last event that started before this moment, of a project if one is named."""
        ...

    def search(self, query: Query) -> SearchResult: ...

    def neighbours(self, event: Remembered, *, hops: int, fanout: int) -> Sequence[Neighbour]:
        """Events that share something with this one, not those of its own session; never asked for 0 hops."""
        ...

    def named(self, text: str, hits: Sequence[Hit]) -> Sequence[Entity]:
        """At most five things that the text names, or that these hits touch and whose names mean what it says."""
        ...

    def touching(self, entity: Entity, count: int) -> Sequence[Remembered]:
        """The newest events that touch it."""
        ...

    def repeats(self, event: Remembered) -> Sequence[Remembered]:
        """Other events that say the same: visits of the same page."""
        ...

    def seen_before(self, event: Remembered) -> bool:
        """Whether the document in this window, or this page, was seen in an earlier session."""
        ...

    def session(self, member: int) -> Session | None: ...
    def session_at(self, at: datetime) -> Session | None: ...
    def sessions(self, since: datetime, until: datetime) -> Sequence[Session]:
        """Sessions that overlap [since, until), oldest first."""
        ...

    def session_events(self, member: int) -> Sequence[Remembered]: ...
    def gaps(self, since: datetime, until: datetime) -> Sequence[Gap]: ...

    def pins(self) -> Sequence[Pin]: ...
    def standing(self, project: str) -> Standing | None: ...
    def topics(self, events: Sequence[int]) -> Sequence[Topic]: ...

    def last_copy(self) -> datetime | None:
        """Until when the last copy reached."""
        ...

    def copied(self, tag: str, client: str | None = None) -> tuple[str, list[Source]] | None:
        """A saved copy's tag and sources; without a tag the last one, of this client if one is named."""
        ...

    def tag_taken(self, tag: str) -> bool: ...

    def redaction(self, *, strict: bool, projects: Sequence[str]) -> Redact: ...
    def aliases(self) -> Mapping[str, str]:
        """Names that others know by another one: "Nordwind AG" → "Client A"."""
        ...

    def walled(self) -> frozenset[str]:
        """Projects whose events are told only when asked for."""
        ...
