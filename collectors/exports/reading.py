"""Reads an exported file from beginning to end, a batch a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from collectors.collector import Batch, Cursor, Unavailable


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
