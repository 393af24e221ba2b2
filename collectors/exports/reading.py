"""Reads an exported file from beginning to end, a batch a turn, where somebody points to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path

from collectors.collector import Batch, Cursor, Place, Unavailable


class Reading:
    """Goes on where the last turn ended. Without that (the cursor is an older one) it begins again, which is free."""

    def __init__(self, batches: Callable[[Path], Iterator[Batch]]) -> None:
        self._batches = batches
        self._open: Iterator[Batch] | None = None

    def next(self, path: Path, cursor: Cursor | None) -> Batch:
        """The next batch. Raises Unavailable when the file cannot be read."""
        if cursor is None or self._open is None:
            self._open = self._batches(path)
        try:
            batch = next(self._open)
        except OSError as error:
            self._open = None
            raise Unavailable(
                f"{path} cannot be read: {error.strerror}.", "Check the name and its permissions."
            ) from error
        if not batch.more:
            self._open = None
        return batch


class Export(ABC):
    """A source that is one file; the place names it."""

    def __post_init__(self) -> None:
        self._reading = Reading(self._batches)

    def places(self) -> list[Place]:
        """It is read where somebody points to it."""
        return []

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        return self._reading.next(Path(place.name), cursor)

    @abstractmethod
    def _batches(self, path: Path) -> Iterator[Batch]:
        """All of the file, from its beginning."""
