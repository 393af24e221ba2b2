"""A new rule for a project: what matches, which project, and at once how many stored records that are."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop_memory.errors import KnownError
from desktop_memory.project import ProjectPreview, ProjectRuleKind
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.parts import button, label
from desktop_memory.ui.side_by_side import SideBySide
from desktop_memory.ui.switches import Choice
from desktop_memory.ui.words import number, records, tr

COUNT_AFTER_MS = 250

KINDS: tuple[ProjectRuleKind, ...] = ("title", "domain", "folder", "app")


def kind_word(kind: ProjectRuleKind) -> str:
    return {"title": tr("Title"), "domain": tr("Site"), "folder": tr("Folder"), "app": tr("App")}[kind]


class RuleEditor(QWidget):
    """`wanted` carries kind, pattern and project once the count was shown and the button pressed."""

    wanted = Signal(str, str, str)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        px = desk.theme.px
        self.kind = Choice(desk.theme)
        for kind in KINDS:
            self.kind.addItem(kind_word(kind), kind)
        self.kind.setAccessibleName(tr("What the rule looks at"))
        self.kind.setFixedWidth(px(110))
        self.pattern = QLineEdit()
        self.pattern.setAccessibleName(tr("What matches"))
        self.project = QLineEdit(placeholderText=tr("Project, old or new"))
        self.project.setAccessibleName(tr("Project"))
        self.project.setMaxLength(200)
        self._names = QStringListModel()
        completer = QCompleter(self._names, self.project)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.project.setCompleter(completer)
        self.add = button(desk.theme, tr("Add rule"), self._add, look="primary", name="plus")
        self.told = label(desk.theme, "", 12, token="muted")
        self.told.setWordWrap(True)
        matches, gets = QHBoxLayout(one := QWidget()), QHBoxLayout(other := QWidget())
        for row, parts in (
            (matches, (self.kind, self.pattern)),
            (gets, (label(desk.theme, "→", 14, token="muted"), self.project, self.add)),
        ):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(px(8))
            for part in parts:
                row.addWidget(part)
        line = SideBySide(px(8), px(250))
        line.addWidget(one)
        line.addWidget(other)
        self.pattern.setMinimumWidth(px(120))
        self.project.setMinimumWidth(px(120))
        other.setMinimumWidth(px(330))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(6))
        column.addLayout(line)
        column.addWidget(self.told)
        self._soon = QTimer(self, singleShot=True, interval=COUNT_AFTER_MS)
        self._soon.timeout.connect(self._count)
        self.kind.currentIndexChanged.connect(lambda _: self._changed())
        self.pattern.textChanged.connect(lambda _: self._changed())
        self.project.textChanged.connect(lambda _: self._changed())
        self.pattern.returnPressed.connect(self._add)
        self.project.returnPressed.connect(self._add)
        self._changed()

    def offer(self, names: list[str]) -> None:
        """Projects to complete while typing."""
        if names != self._names.stringList():
            self._names.setStringList(names)

    def clear(self) -> None:
        self.pattern.clear()
        self.project.clear()

    def _kind(self) -> ProjectRuleKind:
        return cast(ProjectRuleKind, self.kind.currentData())

    def _changed(self) -> None:
        kind = self._kind()
        self.pattern.setPlaceholderText(
            {
                "title": tr("words of a title, or a regular expression"),
                "domain": "example.org",
                "folder": "~/clients/nordwind",
                "app": "Zotero",
            }[kind]
        )
        complete = bool(self.pattern.text().strip() and self.project.text().strip())
        self.add.setEnabled(complete)
        self._desk.background.drop("rule count")
        if self.pattern.text().strip():
            self._soon.start()
        else:
            self._soon.stop()
            self.told.say(tr("A rule gives what matches to a project, also what is stored already."))

    def _count(self) -> None:
        memory = self._desk.memory
        kind, pattern, project = self._kind(), self.pattern.text().strip(), self.project.text().strip()
        self._desk.background.run(
            lambda: memory.preview_project_rule(kind, pattern, project), self._counted, self._cannot,
            owner=self, lane="rule count",
        )  # fmt: skip

    def _counted(self, found: ProjectPreview) -> None:
        if not found.events:
            self.told.say(tr("No stored record matches yet."))
        elif found.changed == found.events or not self.project.text().strip():
            self.told.say(tr("{what} match.").format(what=records(found.events)))
        elif not found.changed:
            self.told.say(tr("{what} match, all in this project already.").format(what=records(found.events)))
        else:
            self.told.say(
                tr("{what} match; {count} of them are not in this project yet.").format(
                    what=records(found.events), count=number(found.changed)
                )
            )

    def _cannot(self, error: Exception) -> None:
        if isinstance(error, KnownError):
            self.told.say(f"{error.problem} {error.advice}".strip(), "danger")
            self.add.setEnabled(False)
        else:
            self._desk.notices.failed(error)

    def _add(self) -> None:
        if self.add.isEnabled():
            self.wanted.emit(self._kind(), self.pattern.text().strip(), self.project.text().strip())
