"""The file and the project out of an editor's title, by the patterns of resources/editors.toml."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from collectors.window.backend import Window


@dataclass(frozen=True, kw_only=True, slots=True)
class Editor:
    """A family of editors: which windows are theirs, and how their titles read, the fullest form first.

    A pattern has groups named `file`, `folder` and `project`, each of which may be missing. No apps: any app.
    """

    name: str
    apps: frozenset[str]
    titles: tuple[re.Pattern[str], ...]
    not_files: frozenset[str] = frozenset()
    not_projects: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Edited:
    """What an editor has open, as far as its title tells."""

    project: str = ""
    files: tuple[str, ...] = ()


NOTHING = Edited()


def load(path: Path) -> tuple[Editor, ...]:
    """The editors that this file describes."""
    described = tomllib.loads(path.read_text(encoding="utf-8"))["editor"]
    return tuple(
        Editor(
            name=editor["name"],
            apps=frozenset(app.casefold() for app in editor["apps"]),
            titles=tuple(re.compile(title) for title in editor["titles"]),
            not_files=frozenset(text.casefold() for text in editor.get("not_files", ())),
            not_projects=frozenset(text.casefold() for text in editor.get("not_projects", ())),
        )
        for editor in described
    )


def read(window: Window, app: str, editors: Sequence[Editor]) -> Edited:
    """What this window has open; nothing when it is no editor's or its title reads otherwise."""
    mine = {window.app_id.casefold(), app.casefold()}
    for editor in editors:
        if editor.apps and editor.apps.isdisjoint(mine):
            continue
        for title in editor.titles:
            if match := title.match(window.title):
                return _edited(match, editor)
    return NOTHING


def _edited(match: re.Match[str], editor: Editor) -> Edited:
    part = {name: (text or "").strip() for name, text in match.groupdict().items()}
    file, folder, project = (part.get(name, "") for name in ("file", "folder", "project"))
    if file.casefold() in editor.not_files:
        file = ""
    if project.casefold() in editor.not_projects:
        project = ""
    if file and folder:
        file = f"{folder.rstrip('/')}/{file}"
    if file.startswith("~/"):
        file = os.path.expanduser(file)
    return Edited(project=project, files=(file,) if file else ())
