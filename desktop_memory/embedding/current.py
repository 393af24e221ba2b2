"""The embedder that search uses now; another may take its place while the app runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from desktop_memory.embedding.embedder import Embedder
from desktop_memory.model import ModelInfo

if TYPE_CHECKING:
    from desktop_memory.embedding.embedder import Vectors


class ClosableEmbedder(Embedder, Protocol):
    """An embedder with a process behind it."""

    def check(self) -> None: ...
    def ready(self) -> bool: ...
    def warm(self) -> None: ...
    def close(self) -> None: ...


class CurrentEmbedder:
    """Passes everything on to the one in use."""

    def __init__(self, embedder: ClosableEmbedder) -> None:
        self._embedder = embedder

    @property
    def model(self) -> ModelInfo:
        return self._embedder.model

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._embedder.embed(texts)

    def embed_query(self, text: str) -> Vectors:
        return self._embedder.embed_query(text)

    def knows(self, text: str) -> bool:
        return self._embedder.knows(text)

    def check(self) -> None:
        self._embedder.check()

    def ready(self) -> bool:
        return self._embedder.ready()

    def warm(self) -> None:
        self._embedder.warm()

    def replace(self, embedder: ClosableEmbedder) -> None:
        """Use this one from now on; the old one is closed, whoever still waits for it is told."""
        old, self._embedder = self._embedder, embedder
        if old is not embedder:
            old.close()

    def close(self) -> None:
        self._embedder.close()
