"""Killed at any moment, the indexer loses and doubles nothing: with the real model in real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.model_files import built_in
from desktop_memory.indexer import Indexer
from desktop_memory.store import models, vectors
from desktop_memory.store.store import Store
from tests.vector_rows import add_doc, one_vector_each, open_store

ROOT = Path(__file__).parents[2]

INDEX = """
import sys, threading
from pathlib import Path
from desktop_memory import indexer
from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.model_files import built_in
from tests.vector_rows import open_store
indexer.BATCH = 20
worker = indexer.Indexer(open_store(Path(sys.argv[1])), ChildEmbedder(built_in()))
print("started", flush=True)
while worker.catch_up(threading.Event()):
    print("a batch", flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with 600 docs over three months, a third of them repeated texts."""
    folder = tmp_path / "memory"
    store = open_store(folder)
    with store.transaction() as connection:
        for n in range(600):
            add_doc(connection, f"window {n % 200} of the shop project", 24_300 + n // 200)
    store.close()
    return folder


@pytest.fixture
def embedder() -> Iterator[ChildEmbedder]:
    opened = ChildEmbedder(built_in())
    yield opened
    opened.close()


def _finish(store: Store, embedder: ChildEmbedder) -> None:
    worker = Indexer(store, embedder)
    while worker.catch_up(threading.Event()):
        pass


def _assert_right(store: Store, embedder: ChildEmbedder) -> None:
    assert one_vector_each(store, "vectors_1")
    model = models.active(store.read())
    assert model is not None
    docs, rows = vectors.of(store.read(), model, range(1, 601))
    expected = embedder.embed([f"window {(doc - 1) % 200} of the shop project" for doc in docs])
    assert len(docs) == 600
    assert np.abs(rows - expected).max() < 1e-5, "each doc has the vector of its own text"


@pytest.mark.parametrize(("batches", "seconds"), [(0, 0.0), (1, 0.0), (3, 0.03), (8, 0.06)])
def test_the_app_killed_at_any_moment_goes_on_where_it_was(
    folder: Path, embedder: ChildEmbedder, batches: int, seconds: float
):
    app = subprocess.Popen([sys.executable, "-c", INDEX, str(folder)], cwd=ROOT, stdout=subprocess.PIPE)
    assert app.stdout is not None
    for _ in range(1 + batches):
        app.stdout.readline()
    time.sleep(seconds)
    app.send_signal(signal.SIGKILL)
    app.wait()
    app.stdout.close()

    store = open_store(folder)
    model = models.active(store.read())
    before = vectors.coverage(store.read(), model)[0] if model else 0
    assert 20 * batches <= before < 600
    _finish(store, embedder)
    _assert_right(store, embedder)
    store.close()


def test_the_models_process_killed_again_and_again_costs_nothing_but_time(
    folder: Path, embedder: ChildEmbedder
):
    done = threading.Event()

    def kill_now_and_then() -> None:
        for _ in range(3):
            if done.wait(1.2):
                return
            child = embedder._child
            if child is not None:
                os.kill(child.pid, signal.SIGKILL)

    killer = threading.Thread(target=kill_now_and_then)
    killer.start()
    store = open_store(folder)
    _finish(store, embedder)
    done.set()
    killer.join()

    _assert_right(store, embedder)
    store.close()
