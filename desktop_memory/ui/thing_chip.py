"""A chip that names a file, a project, a site: a press goes to its connections."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QPushButton

from desktop_memory.ui.about import About
from desktop_memory.ui.as_written import as_written
from desktop_memory.ui.parts import dress, label
from desktop_memory.ui.rows import clean
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr

LONGEST = 200
ICONS = {
    "project": "folder",
    "file": "file",
    "domain": "world",
    "url": "world",
    "app": "app-window",
    "branch": "git-branch",
}


class ThingChip(QPushButton):
    """Cut in the middle where its name is long; the whole name, its kind and its topic are in the tooltip."""

    def __init__(self, theme: Theme, about: About, topic: str = "") -> None:
        super().__init__()
        name = clean(about.name)
        self.setProperty("look", "chip")
        metrics = QFontMetrics(theme.font())
        last = name.rstrip("/").rsplit("/", 1)[-1] if about.kind == "file" else name
        self.setText(
            metrics.elidedText(last, Qt.TextElideMode.ElideMiddle, theme.px(LONGEST)).replace("&", "&&")
        )
        told = f"{kind_word(about.kind)}: {name}"
        if topic and topic != name:
            told += "\n" + tr("Topic: {name}").format(name=clean(topic))
        self.setToolTip(as_written(told))
        self.setAccessibleName(tr("Connections of {name}").format(name=told.replace("\n", ", ")))
        theme.follow(self, lambda: dress(self, theme, ICONS.get(about.kind, "circle"), "muted"))


def said(theme: Theme, text: str) -> QLabel:
    """Muted words that stand in line with the chips."""
    made = label(theme, text, 13, token="muted")
    made.setFixedHeight(theme.px(26))
    made.setContentsMargins(0, 0, theme.px(6), 0)
    return made


def kind_word(kind: str) -> str:
    return {
        "project": tr("Project"),
        "file": tr("File"),
        "domain": tr("Site"),
        "url": tr("Page"),
        "app": tr("App"),
        "branch": tr("Branch"),
    }.get(kind, kind)
