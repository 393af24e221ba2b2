"""The privacy settings as clients meet them: walls and aliases under every name of their projects."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from desktop_memory import settings
from desktop_memory.ipc.client import NotRunning
from desktop_memory.ipc.remote import RemoteApp
from desktop_memory.settings import Privacy
from desktop_memory.vault.locked import Locked


class Memory(Protocol):
    def project_outlet(
        self, walled: Sequence[str], aliases: Sequence[str]
    ) -> tuple[list[str], list[str]]: ...


def privacy_now(file: Path) -> Privacy:
    """The privacy settings in this file. The running app, which somebody unlocked, may know more than we do here."""
    try:
        return settings.load(file).privacy
    except Locked:
        with suppress(NotRunning):
            return Privacy(**RemoteApp(file.parent).privacy())
        raise


def followed(memory: Memory, file: Path) -> Privacy:
    """The settings in this file as they are now."""
    privacy = privacy_now(file)
    if not privacy.walled_projects and not privacy.aliases:
        return privacy
    walled, aliases = memory.project_outlet(privacy.walled_projects, privacy.aliases)
    return replace(privacy, walled_projects=tuple(walled), aliases=tuple(aliases))
