"""The 120 ms in which the popup and a message appear, and whether the person wants none of it."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from configparser import ConfigParser, Error
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QAbstractAnimation, QEasingCurve, QPropertyAnimation
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

FADE_MS = 120
_FADING = ("xcb", "windows", "cocoa")
"""Where a window has an opacity of its own; on Wayland the compositor fades, if anybody."""
_SPI_GETCLIENTAREAANIMATION = 0x1042
"""See SystemParametersInfoW in winuser.h."""


class Fade:
    """Lets a window appear softly where the desktop can show it half there."""

    def __init__(self, window: QWidget) -> None:
        self.wanted = False
        """Set once it is known that motion is welcome; until then, and without it, the window is there at once."""
        self._window = window
        self._animation = QPropertyAnimation(window, b"windowOpacity", window)
        self._animation.setDuration(FADE_MS)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.setStartValue(0.25)
        self._animation.setEndValue(1.0)

    @property
    def running(self) -> bool:
        return bool(self._animation.state() == QAbstractAnimation.State.Running)

    def begin(self) -> None:
        """To be called right before the window is shown."""
        if self.wanted and QGuiApplication.platformName() in _FADING:
            self._animation.start()


def motion_welcome() -> bool:
    """Whether the system shows animations. May start a program: ask in the background."""
    if sys.platform == "win32":
        shown = ctypes.c_int(1)
        ctypes.windll.user32.SystemParametersInfoW(_SPI_GETCLIENTAREAANIMATION, 0, ctypes.byref(shown), 0)
        return bool(shown.value)
    if sys.platform == "darwin":
        return _said("defaults", "read", "com.apple.universalaccess", "reduceMotion") != "1"
    return _kde_welcomes() and _said(
        "gsettings", "get", "org.gnome.desktop.interface", "enable-animations"
    ) != "false"  # fmt: skip


def _kde_welcomes() -> bool:
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "kdeglobals"
    read = ConfigParser(strict=False, interpolation=None)
    with suppress(OSError, Error, UnicodeDecodeError, ValueError):
        read.read(config, encoding="utf-8")
        return read.getfloat("KDE", "AnimationDurationFactor", fallback=1.0) > 0
    return True


def _said(*command: str) -> str:
    if shutil.which(command[0]) is None:
        return ""
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(command, capture_output=True, text=True, timeout=3, check=False)
        return done.stdout.strip()
    return ""
