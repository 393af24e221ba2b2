"""The privacy settings as clients meet them: walls and aliases under every name of their projects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from desktop_memory import settings
from desktop_memory.settings import Privacy


class Memory(Protocol):
    def project_outlet(
        self, walled: Sequence[str], aliases: Sequence[str]
    ) -> tuple[list[str], list[str]]: ...


def followed(memory: Memory, file: Path) -> Privacy:
    """The settings in this file as they are now."""
    privacy = settings.load(file).privacy
    if not privacy.walled_projects and not privacy.aliases:
        return privacy
    walled, aliases = memory.project_outlet(privacy.walled_projects, privacy.aliases)
    return replace(privacy, walled_projects=tuple(walled), aliases=tuple(aliases))
