"""Everything that was done outside the data folder, and how to undo it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from desktop_memory.desktop import autostart, gnome_extension, own_shortcut, shell_hook
from desktop_memory.desktop.hotkey.backend import DEEDS
from desktop_memory.errors import KnownError


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was put elsewhere: what it is, where, and what takes it away again."""

    what: str
    path: str
    undo: Callable[[], object]


def changes(folder: Path) -> list[Change]:
    """What there is now, on behalf of this data folder."""
    return [*_autostart(), *_shell_hooks(folder), *_gnome_extension(), *_own_shortcuts()]


def _autostart() -> list[Change]:
    system = autostart.system()
    try:
        if system.read() is None:
            return []
    except OSError:
        pass  # it is there, although it cannot be read
    return [Change("start with the desktop", system.where(), autostart.turn_off)]


def _shell_hooks(folder: Path) -> list[Change]:
    found = []
    for shell in shell_hook.SHELLS:
        try:
            paths = shell_hook.files(shell, folder)
        except KnownError:
            continue  # it was edited; only its owner can tell what belongs to it
        if paths:
            where = ", ".join(map(str, paths))
            found.append(Change(f"{shell} hook", where, partial(_take_out, shell)))
    return found


def _take_out(shell: str) -> None:
    shell_hook.remove(shell)


def _gnome_extension() -> list[Change]:
    where = gnome_extension.folder()
    if not where.exists():
        return []
    return [Change("extension for GNOME", str(where), _take_out_extension)]


def _own_shortcuts() -> list[Change]:
    desktop = own_shortcut.here()
    if desktop is None:
        return []
    return [
        Change(f"shortcut of {desktop.name}", desktop.where(), partial(desktop.remove, deed))
        for deed in DEEDS
        if desktop.has(deed)
    ]


def _take_out_extension() -> None:
    gnome_extension.remove()
