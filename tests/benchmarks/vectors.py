"""How fast and how right the nearest vectors are found, beside numpy over the same matrix.

    python -m tests.benchmarks.vectors [--real 20000] [--size 150000] [--cache FILE.npy]

`--real` texts are embedded (a minute for 10,000; kept in the cache file) and measured for recall: random clusters
would flatter it. Up to `--size` the store is filled with jittered copies, for the times alone.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.model_files import BUILT_IN, built_in
from desktop_memory.store import models, vectors
from desktop_memory.store.codes import Codes
from desktop_memory.store.models import StoredModel
from desktop_memory.store.store import Store
from tests.benchmarks.real_texts import real_texts
from tests.vector_rows import add_doc

Matrix = NDArray[np.float32]
QUERIES = 200
FIRST_MONTH, MONTHS = 24_260, 60


def main(real: int, size: int, cache: Path | None) -> None:
    rows = _real_rows(real + QUERIES, cache)
    questions, held = rows[:QUERIES], rows[QUERIES:]
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder), clock=lambda: datetime.now(UTC))
        model = _fill(store, held)
        print(f"{len(held)} vectors of real texts, {len(questions)} questions")
        _recall(store.read(), model, held, questions)
        everything = _filled_up(held, size)
        _fill(store, everything, start=len(held))
        print(f"{len(everything)} vectors over {MONTHS} months")
        _times(store.read(), model, everything, questions)
        store.close()


def _real_rows(count: int, cache: Path | None) -> Matrix:
    if cache is not None and cache.exists() and len(kept := np.load(cache)) >= count:
        return np.asarray(kept[:count], dtype=np.float32)
    embedder = ChildEmbedder(built_in())
    rows = embedder.embed(real_texts(count))
    embedder.close()
    if cache is not None:
        np.save(cache, rows)
    return rows


def _filled_up(rows: Matrix, size: int) -> Matrix:
    draw = np.random.default_rng(0)
    more = rows[draw.integers(0, len(rows), max(0, size - len(rows)))]
    more = more + draw.standard_normal(more.shape, dtype=np.float32) * 0.02
    more /= np.linalg.norm(more, axis=1, keepdims=True)
    return np.concatenate([rows, more.astype(np.float32)])


def _fill(store: Store, rows: Matrix, start: int = 0) -> StoredModel:
    began = time.perf_counter()
    with store.transaction() as connection:
        model = models.register(connection, BUILT_IN)
    for first in range(start, len(rows), 5_000):
        with store.transaction() as connection:
            last = min(first + 5_000, len(rows))
            docs = [add_doc(connection, str(n), FIRST_MONTH + n % MONTHS) for n in range(first, last)]
            vectors.add(connection, model, zip(docs, rows[first:last], strict=True))
    took = time.perf_counter() - began
    print(
        f"stored in {took:.1f} s, {took / max(1, len(rows) - start) * 1e6:.0f} µs a vector with its doc and code"
    )
    return model


def _recall(connection: apsw.Connection, model: StoredModel, held: Matrix, questions: Matrix) -> None:
    codes = Codes()
    best = np.argsort(-(questions @ held.T), axis=1)
    found = [
        [doc - 1 for doc, _ in vectors.nearest(connection, model, question, 50, codes=codes)]
        for question in questions
    ]
    for k in (10, 50):
        shares = [
            len({*mine[:k]} & {*exact[:k].tolist()}) / k for mine, exact in zip(found, best, strict=True)
        ]
        print(f"  recall@{k}: {np.mean(shares):.4f}, worst {min(shares):.2f} (to reach at 10: 0.98)")


def _times(connection: apsw.Connection, model: StoredModel, rows: Matrix, questions: Matrix) -> None:
    codes = Codes()
    start = time.perf_counter()
    codes.refresh(connection, model)
    print(f"  codes read in {(time.perf_counter() - start) * 1e3:.0f} ms, once")
    draw = np.random.default_rng(1)
    some, many = (draw.choice(len(rows), n, replace=False) + 1 for n in (800, min(30_000, len(rows))))
    quarter = (FIRST_MONTH + 20, FIRST_MONTH + 22)

    def ask(**limits: Any) -> Callable[[Matrix], object]:
        return lambda question: vectors.nearest(connection, model, question, 50, **limits)

    _time(
        "numpy over all (baseline)", lambda question: np.argpartition(rows @ question, -50)[-50:], questions
    )
    _time("sqlite-vec over all (baseline)", ask(), questions[:30])
    _time("whole history", ask(codes=codes), questions)
    _time("three months", ask(codes=codes, months=quarter), questions)
    _time("800 given docs", ask(codes=codes, docs=some.tolist()), questions)
    _time("30,000 given docs", ask(codes=codes, docs=many.tolist()), questions)
    _time("the sample of 256", lambda _: vectors.sample(connection, model), questions[:20])


def _time(what: str, run: Callable[[Matrix], object], questions: Sequence[Matrix] | Matrix) -> None:
    took = []
    run(questions[0])
    for question in questions:
        start = time.perf_counter()
        run(question)
        took.append((time.perf_counter() - start) * 1e3)
    print(
        f"  {what:32} best {min(took):6.1f}   median {median(took):6.1f}   p95 {quantiles(took, n=20)[-1]:6.1f} ms"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--real", type=int, default=20_000)
    parser.add_argument("--size", type=int, default=150_000)
    parser.add_argument("--cache", type=Path)
    chosen = parser.parse_args()
    main(chosen.real, chosen.size, chosen.cache)
