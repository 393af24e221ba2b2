"""The seam between a desktop and the hotkey."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from desktop_memory.desktop.hotkey.chord import Chord

Pressed = Callable[[], None]
"""Called on a thread of the backend's own each time the key is pressed; not again while it is held."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What a key is for: a name for the desktop to remember it by, and what the desktop shows its user."""

    name: str
    says: str


DEEDS = {
    "search": Deed("search", "Search in Desktop Memory"),
    "copy": Deed("copy", "Copy the last 15 minutes with Desktop Memory"),
}


class Backend(Protocol):
    """A desktop that can give a key to one program. Its methods may be called on any thread."""

    @property
    def name(self) -> str: ...

    def bind(self, chord: Chord) -> None:
        """Take this key instead of the one that was taken.

        Raises KnownError when another program has it or there is no such key; the former stays taken.
        """
        ...

    def unbind(self) -> None:
        """Give the key back."""
        ...

    def close(self) -> None:
        """Give the key back and end."""
        ...


Connect = Callable[[Pressed], Backend]
"""Raises collectors.collector.Unavailable, with what would help, where this backend cannot work."""
