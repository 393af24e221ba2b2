"""The seam between a desktop and the spans: what a window is, and what a backend must offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from collectors.wake import Waker
from collectors.window.titles import clean

APP_LIMIT = 200
_NAMELESS = {"", "unknown", "n/a", "(null)", "none", "untitled window"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """The window in front. `key` is the desktop's own name for it; `app_id` its class, id or program file."""

    title: str
    app_id: str = ""
    app: str = ""
    pid: int | None = None
    key: str = ""

    @property
    def nameless(self) -> bool:
        """Its title says nothing: what watchers write where they could not see it."""
        return self.title.casefold() in _NAMELESS


def window(
    title: object, *, app_id: object = "", app: object = "", pid: object = None, key: str = ""
) -> Window:
    """A window made fit to keep, whatever its program put into its title, or a desktop into its answer."""
    return Window(
        title=clean(_text(title)),
        app_id=clean(_text(app_id), APP_LIMIT),
        app=clean(_text(app), APP_LIMIT),
        pid=pid if type(pid) is int and 0 < pid < 1 << 32 else None,
        key=key,
    )


def _text(told: object) -> str:
    return told if isinstance(told, str) else ""


class Backend(Protocol):
    """A desktop that tells which window is in front. Every call is made on the watching thread.

    Each raises Unavailable when the connection is lost.
    """

    @property
    def name(self) -> str:
        """For the status page: "X11", "sway"."""
        ...

    @property
    def advice(self) -> str:
        """What this backend cannot see although it works, and what would help; else empty."""
        ...

    def front(self) -> Window | None:
        """The window in front now; None when there is none."""
        ...

    def wait(self, waker: Waker, seconds: float | None) -> None:
        """Return when the front may have changed, when woken, or after that time."""
        ...

    def close(self) -> None: ...


Connect = Callable[[], Backend]
"""Raises Unavailable, with what would help, where this backend cannot work."""
