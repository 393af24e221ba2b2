"""Whether the app starts with the desktop: a switch that looks at what is really there."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from desktop_memory.desktop.startup.entry import Startup
from desktop_memory.errors import KnownError
from desktop_memory.settings import home_option

NAME = "desktop-memory"


def is_on() -> bool:
    """Whether the app will really start: the entry is there, enabled, and its program exists."""
    return problem() == ""


def problem() -> str:
    """Why the app will not start with the desktop; empty when it will."""
    try:
        entry = system().read()
    except OSError as why:
        return f"{system().where()} cannot be read: {why.strerror or why}"
    if entry is None:
        return "It was not asked to."
    if not entry.enabled:
        return f"It is switched off in {system().where()}."
    if not entry.command or not _exists(entry.command[0]):
        return f"{system().where()} names a program that is gone: {(*entry.command, '')[0]}"
    return ""


def turn_on(command: Sequence[str] = ()) -> None:
    """Start this command (the app in the tray, as a rule) with the desktop.

    Raises KnownError when that cannot be written, or is not there afterwards.
    """
    command = tuple(command) or own_command()
    try:
        system().write(command)
    except OSError as why:
        raise KnownError(
            f"{system().where()} cannot be written: {why.strerror or why}", "Check its permissions."
        ) from why
    if why_not := problem():
        raise KnownError("The app will not start with the desktop.", why_not)


def turn_off() -> None:
    """Start it no more. Raises KnownError when the entry cannot be removed."""
    try:
        system().remove()
    except OSError as why:
        raise KnownError(
            f"{system().where()} cannot be removed: {why.strerror or why}", "Remove it by hand."
        ) from why


def own_command(folder: Path | None = None) -> tuple[str, ...]:
    """What starts this very installation in the tray, on this data folder."""
    return (*program(folder), "run", "--background")


def program(folder: Path | None = None) -> tuple[str, ...]:
    """This very installation, as others start it: with the data folder where it is not the usual one."""
    home = home_option(folder) if folder is not None else ()
    beside = Path(sys.executable).parent / (f"{NAME}.exe" if sys.platform == "win32" else NAME)
    if getattr(sys, "frozen", False):
        return (sys.executable, *home)
    if beside.is_file():
        return (str(beside), *home)
    return (sys.executable, "-m", "desktop_memory", *home)


def system() -> Startup:
    """How this system does it."""
    if sys.platform == "win32":
        from desktop_memory.desktop.startup.windows import RunKey

        return RunKey(NAME)
    if sys.platform == "darwin":
        from desktop_memory.desktop.startup.macos import LaunchAgent

        return LaunchAgent(NAME)
    from desktop_memory.desktop.startup.xdg import DesktopFile

    return DesktopFile(NAME)


def _exists(program: str) -> bool:
    if os.path.isabs(program):
        return os.access(program, os.X_OK)
    return shutil.which(program) is not None
