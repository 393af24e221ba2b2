"""Projects: their names, the rules that give records to them, merging and archiving, each with a way back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from desktop_memory.project import Project, ProjectChange, ProjectRule
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.empty import Empty
from desktop_memory.ui.icons import icon
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Rule, label, piled
from desktop_memory.ui.project_bar import FollowingBar, ProjectBar
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, clean, header
from desktop_memory.ui.rule_editor import RuleEditor, kind_word
from desktop_memory.ui.words import local, records, short_day, tr

LOOK_AGAIN_MS = 400

Shown = tuple[list[Project], list[ProjectRule], list[ProjectChange]]


class ProjectsPage(Page):
    """A change acts at once; while stored records follow it can be cancelled, and undone afterwards."""

    icon = "folder"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        theme = desk.theme
        self._projects: list[Project] = []
        self.editor = RuleEditor(desk)
        self.editor.wanted.connect(self._add_rule)
        self.bar = ProjectBar(theme)
        self.following = FollowingBar(theme, self._undo)
        self.rows = _ProjectList(theme, "search", tr("Projects"))
        self.rows.opened.connect(self._rename)
        self.rows.delete_wanted.connect(self._remove)
        self.rows.copy_wanted.connect(actions.copy_lines)
        self.rows.menu_wanted.connect(self._menu)
        self._empty = Empty(
            theme, "folder", tr("No project yet"),
            tr("A repository becomes one by itself. For anything else, write a rule above."),
        )  # fmt: skip
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.rows)
        self._again = QTimer(self, singleShot=True, interval=LOOK_AGAIN_MS)
        self._again.timeout.connect(self.refresh)
        piled(self, self._head(), Rule(theme), self._stack)

    @classmethod
    def title(cls) -> str:
        return tr("Projects")

    def _head(self) -> QWidget:
        theme, px = self.desk.theme, self.desk.theme.px
        about = label(
            theme, tr("A repository stays the same project wherever it is moved."), 13, token="muted"
        )
        about.setWordWrap(True)
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(px(16), px(12), px(16), px(12))
        column.setSpacing(px(2))
        column.addWidget(label(theme, self.title(), 20, 600))
        column.addWidget(about)
        column.addSpacing(px(10))
        column.addWidget(self.editor)
        column.addWidget(self.bar)
        column.addWidget(self.following)
        return head

    def take_focus(self) -> None:
        self.editor.pattern.setFocus()

    def refresh(self) -> None:
        memory = self.desk.memory
        self.desk.background.run(
            lambda: (memory.projects(), memory.project_rules(), memory.project_changes(20)), self._show,
            self.desk.notices.failed, owner=self, lane="projects",
        )  # fmt: skip

    def _show(self, found: Shown) -> None:
        self._projects, rules, changes = found
        active = [project for project in self._projects if not project.archived]
        archived = [project for project in self._projects if project.archived]
        rows: list[Row] = []
        for title, group in (
            (tr("Rules"), [_rule_row(rule) for rule in rules]),
            (tr("Projects"), [_project_row(project) for project in active]),
            (tr("Archived"), [_project_row(project) for project in archived]),
        ):
            if group:
                rows += [header(title), *group]
        self.rows.show_rows(rows)
        self._stack.setCurrentWidget(self.rows if rows else self._empty)
        self.editor.offer([project.name for project in self._projects])
        running = next((change for change in changes if change.running), None)
        self.following.show_change(running)
        if running is not None and self.isVisible():
            self._again.start()

    # changes

    def _add_rule(self, kind: str, pattern: str, project: str) -> None:
        memory = self.desk.memory
        self._do(
            lambda: memory.add_project_rule(kind, pattern, project),
            tr("New records that match go to “{name}”, stored ones follow.").format(name=project[:60]),
            self.editor.clear,
        )

    def _rename(self, row: Row) -> None:
        if isinstance(project := row.does, Project):
            self.bar.rename(project, partial(self._call, project))

    def _call(self, project: Project, name: str) -> None:
        memory = self.desk.memory
        self._do(
            lambda: memory.rename_project(project.name, name),
            tr("“{old}” is called “{new}” now.").format(old=project.name[:60], new=name[:60]),
        )

    def _merge(self, project: Project) -> None:
        others = [other for other in self._projects if other.id != project.id]
        memory, walled = self.desk.memory, self.desk.settings.privacy.walled_projects
        self.desk.background.run(
            lambda: memory.project_outlet(walled, ())[0],
            lambda walls: self.bar.merge(project, others, walls, partial(self._merge_into, project)),
            self.desk.notices.failed, owner=self,
        )  # fmt: skip

    def _merge_into(self, project: Project, into: str) -> None:
        memory = self.desk.memory
        self._do(
            lambda: memory.merge_projects(project.name, into),
            tr("“{name}” belongs to “{other}” now.").format(name=project.name[:60], other=into[:60]),
        )

    def _archive(self, project: Project) -> None:
        memory, name = self.desk.memory, project.name[:60]
        told = tr("“{name}” is offered again.") if project.archived else tr("“{name}” is archived.")
        self._do(lambda: memory.archive_project(project.name, not project.archived), told.format(name=name))

    def _remove(self, row: Row) -> None:
        """A rule goes; a project is only archived."""
        memory = self.desk.memory
        if isinstance(rule := row.does, ProjectRule):
            self._do(
                lambda: memory.remove_project_rule(rule.id),
                tr("The rule is gone; what it gave goes back."),
            )
        elif isinstance(row.does, Project):
            self._archive(row.does)

    def _undo(self, change: ProjectChange) -> None:
        memory = self.desk.memory
        self.desk.background.run(
            lambda: memory.undo_project_change(change.id), lambda _: self.refresh(),
            self.desk.notices.failed, owner=self,
        )  # fmt: skip

    def _do(
        self, change: Callable[[], ProjectChange], told: str, then: Callable[[], object] = lambda: None
    ) -> None:
        def done(made: ProjectChange) -> None:
            then()
            self.desk.notices.say(told, button=tr("Undo"), act=partial(self._undo, made))
            self.refresh()

        self.desk.background.run(change, done, self.desk.notices.failed, owner=self)

    def _menu(self, rows: list[Row], place: QPoint) -> None:
        menu, muted = QMenu(self), self.desk.theme["muted"]
        row = rows[0]
        if isinstance(project := row.does, Project):
            menu.addAction(tr("Rename…")).triggered.connect(lambda: self._rename(row))
            merge = menu.addAction(tr("Merge into…"))
            merge.setEnabled(len(self._projects) > 1)
            merge.triggered.connect(lambda: self._merge(project))
            menu.addSeparator()
            word = tr("Offer again") if project.archived else tr("Archive")
            menu.addAction(icon("archive", muted), word).triggered.connect(lambda: self._archive(project))
        else:
            menu.addAction(icon("trash", muted), tr("Remove rule")).triggered.connect(
                lambda: self._remove(row)
            )
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)


def _project_row(project: Project) -> Row:
    last = short_day(local(project.last).date()) if project.last else ""
    also = [tr("also {names}").format(names=", ".join(project.names))] if project.names else []
    also += [tr("with {names}").format(names=", ".join(project.merged))] if project.merged else []
    return Row(
        key=("project", project.id), title=clean(project.name),
        icon="archive" if project.archived else "folder", tint="muted" if project.archived else "accent",
        tail=((f"{records(project.events)} · {last}" if last else records(project.events), "muted"),),
        chip=clean("; ".join(also))[:60],
        tooltip="\n".join([project.name, *also]), does=project,
    )  # fmt: skip


def _rule_row(rule: ProjectRule) -> Row:
    text = f"{kind_word(rule.kind)}: {rule.pattern} → {rule.project}"
    return Row(
        key=("rule", rule.id), title=clean(text), icon="adjustments", tint="muted",
        tail=((records(rule.events), "muted"),), tooltip=text, does=rule,
    )  # fmt: skip


class _ProjectList(RowList):
    """F2 renames as Enter does, Delete takes a rule away or archives a project."""

    delete_wanted = Signal(object)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.current()
        if row is not None and event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit(row)
        elif row is not None and event.key() == Qt.Key.Key_F2:
            self.opened.emit(row)
        else:
            super().keyPressEvent(event)
