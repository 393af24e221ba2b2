"""Draws the app's icon in the sizes that desktops ask for: python packaging/icons.py FOLDER"""

from __future__ import annotations

import os
import struct
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
    (folder / "desktop-memory.ico").write_bytes(
        _ico({size: folder / f"{size}.png" for size in SIZES if size <= 256})
    )


def _drawn(drawing: QSvgRenderer, size: int) -> QImage:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    drawing.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


def _ico(pictures: dict[int, Path]) -> bytes:
    """Windows takes PNGs in it: a table of sizes and places (256 is written as 0), then the pictures."""
    held = {size: path.read_bytes() for size, path in pictures.items()}
    table, at = struct.pack("<HHH", 0, 1, len(held)), 6 + 16 * len(held)
    for size, data in held.items():
        table += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), at)
        at += len(data)
    return table + b"".join(held.values())


main(Path(sys.argv[1]))
