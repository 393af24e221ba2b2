"""A memory in which something was decided about projects."""

from __future__ import annotations

import random
from contextlib import suppress

from collectors.event import Event
from collectors.repository import Checkout
from desktop_memory.errors import KnownError, UsageError
from desktop_memory.memory import Memory
from tests.factories import event

FIRST = "5b1d0c6f2a9e47d3b8c1f0e6a7d94c25831fb02e"
OTHER = "0c6f2a9e47d3b8c1f0e6a7d94c25831fb02e5b1d"


def window(minutes: float, title: str) -> Event:
    return event(minutes, until=minutes + 1, kind="window", title=title, app="Word")


def ran(minutes: float, folder: str, project: str) -> Event:
    return event(minutes, text=f"make {minutes}", project=project, details={"cwd": folder})


def follow(memory: Memory) -> None:
    while memory.follow_projects():
        pass


def decide(memory: Memory) -> None:
    """A rule, a new name for a repository, another project merged into it, and one that was archived."""
    memory.learn(Checkout(name="api", folders=("/src/api",), first=FIRST))
    memory.remember([ran(1, "/src/api", "api"), ran(2, "/src/api", "api"), ran(3, "/src/scripts", "scripts")])
    memory.remember([ran(4, "/src/old", "old"), window(10, "Nordwind offer")])
    memory.add_project_rule("title", "Nordwind", "Client A")
    memory.rename_project("api", "Billing")
    memory.merge_projects("scripts", "Billing")
    memory.archive_project("old")
    follow(memory)


def decide_anything(memory: Memory, chance: random.Random) -> None:
    """One thing that happens, or that a user decides, or takes back."""
    names = ("api", "Billing", "日本", "old", "x", "Api 2")
    one, other = chance.choice(names), chance.choice(names)
    commit = format(chance.randrange(3), "040x")
    with suppress(KnownError, UsageError):
        match chance.randrange(8):
            case 0:
                memory.remember([ran(chance.random() * 900, f"/src/{one}", one)])
            case 1:
                memory.remember([window(chance.random() * 900, f"{one} offer")])
            case 2:
                memory.rename_project(one, other)
            case 3:
                memory.merge_projects(one, other)
            case 4:
                memory.archive_project(one, chance.random() < 0.7)
            case 5:
                memory.add_project_rule("title", one, other)
            case 6:
                memory.learn(Checkout(name=one, folders=(f"/src/{one}",), first=commit))
            case _:
                changes = memory.project_changes()
                memory.undo_project_change(chance.choice(changes).id if changes else 0)
