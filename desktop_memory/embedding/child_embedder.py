"""The Embedder of the app: a process that starts when it is needed and ends when it is not."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_memory.embedding.batches import batches
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.embedding.model_files import ModelFiles, check
from desktop_memory.embedding.process import Child, ChildGone, RequestFailed
from desktop_memory.embedding.vocabulary import knows, vocabulary
from desktop_memory.model import ModelInfo

if TYPE_CHECKING:
    from desktop_memory.embedding.embedder import Vectors

logger = logging.getLogger(__name__)

FREE_FAILURES = 3
LONGEST_WAIT = 300.0


class ChildEmbedder:
    """Thread-safe. `notes` remembers the check of the files; `deadline` is for one batch or the loading."""

    def __init__(
        self,
        files: ModelFiles,
        *,
        notes: Path | None = None,
        idle_seconds: float = 120.0,
        deadline: float = 60.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._files = files
        self._notes = notes
        self._idle_seconds = idle_seconds
        self._deadline = deadline
        self._now = now
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._vocabulary: frozenset[str] | None = None
        self._failures = 0
        self._not_before = 0.0
        self._closed = False

    @property
    def model(self) -> ModelInfo:
        return self._files.info

    def check(self) -> None:
        """Raises EmbedderUnavailable when the model's files are not what they should be; quick while none changed."""
        check(self._files, self._notes)

    def ready(self) -> bool:
        """Whether an answer is a matter of milliseconds; starts nothing."""
        child = self._child
        return child is not None and child.loaded

    def warm(self) -> None:
        """Start loading without waiting for it. Raises EmbedderUnavailable as `embed` does."""
        self._running()

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        prefixed = [self.model.passage_prefix + text for text in texts]
        vectors = np.empty((len(texts), self.model.dimension), dtype=np.float32)
        for places in batches(prefixed, at_most=self._files.batch):
            vectors[places] = self.ask([prefixed[place] for place in places], urgent=False)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        rows = self.ask([self.model.query_prefix + text], urgent=True)
        return rows.reshape(-1)

    def knows(self, text: str) -> bool:
        if self._vocabulary is None:
            self._vocabulary = vocabulary(self._files.folder)
        return knows(self._vocabulary, text)

    def close(self) -> None:
        """End the process; whoever waits for it gets EmbedderUnavailable."""
        with self._lock:
            self._closed = True
            child, self._child = self._child, None
        if child is not None:
            child.close()

    def ask(self, texts: list[str], *, urgent: bool) -> Vectors:
        """What the process makes of one batch; if it ends before it answers, a fresh one is asked once more.

        A question that waited for one that hangs does not wait for the next one as well.
        """
        try:
            return self._ask_once(texts, urgent)
        except ChildGone as first:
            logger.info("the embedding process is started again: %s", first)
            if first.hung and urgent:
                self.warm()
                raise _not_working(first) from first
        try:
            return self._ask_once(texts, urgent)
        except ChildGone as second:
            raise _not_working(second) from second

    def _ask_once(self, texts: list[str], urgent: bool) -> Vectors:
        try:
            vectors = self._running().ask([_clean(text) for text in texts], urgent=urgent)
        except ChildGone as gone:
            if not gone.idle:
                self._failed()
            raise
        except RequestFailed as failed:
            raise EmbedderUnavailable(f"The model could not read a text ({failed}).") from failed
        self._failures = 0
        return vectors

    def _running(self) -> Child:
        with self._lock:
            if self._closed:
                raise EmbedderUnavailable("Search by meaning is closed.")
            if self._child is None or not self._child.alive:
                if self._now() < self._not_before:
                    raise EmbedderUnavailable(
                        "Search by meaning failed several times and rests.",
                        "It is tried again within minutes.",
                    )
                check(self._files, self._notes)
                self._child = Child(
                    {**spec_of(self._files), "idle_seconds": self._idle_seconds}, deadline=self._deadline
                )
            return self._child

    def _failed(self) -> None:
        """The first failures in a row cost nothing, each further one doubles the wait."""
        with self._lock:
            self._failures += 1
            if self._failures > FREE_FAILURES:
                wait = min(2.0 ** (self._failures - FREE_FAILURES), LONGEST_WAIT)
                self._not_before = self._now() + wait


def _not_working(gone: ChildGone) -> EmbedderUnavailable:
    return EmbedderUnavailable(
        f"Search by meaning does not work: {gone}.", "Search goes by words; it is tried again by itself."
    )


def spec_of(files: ModelFiles) -> dict[str, object]:
    """What the process must know to load a model."""
    return {
        "name": files.info.name,
        "folder": str(files.folder),
        "weights": str(files.weights),
        "dimension": files.info.dimension,
        "pooling": files.info.pooling,
        "engine": files.engine,
        "registered": files.registered,
    }


def _clean(text: str) -> str:
    """The text as UTF-8 can carry it: a lone surrogate would fail the whole batch."""
    return text.encode("utf-8", "replace").decode("utf-8")
