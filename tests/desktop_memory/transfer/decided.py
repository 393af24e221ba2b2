"""A memory in which something was decided about projects."""

from __future__ import annotations

from collectors.event import Event
from collectors.repository import Checkout
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
