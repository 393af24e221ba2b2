"""The window in front on wlroots compositors (sway, labwc, Wayfire, river, Hyprland ...), nothing polled.

See https://wayland.app/protocols/wlr-foreign-toplevel-management-unstable-v1.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from collectors.collector import Unavailable
from collectors.wake import Waker
from collectors.wayland import Happened, Wayland
from collectors.window.backend import Window, window

_MANAGER = "zwlr_foreign_toplevel_manager_v1"
_TOPLEVEL, _FINISHED = 0, 1
_TITLE, _APP_ID, _STATE, _DONE, _CLOSED = 0, 1, 4, 5, 6
_DESTROY = 7
_ACTIVATED = 2


def connect() -> Wlroots:
    """Raises Unavailable where there is no compositor, or one that does not tell of other programs' windows."""
    wayland = Wayland()
    try:
        return Wlroots(wayland)
    except Unavailable:
        wayland.close()
        raise


@dataclass(slots=True)
class _Toplevel:
    number: int
    title: str = ""
    app_id: str = ""
    active: bool = False


class Wlroots:
    """Keeps what the compositor tells of each window; what is told counts once `done` is."""

    name = "wlroots"
    advice = ""

    def __init__(self, wayland: Wayland) -> None:
        self._wayland = wayland
        self._manager = wayland.bind(_MANAGER, 3)
        self._told: dict[int, _Toplevel] = {}
        self._count = 0
        self._front: tuple[int, Window] | None = None
        wayland.round_trip()

    def front(self) -> Window | None:
        self._take()
        return self._front[1] if self._front else None

    def wait(self, waker: Waker, seconds: float | None) -> None:
        until = None if seconds is None else time.monotonic() + seconds
        before = self._front
        while self._front == before:
            left = None if until is None else until - time.monotonic()
            if waker.wait(left, self._wayland) != "readable":
                return
            self._take()

    def close(self) -> None:
        self._wayland.close()

    def _take(self) -> None:
        for event in self._wayland.happened():
            if event.object == self._manager:
                if event.opcode == _FINISHED:
                    raise Unavailable("The compositor tells no more of its windows.")
                self._count += 1  # the ids of windows that are gone are given to others
                self._told[event.uint()] = _Toplevel(self._count)
            elif event.object in self._told:
                self._hear(event, self._told[event.object])

    def _hear(self, event: Happened, toplevel: _Toplevel) -> None:
        if event.opcode == _TITLE:
            toplevel.title = event.text()
        elif event.opcode == _APP_ID:
            toplevel.app_id = event.text()
        elif event.opcode == _STATE:
            toplevel.active = _ACTIVATED in event.numbers()
        elif event.opcode == _DONE:
            self._done(event.object, toplevel)
        elif event.opcode == _CLOSED:
            del self._told[event.object]
            self._wayland.request(event.object, _DESTROY)
            self._leave(event.object)

    def _done(self, id_: int, toplevel: _Toplevel) -> None:
        if toplevel.active:
            self._front = id_, window(toplevel.title, app_id=toplevel.app_id, key=str(toplevel.number))
        else:
            self._leave(id_)

    def _leave(self, id_: int) -> None:
        if self._front and self._front[0] == id_:
            self._front = None
