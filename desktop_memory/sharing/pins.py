"""Goals and notes on their way: the same words are the same pin, and the last that was said about it holds."""

from __future__ import annotations

import json
from typing import Any, get_args

from desktop_memory.memory import Memory
from desktop_memory.model import PinKind
from desktop_memory.sharing import lines
from desktop_memory.sharing.segment import Line
from desktop_memory.store import shared
from desktop_memory.store.notes import PIN_LIMIT
from desktop_memory.store.store import Store

_REMOVED = "removed"


def take(memory: Memory, store: Store, told: dict[str, Any]) -> None:
    """What another device says about a pin."""
    text, status = told.get("text"), told.get("status")
    kind: PinKind | None = next((kind for kind in get_args(PinKind) if kind == told.get("kind")), None)
    if kind is None or not isinstance(text, str) or not 0 < len(text.strip()) <= PIN_LIMIT:
        return
    name = _name(kind, text)
    ours = next((pin for pin in memory.pins("") if _name(pin.kind, pin.text) == name), None)
    if ours is None and status == "active":
        memory.pin(kind, text, str(told.get("project") or ""), lines.moment_in(told.get("due")))
    elif ours is not None and status == _REMOVED:
        memory.unpin(ours.id)
    elif ours is not None and status in ("active", "done") and status != ours.status:
        memory.set_pin_status(ours.id, status)
    else:
        return
    known = _known(store)
    if status == _REMOVED:
        known.pop(name, None)
    else:
        known[name] = status
    with store.transaction() as connection:
        shared.keep(connection, pins=json.dumps(known))


def news(memory: Memory, store: Store) -> tuple[list[Line], str]:
    """What changed here since it was last told, and what to keep as told once it is."""
    before = _known(store)
    pins = {_name(pin.kind, pin.text): pin for pin in memory.pins("")}
    told = [lines.of_pin(pin) for name, pin in pins.items() if before.get(name) != pin.status]
    for name in before.keys() - pins.keys():
        kind, _, text = name.partition("\n")
        told.append({"pin": {"kind": kind, "text": text, "status": _REMOVED}})
    return told, json.dumps({name: pin.status for name, pin in pins.items()})


def _name(kind: str, text: str) -> str:
    return f"{kind}\n{text.casefold()}"


def _known(store: Store) -> dict[str, str]:
    """The pins as the folder knows them: name → status."""
    found: dict[str, str] = json.loads(shared.state(store.read()).get("pins", "{}"))
    return found
