"""What gets its name at the end is on the disk by then, and the name soon after: the power may go at any moment."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_memory import encryption, settings
from desktop_memory.cli import main
from desktop_memory.settings import Privacy, Settings
from desktop_memory.sharing.sharing import Sharing
from desktop_memory.store.store import FILE_NAME, Store
from desktop_memory.transfer import backup, restore
from tests.factories import NOON, FakeClock, at, event
from tests.keyrings import cheap
from tests.stubs import memory_over

__all__ = ["cheap"]

CLOCK = FakeClock(at(3_000))
PASSPHRASE = "correct horse battery staple"


class Disk:
    """Notes which files and folders were brought onto the disk, and what took a name before it was."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.synced: set[int] = set()
        self.named: list[Path] = []
        self.too_early: list[str] = []
        self.nameless: set[Path] = set()
        fsync, replace = os.fsync, os.replace

        def noted_fsync(handle: int) -> None:
            fsync(handle)
            found = os.fstat(handle)
            self.synced.add(found.st_ino)
            if stat.S_ISDIR(found.st_mode):
                self.nameless = {path for path in self.nameless if path.parent.stat().st_ino != found.st_ino}

        def noted_replace(source: str | Path, target: str | Path) -> None:
            if os.stat(source).st_ino not in self.synced:
                self.too_early.append(Path(target).name)
            replace(source, target)
            self.named.append(Path(target))
            self.nameless.add(Path(target))

        monkeypatch.setattr(os, "fsync", noted_fsync)
        monkeypatch.setattr(os, "replace", noted_replace)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "memory"
    store = Store.open(made, clock=CLOCK)
    memory_over(store, CLOCK).remember([event(n, text=f"make {n}") for n in range(20)])
    store.close()
    return made


def back_up(folder: Path) -> None:
    backup.make(folder, folder.parent / "b.zip", NOON, lambda what, share: False)


def go_back(folder: Path) -> None:
    back_up(folder)
    restore.restore(folder, folder.parent / "b.zip", NOON, lambda what, share: False, replace=True)


def encrypt(folder: Path) -> None:
    encryption.turn_on(folder, encryption.plan(PASSPHRASE, keyring=False), lambda share: False)


def decrypt(folder: Path) -> None:
    encrypt(folder)
    encryption.turn_off(folder, lambda share: False)


def share(folder: Path) -> None:
    store = Store.open(folder, clock=CLOCK)
    try:
        sharing = Sharing(memory_over(store, CLOCK), store, CLOCK)
        (folder.parent / "shared").mkdir()
        sharing.on(folder.parent / "shared", PASSPHRASE)
        sharing.turn()
    finally:
        store.close()


def export(folder: Path) -> None:
    assert main(["--home", str(folder), "export", str(folder.parent / "out.jsonl")]) == 0


def keep_a_rule(folder: Path) -> None:
    settings.save(Settings(privacy=Privacy(exclude_apps=("Slack",))), folder / settings.FILE)


@pytest.mark.parametrize(
    ("work", "name"),
    [
        (back_up, "b.zip"), (go_back, FILE_NAME), (encrypt, FILE_NAME), (decrypt, FILE_NAME), (share, "000001.dms"),
        (export, "out.jsonl"), (keep_a_rule, settings.FILE),
    ],
)  # fmt: skip
def test_what_takes_a_name_is_on_the_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch, work: Callable[[Path], None], name: str
) -> None:
    disk = Disk(monkeypatch)

    work(folder)

    assert name in [path.name for path in disk.named]
    assert disk.too_early == []
    if work in (back_up, go_back, decrypt):
        assert disk.nameless == set(), "the name, too"


def test_a_restore_that_is_cut_off_loses_nothing_of_a_killed_apps_log(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(folder)
    store = Store.open(folder, clock=CLOCK)
    memory_over(store, CLOCK).remember([event(500, text="the last before the kill")])
    killed = folder.parent / "killed"
    shutil.copytree(folder, killed)
    store.close()
    assert (killed / f"{FILE_NAME}-wal").stat().st_size
    real = os.replace

    def cut(source: str | Path, target: str | Path) -> None:
        if Path(target).name == FILE_NAME:
            raise KeyboardInterrupt
        real(source, target)

    monkeypatch.setattr(os, "replace", cut)
    with pytest.raises(KeyboardInterrupt):
        restore.restore(killed, folder.parent / "b.zip", NOON, lambda what, share: False, replace=True)
    monkeypatch.setattr(os, "replace", real)

    store = Store.open(killed, clock=CLOCK)
    assert [found.text for found in store.all_events()][-1] == "the last before the kill"
    store.close()


def test_an_export_that_is_interrupted_leaves_no_half(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(store: Store) -> object:
        yield next(store.all_there_are())
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "all_events", interrupted)
    main(["--home", str(folder), "export", str(folder.parent / "out.jsonl")])
    assert [path.name for path in folder.parent.glob("out*")] == []
