"""How far a repository has been read: the cursor of the source "git"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from collectors.collector import Cursor
from collectors.git.history import Branches
from collectors.plain import DAMAGED, number


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """A long history that is being read: the branches as they were at its begin, commits read so far."""

    branches: Branches
    read: int = 0
    state: str = ""

    @property
    def tips(self) -> tuple[str, ...]:
        return tuple(sorted(self.branches.ends))


@dataclass(frozen=True, kw_only=True, slots=True)
class Position:
    """Everything that `done` reaches has been read, by the authors that `whose` marks.

    `first` is the repository's first commit, kept because it names it; `state` is how the repository
    looked when nothing was left to read. `moved` is when, in seconds, the newest checkout or stash was made
    that was told of, `staged` marks what is staged in each worktree.
    """

    first: str = ""
    whose: str = ""
    done: tuple[str, ...] = ()
    state: str = ""
    reading: Reading | None = None
    moved: int = 0
    staged: Mapping[str, str] = field(default_factory=dict)

    def cursor(self) -> Cursor:
        """As plain JSON values."""
        plain: dict[str, Any] = {
            "first": self.first,
            "whose": self.whose,
            "done": list(self.done),
            "state": self.state,
            "moved": self.moved,
            "staged": dict(self.staged),
        }
        if self.reading is not None:
            plain["reading"] = asdict(self.reading)
        return plain


def position(cursor: Cursor | None) -> Position:
    """The position that this cursor holds; the beginning where it holds none or a damaged one."""
    if cursor is None:
        return Position()
    try:
        reading = cursor.get("reading")
        return Position(
            first=_commit(cursor["first"]) if cursor["first"] else "",
            whose=str(cursor["whose"]),
            done=tuple(map(_commit, cursor["done"])),
            state=str(cursor["state"]),
            reading=None if reading is None else _reading(reading),
            moved=number(cursor.get("moved", 0)),
            staged=dict(cursor.get("staged", {})),
        )
    except DAMAGED:
        return Position()


def _commit(plain: Any) -> str:
    if not re.fullmatch(r"[0-9a-f]{40,64}", plain):
        raise ValueError("not the name of a commit")
    return str(plain)


def _reading(plain: dict[str, Any]) -> Reading:
    told = plain["branches"]
    branches = Branches(
        tips={str(name): _commit(tip) for name, tip in told["tips"].items()},
        current=str(told["current"]),
        default=str(told["default"]),
        loose=tuple(map(_commit, told["loose"])),
    )
    return Reading(branches=branches, read=number(plain["read"]), state=str(plain["state"]))
