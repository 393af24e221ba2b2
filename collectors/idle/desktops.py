"""What can tell idle time here, in the order in which it is tried."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from collectors.idle.backend import Backend, Connect, Locks


def here() -> Sequence[tuple[str, Connect]]:
    """Name and connect() of each backend for this system."""
    if sys.platform == "linux":
        return (("Wayland", _wayland), ("Mutter", _mutter), ("XScreenSaver", _xscreensaver))
    return ()


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


def locks() -> Callable[[], Locks] | None:
    """connect() of what tells of lock and sleep; None where nothing does."""
    return _dbus_locks if sys.platform == "linux" else None


def _dbus_locks() -> Locks:
    from collectors.idle import lock

    return lock.connect()
