"""What was recorded is never taken as markup in a tooltip."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from desktop_memory.ui.as_written import as_written
from desktop_memory.ui.parts import Elided
from desktop_memory.ui.theme import Theme


@pytest.mark.parametrize(
    "text", ["<b>bold</b> moves", "<img src=x>\nthe second line", "a < b & c", "plain & simple"]
)
def test_it_reads_as_it_is_written(text: str) -> None:
    shown = QTextDocument()
    told = as_written(text)
    shown.setHtml(told) if told != text else shown.setPlainText(told)

    assert shown.toPlainText() == text


def test_a_title_that_is_cut_is_whole_in_its_tooltip(qtbot: QtBot) -> None:
    line = Elided(Theme("light"))
    qtbot.addWidget(line)
    line.setText("<script>alert(1)</script> " * 9)
    line.resize(60, 20)
    line.grab()

    assert line.toolTip().startswith("<qt>&lt;script&gt;")
