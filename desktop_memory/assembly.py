"""The parts of one data folder, made and handed to one another: store, gate, search, graph, indexer, memory."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_memory import clock, settings
from desktop_memory.asking import Asking
from desktop_memory.asking import Parts as MemoryParts
from desktop_memory.context.connections import Connector
from desktop_memory.context.contexts import Contexts
from desktop_memory.context.stores import StoreSources
from desktop_memory.embedding.catalog import RERANKER
from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.embedding.installed import resolve
from desktop_memory.embedding.model_files import ModelFiles
from desktop_memory.embedding.reranker import Reranker, SecondLook
from desktop_memory.memory import Memory
from desktop_memory.pipeline.gate import Gate
from desktop_memory.retrieval.meaning import VectorLane
from desktop_memory.retrieval.neighbours import Neighbours
from desktop_memory.retrieval.search import Search
from desktop_memory.retrieval.seeds import Seeds
from desktop_memory.retrieval.standing import Branch
from desktop_memory.retrieval.topics import Topics
from desktop_memory.retrieval.usage import Usage
from desktop_memory.settings import Privacy, Settings, alias_names
from desktop_memory.store.store import Store
from desktop_memory.store.walk import SqlWalk
from desktop_memory.switching import Models

if TYPE_CHECKING:
    from desktop_memory.graph.graph import Graph
    from desktop_memory.graph.projector import Projector

logger = logging.getLogger(__name__)

SETTINGS_FILE = settings.FILE
GRAPH_FOLDER = "graph"
MODEL_NOTES = "model-check.json"


@dataclass(kw_only=True)
class Assembly:
    """The parts that live as long as a data folder is open. Only the owner has a graph and a projector."""

    folder: Path
    settings: Settings
    store: Store
    gate: Gate
    memory: Memory
    models: Models | None
    second_look: SecondLook
    usage: Usage
    graph: Graph | None = None
    projector: Projector | None = None

    def reload(self) -> None:
        """Read the settings again. Raises KnownError, and keeps the old ones, when they cannot be read."""
        fresh = settings.load(self.folder / SETTINGS_FILE)
        if self.models is not None:
            self.models.use(fresh.memory.model)
        self.second_look.want(fresh.memory.second_look)
        self.usage.on = fresh.memory.usage
        self.gate.take(fresh.privacy)
        self.settings = fresh
        settings.seal(self.folder / SETTINGS_FILE)

    def close(self) -> None:
        """Close in the order of need; a part that fails to close leaves no other open."""
        if self.models is not None:
            self.models.close()
        self.second_look.close()
        if self.graph is not None:
            with suppress(Exception):
                self.graph.close()
        self.store.close()


def assemble(folder: Path, *, owner: bool) -> Assembly:
    """Open what is in this folder. Raises StoreError or KnownError when it cannot be used."""
    chosen = settings.load(folder / SETTINGS_FILE)
    if owner:
        settings.seal(folder / SETTINGS_FILE)
    gate = Gate(chosen.privacy)
    store = Store.open(
        folder,
        clock=clock.clock,
        idle_gap=timedelta(seconds=chosen.memory.session_gap_seconds),
        or_read=not owner,
    )
    models = _models(folder, chosen, store)
    graph, projector = _graph(folder, store) if owner else (None, None)
    lane = None if models is None else VectorLane(store, models.embedder)
    second_look = _second_look(folder, chosen)
    usage = Usage(store, on=chosen.memory.usage)
    search = Search(store, lane, clock.clock, judge=second_look, usage=usage)
    beside = _neighbours(store, graph)
    seeds = Seeds(store, lane, hubs=lambda: beside.hubs, aliases=lambda: alias_names(gate.privacy))
    topics = Topics(store, beside)
    memory = Memory(
        MemoryParts(
            store=store,
            gate=gate,
            search=search,
            clock=clock.clock,
            zone=clock.zone,
            read_branch=_read_branch,
            contexts=lambda memory: Contexts(
                _context_sources(memory, store, beside, seeds, topics, lambda: gate.privacy)
            ),
            vectors=models,
            graph=projector,
            topics=topics,
            connector=Connector(store, beside, topics),
            usage=usage,
            similar=None if lane is None else lane.similar,
            warm=lambda: _warm(models, lane),
        )
    )
    return Assembly(
        folder=folder, settings=chosen, store=store, gate=gate, memory=memory, models=models,
        second_look=second_look, usage=usage, graph=graph, projector=projector,
    )  # fmt: skip


def _context_sources(
    memory: Asking,
    store: Store,
    beside: Neighbours,
    seeds: Seeds,
    topics: Topics,
    privacy: Callable[[], Privacy],
) -> StoreSources:
    return StoreSources(
        store,
        clock=clock.clock,
        zone=clock.zone,
        search=memory.search,
        standing=memory.standing,
        neighbours=beside,
        seeds=seeds,
        topics=topics,
        privacy=privacy,
    )


def _neighbours(store: Store, graph: Graph | None) -> Neighbours:
    """The graph's walks where there is one; SQL's otherwise."""
    sql = SqlWalk(store.read)
    if graph is None:
        return Neighbours(sql)
    from desktop_memory.graph.walk import GraphWalk

    return Neighbours(sql, GraphWalk(graph, sql))


def _models(folder: Path, chosen: Settings, store: Store) -> Models | None:
    def opened(files: ModelFiles) -> ChildEmbedder:
        idle = chosen.memory.embedder_idle_seconds
        return ChildEmbedder(files, notes=folder / MODEL_NOTES, idle_seconds=idle)

    try:
        return Models(store, folder, chosen.memory.model, opened)
    except EmbedderUnavailable:
        logger.warning("no model is installed: search goes by words")
        return None


def _warm(models: Models | None, lane: VectorLane | None) -> None:
    """Start the model, and read meanwhile what search by meaning keeps in memory."""
    if models is not None and lane is not None:
        models.warm()
        lane.warm()


def _second_look(folder: Path, chosen: Settings) -> SecondLook:
    def opened() -> Reranker:
        files = resolve(RERANKER.name, folder, purpose="rerank")
        return Reranker(files, notes=folder / MODEL_NOTES, idle_seconds=chosen.memory.embedder_idle_seconds)

    return SecondLook(opened, wanted=chosen.memory.second_look)


def _graph(folder: Path, store: Store) -> tuple[Graph, Projector]:
    from desktop_memory.graph.graph import Graph
    from desktop_memory.graph.projector import Projector

    graph = Graph.open(folder / GRAPH_FOLDER)
    return graph, Projector(store, graph)


def _read_branch(folder: str) -> Branch | None:
    from collectors.git.standing import standing

    found = standing(Path(folder))
    return None if found is None else (found.branch, found.base, found.ahead, found.uncommitted)
