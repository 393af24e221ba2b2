"""Draws the app's icon in the sizes that desktops ask for: python packaging/icons.py FOLDER"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)


def main(folder: Path) -> None:
    QGuiApplication([])
    drawing = QSvgRenderer(str(Path(__file__).parent.parent / "resources/icons/app.svg"))
    folder.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        _drawn(drawing, size).save(str(folder / f"{size}.png"))
    _drawn(drawing, 256).save(str(folder / "desktop-memory.ico"))


def _drawn(drawing: QSvgRenderer, size: int) -> QImage:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    drawing.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


main(Path(sys.argv[1]))
