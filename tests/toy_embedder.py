"""An embedder without a model: each text has its own vector, made from the text alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.model import ModelInfo
from tests.vector_rows import TOY


class ToyEmbedder:
    """Remembers what it was asked; fails on texts in `poison`, on everything when `broken`."""

    def __init__(
        self, model: ModelInfo = TOY, *, before: Callable[[list[str]], None] = lambda _: None
    ) -> None:
        self.model = model
        self.asked: list[str] = []
        self.poison: set[str] = set()
        self.broken = False
        self.closed = False
        self.known = True
        self._before = before

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self._before(list(texts))
        if self.broken or self.poison & set(texts):
            raise EmbedderUnavailable("It does not work.")
        self.asked.extend(texts)
        return np.stack([self.vector(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self.embed([text])[0]

    def check(self) -> None:
        if self.broken:
            raise EmbedderUnavailable("It does not work.")

    def knows(self, text: str) -> bool:
        return self.known

    def ready(self) -> bool:
        return not self.closed

    def warm(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def vector(self, text: str) -> NDArray[np.float32]:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
        row = np.random.default_rng(seed).standard_normal(self.model.dimension).astype(np.float32)
        return row / np.linalg.norm(row)
