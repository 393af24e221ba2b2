"""The icons that come with the app, drawn in a colour of the palette."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from desktop_memory.resources import resource

STROKE = "1.6"

KIND_ICONS = {
    "window": "app-window",
    "terminal": "terminal-2",
    "browser": "world",
    "git_commit": "git-commit",
    "git_stash": "archive",
    "git_staged": "git-commit",
    "git_checkout": "git-branch",
    "file": "file",
    "note": "note",
    "screen": "device-desktop",
    "other": "circle-dot",
}
KIND_COLOURS = {
    "window": "window",
    "terminal": "terminal",
    "browser": "browser",
    "git_commit": "git",
    "git_stash": "git",
    "git_staged": "git",
    "git_checkout": "git",
    "file": "file",
    "note": "note",
    "screen": "window",
    "other": "muted",
}


@lru_cache(maxsize=512)
def _pixmap(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    svg = resource("icons", f"{name}.svg").read_text(encoding="utf-8")
    svg = svg.replace("currentColor", colour).replace('stroke-width="2"', f'stroke-width="{STROKE}"')
    image = QPixmap(round(size * ratio), round(size * ratio))
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, image.width(), image.height()))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


def pixmap(name: str, colour: QColor, size: int, ratio: float = 1.0) -> QPixmap:
    """The icon, `size` logical pixels wide, sharp on a screen with this ratio."""
    return _pixmap(name, colour.name(), size, ratio)


def icon(name: str, colour: QColor, size: int = 18, room: int = 0, *, off: QColor | None = None) -> QIcon:
    """The icon for a button or a menu, with `room` at its right, which keeps it off the text beside it.

    `off` is its colour while the button cannot be pressed.
    """
    made = QIcon()
    for ratio in (1.0, 1.5, 2.0, 3.0):
        for shade, mode in ((colour, QIcon.Mode.Normal), (off, QIcon.Mode.Disabled)):
            if shade is not None:
                drawn = pixmap(name, shade, size, ratio)
                made.addPixmap(_with_room(drawn, size, room, ratio) if room else drawn, mode)
    return made


def _with_room(drawn: QPixmap, size: int, room: int, ratio: float) -> QPixmap:
    wide = QPixmap(round((size + room) * ratio), round(size * ratio))
    wide.fill(Qt.GlobalColor.transparent)
    painter = QPainter(wide)
    painter.drawPixmap(QRectF(0, 0, size * ratio, size * ratio), drawn, QRectF(drawn.rect()))
    painter.end()
    wide.setDevicePixelRatio(ratio)
    return wide
