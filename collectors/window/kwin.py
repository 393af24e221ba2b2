"""The window in front on KDE's Wayland session: a script in KWin calls us over D-Bus; nothing is polled.

See https://develop.kde.org/docs/plasma/kwin/ and https://develop.kde.org/docs/plasma/kwin/api/.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time

from collectors.bus import Bus, Message, Refused, field
from collectors.collector import Unavailable
from collectors.wake import Waker
from collectors.window.backend import Window, window

_KWIN = "org.kde.KWin"
_SCRIPTING = "org.kde.kwin.Scripting"
_PLUGIN = "desktop-memory-front"
_LONGEST_NUMBER = 10
_SCRIPT = """
var front = null;

// KWin numbers windows of equal titles, and says in the user's language that one does not answer.
function title(window) {
    var caption = String(window.caption);
    if (window.unresponsive) {
        caption = caption.replace(/ \\([^()]*\\)$/, "");
    }
    return caption.replace(/ <\\d+>$/, "");
}

function tell() {
    callDBus("SERVICE", "/Front", "org.desktopmemory.Front", "Tell",
        front ? title(front) : "",
        front ? String(front.resourceClass) : "",
        front ? String(front.pid) : "",
        front ? String(front.internalId) : "");
}

function activated(window) {
    try {
        if (front) {
            front.captionChanged.disconnect(tell);
        }
    } catch (gone) {
    }
    front = window;
    if (front) {
        front.captionChanged.connect(tell);
    }
    tell();
}

(workspace.windowActivated || workspace.clientActivated).connect(activated);
activated(workspace.windowActivated ? workspace.activeWindow : workspace.activeClient);
"""
"""Runs within KWin 5 or 6. SERVICE stands for our name on the bus; a window that was closed throws when touched."""


def connect() -> KWin:
    """Raises Unavailable where KWin does not run, or takes no scripts."""
    if not os.environ.get("WAYLAND_DISPLAY"):
        raise Unavailable("X11 tells more simply.")
    bus = Bus("session")
    try:
        if not bus.has_owner(_KWIN):
            raise Unavailable("KWin does not run here.")
        return KWin(bus)
    except Refused as why:
        bus.close()
        raise Unavailable(f"KWin takes no script: {why.name}") from why
    except Unavailable:
        bus.close()
        raise


class KWin:
    """Loads the script, hears what it tells, and unloads it at the end."""

    name = "KWin"
    advice = ""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._front: Window | None = None
        bus.listen(
            sender="org.freedesktop.DBus",
            interface="org.freedesktop.DBus",
            member="NameOwnerChanged",
            about=_KWIN,
        )
        self._unload()  # one that a crash left behind calls a name that is gone
        self._load(_SCRIPT.replace("SERVICE", bus.unique_name))

    def front(self) -> Window | None:
        self._take()
        return self._front

    def wait(self, waker: Waker, seconds: float | None) -> None:
        until = None if seconds is None else time.monotonic() + seconds
        while not self._take():
            left = None if until is None else until - time.monotonic()
            if waker.wait(left, self._bus) != "readable":
                return

    def close(self) -> None:
        with contextlib.suppress(Unavailable):
            self._unload()
        self._bus.close()

    def _take(self) -> bool:
        """Hear what has come; whether the front has changed."""
        before = self._front
        for message in self._bus.heard():
            if field(message, "member") == "Tell":
                self._hear(message)
            elif field(message, "member") == "NameOwnerChanged":
                raise Unavailable("KWin has ended.")
        return self._front != before

    def _hear(self, call: Message) -> None:
        if len(call.body) == 4 and all(isinstance(part, str) for part in call.body):
            title, app_id, pid, key = call.body
            number = int(pid) if pid.isdecimal() and len(pid) <= _LONGEST_NUMBER else None
            self._front = window(title, app_id=app_id, pid=number, key=key) if key else None
        self._bus.answer(call)

    def _load(self, script: str) -> None:
        file, path = tempfile.mkstemp(prefix="desktop-memory-", suffix=".js")
        try:
            with os.fdopen(file, "w", encoding="utf-8") as written:
                written.write(script)
            number = self._bus.one(_KWIN, "/Scripting", f"{_SCRIPTING}.loadScript", "ss", path, _PLUGIN)
            if not isinstance(number, int) or number < 0:
                raise Unavailable("KWin did not load our script.")
            self._run(number)
        finally:
            os.unlink(path)

    def _run(self, number: int) -> None:
        # KWin 6 and late 5 have the first, older 5 the second.
        for path in (f"/Scripting/Script{number}", f"/{number}"):
            try:
                self._bus.call(_KWIN, path, "org.kde.kwin.Script.run")
            except Refused:
                continue
            return
        raise Unavailable("KWin did not start our script.")

    def _unload(self) -> None:
        with contextlib.suppress(Refused):
            self._bus.call(_KWIN, "/Scripting", f"{_SCRIPTING}.unloadScript", "s", _PLUGIN)
