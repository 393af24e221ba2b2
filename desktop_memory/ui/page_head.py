"""The head of a page: its name, a line about it, and what belongs beside them."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_memory.ui.parts import label
from desktop_memory.ui.side_by_side import SideBySide
from desktop_memory.ui.theme import Theme

LEAST = 260
"""Of the drawings' pixels: narrower, the line about it would become a column of words."""


def page_head(theme: Theme, title: str, about: QWidget, beside: QWidget | None = None) -> QWidget:
    """What stands beside goes under the name where there is no room for both."""
    px = theme.px
    head, told = QWidget(), QWidget()
    texts = QVBoxLayout(told)
    texts.setContentsMargins(0, 0, 0, 0)
    texts.setSpacing(px(2))
    texts.addWidget(label(theme, title, 20, 600))
    texts.addWidget(about)
    whole = SideBySide(px(16), px(LEAST), head)
    whole.setContentsMargins(px(16), px(12), px(16), px(12))
    whole.addWidget(told)
    if beside is not None:
        whole.addWidget(beside)
    return head
