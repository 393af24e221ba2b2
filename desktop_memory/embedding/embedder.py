"""What turns texts into vectors, as the rest of the app sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from desktop_memory.errors import KnownError
from desktop_memory.model import ModelInfo

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


class EmbedderUnavailable(KnownError):
    """No vectors for now: the model is missing or damaged, or its process fails. Search goes on by words."""


class Embedder(Protocol):
    """Vectors are float32 of length 1: a dot product is the cosine. Both may raise EmbedderUnavailable."""

    @property
    def model(self) -> ModelInfo: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, in their order."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question; goes before texts that wait in `embed`."""
        ...

    def knows(self, text: str) -> bool:
        """Whether the model knows a word of it as a word; True where its files do not tell."""
        ...
