"""Whether there is a display to show a window on. Asked before Qt is: without one Qt ends the process."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

_OFFSCREEN = ("offscreen", "minimal", "vnc")


def has_display() -> bool:
    """A display that answers, or a platform that always has one."""
    if sys.platform in ("win32", "darwin"):
        return True
    if os.environ.get("QT_QPA_PLATFORM", "").split(":")[0] in _OFFSCREEN:
        return True
    return _wayland_answers() or _x11_answers()


def _wayland_answers() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY", "")
    if not name:
        return False
    path = Path(name) if name.startswith("/") else Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere")) / name
    return _connects(str(path))


def _x11_answers() -> bool:
    name = os.environ.get("DISPLAY", "")
    if not name:
        return False
    host, _, screen = name.rpartition(":")
    number = screen.split(".")[0]
    if not number.isdigit():
        return False
    if host in ("", "unix"):
        path = f"/tmp/.X11-unix/X{number}"
        return _connects(path) or _connects(f"\0{path}")
    try:
        socket.create_connection((host, 6_000 + int(number)), timeout=2).close()
    except OSError:
        return False
    return True


def _connects(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as trial:
        trial.settimeout(2)
        try:
            trial.connect(path)
        except OSError:
            return False
    return True
