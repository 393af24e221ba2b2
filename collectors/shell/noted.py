"""Makes events of the notes of shell hooks, under names by which a history file tells the same commands."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from collectors.event import Event, identity, moment
from collectors.plain import number
from collectors.repository import enclosing
from collectors.shell.dating import local_offset
from collectors.shell.notes import Note
from collectors.shell.numbering import dated_identity, known_as
from collectors.shell.record import readable

_SLOW_START_US = 250_000
_CLAIMS = 256
_SECOND = 1_000_000
_MOST_PLACES = 999


class Claims:
    """Which history entries the hooks have spoken for, so that no two notes take the same for theirs."""

    def __init__(self, plain: Iterable[Iterable[Any]] = ()) -> None:
        self._counts: dict[tuple[int, str], int] = {
            (number(second), str(mark)): number(count) for second, mark, count in plain
        }

    def claim(self, second: int, text: str) -> str:
        """The identity of the next command with this text in this second."""
        key = (second, hashlib.blake2b(known_as(text).encode(), digest_size=8).hexdigest())
        count = self._counts.pop(key, 0)
        self._counts[key] = count + 1
        return dated_identity(second, text, count)

    def plain(self) -> list[list[Any]]:
        """The latest claims as JSON values."""
        latest = list(self._counts.items())[-_CLAIMS:]
        return [[second, mark, count] for (second, mark), count in latest]


def events_of(notes: Sequence[Note], claims: Claims) -> list[Event]:
    """The events of these notes, oldest first."""
    notes = sorted(notes, key=lambda note: note.start)
    events = [event for note in notes for event in _pasted(note, claims)]
    commands = [(note, text) for note in notes if (text := _kept(note.entries[-1][1]))]
    # First every note claims the second that it knows, then those in which its entry may stand as well.
    sure = [claims.claim(_second(note), text) for note, text in commands]
    places: Counter[int] = Counter()
    again: Counter[tuple[str, int, str]] = Counter()
    for (note, text), name in zip(commands, sure, strict=True):
        maybe = (claims.claim(second, text) for second in _other_seconds(note))
        place = 0
        if note.start % _SECOND == 0:  # a clock of seconds: keep the order
            place = min(places[note.start], _MOST_PLACES)
            places[note.start] += 1
        times = again[note.process, note.start, text]  # a clock of seconds may stand still between two
        again[note.process, note.start, text] += 1
        events.append(
            _event(
                note,
                text,
                identity(
                    "hook", note.shell, note.process, note.start, known_as(text), *([times] if times else ())
                ),
                start=note.start + place,
                end=note.end,
                code=note.code,
                aliases=(name, *maybe),
            )
        )
    return sorted(events, key=lambda event: event.start)


def _pasted(note: Note, claims: Claims) -> Iterable[Event]:
    """Commands pasted together with the last, and run just before it: only bash's own second is known."""
    for place, (second, text) in enumerate(note.entries[:-1], start=1 - len(note.entries)):
        if second is not None and (kept := _kept(text)):
            start = min(note.start, (second + 1) * _SECOND) + place
            yield _event(note, kept, claims.claim(second, kept), start=start)


def _second(note: Note) -> int:
    """The second in which the history has the command, as far as the hook knows."""
    told = note.entries[-1][0]
    return note.start // _SECOND if told is None else told


def _other_seconds(note: Note) -> list[int]:
    """Further seconds in which the history may have it: a shell takes the line just before it runs the command,
    and one that tells only seconds may have looked at another clock."""
    if note.entries[-1][0] is not None:
        return []
    second = note.start // _SECOND
    if note.start % _SECOND == 0:
        return [second - 1, second + 1]
    return [second - 1] if note.start % _SECOND < _SLOW_START_US else []


def _kept(text: str) -> str:
    return "" if text.startswith(" ") else readable(text.encode("utf-8", "replace"))


def _event(
    note: Note,
    text: str,
    name: str,
    *,
    start: int,
    end: int | None = None,
    code: int | None = None,
    aliases: tuple[str, ...] = (),
) -> Event:
    repository = enclosing(os.fsdecode(note.folder))
    details: dict[str, Any] = {"cwd": note.folder.decode("utf-8", "replace")}
    if code is not None:
        details["exit"] = code
    return Event(
        identity=name,
        aliases=aliases,
        kind="terminal",
        start=moment(start),
        end=None if end is None else moment(max(end, start)),
        text=text,
        app=note.shell,
        project=repository.name.encode("utf-8", "replace").decode() if repository else "",
        source=note.shell,
        utc_offset=local_offset(start),
        details=details,
    )
