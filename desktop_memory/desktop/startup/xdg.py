"""A desktop file in ~/.config/autostart.

See https://specifications.freedesktop.org/autostart-spec/latest/ and the Desktop Entry Specification, "The Exec key".
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from desktop_memory.desktop.startup.entry import Entry

_RESERVED = re.compile(r"""[\s"'\\><~|&;$*?#()`]""")


class DesktopFile:
    """One file; switched off by Hidden, or by the key with which GNOME's settings do it."""

    def __init__(self, name: str) -> None:
        config = os.environ.get("XDG_CONFIG_HOME", "")
        folder = Path(config) if os.path.isabs(config) else Path.home() / ".config"
        self._file = folder / "autostart" / f"{name}.desktop"

    def where(self) -> str:
        return str(self._file)

    def read(self) -> Entry | None:
        try:
            text = self._file.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return None
        keys = _keys(text)
        hidden = keys.get("Hidden", "false").lower() == "true"
        gnome_off = keys.get("X-GNOME-Autostart-enabled", "true").lower() == "false"
        return Entry(command=_split(keys.get("Exec", "")), enabled=not hidden and not gnome_off)

    def write(self, command: Sequence[str]) -> None:
        program = command[0].replace("\\", "\\\\")
        text = (
            "[Desktop Entry]\n"
            "Type=Application\n"
            "Name=Desktop Memory\n"
            "Comment=Remembers what you did on this computer\n"
            "Icon=desktop-memory\n"
            f"TryExec={program}\n"  # where it is gone, desktops pass over the entry
            f"Exec={joined(command)}\n"
            "Terminal=false\n"
            "X-GNOME-Autostart-enabled=true\n"
        )
        self._file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._file.with_suffix(".new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(self._file)

    def remove(self) -> None:
        self._file.unlink(missing_ok=True)


def _keys(text: str) -> dict[str, str]:
    """The keys of the [Desktop Entry] group."""
    keys: dict[str, str] = {}
    group = ""
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            group = line
        elif group == "[Desktop Entry]" and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            keys.setdefault(key.strip(), value.strip())
    return keys


def joined(command: Sequence[str]) -> str:
    """The arguments as Exec wants them: quoted where needed, a percent sign doubled, then escaped as a string."""
    return " ".join(_quoted(argument) for argument in command).replace("\\", "\\\\")


def _quoted(argument: str) -> str:
    argument = argument.replace("%", "%%")
    if argument and not _RESERVED.search(argument):
        return argument
    return '"' + re.sub(r'(["`$\\])', r"\\\1", argument) + '"'


def _split(value: str) -> tuple[str, ...]:
    """The reverse of `joined`."""
    value = value.replace("\\\\", "\\")
    arguments = []
    for quoted, plain in re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', value):
        argument = plain or re.sub(r"\\(.)", r"\1", quoted)
        arguments.append(argument.replace("%%", "%"))
    return tuple(arguments)
