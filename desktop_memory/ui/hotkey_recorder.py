"""A field in which a hotkey is pressed instead of typed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QLineEdit

from desktop_memory.ui.words import tr

_ONLY_MODIFIERS = (
    Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr, Qt.Key.Key_unknown,
)  # fmt: skip
_CAN_GRAB = ("xcb", "windows")
"""Elsewhere no program may have every key for itself."""


class HotkeyRecorder(QLineEdit):
    """Press the keys in it; Backspace takes the hotkey away, Esc leaves it as it was.

    After a click every key comes here until one is recorded: also the one in use, and those of other programs,
    which then say that they have it.
    """

    recorded = Signal(str)

    def __init__(self, keys: str) -> None:
        super().__init__(keys)
        self.keys = keys
        self._grabbing = False
        self.setReadOnly(True)
        self.setPlaceholderText(tr("None: press keys"))
        self.setToolTip(tr("Press the new keys here. Backspace: none."))

    def show_keys(self, keys: str) -> None:
        self.keys = keys
        self.setText(keys)

    def event(self, event: QEvent) -> bool:
        # Also what would be a shortcut of the window is only recorded here.
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if QGuiApplication.platformName() in _CAN_GRAB:
            self._grabbing = True
            self.grabKeyboard()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._let_go()
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab) and not modifiers & ~Qt.KeyboardModifier.ShiftModifier:
            self._let_go()
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Escape:
            self._let_go()
            self.setText(self.keys)
        elif key == Qt.Key.Key_Backspace and not modifiers:
            self._record("")
        elif key not in _ONLY_MODIFIERS and modifiers & ~Qt.KeyboardModifier.ShiftModifier:
            keys = QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)
            self._record(keys.replace("Meta", "Super"))

    def _record(self, keys: str) -> None:
        self._let_go()
        self.setText(keys)
        self.recorded.emit(keys)

    def _let_go(self) -> None:
        if self._grabbing:
            self._grabbing = False
            self.releaseKeyboard()
