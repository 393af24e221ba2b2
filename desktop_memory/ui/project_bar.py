"""What is asked before a project is renamed or merged, and how far stored records have followed a change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QProgressBar, QWidget

from desktop_memory.project import Project, ProjectChange, one_is_walled
from desktop_memory.ui.parts import button, label
from desktop_memory.ui.switches import Choice
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import records, tr


class ProjectBar(QWidget):
    """Asks for a new name or another project, in the page; Esc leaves all as it is."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        px = theme.px
        self._act: Callable[[], object] = lambda: None
        self._merging: tuple[Project, Sequence[str]] | None = None
        self.asks = label(theme, "", 13)
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("New name"))
        self.name.setMaxLength(200)
        self.name.returnPressed.connect(lambda: self._yes())
        self.other = Choice(theme)
        self.other.setAccessibleName(tr("Merge into"))
        self.other.setMinimumWidth(px(200))
        self.other.currentIndexChanged.connect(lambda _: self._tell_merge())
        self.yes = button(theme, "", self._yes, look="primary")
        self.no = button(theme, tr("Cancel"), self.hide, look="quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, px(8), 0, 0)
        row.setSpacing(px(8))
        for part in (self.asks, self.name, self.other, self.yes, self.no):
            row.addWidget(part)
        row.setStretch(1, 1)
        row.addStretch()
        self.hide()

    def rename(self, project: Project, act: Callable[[str], object]) -> None:
        self._act = lambda: act(self.name.text().strip())
        self._ask(tr("Call “{name}”").format(name=project.name[:60]), tr("Rename"), naming=True)
        self.name.setText(project.name)
        self.name.selectAll()
        self.name.setFocus()

    def merge(
        self, project: Project, others: Sequence[Project], walls: Sequence[str], act: Callable[[str], object]
    ) -> None:
        """Ask into which of the others; says so when a wall grows by it."""
        self._merging = None
        self.other.clear()
        for other in others:
            self.other.addItem(other.name, other.name)
        self._merging = project, walls
        self._act = lambda: act(str(self.other.currentData()))
        self._ask("", tr("Merge"), naming=False)
        self._tell_merge()
        self.other.setFocus()

    def _tell_merge(self) -> None:
        if self._merging is None:
            return
        project, walls = self._merging
        text = tr("{what} of “{name}” go to").format(what=records(project.events), name=project.name[:60])
        if one_is_walled(walls, project.name, str(self.other.currentData())):
            text = f"{tr('One of them is walled: both will be.')} {text}"
        self.asks.setText(text)

    def _ask(self, text: str, yes: str, *, naming: bool) -> None:
        self.asks.setText(text)
        self.yes.setText(yes)
        self.name.setVisible(naming)
        self.other.setVisible(not naming)
        self.show()

    def _yes(self) -> None:
        self.hide()
        self._act()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)


class FollowingBar(QWidget):
    """How far stored records have followed a change; cancelling takes it back."""

    def __init__(self, theme: Theme, cancel: Callable[[ProjectChange], object]) -> None:
        super().__init__()
        px = theme.px
        self._change: ProjectChange | None = None
        self.told = label(theme, "", 12, token="muted")
        self.bar = QProgressBar(maximum=1000, textVisible=False)
        self.bar.setAccessibleName(tr("Stored records follow"))
        self.stop = button(theme, tr("Cancel"), lambda: self._change and cancel(self._change), look="quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, px(8), 0, 0)
        row.setSpacing(px(12))
        row.addWidget(self.told)
        row.addWidget(self.bar, 1)
        row.addWidget(self.stop)
        self.hide()

    def show_change(self, change: ProjectChange | None) -> None:
        """The change that records follow now; None when all have."""
        self._change = change
        self.setVisible(change is not None)
        if change is not None:
            self.told.setText(tr("{what} moved so far").format(what=records(change.moved)))
            self.bar.setValue(round(change.done * 1000))
            self.stop.setVisible(not change.undone)
