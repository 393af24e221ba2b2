"""How fast texts get their vectors, beside bare fastembed: python -m tests.benchmarks.embedding [N]

Same texts, one thread of the same low priority, batches of 16, sorted by length; the indexer also reads, stores and
commits, in our own way: through a process of its own. Processor seconds are compared too (Linux): on a busy machine
they say more than the clock.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from desktop_memory.embedding import engines
from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.model_files import built_in
from desktop_memory.embedding.priority import lower_this_thread
from desktop_memory.indexer import Indexer
from desktop_memory.store.store import Store
from tests.benchmarks.real_texts import real_texts
from tests.vector_rows import add_doc

ROUNDS = 3


def main(count: int) -> None:
    texts = real_texts(count)
    model = _bare_model()
    embedder = ChildEmbedder(built_in())
    list(model.embed(texts[:32], batch_size=16))
    embedder.embed(texts[:32])

    rounds = [(*_raw(model, texts), *_indexed(embedder, texts)) for _ in range(ROUNDS)]
    embedder.close()

    print(f"{len(texts)} different texts, {median(map(len, texts)):.0f} characters (median)")
    print(f"bare fastembed      {_middle(len(texts) / r[0] for r in rounds):7.0f} texts/s")
    print(f"through the indexer {_middle(len(texts) / r[2] for r in rounds):7.0f} texts/s")
    print(f"ratio               {_middle(r[0] / r[2] for r in rounds):7.2f} wall clock (to reach: 0.80)")
    print(f"                    {_middle(r[1] / r[3] for r in rounds):7.2f} processor time")


def _bare_model() -> Any:
    files = built_in()
    return engines.fastembed_model(
        {
            "name": "benchmark",
            "folder": str(files.folder),
            "weights": str(files.weights),
            "dimension": files.info.dimension,
            "pooling": files.info.pooling,
        }
    )


def _raw(model: Any, texts: list[str]) -> tuple[float, float]:
    took: list[float] = []

    def run() -> None:
        lower_this_thread()
        start, cpu = time.perf_counter(), time.process_time()
        for _ in model.embed(sorted(texts, key=len), batch_size=16):
            pass
        took.extend((time.perf_counter() - start, time.process_time() - cpu))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return took[0], took[1]


def _indexed(embedder: ChildEmbedder, texts: list[str]) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder), clock=lambda: datetime.now(UTC))
        with store.transaction() as connection:
            for text in texts:
                add_doc(connection, text)
        worker, stop = Indexer(store, embedder), threading.Event()
        start, cpu = time.perf_counter(), time.process_time() + _processor_seconds(embedder)
        while worker.catch_up(stop):
            pass
        took = time.perf_counter() - start, time.process_time() + _processor_seconds(embedder) - cpu
        store.close()
    return took


def _processor_seconds(embedder: ChildEmbedder) -> float:
    process = embedder._child
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split() if process else []
        return (int(fields[11]) + int(fields[12])) / 100
    except OSError:
        return 0.0


def _middle(values: Iterable[float]) -> float:
    return median(values)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
