"""The window in front on KDE's Wayland session: a script in KWin calls us over D-Bus; nothing is polled.

See https://develop.kde.org/docs/plasma/kwin/ and https://develop.kde.org/docs/plasma/kwin/api/.
"""

from __future__ import annotations

import contextlib
import os
import tempfile

from collectors.bus import Bus, Message, Refused
from collectors.collector import Unavailable
from collectors.window.backend import window
from collectors.window.told import Told

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


class KWin(Told):
    """Loads the script, hears what it tells, and unloads it at the end."""

    name = "KWin"

    def __init__(self, bus: Bus) -> None:
        super().__init__(bus, desktop=_KWIN, member="Tell")
        self._unload()  # one that a crash left behind calls a name that is gone
        self._load(_SCRIPT.replace("SERVICE", bus.unique_name))

    def close(self) -> None:
        with contextlib.suppress(Unavailable):
            self._unload()
        super().close()

    def hear(self, message: Message) -> None:
        if len(message.body) == 4 and all(isinstance(part, str) for part in message.body):
            title, app_id, pid, key = message.body
            number = int(pid) if pid.isdecimal() and len(pid) <= _LONGEST_NUMBER else None
            self._front = window(title, app_id=app_id, pid=number, key=key) if key else None
        self._bus.answer(message)

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
