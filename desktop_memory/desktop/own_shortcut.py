"""The desktop's own shortcut for our keys, where no program can take one: written for the user, and taken away again.

GNOME: a custom keybinding of its settings daemon, https://help.gnome.org/users/gnome-help/stable/keyboard-shortcuts-set.html.
KDE: a service with a shortcut in kglobalshortcutsrc. sway: a line in its config, sway(5).
"""

from __future__ import annotations

import ast
import contextlib
import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from desktop_memory.desktop import autostart
from desktop_memory.desktop.hotkey.backend import DEEDS
from desktop_memory.desktop.hotkey.chord import Chord, parse
from desktop_memory.desktop.hotkey.gnome import written as gtk_keys
from desktop_memory.desktop.hotkey.portal import KEYSYMS
from desktop_memory.desktop.rc_file import RcFile
from desktop_memory.desktop.startup.xdg import joined
from desktop_memory.errors import KnownError
from desktop_memory.settings import home_option

BY_HAND = "Bind this command to a key in the desktop's own settings: {command}"


class Desktop(Protocol):
    """A desktop whose shortcuts can be written."""

    name: str

    def where(self) -> str: ...
    def write(self, deed: str, chord: Chord, command: Sequence[str]) -> str:
        """Have this key start the command, which is what the deed is for; from when on, for people."""
        ...

    def remove(self, deed: str) -> None: ...
    def has(self, deed: str) -> bool: ...


def here() -> Desktop | None:
    """The desktop that runs, where its shortcuts can be written."""
    names = os.environ.get("XDG_CURRENT_DESKTOP", "").casefold().split(":")
    if {"gnome", "unity", "pantheon", "budgie"} & set(names) and shutil.which("gsettings"):
        return Gnome()
    if "kde" in names and _kwriteconfig():
        return Kde()
    return Sway() if os.environ.get("SWAYSOCK") and shutil.which("swaymsg") else None


def write(deed: str, keys: str, folder: Path | None = None) -> str:
    """Let the desktop bind these keys to "search" or "copy" in this data folder; what was done, for people.

    Raises KnownError where it cannot be, with the command to bind by hand.
    """
    desktop, chord = here(), parse(keys)
    if desktop is None:
        raise KnownError(
            "The shortcuts of this desktop cannot be written.",
            BY_HAND.format(command=shlex.join(command(deed, folder))),
        )
    return f"{chord}: {desktop.write(deed, chord, command(deed, folder))}"


def command(deed: str, folder: Path | None = None) -> tuple[str, ...]:
    """What a press starts."""
    home = home_option(folder) if folder is not None else ()
    return (*autostart.program(), "popup", *home, *(["--copy"] if deed == "copy" else []))


class Gnome:
    """Acts at once."""

    name = "GNOME"
    _LIST = ("org.gnome.settings-daemon.plugins.media-keys", "custom-keybindings")
    _ONE = "org.gnome.settings-daemon.plugins.media-keys.custom-keybinding"
    _PATH = "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/desktop-memory-{deed}/"

    def where(self) -> str:
        return "GNOME's settings, Keyboard, custom shortcuts"

    def write(self, deed: str, chord: Chord, command: Sequence[str]) -> str:
        path = self._PATH.format(deed=deed)
        values = {
            "name": DEEDS[deed].says, "command": shlex.join(command), "binding": gtk_keys(chord),
        }  # fmt: skip
        for key, value in values.items():
            _run("gsettings", "set", f"{self._ONE}:{path}", key, value)
        if path not in self._paths():
            _run("gsettings", "set", *self._LIST, repr([*self._paths(), path]))
        return "GNOME binds it from now on."

    def remove(self, deed: str) -> None:
        path = self._PATH.format(deed=deed)
        left = [other for other in self._paths() if other != path]
        _run("gsettings", "set", *self._LIST, repr(left) if left else "@as []")
        _run("gsettings", "reset-recursively", f"{self._ONE}:{path}")

    def has(self, deed: str) -> bool:
        return self._PATH.format(deed=deed) in self._paths()

    def _paths(self) -> list[str]:
        with contextlib.suppress(KnownError, ValueError, SyntaxError):
            said = _run("gsettings", "get", *self._LIST).strip().removeprefix("@as ")
            return [str(path) for path in ast.literal_eval(said)]
        return []


class Kde:
    """KDE reads its shortcuts when one logs in."""

    name = "KDE"
    _FILE = "kglobalshortcutsrc"

    def where(self) -> str:
        return str(self._service("search"))

    def write(self, deed: str, chord: Chord, command: Sequence[str]) -> str:
        service = self._service(deed)
        lines = (
            "[Desktop Entry]", "Type=Application", f"Name={DEEDS[deed].says}", f"Exec={joined(command)}",
            "NoDisplay=true", "StartupNotify=false", f"X-KDE-Shortcuts={_kde_keys(chord)}",
        )  # fmt: skip
        try:
            service.parent.mkdir(parents=True, exist_ok=True)
            service.write_text("\n".join(lines) + "\n", encoding="utf-8")
        except OSError as why:
            raise KnownError(
                f"{service} cannot be written: {why.strerror or why}", "Check its permissions."
            ) from why
        self._config(deed, _kde_keys(chord))
        return "KDE binds it when you log in the next time; until then the key does nothing."

    def remove(self, deed: str) -> None:
        self._service(deed).unlink(missing_ok=True)
        self._config(deed, None)

    def has(self, deed: str) -> bool:
        return self._service(deed).exists()

    def _config(self, deed: str, keys: str | None) -> None:
        """Plasma 6 keeps the shortcuts of programs in a group of groups, Plasma 5 in a group each."""
        name = self._service(deed).name
        six = _kwriteconfig().endswith("6")
        groups = ["--group", "services", "--group", name] if six else ["--group", name]
        value = keys if six or keys is None else f"{keys},none,{DEEDS[deed].says}"
        _run(
            _kwriteconfig(), "--file", self._FILE, *groups, "--key", "_launch",
            *(["--delete"] if value is None else [value]),
        )  # fmt: skip

    def _service(self, deed: str) -> Path:
        data = os.environ.get("XDG_DATA_HOME", "")
        base = Path(data) if os.path.isabs(data) else Path.home() / ".local" / "share"
        return base / "applications" / f"desktop-memory-{deed}.desktop"


class Sway:
    """Bound at once, and kept in the config where there is one of the user's own."""

    name = "sway"

    def where(self) -> str:
        return str(self._config())

    def write(self, deed: str, chord: Chord, command: Sequence[str]) -> str:
        line = f"bindsym {_sway_keys(chord)} exec {shlex.join(command)}"
        _run("swaymsg", line)
        if not self._config().exists():
            return f"sway binds it until you log out. To keep it, add this line to its config: {line}"
        lines = {**self._lines(), deed: line}
        RcFile(path=self._config()).put("\n".join(lines.values()))
        return f"sway binds it from now on; the line is in {self._config()}."

    def remove(self, deed: str) -> None:
        lines = {name: line for name, line in self._lines().items() if name != deed}
        file = RcFile(path=self._config())
        file.put("\n".join(lines.values())) if lines else file.take_out()

    def has(self, deed: str) -> bool:
        return deed in self._lines()

    def _lines(self) -> Mapping[str, str]:
        """Our lines of the config, by what they are for."""
        block = RcFile(path=self._config()).block or ""
        return {
            "copy" if line.endswith(" --copy") else "search": line
            for line in block.splitlines()
            if line.strip()
        }

    def _config(self) -> Path:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
        return base / "sway" / "config"


def _kwriteconfig() -> str:
    return next((name for name in ("kwriteconfig6", "kwriteconfig5") if shutil.which(name)), "")


def _kde_keys(chord: Chord) -> str:
    return str(chord).replace("Super", "Meta")


def _sway_keys(chord: Chord) -> str:
    names = {"Ctrl": "Ctrl", "Alt": "Mod1", "Shift": "Shift", "Super": "Mod4"}
    key = chord.key.lower() if len(chord.key) == 1 and chord.key.isalpha() else chord.key
    return "+".join([*(names[name] for name in names if name in chord.modifiers), KEYSYMS.get(key, key)])


def _run(*words: str) -> str:
    """What the program says. Raises KnownError when it fails."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError) as why:
        said = getattr(why, "stderr", "") or type(why).__name__
        raise KnownError(f"{words[0]} did not do it: {said.strip()}", "Nothing else was changed.") from why
    return done.stdout
