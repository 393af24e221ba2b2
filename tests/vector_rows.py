"""A store filled with docs and vectors, for tests of what lies above them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from desktop_memory.model import ModelInfo
from desktop_memory.store.store import Store

TOY = ModelInfo(name="toy", hash="00", dimension=8, pooling="mean")


def open_store(folder: Path) -> Store:
    return Store.open(folder, clock=lambda: datetime(2026, 8, 13, tzinfo=UTC))


def add_doc(connection: apsw.Connection, body: str, month: int = 24_319) -> int:
    """A doc with this text in this month; its id."""
    hash_ = hashlib.sha256(body.encode()).digest()[:16]
    connection.execute("INSERT OR IGNORE INTO text (hash, body) VALUES (?, ?)", (hash_, body))
    connection.execute("INSERT INTO doc (text, month) SELECT id, ? FROM text WHERE hash = ?", (month, hash_))
    return connection.last_insert_rowid()


def unit_vectors(count: int, dimension: int, seed: int = 0) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def one_vector_each(store: Store, table: str) -> bool:
    """Whether every doc has exactly one vector, and no vector is without its doc."""
    docs: Sequence[object] = store.read().execute("SELECT id FROM doc ORDER BY id").fetchall()
    held: Sequence[object] = store.read().execute(f"SELECT doc FROM {table} ORDER BY doc").fetchall()
    return docs == held
