"""While the store is encrypted, notes of shells and copies of histories lie in memory, and none are lost on the way."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.collector import Place
from collectors.shell.spool import ShellHook
from desktop_memory.desktop import shell_hook
from desktop_memory.vault import header as headers
from desktop_memory.vault import in_memory
from desktop_memory.vault.header import Header
from tests.collectors.shell.terminal import Reader, shell, texts

pytestmark = pytest.mark.skipif(
    in_memory._kind(Path("/dev/shm")) != "tmpfs", reason="no folder in memory here"
)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    made = tmp_path / "memory"
    made.mkdir(mode=0o700)
    yield made
    in_memory.remove(made)
    assert [place for place in in_memory._places(made) if place.exists()] == []


def encrypted(folder: Path) -> None:
    headers.save(Header.new("on"), folder)


def note(folder: Path, text: str, name: str = "7.7") -> None:
    file = folder / "spool" / "zsh" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_notes_move_into_memory_and_back(folder: Path) -> None:
    note(folder, "make secret")
    encrypted(folder)

    in_memory.settle_spool(folder)

    assert (folder / "spool").is_symlink()
    assert (folder / "spool" / "zsh" / "7.7").read_text() == "make secret"
    assert [path.name for path in folder.iterdir() if path.is_dir() and not path.is_symlink()] == []
    note(folder, "make another", "8.8")

    headers.remove(folder)
    in_memory.settle_spool(folder)

    assert not (folder / "spool").is_symlink()
    assert {path.name: path.read_text() for path in (folder / "spool" / "zsh").iterdir()} == {
        "7.7": "make secret",
        "8.8": "make another",
    }


def test_settling_twice_changes_nothing(folder: Path) -> None:
    note(folder, "make secret")
    encrypted(folder)
    in_memory.settle_spool(folder)

    in_memory.settle_spool(folder)

    assert (folder / "spool" / "zsh" / "7.7").read_text() == "make secret"


def test_after_a_restart_of_the_computer_the_hooks_find_their_place_again(folder: Path) -> None:
    note(folder, "")
    encrypted(folder)
    in_memory.settle_spool(folder)
    shutil.rmtree((folder / "spool").resolve())

    in_memory.settle_spool(folder, ["zsh"])

    assert (folder / "spool" / "zsh").is_dir()


def test_a_spool_that_was_deleted_stays_deleted(folder: Path) -> None:
    encrypted(folder)

    in_memory.settle_spool(folder, ["zsh"])

    assert list(folder.glob("spool*")) == []


@pytest.mark.parametrize("name", ["zsh", "bash"])
def test_a_shell_notes_into_memory_and_its_notes_are_read(folder: Path, home: Path, name: str) -> None:
    rc = home / f".{name}rc"
    rc.write_text("# mine\n")
    encrypted(folder)
    shell_hook.install(name, folder)

    with shell(name, home, rc.read_text()) as running:
        running.run("echo marzipan")
        running.leave()

    assert (folder / "spool").is_symlink()
    assert [path for path in folder.rglob("*") if path.is_file() and b"marzipan" in path.read_bytes()] == []
    place = Place(source="shell hook", name=str(folder / "spool"))
    assert texts(Reader(ShellHook(spool=folder / "spool"), place).read()) == ["echo marzipan"]


def test_copies_lie_in_memory_only_while_encrypted(folder: Path) -> None:
    assert in_memory.copies(folder) == folder / "copies"
    encrypted(folder)

    place = in_memory.copies(folder)

    assert place.is_relative_to("/dev/shm")
    assert place.parent.stat().st_mode & 0o777 == 0o700


def test_a_place_that_is_not_ours_alone_is_not_used(folder: Path) -> None:
    encrypted(folder)
    place = in_memory.copies(folder).parent
    place.chmod(0o755)

    assert in_memory.copies(folder) == folder / "copies"
    place.chmod(0o700)
