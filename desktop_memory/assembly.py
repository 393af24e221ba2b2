"""The parts of one data folder, made and handed to one another: store, gate, search, graph, indexer, memory."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from collectors.git.standing import standing as git_standing
from desktop_memory import clock, settings
from desktop_memory.context.build import Contexts
from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.embedding.model_files import built_in
from desktop_memory.graph.projector import Projector
from desktop_memory.indexer import Indexer
from desktop_memory.memory import Memory
from desktop_memory.memory import Parts as MemoryParts
from desktop_memory.pipeline.gate import Gate
from desktop_memory.pipeline.privacy import Rules
from desktop_memory.retrieval.meaning import VectorLane
from desktop_memory.retrieval.search import Search
from desktop_memory.store.store import Store

logger = logging.getLogger(__name__)

SETTINGS_FILE = "settings.toml"
GRAPH_FOLDER = "graph"
NOTES_FILE = "model-check.json"
