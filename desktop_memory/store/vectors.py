"""Vectors of docs, in sqlite-vec: what lacks one, adding, removing, and the nearest to a question.

`<table>_rowids` is sqlite-vec's own index from a doc to its vector's place (https://github.com/asg017/sqlite-vec,
ARCHITECTURE.md). Asking it whether a doc has a vector takes 0.2 µs; asking the virtual table takes 8.
"""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import apsw

from desktop_memory.store.codes import Codes, code_of
from desktop_memory.store.models import StoredModel, models

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

LARGEST_K = 4_096
POINT_READS = 1_000
"""Up to so many given docs are read one by one, 8 µs each."""
EXACT_UP_TO = 6_000
"""Up to so many vectors an exact scan takes no longer than the coarse look, about 6 ms."""
SAMPLE = 256
CANDIDATES = 1_000
"""What the coarse look hands to the exact one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Lacking:
    """A doc without a vector. `twin` is a doc of another month with the same text that has one."""

    doc: int
    text: int
    body: str
    twin: int | None


def lacking(
    connection: apsw.Connection, model: StoredModel, *, above: int, below: int, limit: int, newest_first: bool
) -> list[Lacking]:
    """Docs between these ids (both outside) that have no vector of this model."""
    rows = connection.execute(
        f"""SELECT doc.id, doc.text, text.body, (
            SELECT other.id FROM doc other JOIN {model.table}_rowids ON {model.table}_rowids.rowid = other.id
            WHERE other.text = doc.text LIMIT 1)
        FROM doc JOIN text ON text.id = doc.text
        WHERE doc.id > ? AND doc.id < ?
        AND NOT EXISTS (SELECT 1 FROM {model.table}_rowids WHERE {model.table}_rowids.rowid = doc.id)
        ORDER BY doc.id {"DESC" if newest_first else "ASC"} LIMIT ?""",
        (above, below, limit),
    )
    return [Lacking(doc=doc, text=text, body=body, twin=twin) for doc, text, body, twin in rows]


def newest_doc(connection: apsw.Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM doc").get)


def add(connection: apsw.Connection, model: StoredModel, vectors: Iterable[tuple[int, Vectors]]) -> int:
    """Store vectors by doc, except for docs that were removed meanwhile or have one; how many were stored."""
    given = dict(vectors)
    wanted: list[Any] = connection.execute(
        f"""SELECT id, month FROM doc WHERE id IN (SELECT value FROM json_each(?))
        AND NOT EXISTS (SELECT 1 FROM {model.table}_rowids WHERE {model.table}_rowids.rowid = doc.id)""",
        (json.dumps(list(given)),),
    ).fetchall()
    connection.executemany(
        f"INSERT INTO {model.table} (doc, month, embedding) VALUES (?, ?, ?)",
        ((doc, month, given[doc].astype("<f4").tobytes()) for doc, month in wanted),
    )
    connection.executemany(
        f"INSERT INTO {model.codes} (doc, month, code) VALUES (?, ?, ?)",
        ((doc, month, code_of(given[doc])) for doc, month in wanted),
    )
    return len(wanted)


def delete(connection: apsw.Connection, docs: Iterable[int]) -> int:
    """Remove the vectors of these docs, of every model; how many there were."""
    ids = json.dumps(list(docs))
    removed = 0
    for model in models(connection):
        held = connection.execute(
            f"SELECT rowid FROM {model.table}_rowids WHERE rowid IN (SELECT value FROM json_each(?))", (ids,)
        ).fetchall()
        connection.executemany(f"DELETE FROM {model.table} WHERE doc = ?", held)
        connection.executemany(f"DELETE FROM {model.codes} WHERE doc = ?", held)
        removed += len(held)
    return removed


def nearest(
    connection: apsw.Connection,
    model: StoredModel,
    query: Vectors,
    k: int,
    *,
    months: tuple[int, int] | None = None,
    docs: Collection[int] | None = None,
    codes: Codes | None = None,
) -> list[tuple[int, float]]:
    """The k docs nearest to a vector with their cosines, nearest first.

    `docs` limits it to these, `months` to a first and a last month. With `codes`, what is too much for an exact
    look within 20 ms is looked at coarsely first.
    """
    k = max(1, min(k, LARGEST_K))
    if docs is not None and len(docs) <= POINT_READS:
        return _best(*of(connection, model, docs), query, k)
    if codes is not None:
        codes.refresh(connection, model)
        if docs is not None or (codes.count_in(months) if months else len(codes)) > EXACT_UP_TO:
            return _nearest_by_codes(connection, model, query, k, months, docs, codes)
    return _nearest_by_scan(connection, model, query, k, months, docs)


def needs_codes(connection: apsw.Connection, model: StoredModel) -> bool:
    """Whether there are too many vectors to look at all of them exactly."""
    rows = connection.execute(f"SELECT 1 FROM {model.table}_rowids LIMIT 1 OFFSET ?", (EXACT_UP_TO,))
    return rows.fetchone() is not None


def _nearest_by_scan(
    connection: apsw.Connection,
    model: StoredModel,
    query: Vectors,
    k: int,
    months: tuple[int, int] | None,
    docs: Collection[int] | None,
) -> list[tuple[int, float]]:
    condition = ""
    values: list[int | str] = []
    if docs is not None:
        condition = "AND doc IN (SELECT value FROM json_each(?))"
        values = [json.dumps(list(docs))]
    elif months is not None:
        condition = "AND month >= ? AND month <= ?"
        values = [*months]
    rows: list[Any] = connection.execute(
        f"""SELECT doc, distance FROM {model.table}
        WHERE embedding MATCH ? AND k = ? {condition} ORDER BY distance""",
        (query.astype("<f4").tobytes(), k, *values),
    ).fetchall()
    return [(doc, 1.0 - distance) for doc, distance in rows]


def _nearest_by_codes(
    connection: apsw.Connection,
    model: StoredModel,
    query: Vectors,
    k: int,
    months: tuple[int, int] | None,
    docs: Collection[int] | None,
    codes: Codes,
) -> list[tuple[int, float]]:
    count = max(CANDIDATES, min(5 * k, k + CANDIDATES))
    candidates = codes.candidates(query, count, months=months, docs=docs)
    found, matrix = of(connection, model, candidates)
    if len(found) < 0.9 * len(candidates):
        codes.forget()
    return _best(found, matrix, query, k)


def of(connection: apsw.Connection, model: StoredModel, docs: Iterable[int]) -> tuple[list[int], Vectors]:
    """The docs among these that have a vector, and their vectors, a row each."""
    import numpy as np

    rows: list[Any] = connection.execute(
        f"""SELECT doc, embedding FROM json_each(?) AS wanted CROSS JOIN {model.table} AS vector
        ON vector.doc = wanted.value""",
        (json.dumps(list(docs)),),
    ).fetchall()
    matrix = np.frombuffer(b"".join(row[1] for row in rows), dtype="<f4").reshape(-1, model.info.dimension)
    return [row[0] for row in rows], matrix


def sample(connection: apsw.Connection, model: StoredModel, count: int = SAMPLE, seed: int = 0) -> Vectors:
    """Vectors drawn evenly over all docs, the same ones each time; all of them when there are fewer."""
    bounds: Any = connection.execute(
        f"SELECT min(rowid), max(rowid), count(*) FROM {model.table}_rowids"
    ).fetchone()
    low, high, total = bounds
    if not total:
        return of(connection, model, [])[1]
    if total <= count:
        return of(connection, model, _docs_with_vector(connection, model))[1]
    draw = random.Random(seed)
    chosen: set[int] = set()
    while len(chosen) < count:
        at = draw.randint(low, high)
        chosen.add(
            connection.execute(
                f"SELECT rowid FROM {model.table}_rowids WHERE rowid >= ? ORDER BY rowid LIMIT 1", (at,)
            ).get
        )
    return of(connection, model, sorted(chosen))[1]


def coverage(connection: apsw.Connection, model: StoredModel) -> tuple[int, int]:
    """How many docs have a vector, and how many docs there are."""
    have = connection.execute(f"SELECT count(*) FROM {model.table}_rowids").get
    return int(have), int(connection.execute("SELECT count(*) FROM doc").get)


def whole(connection: apsw.Connection, model: StoredModel) -> bool:
    """Whether every doc up to the model's cursor has its vector."""
    row: Any = connection.execute(
        f"""SELECT (SELECT count(*) FROM doc WHERE id <= ?1),
        (SELECT count(*) FROM {model.table}_rowids WHERE rowid <= ?1)""",
        (model.cursor,),
    ).fetchone()
    return bool(row[0] == row[1])


def _docs_with_vector(connection: apsw.Connection, model: StoredModel) -> list[int]:
    return [row[0] for row in connection.execute(f"SELECT rowid FROM {model.table}_rowids ORDER BY rowid")]


def _best(docs: Sequence[int], matrix: Vectors, query: Vectors, k: int) -> list[tuple[int, float]]:
    import numpy as np

    cosines = matrix @ query
    order = np.argsort(-cosines, kind="stable")[:k]
    return [(docs[place], float(cosines[place])) for place in order]
