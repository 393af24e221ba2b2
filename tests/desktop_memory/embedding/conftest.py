"""One embedding process for the tests that only ask it something."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.model_files import built_in


@pytest.fixture(scope="module")
def embedder() -> Iterator[ChildEmbedder]:
    """The built-in model, loaded."""
    shared = ChildEmbedder(built_in())
    shared.embed_query("load")
    yield shared
    shared.close()
