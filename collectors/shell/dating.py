"""Gives commands their times: the one in the file, or an honest guess for those that have none."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from collectors.event import Event, moment
from collectors.plain import maybe_number, number
from collectors.shell.numbering import Numbered
from collectors.shell.record import plausible

_SECOND = 1_000_000
_MOST_PLACES = 999  # a second that carries an order is told from an exact time by this


@dataclass
class Dating:
    """Makes events of commands, the later stretch of a file before the earlier one.

    A command without a time was run before the next one that has a time, or else before the file was last
    `written` (when, and how long it was then); bytes stand for microseconds, so that the order stays.
    `earliest` bounds it from below where that is known. Those up to the offset `known_until` were told before;
    with `known_all` not only those without a time, for a shell may have given them one since. Those that ran before
    the second `known_before` were told as well. `hide_spaced` makes those that begin with a space private.
    """

    source: str
    written: tuple[int, int]
    known_until: int = 0
    known_all: bool = False
    known_before: int = 0
    earliest: int | None = None
    next_dated: tuple[int, int] | None = None
    hide_spaced: bool = False

    def events(self, commands: Sequence[Numbered]) -> list[Event]:
        """The events of one stretch, oldest first."""
        events = [event for command in reversed(commands) if (event := self._event(command)) is not None]
        events.reverse()
        for command in commands:
            second = command.record.also
            if second is not None and second >= self.known_before:
                events.append(self._made(_alone(command, second), second * _SECOND, 0))
        events.sort(key=lambda event: event.start)
        return events

    def _event(self, command: Numbered) -> Event | None:
        record = command.record
        if not command.context:
            assert record.second is not None
            self.next_dated = (record.second * _SECOND, record.end)
            if record.second < self.known_before or (self.known_all and record.end <= self.known_until):
                return None
            start = record.second * _SECOND + min(command.place, _MOST_PLACES)
            return self._made(command, start, record.elapsed)
        if record.end <= self.known_until:
            return None
        if record.second is not None:
            return self._made(command, record.second * _SECOND + command.place, 0)
        latest, place = self.next_dated or self.written
        return self._made(command, max(0, latest - max(0, place - record.end)), 0)

    def _made(self, command: Numbered, start: int, elapsed: int) -> Event:
        identity, *aliases = command.identities
        began = moment(start)
        approx = bool(command.context)
        return Event(
            identity=identity,
            aliases=tuple(aliases),
            kind="terminal",
            start=began,
            end=began + timedelta(seconds=elapsed) if elapsed > 0 else None,
            approx=approx,
            earliest=moment(min(self.earliest, start)) if approx and self.earliest is not None else None,
            text=command.record.text,
            app=self.source,
            private=self.hide_spaced and command.record.spaced,
            source=self.source,
            utc_offset=local_offset(start),
        )

    def fits(self, end: int, newest: int) -> bool:
        """Whether a file that was read up to `end` and the second `newest` can have led to this: damaged, it holds
        any number."""
        times = (self.written[0], self.next_dated[0] if self.next_dated else 0)
        dates = all(plausible(at // _SECOND + 1) for at in times)
        return dates and self.known_until <= end and self.known_before <= newest

    def plain(self) -> dict[str, Any]:
        """What the stretches before need, as JSON values."""
        return {
            "written": list(self.written),
            "known_until": self.known_until,
            "known_all": self.known_all,
            "known_before": self.known_before,
            "earliest": self.earliest,
            "next_dated": None if self.next_dated is None else list(self.next_dated),
        }

    @classmethod
    def from_plain(cls, source: str, plain: Mapping[str, Any]) -> Dating:
        """The reverse of `plain`. Raises one of DAMAGED."""
        nearest = plain["next_dated"]
        return cls(
            source=source,
            written=_pair(plain["written"]),
            known_until=number(plain["known_until"]),
            known_all=bool(plain["known_all"]),
            known_before=int(plain["known_before"]),
            earliest=maybe_number(plain["earliest"]),
            next_dated=None if nearest is None else _pair(nearest),
        )


def _pair(plain: Sequence[Any]) -> tuple[int, int]:
    return number(plain[0]), number(plain[1])


def _alone(command: Numbered, second: int) -> Numbered:
    """The command at another time it ran, in a second of its own."""
    return Numbered(command.record._replace(second=second), 0, 0, "", command.mark)


def local_offset(us: int) -> int:
    """Minutes that the local clock was ahead of UTC at that time."""
    return time.localtime(us // _SECOND).tm_gmtoff // 60
