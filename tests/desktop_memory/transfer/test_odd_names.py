"""Files and folders whose names are no text, or longer than any file's, are written, read and named."""

from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path

import pytest

from desktop_memory.cli.parser import run
from desktop_memory.store.paths import as_path, as_text

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="other systems have no names that are no text"
)

ODD = os.fsdecode(b"caf\xe9 \xff")


@pytest.mark.parametrize(
    "path", ["/tmp/plain", "/tmp/ sp ace%20", "/tmp/new\nline", f"/tmp/{ODD}/x", "/tmp/日本"]
)
def test_a_path_comes_back_as_it_was(path: str):
    as_text(Path(path)).encode()

    assert as_path(as_text(Path(path))) == Path(path)


@pytest.fixture
def person(tmp_path: Path) -> Path:
    """The data folder of somebody who made tea."""
    told = {"kind": "terminal", "start": "2026-08-13T09:00:00+02:00", "text": "make tea"}
    (tmp_path / "events.jsonl").write_text(json.dumps(told))
    assert run(["--home", str(tmp_path / "home"), "import", str(tmp_path / "events.jsonl")]) == 0
    return tmp_path / "home"


def test_what_was_written_under_an_odd_name_is_named_when_it_holds_what_is_forgotten(
    person: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    backup, export = tmp_path / f"{ODD}.zip", tmp_path / f"{ODD}.jsonl"

    assert run(["--home", str(person), "backup", "--json", str(backup)]) == 0
    assert Path(json.loads(capfd.readouterr().out)["file"]) == backup
    assert run(["--home", str(person), "export", str(export)]) == 0

    assert "make tea" in export.read_text()
    assert run(["--home", str(person), "forget", "tea", "--yes", "--json"]) == 0
    assert set(json.loads(capfd.readouterr().out)["backups"]) == {str(backup), str(export)}


def test_an_odd_backup_is_restored_and_merged_and_an_odd_folder_shared(person: Path, tmp_path: Path):
    other, backup, folder = tmp_path / "other", tmp_path / f"{ODD}.zip", tmp_path / ODD
    folder.mkdir()
    assert run(["--home", str(person), "backup", str(backup)]) == 0

    assert run(["--home", str(other), "restore", str(backup)]) == 0
    assert run(["--home", str(other), "merge", str(backup)]) == 0
    for machine in (person, other):
        assert run(["--home", str(machine), "share", "on", "--plain", str(folder)]) == 0
        assert run(["--home", str(machine), "share", "now"]) == 0


@pytest.mark.parametrize(
    "words", [["backup"], ["restore"], ["merge"], ["share", "on", "--plain"], ["import"]]
)
def test_a_name_that_no_file_can_have_is_said_so(
    tmp_path: Path, words: list[str], capfd: pytest.CaptureFixture[str]
):
    long = tmp_path / ("x" * 300)

    assert run(["--home", str(tmp_path / "home"), *words, str(long)]) in (1, 2)
    said = capfd.readouterr().err
    assert "too long" in said.replace(os.strerror(errno.ENAMETOOLONG), "too long")
