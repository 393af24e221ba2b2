"""The portable fallback: PyWinCtl, asked once a second."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from collectors.collector import Unavailable
from collectors.wake import Waker
from collectors.window.backend import Window, window

logger = logging.getLogger(__name__)

_EVERY = 1.0


def connect() -> PyWinCtl:
    """Raises Unavailable where PyWinCtl cannot be loaded or sees nothing at all."""
    try:
        # Opens connections to the desktop as it is imported, fails in many ways, and where there is
        # no xrandr it even calls sys.exit().
        import pywinctl
    except (Exception, SystemExit) as why:
        raise Unavailable(f"PyWinCtl cannot be loaded: {type(why).__name__}", "") from why
    backend = PyWinCtl(pywinctl)
    try:
        pywinctl.getActiveWindow()
    except (Exception, SystemExit) as why:
        raise Unavailable(f"PyWinCtl sees no desktop: {type(why).__name__}", "") from why
    return backend


class PyWinCtl:
    """Guards each call: a window may be gone by the time it is asked about."""

    name = "PyWinCtl"
    advice = "Windows are looked at once a second only."

    def __init__(self, pywinctl: Any) -> None:
        self._pywinctl = pywinctl

    def front(self) -> Window | None:
        try:
            active = self._pywinctl.getActiveWindow()
            if active is None:
                return None
            title = active.title
        except Exception as why:
            logger.debug("PyWinCtl: %s", type(why).__name__)
            return None
        pid = _guarded(active.getPID)
        return window(str(title or ""), app_id=_program(pid), pid=pid, key=str(_guarded(active.getHandle)))

    def wait(self, waker: Waker, seconds: float | None) -> None:
        waker.wait(_EVERY if seconds is None else min(seconds, _EVERY))

    def close(self) -> None:
        pass


def _guarded(ask: Any) -> int | None:
    try:
        answer = ask()
    except Exception as why:
        logger.debug("PyWinCtl: %s", type(why).__name__)
        return None
    return answer if isinstance(answer, int) else None


def _program(pid: int | None) -> str:
    """The program's name. Not getAppName: it starts a `ps` each time."""
    try:
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8", errors="replace").strip() if pid else ""
    except OSError:
        return ""
