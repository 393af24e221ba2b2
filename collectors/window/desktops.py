"""Which desktops there may be here, in the order in which they are tried."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from collectors.window.backend import Backend, Connect


def here() -> Sequence[tuple[str, Connect]]:
    """Name and connect() of each backend for this system; the portable fallback comes last."""
    if sys.platform == "win32":
        return (("Windows", _windows), ("PyWinCtl", _pywinctl))
    if sys.platform == "darwin":
        return (("Accessibility", _macos), ("PyWinCtl", _pywinctl))
    return (
        ("sway", _sway),
        ("wlroots", _wlroots),
        ("KWin", _kwin),
        ("GNOME", _gnome),
        ("X11", _x11),
        ("PyWinCtl", _pywinctl),
    )


# Imported only when tried: each needs a library that another system lacks.


def _sway() -> Backend:
    from collectors.window import sway

    return sway.connect()


def _wlroots() -> Backend:
    from collectors.window import wlroots

    return wlroots.connect()


def _kwin() -> Backend:
    from collectors.window import kwin

    return kwin.connect()


def _gnome() -> Backend:
    from collectors.window import gnome

    return gnome.connect()


def _x11() -> Backend:
    from collectors.window import x11

    return x11.connect()


def _windows() -> Backend:
    from collectors.window import windows

    return windows.connect()


def _macos() -> Backend:
    from collectors.window import macos

    return macos.connect()


def _pywinctl() -> Backend:
    from collectors.window import pywinctl

    return pywinctl.connect()
