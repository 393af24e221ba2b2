"""Projects of the scripted memory: what its events name, and changes that are kept as they are asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from desktop_memory.errors import UsageError
from desktop_memory.model import Remembered
from desktop_memory.project import Project, ProjectChange, ProjectPreview, ProjectRule


class ScriptedProjects:
    """To be mixed in; `following` is the change that stored events follow just now."""

    kept: list[Remembered]
    following: ProjectChange | None = None

    def __init__(self) -> None:
        self.all_rules: list[ProjectRule] = []
        self.project_log: list[ProjectChange] = []
        self.archived: set[str] = set()

    def _ask(self, name: str, *what: Any) -> None:
        raise NotImplementedError

    def projects(self) -> list[Project]:
        self._ask("projects")
        names = list(dict.fromkeys(event.project for event in reversed(self.kept) if event.project))
        return [self._project(number, name) for number, name in enumerate(names, 1)]

    def _project(self, number: int, name: str) -> Project:
        mine = [event for event in self.kept if event.project == name]
        return Project(
            id=number, name=name, events=len(mine), first=mine[0].start, last=mine[-1].start,
            archived=name in self.archived,
        )  # fmt: skip

    def project_rules(self) -> list[ProjectRule]:
        self._ask("project_rules")
        return list(self.all_rules)

    def project_changes(self, limit: int = 10) -> list[ProjectChange]:
        self._ask("project_changes")
        return [self.following] if self.following else self.project_log[-limit:]

    def project_outlet(self, walled: Sequence[str], aliases: Sequence[str]) -> tuple[list[str], list[str]]:
        return list(walled), list(aliases)

    def preview_project_rule(self, kind: str, pattern: str, project: str = "") -> ProjectPreview:
        self._ask("preview_project_rule", kind, pattern, project)
        try:
            found = [event for event in self.kept if re.search(pattern, event.title, re.IGNORECASE)]
        except re.error as error:
            raise UsageError(f"The pattern {pattern!r} cannot be read: {error}.") from error
        return ProjectPreview(events=len(found), changed=sum(event.project != project for event in found))

    def add_project_rule(self, kind: Any, pattern: str, project: str) -> ProjectChange:
        self.all_rules.insert(
            0, ProjectRule(id=len(self.all_rules) + 1, kind=kind, pattern=pattern, project=project)
        )
        return self._changed("rule", project, pattern)

    def remove_project_rule(self, rule: int) -> ProjectChange:
        gone = next(one for one in self.all_rules if one.id == rule)
        self.all_rules.remove(gone)
        return self._changed("unrule", gone.project, gone.pattern)

    def rename_project(self, name: str, new: str) -> ProjectChange:
        return self._changed("rename", new, name)

    def merge_projects(self, name: str, into: str) -> ProjectChange:
        return self._changed("merge", into, name)

    def archive_project(self, name: str, archived: bool = True) -> ProjectChange:
        self.archived ^= {name}
        return self._changed("archive" if archived else "unarchive", name)

    def undo_project_change(self, change: int) -> ProjectChange:
        self._ask("undo_project_change", change)
        self.following = None
        undone = replace(self.project_log[change - 1], undone=True) if self.project_log else None
        return undone or self._changed("rule", "", "")

    def _changed(self, what: Any, project: str, other: str = "") -> ProjectChange:
        self._ask(what, project, other)
        made = ProjectChange(
            id=len(self.project_log) + 1, what=what, project=project, other=other, at=datetime.now(UTC)
        )
        self.project_log.append(made)
        return made
