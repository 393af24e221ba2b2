"""What the demo's person told the app about their projects."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Protocol


class RuleKeeper(Protocol):
    def add_project_rule(self, kind: str, pattern: str, project: str) -> object: ...


def give(memory: RuleKeeper, path: Path) -> None:
    """Write the rules of this file into a memory, before it remembers anything."""
    for rule in tomllib.loads(path.read_text(encoding="utf-8"))["rule"]:
        memory.add_project_rule(rule["kind"], rule["pattern"], rule["project"])
