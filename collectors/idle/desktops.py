"""What can tell idle time here, in the order in which it is tried."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from collectors.idle.backend import Backend, Connect, Locks, Media


def here() -> Sequence[tuple[str, Connect]]:
    """Name and connect() of each backend for this system, in the order in which they are tried."""
    if sys.platform == "win32":
        return (("GetLastInputInfo", _windows),)
    if sys.platform == "darwin":
        return (("CGEventSource", _macos),)
    return (("Wayland", _wayland), ("Mutter", _mutter), ("XScreenSaver", _xscreensaver))


def locks() -> Callable[[], Locks]:
    """connect() of what tells of lock and sleep."""
    if sys.platform == "win32":
        return _windows_locks
    if sys.platform == "darwin":
        return _macos_locks
    return _dbus_locks


# Imported only when tried: each needs a library that another system lacks.


def _wayland() -> Backend:
    from collectors.idle import wayland

    return wayland.connect()


def _mutter() -> Backend:
    from collectors.idle import mutter

    return mutter.connect()


def _xscreensaver() -> Backend:
    from collectors.idle import xscreensaver

    return xscreensaver.connect()


def media() -> Media | None:
    """What tells whether a film or music plays; None where nothing does."""
    if sys.platform != "linux":
        return None
    from collectors.idle import media

    return media.Media()


def _windows() -> Backend:
    from collectors.idle import windows

    return windows.connect()


def _macos() -> Backend:
    from collectors.idle import macos

    return macos.connect()


def _windows_locks() -> Locks:
    from collectors.idle import windows

    return windows.connect_locks()


def _macos_locks() -> Locks:
    from collectors.idle import macos

    return macos.connect_locks()


def _dbus_locks() -> Locks:
    from collectors.idle import lock

    return lock.connect()
