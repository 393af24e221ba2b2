"""Private windows that their title does not tell: by the browser's own switches, and by what a window showed first."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from collectors.window.backend import Window

BeginsPrivate = Callable[[str, str], bool]
"""Whether this title, of this program, is that of a new private tab."""

CANNOT_TELL = (
    "Chrome does not tell here which of its windows are private. Under Privacy, recording no window of a browser is "
    "the strict choice; pages come from its history all the same."
)
"""What is so on macOS, where neither a title nor a process tells."""

CANNOT_ALWAYS_TELL = (
    "This browser marks no page of a private window: such a window is known by its first tab, or by how the browser "
    "was started, but not where a link opens it. Under Privacy, recording no window of a browser is the strict choice; "
    "pages come from its history all the same."
)
"""What is so of Chromium and its kin elsewhere, seen with Chromium 156 on X11."""

_SWITCHES = frozenset(("incognito", "inprivate", "private", "private-window", "private-browsing"))
_BROWSERS = (
    "brave", "chrom", "edge", "epiphany", "firefox", "floorp", "icecat", "librewolf", "opera", "palemoon",
    "qutebrowser", "thorium", "vivaldi", "waterfox", "yandex", "zen",
)  # fmt: skip
_WITHOUT_MARKS = ("brave", "chrom", "opera", "thorium", "vivaldi", "yandex")
_MOST_WINDOWS = 1_000


def started_private(pid: int | None, proc: Path = Path("/proc")) -> bool:
    """True where the process says so. Its other windows count as private too: nothing tells them apart."""
    if pid is None:
        return False
    try:
        words = (proc / str(pid) / "cmdline").read_bytes()[:65_536].decode("utf-8", "replace").split("\0")
    except OSError:
        return False
    name = PurePosixPath(words[0]).name.lower()
    if not any(browser in name for browser in _BROWSERS):
        return False
    return any(word.startswith("-") and word.lstrip("-").lower() in _SWITCHES for word in words[1:])


class PrivateWindows:
    """Windows that once showed a new private tab: a browser's window is private as long as it is there, or never."""

    def __init__(self, begins_private: BeginsPrivate = lambda title, app: False) -> None:
        self._begins_private = begins_private
        self._known: dict[tuple[str, int | None, str], None] = {}

    def look(self, window: Window, app: str) -> None:
        """See this window in front."""
        if self._begins_private(window.title, app) and window.key not in ("", str(window.pid)):
            self._known[_itself(window)] = None
            if len(self._known) > _MOST_WINDOWS:
                del self._known[next(iter(self._known))]

    def __contains__(self, window: Window) -> bool:
        return _itself(window) in self._known


def _itself(window: Window) -> tuple[str, int | None, str]:
    return window.key, window.pid, window.app_id


def what_is_not_told(app: str = "") -> str:
    """What cannot be known of private windows on this system, or of this program's; empty where titles tell."""
    if sys.platform == "darwin":
        return CANNOT_TELL
    return CANNOT_ALWAYS_TELL if any(name in app.casefold() for name in _WITHOUT_MARKS) else ""
