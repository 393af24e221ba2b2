"""Which model search uses, and the way from one to another: fill the new one's vectors, then switch."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from desktop_memory.embedding.current import ClosableEmbedder, CurrentEmbedder
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.embedding.installed import all_installed, resolve
from desktop_memory.embedding.model_files import ModelFiles, built_in
from desktop_memory.indexer import Indexer
from desktop_memory.model import ModelInfo
from desktop_memory.store import models
from desktop_memory.store.store import Store

logger = logging.getLogger(__name__)

Open = Callable[[ModelFiles], ClosableEmbedder]


class Models:
    """Takes an Indexer's place. One thread may call `catch_up`; the other methods are for any thread.

    Nothing is written before the first `catch_up`, so that a process that only reads may have one too.
    """

    def __init__(self, store: Store, data_folder: Path, wanted: str, open_: Open) -> None:
        """Raises EmbedderUnavailable when neither the model in use nor the wanted one is there."""
        self._store = store
        self._folder = data_folder
        self._open = open_
        self._lock = threading.Lock()
        self._wanted = self._wish(wanted)
        self._files = self._files_in_use() or self._wanted
        self.embedder = CurrentEmbedder(open_(self._files))
        self._current = Indexer(store, self.embedder)
        self._next: tuple[ClosableEmbedder, Indexer, ModelFiles] | None = None

    def use(self, name: str) -> None:
        """Go over to this model in the background. Raises EmbedderUnavailable when it is not installed."""
        files = resolve(name, self._folder)
        with self._lock:
            self._wanted = files

    def warm(self) -> None:
        """Start loading the model in use, without waiting; where that fails, search goes by words."""
        try:
            self.embedder.warm()
        except EmbedderUnavailable as error:
            logger.info("the model cannot be got ready: %s", type(error).__name__)

    def catch_up(self, stop: threading.Event) -> bool:
        """One batch of the model in use, or else of the next one; True when there may be more to do."""
        self._follow_the_wish()
        try:
            self.embedder.check()
            if self._current.catch_up(stop):
                return True
        except EmbedderUnavailable:
            if self._next is None:
                raise
        if self._next is None:
            return False
        if self._next[1].catch_up(stop):
            return True
        self._switch()
        return False

    def state(self) -> Mapping[str, object]:
        """How far the model in use has come, and the next one if there is one."""
        going_on = self._next
        state = dict(self._current.state())
        return state if going_on is None else {**state, "next": dict(going_on[1].state())}

    def rebuild(self) -> None:
        self._current.rebuild()

    def forget(self, ids: Sequence[int]) -> int:
        return self._current.forget(ids)

    def close(self) -> None:
        if self._next is not None:
            self._next[0].close()
        self.embedder.close()

    def _wish(self, wanted: str) -> ModelFiles:
        try:
            return resolve(wanted, self._folder)
        except EmbedderUnavailable:
            logger.warning("the wanted model is not installed: the built-in one is used")
            return built_in()

    def _files_in_use(self) -> ModelFiles | None:
        """The files of the model whose vectors the store holds; None when it has none, or they are gone."""
        active = models.active(self._store.read())
        if active is None:
            return None
        return next((files for files in self._all_files() if _same(files.info, active.info)), None)

    def _all_files(self) -> list[ModelFiles]:
        found = [one.files for one in all_installed(self._folder) if one.purpose == "search"]
        try:
            return [*found, built_in()]
        except EmbedderUnavailable:
            return found

    def _follow_the_wish(self) -> None:
        with self._lock:
            wanted = self._wanted
        if self._next is not None and not _same(self._next[0].model, wanted.info):
            self._next[0].close()
            self._next = None
        if _same(self.embedder.model, wanted.info):
            if wanted.weights != self._files.weights:  # the same model lies somewhere else now
                self._files = wanted
                self.embedder.replace(self._open(wanted))
            self._drop_others()
        elif self._next is None:
            embedder = self._open(wanted)
            self._next = embedder, Indexer(self._store, embedder), wanted

    def _drop_others(self) -> None:
        """The model in use is the one that is wanted: let searches use it, and let no other take up space."""
        known = models.models(self._store.read())
        if [(_same(one.info, self.embedder.model), one.active) for one in known] == [(True, True)]:
            return
        with self._store.transaction() as connection:
            mine = models.register(connection, self.embedder.model)
            models.activate(connection, mine)
            for one in models.models(connection):
                if one.id != mine.id:
                    models.remove(connection, one)

    def _switch(self) -> None:
        assert self._next is not None
        embedder, indexer, self._files = self._next
        self._next, self._current = None, indexer
        self.embedder.replace(embedder)
        self._drop_others()
        logger.info("search by meaning uses another model now")


def _same(one: ModelInfo, other: ModelInfo) -> bool:
    return (one.name, one.hash) == (other.name, other.hash)
