"""What the app says of projects: their names, the rules that give events to them, and changes that can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

ProjectRuleKind = Literal["title", "domain", "folder", "app"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Project:
    """A repository or what the user made one by a rule. `names` are those it goes by as well, `merged` are in it."""

    id: int
    name: str
    events: int = 0
    first: datetime | None = None
    last: datetime | None = None
    archived: bool = False
    names: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ProjectRule:
    """What matches belongs to a project: a title (regular expression), a site, a folder or an app."""

    id: int
    kind: ProjectRuleKind
    pattern: str
    project: str
    events: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class ProjectPreview:
    """How many stored events a change is about, and how many of them would get another project."""

    events: int
    changed: int
    first: datetime | None = None
    last: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ProjectChange:
    """A change that was made to projects. While it is `running`, stored events follow: `done` of 1."""

    id: int
    what: Literal["rule", "unrule", "rename", "merge", "archive", "unarchive", "learn"]
    project: str
    other: str = ""
    """The pattern of a rule, the name before, or what was merged."""
    at: datetime
    running: bool = False
    undone: bool = False
    done: float = 1.0
    moved: int = 0


def one_is_walled(walled: Sequence[str], name: str, other: str) -> bool:
    """Whether merging these two puts a wall around what had none; `walled` holds every name that has one."""
    walls = {wall.casefold() for wall in walled}
    return (name.casefold() in walls) != (other.casefold() in walls)
