"""The error of an encrypted memory whose key was not found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_memory.errors import KnownError

if TYPE_CHECKING:
    from desktop_memory.vault.header import Header


class Locked(KnownError):
    """The memory with this header is encrypted and its key was not found."""

    def __init__(self, problem: str, advice: str, header: Header) -> None:
        super().__init__(problem, advice)
        self.header = header
