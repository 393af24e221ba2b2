"""Judges texts once more, each together with the question: slower and often better than comparing vectors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.model_files import ModelFiles

MOST = 30
"""More texts than these would take longer than a second."""


class Reranker:
    """A cross-encoder in a process of its own that ends when idle. Thread-safe."""

    def __init__(self, files: ModelFiles, *, notes: Path | None = None, idle_seconds: float = 120.0) -> None:
        self._process = ChildEmbedder(files, notes=notes, idle_seconds=idle_seconds)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each of at most MOST texts answers; only their order means something.

        Raises EmbedderUnavailable.
        """
        if not texts:
            return []
        rows = self._process.ask([question, *texts[:MOST]], urgent=True)
        return [float(row[0]) for row in rows[1:]]

    def close(self) -> None:
        self._process.close()


class SecondLook:
    """The reranker while it is wanted: its process starts at the first question. Thread-safe."""

    def __init__(self, open_: Callable[[], Reranker], *, wanted: bool) -> None:
        self._open = open_
        self._lock = threading.Lock()
        self._wanted = wanted
        self._reranker: Reranker | None = None

    @property
    def on(self) -> bool:
        return self._wanted

    def want(self, wanted: bool) -> None:
        """Switch it on or off; what was opened is closed, so that another installation is taken up."""
        with self._lock:
            self._wanted = wanted
            open_, self._reranker = self._reranker, None
        if open_ is not None:
            open_.close()

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """As the reranker's own. Raises EmbedderUnavailable also when it is not installed."""
        with self._lock:
            if self._reranker is None:
                self._reranker = self._open()
            reranker = self._reranker
        return reranker.scores(question, texts)

    def close(self) -> None:
        self.want(False)
