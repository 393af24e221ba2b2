"""Idle time on GNOME, X11 or Wayland, as Mutter's IdleMonitor tells when asked.

See data/dbus-interfaces/org.gnome.Mutter.IdleMonitor.xml in https://gitlab.gnome.org/GNOME/mutter.
"""

from __future__ import annotations

from collections.abc import Sequence

from collectors.bus import Bus, Refused
from collectors.collector import Unavailable
from collectors.wake import Readable

_NAME = "org.gnome.Mutter.IdleMonitor"
_PATH = "/org/gnome/Mutter/IdleMonitor/Core"


def connect() -> Mutter:
    """Raises Unavailable where GNOME does not run."""
    bus = Bus("session")
    try:
        if not bus.has_owner(_NAME):
            raise Unavailable("GNOME does not run here.")
        backend = Mutter(bus)
        backend.idle()
    except Unavailable:
        bus.close()
        raise
    return backend


class Mutter:
    name = "Mutter"
    connections: Sequence[Readable] = ()

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def idle(self) -> float:
        try:
            milliseconds = self._bus.one(_NAME, _PATH, f"{_NAME}.GetIdletime")
        except Refused as why:
            raise Unavailable(f"GNOME does not tell idle time: {why.name}") from why
        for _ in self._bus.heard():
            pass
        if not isinstance(milliseconds, int):
            raise Unavailable("GNOME does not tell idle time: no number")
        return float(milliseconds) / 1000

    def close(self) -> None:
        self._bus.close()
