"""The window in front on macOS, asked of the Accessibility API once a second.

See https://developer.apple.com/documentation/applicationservices/axuielement_h. Chrome and what is built like it do
not say that they have the focus (https://github.com/JitouchApp/Jitouch/pull/32): then the program of the foremost
window is asked. Titles need the user's consent, which
an update of macOS or of the app can silently take away: that is looked at each time. NSWorkspace alone would
not do: it knows the front only where the main thread runs a run loop, which `record` does not.
"""

from __future__ import annotations

from typing import Any

from collectors.collector import Unavailable
from collectors.wake import Waker
from collectors.window.backend import Window, window

_EVERY = 1.0
_PATIENCE = 1.0
"""Seconds that a program has to answer; six, unless it is said, and a program that hangs is asked three times."""
_SUCCESS = 0
_ON_SCREEN, _NO_DESKTOP = 1 << 0, 1 << 4
_ORDINARY_LAYER = 0

CONSENT = "Switch Desktop Memory on in System Settings, Privacy & Security, Accessibility (off and on again if it is)."


def connect() -> MacOS:
    """Raises Unavailable elsewhere than on macOS, or without consent."""
    try:
        import ApplicationServices  # type: ignore[import-not-found,unused-ignore]
        import Quartz  # type: ignore[import-not-found,unused-ignore]
        from AppKit import NSRunningApplication  # type: ignore[import-not-found,unused-ignore]
    except ImportError as why:
        raise Unavailable("This is not macOS, or PyObjC is missing.") from why
    backend = MacOS(ApplicationServices, NSRunningApplication, Quartz)
    backend.front()
    return backend


class MacOS:
    """`services` and `quartz` are PyObjC's modules of these names, `applications` its NSRunningApplication class."""

    name = "Accessibility"
    advice = ""

    def __init__(self, services: Any, applications: Any, quartz: Any) -> None:
        self._services = services
        self._applications = applications
        self._quartz = quartz
        self._everything = services.AXUIElementCreateSystemWide()
        services.AXUIElementSetMessagingTimeout(self._everything, _PATIENCE)

    def front(self) -> Window | None:
        if not self._services.AXIsProcessTrusted():
            raise Unavailable("macOS does not let Desktop Memory see window titles.", CONSENT)
        program = self._of(self._everything, "AXFocusedApplication")
        if program is None and (program := self._foremost()) is None:
            return None
        focused = self._of(program, "AXFocusedWindow")
        title = self._of(focused, "AXTitle") if focused is not None else None
        error, pid = self._services.AXUIElementGetPid(program, None)
        known = (
            self._applications.runningApplicationWithProcessIdentifier_(pid) if error == _SUCCESS else None
        )
        return window(
            str(title or ""),
            app_id=str(known.bundleIdentifier() or "") if known is not None else "",
            app=str(known.localizedName() or "") if known is not None else "",
            pid=pid if error == _SUCCESS else None,
            key=str(pid),
        )

    def wait(self, waker: Waker, seconds: float | None) -> None:
        waker.wait(_EVERY if seconds is None else min(seconds, _EVERY))

    def close(self) -> None:
        pass

    def _foremost(self) -> Any:
        """The program whose window lies over all others."""
        windows = self._quartz.CGWindowListCopyWindowInfo(_ON_SCREEN | _NO_DESKTOP, 0) or ()
        pid = next(
            (one.get("kCGWindowOwnerPID") for one in windows if one.get("kCGWindowLayer") == _ORDINARY_LAYER),
            None,
        )
        return None if pid is None else self._services.AXUIElementCreateApplication(int(pid))

    def _of(self, element: Any, attribute: str) -> Any:
        error, value = self._services.AXUIElementCopyAttributeValue(element, attribute, None)
        return value if error == _SUCCESS else None
