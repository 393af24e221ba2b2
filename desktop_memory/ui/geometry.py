"""The window's size, place and page, remembered between starts."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication, QScreen

logger = logging.getLogger(__name__)

FIRST_SIZE = (1180, 760)
TITLE_BAR = 40
"""Room for what the window manager puts around the window."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Remembered:
    """Where the window was; `screen` is the name of the one it was on."""

    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0
    maximized: bool = False
    screen: str = ""
    page: str = ""
    told_no_tray: bool = False
    welcomed: bool = False


def load(path: Path | None) -> Remembered:
    """What was kept; nothing when there is no file or it is not ours."""
    if path is None:
        return Remembered()
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        known = {name: raw[name] for name, kind in _KINDS.items() if isinstance(raw.get(name), kind)}
    except (OSError, ValueError, AttributeError):
        return Remembered()
    return Remembered(**known)


def save(remembered: Remembered, path: Path | None) -> None:
    """Keep it; a folder that cannot be written loses only this."""
    if path is None:
        return
    try:
        path.write_text(json.dumps(asdict(remembered)), encoding="utf-8")
    except OSError as error:
        logger.info("the window's place was not kept: %s", error.strerror)


def place(remembered: Remembered) -> QRect:
    """Where the window goes: as it was, if that screen is still there; else centred on the first one."""
    screen = next((s for s in QGuiApplication.screens() if s.name() == remembered.screen), None)
    if screen is None or not remembered.width:
        return _centred(QGuiApplication.primaryScreen())
    room = screen.availableGeometry()
    width, height = min(remembered.width, room.width()), min(remembered.height, room.height())
    x = min(max(remembered.x, room.left()), room.right() + 1 - width)
    y = min(max(remembered.y, room.top()), room.bottom() + 1 - height)
    return QRect(x, y, width, height)


def _centred(screen: QScreen) -> QRect:
    room = screen.availableGeometry()
    width, height = min(FIRST_SIZE[0], room.width()), min(FIRST_SIZE[1], room.height() - TITLE_BAR)
    left, top = (
        room.left() + (room.width() - width) // 2,
        room.top() + (room.height() - height + TITLE_BAR) // 2,
    )
    return QRect(left, top, width, height)


_KINDS = {
    "x": int,
    "y": int,
    "width": int,
    "height": int,
    "maximized": bool,
    "screen": str,
    "page": str,
    "told_no_tray": bool,
    "welcomed": bool,
}
