"""Vectors of names, kept in memory alone: a question compares itself with a few dozen of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop_memory.embedding.embedder import Embedder

if TYPE_CHECKING:
    from desktop_memory.embedding.embedder import Vectors

MOST = 2_000
"""3 MB of vectors; then it begins anew."""


class Names:
    """Embeds each name once; another model begins anew. Of two threads that ask at once the last one's is kept."""

    def __init__(self) -> None:
        self._model = ("", "")
        self._vectors: dict[str, Vectors] = {}

    def of(self, embedder: Embedder, names: Sequence[str]) -> dict[str, Vectors]:
        """The vector of each name. Raises EmbedderUnavailable."""
        model = (embedder.model.name, embedder.model.hash)
        if model != self._model or len(self._vectors) + len(names) > MOST:
            self._model, self._vectors = model, {}
        held = self._vectors
        if new := [name for name in dict.fromkeys(names) if name not in held]:
            held.update(zip(new, embedder.embed(new), strict=True))
        return {name: held[name] for name in names}
