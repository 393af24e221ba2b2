"""Puts a text on the clipboard and looks whether it is there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QClipboard, QGuiApplication

from desktop_memory.errors import KnownError
from desktop_memory.ui.words import tr

Put = Callable[[str], object]


def put(text: str, otherwise: Put | None = None) -> None:
    """Set the clipboard and read it back; where Qt could not, as on Wayland without a focused window,
    let `otherwise` (wl-copy and its like) try.

    Raises KnownError when the clipboard still holds something else.
    """
    clipboard = QGuiApplication.clipboard()
    clipboard.setText(text, QClipboard.Mode.Clipboard)
    if _holds(clipboard, text):
        return
    if otherwise is not None:
        otherwise(text)
        return
    raise KnownError(
        tr("The clipboard did not take the text."),
        tr("Open the window and copy from there: only the window in front may use the clipboard here."),
    )


def _holds(clipboard: QClipboard, text: str) -> bool:
    # On Wayland an unfocused window keeps what it set to itself; ownsClipboard alone cannot tell.
    if QGuiApplication.platformName().startswith("wayland") and QGuiApplication.focusWindow() is None:
        return False
    return clipboard.text(QClipboard.Mode.Clipboard) == text
