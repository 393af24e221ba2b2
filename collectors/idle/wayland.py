"""Idle time on Wayland: ext-idle-notify, or KDE's older protocol. The compositor tells; nothing is polled.

See https://wayland.app/protocols/ext-idle-notify-v1 and https://wayland.app/protocols/kde-idle.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from collectors.collector import Unavailable
from collectors.wake import Readable
from collectors.wayland import Wayland

_EXT, _KDE = "ext_idle_notifier_v1", "org_kde_kwin_idle"
_IDLED, _RESUMED = 0, 1

QUIET_SECONDS = 3.0
"""After so long without input the compositor says so: often enough to tell one stray input from two."""


def connect(quiet_seconds: float = QUIET_SECONDS) -> WaylandIdle:
    """Raises Unavailable where there is no compositor, or one that does not tell idle time."""
    wayland = Wayland()
    try:
        return WaylandIdle(wayland, quiet_seconds)
    except Unavailable:
        wayland.close()
        raise


class WaylandIdle:
    """`quiet_seconds` after the last input it hears that, and at once when there is input again."""

    def __init__(self, wayland: Wayland, quiet_seconds: float) -> None:
        self._wayland = wayland
        self._quiet_seconds = quiet_seconds
        self._quiet_since: float | None = None
        self.connections: Sequence[Readable] = (wayland,)
        self.name, self._notification = self._ask(round(quiet_seconds * 1000))
        wayland.round_trip()

    def idle(self) -> float:
        for event in self._wayland.happened():
            if event.object != self._notification:
                continue
            if event.opcode == _IDLED:
                self._quiet_since = time.monotonic() - self._quiet_seconds
            elif event.opcode == _RESUMED:
                self._quiet_since = None
        return 0.0 if self._quiet_since is None else time.monotonic() - self._quiet_since

    def close(self) -> None:
        self._wayland.close()

    def _ask(self, milliseconds: int) -> tuple[str, int]:
        """The protocol that tells, and the object that does."""
        wayland = self._wayland
        seat = wayland.bind("wl_seat", 1)
        if _EXT in wayland.globals:
            notifier = wayland.bind(_EXT, 2)
            # The second request, new in version 2, is of input alone: a film does not count as one.
            opcode = 2 if wayland.globals[_EXT].version >= 2 else 1
            notification = wayland.new_id()
            wayland.request(notifier, opcode, notification, milliseconds, seat)
            return "ext-idle-notify", notification
        manager = wayland.bind(_KDE, 1)
        notification = wayland.new_id()
        wayland.request(manager, 0, notification, seat, milliseconds)
        return "KDE idle", notification
