"""What starts with the desktop, and what each system's way of it can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """What the system will start, and whether it is allowed to."""

    command: tuple[str, ...]
    enabled: bool = True


class Startup(Protocol):
    """How one system starts programs with the desktop. Each call may raise OSError."""

    def where(self) -> str:
        """The file or registry key, for people."""
        ...

    def read(self) -> Entry | None: ...
    def write(self, command: Sequence[str]) -> None: ...
    def remove(self) -> None: ...
