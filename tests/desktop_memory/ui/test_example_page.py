"""The page that docs/extending.md shows works as it stands there."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.desktop_memory.ui.conftest import Stage
from tests.running import ROOT


def test_the_page_of_the_manual_shows_what_the_memory_tells(stage: Stage, qtbot: QtBot) -> None:
    told = (ROOT / "docs/extending.md").read_text().partition("```python\n")[2].partition("```")[0]
    made: dict[str, Any] = {"__name__": "words"}
    exec(compile(told, "docs/extending.md", "exec"), made)

    page = made["WordsPage"](stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(page)
    page.refresh()

    count = page.findChild(QLabel)
    qtbot.waitUntil(lambda: count.text() == f"{stage.memory.stats().events:,}")
    assert page.title() == "Words"
