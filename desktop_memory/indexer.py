"""Gives a vector to every text that lacks one, the newest first."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from desktop_memory.embedding.embedder import Embedder, EmbedderUnavailable
from desktop_memory.store import models, vectors
from desktop_memory.store.models import StoredModel
from desktop_memory.store.store import Store
from desktop_memory.store.vectors import Lacking

if TYPE_CHECKING:
    from desktop_memory.embedding.embedder import Vectors

logger = logging.getLogger(__name__)

BATCH = 128
BATCH_CHARACTERS = 32_000


class Indexer:
    """One thread may call `catch_up`; a crash anywhere loses at most the batch it fell into.

    What is left to do is known as gaps: ranges of doc ids, the newest last; every doc outside of them has its
    vector. Docs that arrive meanwhile are a new gap, and come first.
    """

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._model: StoredModel | None = None
        self._gaps: list[tuple[int, int]] = []
        self._top = 0
        self._given_up: set[int] = set()
        self._problem = ""
        self._from_scratch = False

    def catch_up(self, stop: threading.Event) -> bool:
        """Embed one batch, a second or two of work. True when there is more, False when all is done.

        Raises EmbedderUnavailable or StoreError; the next call goes on where this one was.
        """
        self._store.expect_short_log()
        model = self._registered()
        self._take_arrivals()
        if not self._gaps:
            return False
        if not stop.is_set():
            self._fill_newest_gap(model)
        return bool(self._gaps)

    def rebuild(self) -> None:
        """Let the next `catch_up` throw all vectors away and begin again."""
        self._from_scratch = True

    def state(self) -> Mapping[str, object]:
        """How far it has come: model, vectors, docs, and what is wrong if something is."""
        model = self._model or models.active(self._store.read())
        if model is None:
            return {"model": self._embedder.model.name, "vectors": 0, "docs": 0, "problem": self._problem}
        have, docs = vectors.coverage(self._store.read(), model)
        return {"model": model.info.name, "vectors": have, "docs": docs, "problem": self._problem}

    def forget(self, ids: Sequence[int]) -> int:
        """Nothing to do: vectors leave with their docs, in one transaction with the events."""
        return 0

    def _registered(self) -> StoredModel:
        if self._model is None or self._from_scratch:
            with self._store.transaction() as connection:
                model = models.register(connection, self._embedder.model)
                if self._from_scratch:
                    model = models.empty(connection, model)
            whole = vectors.whole(self._store.read(), model)
            self._model, self._top, self._gaps = model, model.cursor if whole else 0, []
            self._from_scratch = False
        return self._model

    def _take_arrivals(self) -> None:
        newest = vectors.newest_doc(self._store.read())
        if newest > self._top:
            self._gaps.append((self._top, newest))
            self._top = newest

    def _fill_newest_gap(self, model: StoredModel) -> None:
        low, high = self._gaps[-1]
        found = vectors.lacking(
            self._store.read(), model, above=low, below=high + 1, limit=BATCH, newest_first=True
        )
        batch = _bounded(found)
        filled = len(batch) == len(found) < BATCH
        self._write(model, self._vectors_for(model, batch), complete=filled and len(self._gaps) == 1)
        if filled:
            self._gaps.pop()
        else:
            self._gaps[-1] = (low, batch[-1].doc - 1)

    def _write(self, model: StoredModel, found: Mapping[int, Vectors], *, complete: bool) -> None:
        """One transaction; docs that were forgotten while their text was embedded are left out there."""
        with self._store.transaction() as connection:
            stored = vectors.add(connection, model, found.items())
            if complete:
                models.move_cursor(connection, model, min((self._top + 1, *self._given_up)) - 1)
        logger.debug("%d vectors stored", stored)

    def _vectors_for(self, model: StoredModel, batch: Sequence[Lacking]) -> dict[int, Vectors]:
        """A vector for each doc: its twin's of another month, or the model's, asked once for equal texts."""
        twins = dict(
            zip(*vectors.of(self._store.read(), model, {row.twin for row in batch if row.twin}), strict=True)
        )
        known = {row.text: twins[row.twin] for row in batch if row.twin in twins}
        new = {row.text: row.body for row in batch if row.text not in known}
        known.update(self._embedded(new))
        self._given_up.update(row.doc for row in batch if row.text not in known)
        return {row.doc: known[row.text] for row in batch if row.text in known}

    def _embedded(self, bodies: Mapping[int, str]) -> dict[int, Vectors]:
        if not bodies:
            return {}
        try:
            found = dict(zip(bodies, self._embedder.embed(list(bodies.values())), strict=True))
        except EmbedderUnavailable:
            found = self._embedded_singly(bodies)
        self._problem = ""
        return found

    def _embedded_singly(self, bodies: Mapping[int, str]) -> dict[int, Vectors]:
        """Those that the model can take. When it cannot take any text at all, that is an error."""
        try:
            self._embedder.embed(["any text"])
        except EmbedderUnavailable as error:
            self._problem = error.problem
            raise
        found = {}
        for text, body in bodies.items():
            try:
                found[text] = self._embedder.embed([body])[0]
            except EmbedderUnavailable:
                logger.warning("text %d gets no vector: the model fails on it", text)
        return found


def _bounded(found: Sequence[Lacking]) -> Sequence[Lacking]:
    """As many as a few seconds suffice for."""
    room = BATCH_CHARACTERS
    for count, row in enumerate(found):
        room -= len(row.body)
        if room < 0 and count:
            return found[:count]
    return found
