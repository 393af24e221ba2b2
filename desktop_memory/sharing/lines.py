"""What a line of a segment tells: an event, a gap, a pin, or what was forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, get_args

from collectors.event import Gap, GapReason, in_each_zone
from desktop_memory.model import Pin, Remembered
from desktop_memory.records import NotARecord, event_from, event_record, key_of
from desktop_memory.sharing.segment import Line
from desktop_memory.store.events import Incoming
from desktop_memory.store.exchange import Barred

SECRET_BYTES = 32
_KEYS_A_LINE = 500


def of_event(event: Remembered, keys: Sequence[bytes]) -> Line:
    """An event with every key it is known by; its id and session are each memory's own."""
    record = {name: value for name, value in event_record(event).items() if value not in ("", None, [], {})}
    for name in ("id", "session"):
        record.pop(name, None)
    return {"event": record, **({"keys": [key.hex() for key in keys]} if keys else {})}


def of_forgets(barred: Barred) -> Iterable[Line]:
    keys = [key.hex() for key in barred.keys]
    for at in range(0, len(keys), _KEYS_A_LINE):
        yield {"forgotten": keys[at : at + _KEYS_A_LINE]}
    for start, end, filter_ in barred.stretches:
        yield {"stretch": [start, end, filter_]}


def of_gap(gap: Gap) -> Line:
    assert gap.end is not None
    return {"gap": [gap.start.isoformat(), gap.end.isoformat(), gap.reason]}


def of_pin(pin: Pin) -> Line:
    return {"pin": {"kind": pin.kind, "text": pin.text, "status": pin.status, "project": pin.project,
                    "due": None if pin.due is None else pin.due.isoformat()}}  # fmt: skip


def of_secret(secret: bytes) -> Line:
    """A secret from before a device joined: what it stored under it is known again everywhere."""
    return {"secret": secret.hex()}


def secret_in(line: dict[str, Any]) -> bytes | None:
    try:
        found = bytes.fromhex(line["secret"])
    except (KeyError, TypeError, ValueError):
        return None
    return found if len(found) == SECRET_BYTES else None


def event_in(line: dict[str, Any]) -> Incoming | None:
    """The event in a line; None when it is none that can be read. Raises nothing: the line is skipped."""
    try:
        record = line["event"]
        key, device = key_of(record), record.get("device")
        if key is None or not isinstance(device, str) or not device:
            return None
        keys = tuple(bytes.fromhex(name) for name in line.get("keys", ()))
        return Incoming(event=event_from(record), key=key, keys=keys, device=device)
    except (NotARecord, TypeError, ValueError, AttributeError):
        return None


def forgets_in(line: dict[str, Any]) -> Barred | None:
    try:
        if "forgotten" in line:
            return Barred(keys=tuple(bytes.fromhex(key) for key in line["forgotten"]))
        start, end, filter_ = line["stretch"]
        return Barred(stretches=((int(start), int(end), json.dumps(json.loads(filter_))),))
    except (KeyError, TypeError, ValueError):
        return None


def moment_in(told: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(told)
    except (TypeError, ValueError):
        return None
    known = found.tzinfo is not None and in_each_zone(found)
    return found if known else None


def gap_in(line: dict[str, Any]) -> Gap | None:
    try:
        start, end, reason = line["gap"]
    except (KeyError, TypeError, ValueError):
        return None
    since, until = moment_in(start), moment_in(end)
    if since is None or until is None or until < since or reason not in get_args(GapReason):
        return None
    return Gap(start=since, end=until, reason=reason)
