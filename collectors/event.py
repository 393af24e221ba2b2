"""What a collector saw: an Event, or a Gap in which nothing could be seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from json.encoder import encode_basestring_ascii
from types import MappingProxyType
from typing import Any, Literal, get_args

Kind = Literal[
    "window",
    "terminal",
    "browser",
    "git_commit",
    "git_stash",
    "git_staged",
    "git_checkout",
    "file",
    "note",
    "screen",
    "other",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

GapReason = Literal["idle", "locked", "asleep", "paused", "not running", "excluded"]

NO_DETAILS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """One thing that happened.

    `identity` does not change when its source, profile, title or end does: reading the same thing
    again gives the same identity (see `identity()`). `aliases` are identities under which another
    source may tell of the same thing. Times are aware and UTC; `utc_offset` is the local offset at
    capture, in minutes. `open` marks a span whose end still moves; `approx` a time that was guessed,
    no sooner than `earliest`. `private` marks what a source knows to be a private window: the gate
    drops it. `repo` identifies a repository (its first commit), `project` is its name for people.
    `details` holds plain JSON values, such as exit, cwd, hash, insertions, deletions, duration.
    """

    identity: str
    kind: Kind
    start: datetime
    end: datetime | None = None
    open: bool = False
    approx: bool = False
    earliest: datetime | None = None
    title: str = ""
    text: str = ""
    app: str = ""
    project: str = ""
    repo: str = ""
    branch: str = ""
    files: tuple[str, ...] = ()
    url: str = ""
    domain: str = ""
    source: str = ""
    utc_offset: int | None = None
    private: bool = False
    aliases: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=lambda: NO_DETAILS)

    def __post_init__(self) -> None:
        for name in ("start", "end", "earliest"):
            moment: datetime | None = getattr(self, name)
            if moment is not None and moment.tzinfo is None:
                raise ValueError(f"{name} has no time zone: {moment!r}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Gap:
    """A stretch in which nothing was or could be recorded; `end` is None while it lasts."""

    start: datetime
    end: datetime | None = None
    reason: GapReason


def identity(*parts: str | int | None) -> str:
    """The identity made of these parts, as JSON; different parts never give the same string."""
    return f"[{','.join(map(_encoded, parts))}]"


def _encoded(part: str | int | None) -> str:
    if isinstance(part, str):
        return encode_basestring_ascii(part)
    return "null" if part is None else str(int(part))


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def in_each_zone(at: datetime) -> bool:
    """Whether this moment lies in a year that there is, whatever the zone it is told in."""
    return 1 < at.year < 9_999


def microseconds(moment: datetime) -> int:
    """Microseconds since 1970 UTC, exactly."""
    delta = moment - EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds


def moment(us: int) -> datetime:
    """The UTC time that many microseconds after 1970; the reverse of `microseconds`.

    Raises OverflowError for a number that no calendar date has.
    """
    return EPOCH + timedelta(microseconds=us)
