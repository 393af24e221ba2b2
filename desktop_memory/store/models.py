"""The models whose vectors the store holds: one row and one sqlite-vec table each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import apsw

from desktop_memory.model import ModelInfo

CHUNK = 256
"""Vectors in one block of a table. A month takes whole blocks, so small ones keep young stores small."""

_COLUMNS = "id, name, hash, dimension, pooling, prefixes, threshold, vectors, strange, cursor, active"


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredModel:
    """A model with a table of vectors. Docs up to `cursor` have one; searches use the `active` one."""

    id: int
    info: ModelInfo
    table: str
    cursor: int
    active: bool

    @property
    def codes(self) -> str:
        """The table of the vectors' one-bit codes."""
        return f"codes_{self.id}"


def register(connection: apsw.Connection, info: ModelInfo) -> StoredModel:
    """This model with its table, made when it is new; the first one of a store is active."""
    known = next(
        (m for m in models(connection) if (m.info.name, m.info.hash) == (info.name, info.hash)), None
    )
    if known is not None:
        return known
    id_ = int(str(connection.execute("SELECT coalesce(max(id), 0) + 1 FROM model").get))
    connection.execute(
        f"""INSERT INTO model ({_COLUMNS})
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NOT EXISTS (SELECT 1 FROM model))""",
        (
            id_,
            info.name,
            info.hash,
            info.dimension,
            info.pooling,
            json.dumps({"query": info.query_prefix, "passage": info.passage_prefix}),
            info.threshold,
            f"vectors_{id_}",
            info.strange,
        ),
    )
    _create_vectors(connection, id_, info.dimension)
    _create_codes(connection, id_)
    return next(model for model in models(connection) if model.id == id_)


def models(connection: apsw.Connection) -> list[StoredModel]:
    return [_model(row) for row in connection.execute(f"SELECT {_COLUMNS} FROM model ORDER BY id")]


def active(connection: apsw.Connection) -> StoredModel | None:
    """The model that searches use; None before the first was registered."""
    row = connection.execute(f"SELECT {_COLUMNS} FROM model WHERE active LIMIT 1").fetchone()
    return None if row is None else _model(row)


def activate(connection: apsw.Connection, model: StoredModel) -> None:
    """Let searches use this model from now on."""
    connection.execute("UPDATE model SET active = (id = ?)", (model.id,))


def remove(connection: apsw.Connection, model: StoredModel) -> None:
    """Drop a model with all its vectors."""
    connection.execute(f"DROP TABLE {model.table}")
    connection.execute(f"DROP TABLE {model.codes}")
    connection.execute("DELETE FROM model WHERE id = ?", (model.id,))


def empty(connection: apsw.Connection, model: StoredModel) -> StoredModel:
    """Throw all vectors of a model away; it stays what it was otherwise."""
    connection.execute(f"DROP TABLE {model.table}")
    _create_vectors(connection, model.id, model.info.dimension)
    connection.execute(f"DELETE FROM {model.codes}")  # their numbers go on: who read the old ones notices
    move_cursor(connection, model, 0)
    return replace(model, cursor=0)


def move_cursor(connection: apsw.Connection, model: StoredModel, doc: int) -> None:
    """Note that every doc up to this one has its vector."""
    connection.execute("UPDATE model SET cursor = ? WHERE id = ?", (doc, model.id))


def _create_vectors(connection: apsw.Connection, id_: int, dimension: int) -> None:
    connection.execute(
        f"""CREATE VIRTUAL TABLE vectors_{id_} USING vec0(
            doc INTEGER PRIMARY KEY, month INTEGER PARTITION KEY,
            embedding float[{dimension}] distance_metric=cosine, chunk_size={CHUNK})"""
    )


def _create_codes(connection: apsw.Connection, id_: int) -> None:
    connection.execute(
        f"""CREATE TABLE codes_{id_} (
            seq INTEGER PRIMARY KEY AUTOINCREMENT, doc INTEGER NOT NULL UNIQUE,
            month INTEGER NOT NULL, code BLOB NOT NULL) STRICT"""
    )


def _model(row: Sequence[object]) -> StoredModel:
    id_, name, hash_, dimension, pooling, prefixes, threshold, table, strange, cursor, active_ = row
    parts = json.loads(str(prefixes))
    return StoredModel(
        id=int(str(id_)),
        info=ModelInfo(
            name=str(name),
            hash=str(hash_),
            dimension=int(str(dimension)),
            pooling=str(pooling),
            query_prefix=parts.get("query", ""),
            passage_prefix=parts.get("passage", ""),
            threshold=float(str(threshold)),
            strange=float(str(strange)),
        ),
        table=str(table),
        cursor=int(str(cursor)),
        active=bool(active_),
    )
