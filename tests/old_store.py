"""Memories as released versions wrote them."""

from __future__ import annotations

import gzip
from pathlib import Path

from desktop_memory.store.store import FILE_NAME

FOLDER = Path(__file__).parent / "old_stores"
RELEASED = (1, 2)
"""Schemas that were released before today's."""

EVENTS = 72
"""How many events each holds."""


def make_old_store(folder: Path, schema: int = 1) -> None:
    """Put the memory of that schema into a new folder."""
    folder.mkdir(mode=0o700, parents=True)
    raw = gzip.decompress((FOLDER / f"schema_{schema}.sqlite.gz").read_bytes())
    (folder / FILE_NAME).write_bytes(raw)
    (folder / FILE_NAME).chmod(0o600)
