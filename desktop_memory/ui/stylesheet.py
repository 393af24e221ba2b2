"""The part of the look that Qt takes as a style sheet: buttons, fields, menus, scroll bars, tooltips."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Template

_SHEET = Template("""
QToolTip { background: $raised; color: $text; border: 1px solid $line; padding: ${p4}px ${p8}px; }

QPushButton, QToolButton {
    background: $surface; color: $text; border: 1px solid $line; border-radius: 6px;
    padding: 0 ${p14}px; min-height: ${h30}px; font-weight: 500;
}
QPushButton:hover, QToolButton:hover { background: $raised; }
QPushButton:pressed, QToolButton:pressed { background: $line; }
QPushButton:focus, QToolButton:focus { border-color: $accent; }
QPushButton:disabled, QToolButton:disabled { color: $muted; background: transparent; }
QToolButton { padding: 0; min-width: ${h30}px; }
QToolButton::menu-indicator { image: none; }
QPushButton[look="primary"] {
    background: $accent; color: $on_accent; border: 1px solid $accent; min-height: ${h34}px;
}
QPushButton[look="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[look="primary"]:focus { border: 2px solid $text; padding: 0 ${p13}px; min-height: ${h32}px; }
QPushButton[look="primary"]:disabled { background: $raised; color: $muted; border-color: $line; }
QPushButton[look="danger"] { color: $danger; }
QPushButton[look="quiet"], QToolButton[look="quiet"] { background: transparent; border-color: transparent; }
QPushButton[look="quiet"]:hover, QToolButton[look="quiet"]:hover { background: $raised; }
QPushButton[look="quiet"]:focus, QToolButton[look="quiet"]:focus { border-color: $accent; }
QPushButton[look="link"] {
    background: transparent; border: 1px solid transparent; border-radius: 4px; color: $accent;
    padding: 0 ${p4}px; min-height: ${h20}px; text-decoration: underline; font-weight: 400;
}
QPushButton[look="link"]:focus { border-color: $accent; }
QPushButton[look="chip"] {
    background: $raised; border: 1px solid $raised; border-radius: ${r13}px; color: $muted;
    padding: 0 ${p10}px; min-height: ${h24}px; font-weight: 400;
}
QPushButton[look="chip"]:hover { border-color: $line; }
QPushButton[look="chip"]:focus { border-color: $accent; }
QPushButton[look="chip"]:checked { background: $selection; border-color: $selection; color: $accent; }
QPushButton[look="chip"]:checked:focus { border-color: $accent; }
QPushButton[look="filter"] {
    background: $selection; border: 1px solid $selection; border-radius: ${r10}px; color: $accent;
    padding: 0 ${p8}px; min-height: ${h18}px; font-size: ${h12}px; font-weight: 400;
}
QPushButton[look="filter"]:hover, QPushButton[look="filter"]:focus { border-color: $accent; }

QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QDateTimeEdit {
    background: $surface; color: $text; border: 1px solid $line; border-radius: 6px;
    padding: 0 ${p10}px;
    selection-background-color: $accent; selection-color: $on_accent;
}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QComboBox:focus, QDateTimeEdit:focus {
    border-color: $accent;
}
QLineEdit, QComboBox, QDateTimeEdit { min-height: ${h32}px; }
QLineEdit { placeholder-text-color: $muted; }
QLineEdit[look="bare"] { border: none; background: transparent; padding: 0; min-height: 0; }
QPlainTextEdit, QTextEdit { placeholder-text-color: $muted; }
QPlainTextEdit, QTextEdit { padding: ${p4}px ${p8}px; }
QPlainTextEdit[look="preview"] { background: $bg; color: $muted; }
QComboBox QAbstractItemView {
    background: $surface; border: 1px solid $line; outline: none;
    selection-background-color: $selection; selection-color: $text;
}
QComboBox::drop-down { border: none; width: ${h24}px; }

QListView { background: $surface; outline: none; border: none; }
QListView[look="plain"] { background: $bg; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $line; border-radius: 3px; margin: 2px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }

QMenu { background: $surface; color: $text; border: 1px solid $line; padding: ${p4}px; }
QMenu::item { padding: ${p6}px ${p20}px ${p6}px ${p12}px; border-radius: 4px; }
QMenu::item:selected { background: $selection; }
QMenu::item:disabled { color: $muted; background: transparent; }
QMenu::separator { height: 1px; background: $line; margin: ${p4}px 0; }
QMenu::icon { padding-left: ${p8}px; }

QProgressBar { background: $raised; border: 1px solid $line; border-radius: 4px; }
QProgressBar { min-height: ${p8}px; max-height: ${p8}px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }

QSplitter::handle { background: $line; }
""")


def stylesheet(colours: Mapping[str, str], px: Callable[[float], int]) -> str:
    """The sheet for these colours, its measures scaled by `px`."""
    measures = {f"p{n}": str(px(n)) for n in (4, 6, 8, 10, 12, 13, 14, 20)}
    measures |= {f"h{n}": str(px(n)) for n in (12, 18, 20, 24, 30, 32, 34)}
    measures["r10"] = str(px(18) // 2 + 1)
    measures["r13"] = str(px(24) // 2 + 1)
    return _SHEET.substitute(
        colours, accent_hover=_blend(colours["accent"], colours["text"], 0.12), **measures
    )


def _blend(one: str, other: str, share: float) -> str:
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
