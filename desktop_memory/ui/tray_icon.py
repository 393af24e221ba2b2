"""The tray icon: one shape with four marks inside."""

from __future__ import annotations

from PySide6.QtGui import QColor, QIcon

from desktop_memory.ui.icons import pixmap

_SIZES = (16, 22, 24, 32, 48, 64)


def tray_icon(kind: str) -> QIcon:
    """The icon for "recording", "paused", "degraded" or "error", on a ground of its own for any panel."""
    made = QIcon()
    for size in _SIZES:
        made.addPixmap(pixmap(f"tray-{kind}", QColor("white"), size))
    return made
