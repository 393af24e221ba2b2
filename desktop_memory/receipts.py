"""What became of what was handed in, kept out or removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from desktop_memory.model import Remembered

__all__ = ["Excluded", "Forgotten", "Masked", "Merged", "Receipt", "Retiring"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Receipt:
    """What became of the events handed in: `known` were there already, `dropped` fell to a privacy rule.

    `gaps` are new stretches in which nothing was recorded, or nobody was there; they are no events.
    """

    read: int = 0
    new: int = 0
    known: int = 0
    dropped: int = 0
    masked: int = 0
    gaps: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: Receipt) -> Receipt:
        skipped = dict(self.skipped)
        for reason, count in other.skipped.items():
            skipped[reason] = skipped.get(reason, 0) + count
        return Receipt(
            read=self.read + other.read,
            new=self.new + other.new,
            known=self.known + other.known,
            dropped=self.dropped + other.dropped,
            masked=self.masked + other.masked,
            gaps=self.gaps + other.gaps,
            skipped=skipped,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Masked:
    """How many secrets of a sort were masked on a day, in which kind of event of which source."""

    day: date
    source: str
    kind: str
    secret: str
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Excluded:
    """What is stored that the rules of now would not let in: how much, to which rule it falls, the newest of it."""

    events: int
    rules: Mapping[str, int] = field(default_factory=dict)
    newest: tuple[Remembered, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Forgotten:
    """The receipt of a forget: how much was removed from where. `batch` is None for a preview.

    `backups` are files that this app wrote before and that may still hold some of it; `newest` are the last few of
    what a preview found.
    """

    batch: int | None
    events: int
    texts: int = 0
    vectors: int = 0
    nodes: int = 0
    first: datetime | None = None
    last: datetime | None = None
    backups: tuple[str, ...] = ()
    newest: tuple[Remembered, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Retiring:
    """What is no longer kept: events of one kind (or "all") that started before a moment."""

    kind: str
    before: datetime
    events: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Merged:
    """What another memory brought: `forgotten` are events here that it had been told to forget, `projects` names,
    merges, archives and rules of projects that were decided there."""

    receipt: Receipt
    pins: int
    forgotten: int
    projects: int = 0
