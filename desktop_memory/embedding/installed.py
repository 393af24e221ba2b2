"""Models that were installed: a folder each, with a model.json that says how to load it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_memory.embedding.catalog import STRANGE, Entry, Purpose, find
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.embedding.model_files import BUILT_IN, ModelFiles, built_in, sha256_of
from desktop_memory.errors import KnownError
from desktop_memory.model import ModelInfo

MANIFEST = "model.json"
FOLDER = "models"


@dataclass(frozen=True, kw_only=True, slots=True)
class Installed:
    """A model on this disk, what it is for, and where it came from."""

    files: ModelFiles
    purpose: Purpose
    source: str
    bytes: int


def write_manifest(folder: Path, entry: Entry, *, registered: str, source: str) -> None:
    """Describe the files that lie in this folder, each with its sha256."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    description = {
        "name": entry.name,
        "dimension": entry.dimension,
        "pooling": entry.pooling,
        "query_prefix": entry.query_prefix,
        "passage_prefix": entry.passage_prefix,
        "threshold": entry.threshold,
        "strange": entry.strange,
        "batch": entry.batch,
        "engine": entry.engine,
        "registered": registered,
        "weights": entry.weights,
        "purpose": entry.purpose,
        "license": entry.license,
        "source": source,
        "hashes": {path.relative_to(folder).as_posix(): sha256_of(path) for path in files},
    }
    (folder / MANIFEST).write_text(json.dumps(description, indent=1), encoding="utf-8")


def read_manifest(folder: Path) -> Installed:
    """The model in this folder. Raises KnownError when its description cannot be read."""
    try:
        described: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return _installed(folder, described)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KnownError(
            f"The model in {folder.name} cannot be read ({type(error).__name__}).",
            "Install it again, or remove its folder.",
        ) from error


def all_installed(data_folder: Path) -> list[Installed]:
    """The models that were installed into this data folder; those that cannot be read are left out."""
    found = []
    for folder in sorted((data_folder / FOLDER).glob(f"*/{MANIFEST}")):
        try:
            found.append(read_manifest(folder.parent))
        except KnownError:
            continue
    return found


def resolve(name: str, data_folder: Path, purpose: Purpose = "search") -> ModelFiles:
    """The files of a model by its name or alias. Raises EmbedderUnavailable when it is not installed."""
    entry = find(name)
    full = entry.name if entry else name
    for one in all_installed(data_folder):
        if one.files.info.name.casefold() == full.casefold() and one.purpose == purpose:
            return one.files
    if full.casefold() == BUILT_IN.name.casefold() and purpose == "search":
        return built_in()
    raise EmbedderUnavailable(
        f"The model {full} is not installed.", f"Run `desktop-memory model install {full}`."
    )


def folder_of(name: str, data_folder: Path) -> Path:
    """Where a model with this name is, or would be, installed."""
    return data_folder / FOLDER / re.sub(r"[^\w.-]+", "--", name)


def _installed(folder: Path, described: dict[str, Any]) -> Installed:
    weights = described["weights"]
    info = ModelInfo(
        name=described["name"],
        hash=described["hashes"][weights],
        dimension=described["dimension"],
        pooling=described["pooling"],
        query_prefix=described["query_prefix"],
        passage_prefix=described["passage_prefix"],
        threshold=described["threshold"],
        strange=described.get("strange", STRANGE),
    )
    files = ModelFiles(
        info=info,
        folder=folder,
        weights=folder / weights,
        hashes={folder / name: sha256 for name, sha256 in described["hashes"].items()},
        batch=described["batch"],
        engine=described["engine"],
        registered=described["registered"],
        advice=f"Run `desktop-memory model install {info.name}` again; until then search goes by words alone.",
    )
    size = sum(path.stat().st_size for path in files.hashes if path.exists())
    return Installed(files=files, purpose=described["purpose"], source=described["source"], bytes=size)
