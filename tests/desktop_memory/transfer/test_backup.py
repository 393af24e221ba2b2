"""A backup holds one moment, is verified before it replaces anything, and reading again afterwards adds nothing."""

from __future__ import annotations

import json
import os
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_memory.errors import BusyError, KnownError
from desktop_memory.owner import OwnerLock
from desktop_memory.store.store import FILE_NAME, Store
from desktop_memory.store.whole import Cancelled
from desktop_memory.transfer.backup import make
from desktop_memory.transfer.restore import restore
from desktop_memory.transfer.workshop import FOLDER
from tests.factories import NOON, FakeClock, at, event
from tests.running import ask, recording, run, zsh_history
from tests.stubs import memory_over

FIRST = 1_786_615_200


def quiet(what: str, share: float) -> bool:
    assert 0 <= share <= 1
    return False


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def filled(folder: Path) -> Iterator[Store]:
    clock = FakeClock()
    store = Store.open(folder, clock=clock)
    memory_over(store, clock).remember([event(n, text=f"make part-{n}") for n in range(50)])
    (folder / "settings.toml").write_text('[privacy]\nexclude_apps = ["Signal"]\n')
    yield store
    store.close()


def test_what_was_backed_up_is_back(filled: Store, folder: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.zip"
    made = make(folder, backup, NOON, quiet)
    manifest, aside = restore(tmp_path / "other", backup, NOON, quiet)

    assert made.events == manifest.events == 50
    assert aside is None
    assert "Signal" in (tmp_path / "other" / "settings.toml").read_text()
    with_it = Store.open(tmp_path / "other", clock=FakeClock())
    assert [e.text for e in with_it.all_events()] == [e.text for e in filled.all_events()]
    assert with_it.profile.device != filled.profile.device, "both may go on recording"
    assert with_it.profile.secret == filled.profile.secret
    with_it.close()


def test_it_is_for_its_owner_alone_and_leaves_nothing_beside(
    filled: Store, folder: Path, tmp_path: Path
) -> None:
    make(folder, tmp_path / "backup.zip", NOON, quiet)

    assert stat.S_IMODE((tmp_path / "backup.zip").stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.glob("backup*")) == ["backup.zip"]
    assert list((folder / FOLDER).iterdir()) == []


def test_a_backup_is_never_overwritten(filled: Store, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "backup.zip").write_bytes(b"mine")

    with pytest.raises(KnownError, match="exists already"):
        make(folder, tmp_path / "backup.zip", NOON, quiet)
    assert (tmp_path / "backup.zip").read_bytes() == b"mine"


@pytest.mark.parametrize("stage", ["copying", "packing"])
def test_cancelled_it_leaves_nothing(filled: Store, folder: Path, tmp_path: Path, stage: str) -> None:
    filled_memory = memory_over(filled, FakeClock())
    filled_memory.remember([event(100 + n, text=f"long {n} " * 200) for n in range(300)])

    with pytest.raises(Cancelled):
        make(folder, tmp_path / "backup.zip", NOON, lambda what, share: what == stage)
    assert list(tmp_path.glob("backup*")) == []
    assert list((folder / FOLDER).iterdir()) == []


def test_restore_keeps_what_was_there(filled: Store, folder: Path, tmp_path: Path) -> None:
    make(folder, tmp_path / "backup.zip", NOON, quiet)
    memory_over(filled, FakeClock()).remember([event(200, text="after the backup")])
    filled.close()

    with pytest.raises(KnownError, match="already"):
        restore(folder, tmp_path / "backup.zip", NOON, quiet)
    _, aside = restore(folder, tmp_path / "backup.zip", NOON, quiet, replace=True)

    assert aside is not None
    old = Store.open(aside, clock=FakeClock())
    assert old.count() == 51
    old.close()
    new = Store.open(folder, clock=FakeClock())
    assert new.count() == 50
    new.close()


def test_restore_waits_for_no_running_app(filled: Store, folder: Path, tmp_path: Path) -> None:
    make(folder, tmp_path / "backup.zip", NOON, quiet)
    lock = OwnerLock(folder)
    lock.acquire()
    try:
        with pytest.raises(BusyError):
            restore(folder, tmp_path / "backup.zip", NOON, quiet, replace=True)
    finally:
        lock.release()


def _rewrite(backup: Path, **members: bytes | None) -> None:
    """The same zip with other contents; None leaves a member out."""
    with zipfile.ZipFile(backup) as file:
        kept = {name: file.read(name) for name in file.namelist()}
    renamed = {name.replace("__", "."): body for name, body in members.items()}
    with zipfile.ZipFile(backup, "w") as file:
        for name, body in {**kept, **renamed}.items():
            if body is not None:
                file.writestr(name, body)


@pytest.mark.parametrize("way", ["noise", "cut", "other store", "no manifest", "no store", "text", "empty"])
def test_a_damaged_backup_touches_nothing(filled: Store, folder: Path, tmp_path: Path, way: str) -> None:
    backup = tmp_path / "backup.zip"
    make(folder, backup, NOON, quiet)
    raw = bytearray(backup.read_bytes())
    if way == "noise":
        raw[len(raw) // 2 : len(raw) // 2 + 64] = os.urandom(64)
        backup.write_bytes(raw)
    elif way == "cut":
        backup.write_bytes(raw[: len(raw) // 2])
    elif way == "other store":
        _rewrite(backup, memory__sqlite=b"SQLite format 3\0" + bytes(100))
    elif way == "no manifest":
        _rewrite(backup, manifest__json=None)
    elif way == "no store":
        _rewrite(backup, memory__sqlite=None)
    else:
        backup.write_bytes(b"hello" if way == "text" else b"")
    filled.close()

    with pytest.raises(KnownError):
        restore(folder, backup, NOON, quiet, replace=True)
    again = Store.open(folder, clock=FakeClock())
    assert again.count() == 50
    again.close()
    assert list(folder.glob("before-restore*")) == []


def test_one_from_a_newer_version_is_refused(filled: Store, folder: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.zip"
    make(folder, backup, NOON, quiet)
    with zipfile.ZipFile(backup) as file:
        told = json.loads(file.read("manifest.json"))
    _rewrite(backup, manifest__json=json.dumps({**told, "schema": 99}).encode())

    with pytest.raises(KnownError, match="newer version"):
        restore(tmp_path / "other", backup, NOON, quiet)


def test_names_in_a_backup_lead_nowhere_else(filled: Store, folder: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.zip"
    make(folder, backup, NOON, quiet)
    with zipfile.ZipFile(backup, "a") as file:
        file.writestr("../outside.txt", "out")

    restore(tmp_path / "deep" / "other", backup, NOON, quiet)
    assert list(tmp_path.rglob("outside.txt")) == []


def test_a_copy_agrees_with_itself_while_others_write(filled: Store, folder: Path, tmp_path: Path) -> None:
    """Each transaction stores a pair; no copy may hold half of one."""
    memory = memory_over(filled, FakeClock())
    step = 0

    def write(what: str, share: float) -> bool:
        nonlocal step
        step += 1
        memory.remember([event(1_000 + step, text=f"left {step}"), event(1_000 + step, text=f"right {step}")])
        return False

    made = make(folder, tmp_path / "backup.zip", NOON, write)
    assert step > 0
    assert made.events % 2 == 0


def test_as_a_user_under_another_home(tmp_path: Path) -> None:
    """Recorded in one home, backed up while recording, restored in another: the same history adds nothing."""
    (old := tmp_path / "old").mkdir()
    (new := tmp_path / "new").mkdir()
    zsh_history(old, [(FIRST + n, f"make part-{n}") for n in range(40)])
    with recording(old):
        ask(old, "collect")
        told = ask(old, "backup", str(tmp_path / "b.zip"))
    assert told["events"] == 40

    assert ask(new, "restore", str(tmp_path / "b.zip"))["events"] == 40
    (old / ".zsh_history").rename(new / ".zsh_history")
    receipt = ask(new, "collect")
    assert (receipt["new"], receipt["known"]) == (0, 40)
    again = run(new, "restore", str(tmp_path / "b.zip"))
    assert again.returncode == 1
    assert "--replace" in again.stderr
    assert (new / "memory" / FILE_NAME).exists()


def test_nothing_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(KnownError, match="Nothing was recorded"):
        make(tmp_path, tmp_path / "b.zip", at(0), quiet)


def test_an_encrypted_memory_stays_encrypted_in_its_backup(tmp_path: Path) -> None:
    """The backup opens with the passphrase alone, on a machine whose keyring knows nothing."""
    (old := tmp_path / "old").mkdir()
    (new := tmp_path / "new").mkdir()
    zsh_history(old, [(FIRST + n, f"make part-{n}") for n in range(5)])
    ask(old, "collect")
    ways = {"DESKTOP_MEMORY_PASSPHRASE": "correct horse battery staple"}
    assert run(old, "encrypt", "on", "--no-keyring", "--yes", **ways).returncode == 0
    ask(old, "backup", str(tmp_path / "b.zip"), **ways)

    with zipfile.ZipFile(tmp_path / "b.zip") as file:
        assert all(b"make part" not in file.read(name) for name in file.namelist())
    locked = run(new, "restore", str(tmp_path / "b.zip"))
    assert locked.returncode == 1
    assert "encrypted" in locked.stderr
    assert not (new / "memory" / FILE_NAME).exists()
    assert ask(new, "restore", str(tmp_path / "b.zip"), **ways)["events"] == 5
    assert ask(new, "status", **ways)["events"] == 5
