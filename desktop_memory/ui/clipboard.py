"""Puts a text on the clipboard and looks whether it is there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QClipboard, QGuiApplication

from desktop_memory.errors import KnownError
from desktop_memory.ui.words import tr

Put = Callable[[str], object]
Read = Callable[[], str | None]

_KEPT_FORMATS = ("text/plain", "text/html", "text/uri-list", "image/png")
"""What is kept of another program's clipboard: enough for what people copy, and never more than once."""


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


def held() -> QMimeData | None:
    """A copy of what the clipboard holds, to be put back later; None when it is empty or cannot be read here."""
    if _out_of_reach():
        return None
    there = QGuiApplication.clipboard().mimeData(QClipboard.Mode.Clipboard)
    kept = QMimeData()
    for form in _KEPT_FORMATS:
        if there is not None and there.hasFormat(form):
            kept.setData(form, there.data(form))
    return kept if kept.formats() else None


def put_back(before: QMimeData | str, otherwise: Put | None = None) -> None:
    """Let the clipboard hold this again. Raises KnownError when it does not take it."""
    if isinstance(before, str):
        put(before, otherwise)
        return
    again = QMimeData()
    for form in before.formats():
        again.setData(form, before.data(form))
    QGuiApplication.clipboard().setMimeData(again, QClipboard.Mode.Clipboard)


def clear(text: str) -> bool:
    """Empty the clipboard if it still holds this text of ours; whether it did."""
    clipboard = QGuiApplication.clipboard()
    if _out_of_reach() or clipboard.text(QClipboard.Mode.Clipboard) != text:
        return False
    clipboard.clear(QClipboard.Mode.Clipboard)
    return True


def needs_a_key_press() -> bool:
    """Whether this desktop takes a text only from a window that was just pressed or typed in."""
    return QGuiApplication.platformName().startswith("wayland")


def _out_of_reach() -> bool:
    """On Wayland only the window in front may use the clipboard."""
    return needs_a_key_press() and QGuiApplication.focusWindow() is None


def _holds(clipboard: QClipboard, text: str) -> bool:
    # On Wayland an unfocused window keeps what it set to itself; ownsClipboard alone cannot tell.
    if _out_of_reach():
        return False
    return clipboard.text(QClipboard.Mode.Clipboard) == text
