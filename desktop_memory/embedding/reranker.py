"""Judges texts once more, each together with the question: slower and often better than comparing vectors."""

from __future__ import annotations

from collections.abc import Sequence
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
