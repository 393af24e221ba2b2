"""What a chat would have pinned, done or removed: its JSON block, read as a diff against the pins."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, tzinfo
from functools import partial
from typing import Any, Literal, cast, get_args

from desktop_memory.errors import UsageError
from desktop_memory.model import Pin, PinKind
from desktop_memory.pipeline.clean import printable

What = Literal["add", "done", "remove", "change"]

ASKED = (
    "If something from this talk should be kept for next time, end your last answer with one JSON block; leave it out "
    'when there is nothing to keep: {"additions": [{"kind": goal, note, decision, preference or fact, "text": …, '
    '"due": a date or nothing}], "done": [exact text of a goal above, …], "removals": [exact text of a pin above, …], '
    '"changes": [{"pin": its exact text, "text": the new one}], "summary": one line}'
)
"""Put behind a context that asks for updates. Not JSON itself, so that it is never read as an answer."""

TEXT_LIMIT = 280
SUMMARY_LIMIT = 1_000
MOST = 50
LONGEST_ANSWER = 1_000_000
_MOST_BLOCKS = 50
_LONGEST_BLOCK = 100_000

_BLOCK = re.compile(r'\{\s*"(?:additions|removals|done|changes|summary)"\s*:')
_LOOSE_COMMA = re.compile(r",(?=\s*[}\]])")


@dataclass(frozen=True, kw_only=True, slots=True)
class Update:
    """One change to the pins. `problem` says why it cannot be taken; empty when it can.

    `pin` is the one it is about and `before` what that says now; `text`, `kind`, `project` and `due` are what
    the pin will say. `nth` is its place, from 0, among those of its sort that were given.
    """

    what: What
    text: str
    kind: PinKind = "note"
    project: str = ""
    due: datetime | None = None
    pin: int | None = None
    before: str = ""
    problem: str = ""
    nth: int = field(default=0, compare=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Updates:
    """All that a chat proposes at once; `warnings` say what of it could not be read."""

    updates: tuple[Update, ...] = ()
    summary: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """Updates that an AI client handed in; "waiting" until the user takes or drops them."""

    id: int
    at: datetime
    client: str
    state: str
    updates: Updates


def find_block(answer: str) -> dict[str, Any]:
    """The last block of updates in an answer, whatever stands around it. Raises UsageError for none."""
    if len(answer) > LONGEST_ANSWER:
        raise UsageError("This answer is too long to be read.", "Paste the part with the JSON block alone.")
    found: dict[str, Any] | None = None
    for block in _blocks(answer):
        found = block
    if found is None:
        raise UsageError(
            "There is no block of updates in this text.",
            'It looks like {"additions": [{"kind": "goal", "text": "…"}], "removals": []}.',
        )
    return found


def read_updates(
    block: Mapping[str, Any],
    pins: Sequence[Pin],
    zone: tzinfo,
    shown: Callable[[str], str] = lambda text: text,
) -> Updates:
    """The diff that a block makes against the pins.

    `shown` gives a text as the chat saw it: a pin is named by its number or by either of its texts.
    """
    reader = _Reader([pin for pin in pins if pin.status == "active"], zone, shown)
    return reader.read(block)


def read_due(given: str, zone: tzinfo) -> datetime:
    """The day or moment that a due date means. Raises ValueError for what is none."""
    if len(given) == 10:
        day = datetime.combine(date.fromisoformat(given), time(), zone)
    else:
        day = datetime.fromisoformat(given)
    try:
        return (day if day.tzinfo else day.replace(tzinfo=zone)).astimezone(UTC)
    except OverflowError as error:
        raise ValueError(given) from error


class _Reader:
    def __init__(self, pins: Sequence[Pin], zone: tzinfo, shown: Callable[[str], str]) -> None:
        self._pins = {pin.id: pin for pin in pins}
        self._by_text: dict[str, Pin] = {}
        for pin in pins:
            for text in (shown(pin.text), pin.text):
                self._by_text[_same(text)] = pin
        self._zone = zone
        self._warnings: list[str] = []

    def read(self, block: Mapping[str, Any]) -> Updates:
        updates = [
            replace(read(one), nth=nth)
            for name, read in (
                ("additions", self._added),
                ("changes", self._changed),
                ("done", partial(self._ended, "done")),
                ("removals", partial(self._ended, "remove")),
            )
            for nth, one in enumerate(self._listed(block, name))
        ]
        if len(updates) > MOST:
            self._warnings.append(f"{len(updates)} updates are too many: the first {MOST} were read.")
        summary = block.get("summary")
        return Updates(
            updates=_each_once(updates[:MOST]),
            summary=_line(summary, SUMMARY_LIMIT) if isinstance(summary, str) else "",
            warnings=tuple(self._warnings),
        )

    def _listed(self, block: Mapping[str, Any], name: str) -> list[Any]:
        given = block.get(name)
        if given is None:
            return []
        if isinstance(given, (str, int, dict)):
            return [given]
        if not isinstance(given, list):
            self._warnings.append(f'"{name}" is not a list.')
            return []
        return given

    def _added(self, one: Any) -> Update:
        fields = one if isinstance(one, dict) else {"text": one}
        update = self._fields(fields, Update(what="add", text=""))
        known = self._by_text.get(_same(update.text))
        if not update.problem and known is not None:
            return replace(update, pin=known.id, before=known.text, problem="it is pinned already")
        return update

    def _changed(self, one: Any) -> Update:
        fields = one if isinstance(one, dict) else {}
        pin = self._pin(fields.get("id", fields.get("pin")))
        if pin is None:
            return self._missing("change", fields.get("id", fields.get("pin", one)))
        now = Update(
            what="change", text=pin.text, kind=pin.kind, project=pin.project, due=pin.due, pin=pin.id,
            before=pin.text,
        )  # fmt: skip
        update = self._fields({"text": pin.text, **fields}, now)
        if not update.problem and replace(update, problem="") == now:
            return replace(update, problem="it says so already")
        return update

    def _ended(self, what: What, one: Any) -> Update:
        named = one.get("id", one.get("text", one.get("pin"))) if isinstance(one, dict) else one
        pin = self._pin(named)
        if pin is None:
            return self._missing(what, named)
        return Update(
            what=what, text=pin.text, kind=pin.kind, project=pin.project, due=pin.due, pin=pin.id, before=pin.text
        )  # fmt: skip

    def _missing(self, what: What, named: Any) -> Update:
        told = _line(named, TEXT_LIMIT) if isinstance(named, (str, int)) else ""
        return Update(what=what, text=told, problem="no pin has this number or says exactly this")

    def _pin(self, named: Any) -> Pin | None:
        if isinstance(named, bool):
            return None
        if isinstance(named, int):
            return self._pins.get(named)
        if not isinstance(named, str):
            return None
        found = self._by_text.get(_same(named))
        number = named.strip().removeprefix("#")
        if found is None and number.isascii() and number.isdigit() and len(number) < 12:
            found = self._pins.get(int(number))
        return found

    def _fields(self, fields: Mapping[str, Any], update: Update) -> Update:
        """The update with what was given; `problem` for a text that cannot be a pin's."""
        text = _line(fields.get("text", ""), 10_000) if isinstance(fields.get("text"), str) else ""
        kind = fields.get("kind", update.kind)
        if kind not in get_args(PinKind):
            self._warnings.append(f"{_line(kind, 40)!r} is no kind of pin: {update.kind} was taken.")
            kind = update.kind
        project = fields.get("project", update.project)
        update = replace(
            update,
            text=text[:TEXT_LIMIT],
            kind=cast(PinKind, kind),
            project=_line(project, 200) if isinstance(project, str) else update.project,
            due=self._due(fields["due"]) if "due" in fields else update.due,
        )
        if not text:
            return replace(update, problem="it says nothing")
        if len(text) > TEXT_LIMIT:
            return replace(update, problem=f"it is longer than {TEXT_LIMIT} characters")
        return update

    def _due(self, given: Any) -> datetime | None:
        if given in (None, ""):
            return None
        try:
            return read_due(str(given), self._zone)
        except ValueError:
            self._warnings.append(f"{_line(given, 40)!r} is no date: left out. Write 2026-08-20.")
            return None


def _blocks(answer: str) -> Iterator[dict[str, Any]]:
    """Objects that begin like a block of updates, in the answer's order; the newest when there are too many."""
    decoder = json.JSONDecoder()
    for start in [match.start() for match in _BLOCK.finditer(answer)][-_MOST_BLOCKS:]:
        part = answer[start : start + _LONGEST_BLOCK]
        for text in (part, _LOOSE_COMMA.sub("", part)):
            try:
                found, _ = decoder.raw_decode(text)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict):
                yield found
            break


def _each_once(updates: Sequence[Update]) -> tuple[Update, ...]:
    """Nothing is added twice, no pin is touched twice: the first word counts."""
    kept: list[Update] = []
    added: set[str] = set()
    touched: set[int] = set()
    for update in updates:
        if update.problem:
            kept.append(update)
        elif update.what == "add" and _same(update.text) not in added:
            added.add(_same(update.text))
            kept.append(update)
        elif update.what != "add" and update.pin is not None and update.pin not in touched:
            touched.add(update.pin)
            kept.append(update)
    return tuple(kept)


def _line(value: Any, longest: int) -> str:
    return " ".join(printable(str(value)).split())[:longest]


def _same(text: str) -> str:
    return " ".join(text.split()).casefold()
