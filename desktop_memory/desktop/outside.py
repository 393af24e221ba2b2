"""Everything that was done outside the data folder, and how to undo it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from desktop_memory.desktop import autostart


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was put elsewhere: what it is, where, and what takes it away again."""

    what: str
    path: str
    undo: Callable[[], None]


def changes(folder: Path) -> list[Change]:
    """What there is now, on behalf of this data folder."""
    return _autostart()


def _autostart() -> list[Change]:
    system = autostart.system()
    try:
        if system.read() is None:
            return []
    except OSError:
        pass  # it is there, although it cannot be read
    return [Change("start with the desktop", system.where(), autostart.turn_off)]
