"""Switching encryption on and off: nothing is readable in between, nothing is lost, whatever interrupts it."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_memory import encryption
from desktop_memory.errors import BusyError, KnownError, StoreError
from desktop_memory.model import Query
from desktop_memory.owner import OwnerLock
from desktop_memory.store.convert import convert
from desktop_memory.store.store import Store
from desktop_memory.store.whole import Cancelled
from desktop_memory.transfer import backup, restore
from desktop_memory.vault import header as headers
from desktop_memory.vault import settling, system_keyring, unlocking
from desktop_memory.vault.header import Key
from desktop_memory.vault.locked import Locked
from tests.factories import FakeClock, event
from tests.stubs import memory_over

SECRET = "xylophone-4711"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A memory with a few hundred events, one of them with a word to look for."""
    made = tmp_path / "memory"
    with_store(
        made, lambda memory: memory.remember([event(n, title=f"title {n} {'x' * 200}") for n in range(300)])
    )
    with_store(made, lambda memory: memory.remember([event(400, title=f"about the {SECRET}")]))
    return made


def with_store(folder: Path, use: Callable[..., object]) -> object:
    store = Store.open(folder, clock=FakeClock())
    try:
        return use(memory_over(store, FakeClock()))
    finally:
        store.close()


def titles(folder: Path) -> list[str]:
    store = Store.open(folder, clock=FakeClock())
    try:
        return [found.title for found in store.all_events()]
    finally:
        store.close()


def readable(folder: Path) -> list[str]:
    """The files of the folder that hold the word."""
    needles = (SECRET.encode(), SECRET.encode("utf-16-le"))
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if any(needle in path.read_bytes() for needle in needles)]


def on(folder: Path, passphrase: str = "", *, keyring: bool = True) -> encryption.Plan:
    planned = encryption.plan(passphrase, keyring=keyring)
    encryption.turn_on(folder, planned, lambda share: False)
    return planned


def test_on_leaves_nothing_to_read_and_everything_to_find(folder: Path, file_keyring: Path) -> None:
    before = titles(folder)
    assert readable(folder) != []

    on(folder)

    assert readable(folder) == []
    found = with_store(folder, lambda memory: memory.search(Query(text=SECRET)).hits)
    assert [hit.event.title for hit in found] == [f"about the {SECRET}"]  # type: ignore[attr-defined]
    assert titles(folder) == before
    assert readable(folder) == []


def test_off_makes_it_what_it_was(folder: Path, file_keyring: Path) -> None:
    before = titles(folder)
    on(folder)

    encryption.turn_off(folder, lambda share: False)

    assert settling.is_plain(folder / "memory.sqlite")
    assert titles(folder) == before
    assert not encryption.state(folder).encrypted
    assert sorted(p.name for p in folder.glob("*.json*")) == []


def test_progress_is_told_up_to_the_end(folder: Path, file_keyring: Path) -> None:
    told: list[float] = []

    encryption.turn_on(folder, encryption.plan(), lambda share: bool(told.append(share)))

    assert told == sorted(told)
    assert told[-1] > 0.9


def test_cancelled_changes_nothing(folder: Path, file_keyring: Path) -> None:
    before = titles(folder)

    for at in (0.0, 0.9):
        with pytest.raises(Cancelled):
            encryption.turn_on(folder, encryption.plan(), lambda share, at=at: share >= at)

    assert titles(folder) == before
    assert file_keyring.read_text() == "{}"
    assert headers.load(folder) is None
    assert [p.name for p in folder.iterdir() if "switching" in p.name] == []


def test_cancelling_off_leaves_it_encrypted(folder: Path, file_keyring: Path) -> None:
    on(folder)

    with pytest.raises(Cancelled):
        encryption.turn_off(folder, lambda share: True)

    assert encryption.state(folder).encrypted
    assert readable(folder) == []
    assert len(titles(folder)) == 301


@pytest.mark.parametrize("direction", ["on", "off"])
def test_kill_9_leaves_a_whole_memory_that_is_the_one_or_the_other(
    folder: Path, file_keyring: Path, direction: str
) -> None:
    expected = titles(folder)
    rng = random.Random(direction)
    if direction == "off":
        on(folder)
    outcomes = set()
    for _ in range(12):
        encrypted = encryption.state(folder).encrypted
        kill_while_switching(folder, rng.uniform(0, 0.12))

        assert titles(folder) == expected
        now = encryption.state(folder).encrypted
        outcomes.add(now == encrypted)
        assert not now or readable(folder) == []
        assert [p.name for p in folder.iterdir() if "switching" in p.name] == []
    assert outcomes, "each kill left one or the other"


def kill_while_switching(folder: Path, seconds: float) -> None:
    child = os.fork()
    if child == 0:
        if encryption.state(folder).encrypted:
            encryption.turn_off(folder, lambda share: False)
        else:
            encryption.turn_on(folder, encryption.plan(), lambda share: False)
        os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_a_switch_killed_after_the_rename_is_finished(folder: Path, file_keyring: Path) -> None:
    planned = encryption.plan()
    headers.save(planned.header, folder)
    store = folder / "memory.sqlite"
    convert(store, folder / settling.NEW_FILE, None, planned.key, lambda share: False)
    settling.swap(folder)
    assert readable(folder) == [settling.OLD_FILE]

    settling.settle(folder)

    assert encryption.state(folder).encrypted
    assert readable(folder) == []
    assert len(titles(folder)) == 301


def test_a_switch_killed_between_link_and_rename_leaves_the_plain_memory_alone(
    folder: Path, file_keyring: Path
) -> None:
    headers.save(encryption.plan().header, folder)
    os.link(folder / "memory.sqlite", folder / settling.OLD_FILE)
    (folder / settling.NEW_FILE).write_bytes(b"half")

    settling.settle(folder)

    assert len(titles(folder)) == 301
    assert not encryption.state(folder).encrypted
    assert not (folder / settling.OLD_FILE).exists()


def test_wiping_overwrites_before_it_removes(tmp_path: Path) -> None:
    file, name = tmp_path / "a", tmp_path / "b"
    file.write_bytes(SECRET.encode() * 100_000)
    os.link(file, name)

    settling.wipe(file)

    assert not file.exists()
    assert name.read_bytes() == bytes(len(SECRET) * 100_000)


def test_during_a_switch_others_are_told(folder: Path, file_keyring: Path) -> None:
    lock = OwnerLock(folder)
    lock.acquire()
    headers.save(encryption.plan().header, folder)

    with pytest.raises(BusyError, match="being encrypted"):
        titles(folder)

    lock.release()
    assert len(titles(folder)) == 301


def test_another_reader_stops_it_before_it_begins(
    folder: Path, file_keyring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_memory.store.connection.BUSY_MS", 100)
    reader = Store.open(folder, clock=FakeClock())
    try:
        assert reader.count() == 301

        with pytest.raises(KnownError, match="Another program reads"):
            on(folder)

        assert reader.count() == 301
    finally:
        reader.close()
    assert not encryption.state(folder).encrypted


def test_a_difference_keeps_the_old_one(
    folder: Path, file_keyring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from desktop_memory.store import convert as module

    copy = module._copy

    def forged(connection, target, key, size, told):  # type: ignore[no-untyped-def]
        connection.execute("CREATE TEMP TRIGGER none AFTER INSERT ON profile BEGIN SELECT 1; END")
        copy(connection, target, key, size, told)
        writing = module.connect_with(target, key, writer=True)
        writing.execute("UPDATE event SET title = 'another' WHERE id = 7")
        writing.close()

    monkeypatch.setattr(module, "_copy", forged)

    with pytest.raises(StoreError, match="differs"):
        on(folder)

    assert not encryption.state(folder).encrypted
    assert len(titles(folder)) == 301


def test_too_little_space_is_told_first(
    folder: Path, file_keyring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": 1_000})
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)

    with pytest.raises(KnownError, match="for a while"):
        on(folder)

    assert not encryption.state(folder).encrypted


def test_a_disk_that_cannot_be_written_is_told(
    folder: Path, file_keyring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)

    with pytest.raises(StoreError, match="No space left"):
        on(folder)

    monkeypatch.undo()
    assert len(titles(folder)) == 301
    assert headers.load(folder) is None


def test_a_backup_is_encrypted_and_opens_elsewhere_and_later(
    folder: Path, file_keyring: Path, tmp_path: Path
) -> None:
    def quiet(what: str, share: float) -> bool:
        return False

    on(folder)
    backup.make(folder, tmp_path / "backup.zip", FakeClock()(), quiet)
    encryption.turn_off(folder, lambda share: False)

    restore.restore(tmp_path / "elsewhere", tmp_path / "backup.zip", FakeClock()(), quiet)

    assert SECRET.encode() not in (tmp_path / "backup.zip").read_bytes()
    assert encryption.state(tmp_path / "elsewhere").encrypted
    assert readable(tmp_path / "elsewhere") == []
    assert len(titles(tmp_path / "elsewhere")) == 301


def test_a_plain_backup_in_the_place_of_an_encrypted_memory_is_plain(
    folder: Path, file_keyring: Path, tmp_path: Path
) -> None:
    def quiet(what: str, share: float) -> bool:
        return False

    backup.make(folder, tmp_path / "backup.zip", FakeClock()(), quiet)
    on(folder)

    restore.restore(folder, tmp_path / "backup.zip", FakeClock()(), quiet, replace=True)

    assert not encryption.state(folder).encrypted
    assert len(titles(folder)) == 301


def test_older_plain_copies_in_the_folder_are_named(folder: Path, file_keyring: Path, tmp_path: Path) -> None:
    (folder / "damaged-2026").mkdir()
    shutil.copy(folder / "memory.sqlite", folder / "damaged-2026" / "memory.sqlite")
    with zipfile.ZipFile(folder / "old.zip", "w") as packed:
        packed.write(folder / "memory.sqlite", "memory.sqlite")
    on(folder)
    with zipfile.ZipFile(folder / "new.zip", "w") as packed:
        packed.write(folder / "memory.sqlite", "memory.sqlite")
        packed.write(folder / "encryption.json", "encryption.json")

    assert encryption.state(folder).plain_copies == ("damaged-2026/memory.sqlite", "old.zip")


def test_removing_the_folder_takes_its_key_along(folder: Path, file_keyring: Path) -> None:
    on(folder)

    encryption.leave(folder)

    assert file_keyring.read_text() == "{}"


# keys


def test_a_moved_folder_asks_for_the_recovery_key_once(folder: Path, file_keyring: Path) -> None:
    planned = on(folder)
    forget_all(folder, file_keyring)
    with pytest.raises(Locked, match="does not know its key") as locked:
        titles(folder)

    unlocking.unlock(locked.value.header, planned.recovery_key.lower())
    assert unlocking.keep_in_keyring(folder)

    header = headers.load(folder)
    assert header is not None
    unlocking.forget(header)
    assert len(titles(folder)) == 301


def forget_all(folder: Path, file_keyring: Path) -> None:
    """As on another computer: neither this process nor the keyring knows the key."""
    header = headers.load(folder)
    assert header is not None
    unlocking.forget(header)
    file_keyring.write_text("{}")


def test_without_a_keyring_a_passphrase_opens_it(
    folder: Path, no_keyring: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = on(folder, "four words of mine", keyring=False)
    unlocking.forget(planned.header)
    with pytest.raises(Locked, match="with a passphrase"):
        titles(folder)

    monkeypatch.setenv("DESKTOP_MEMORY_PASSPHRASE", "four words of mine")

    assert len(titles(folder)) == 301
    assert encryption.state(folder).ways == ("passphrase", "recovery")


def test_a_wrong_passphrase_is_told_and_not_tried_in_the_keyring(
    folder: Path, file_keyring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = on(folder)
    unlocking.forget(planned.header)
    monkeypatch.setenv("DESKTOP_MEMORY_PASSPHRASE", "something else")

    with pytest.raises(Locked, match="does not open"):
        titles(folder)


def test_the_passphrase_may_come_from_an_open_file(
    folder: Path, no_keyring: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = on(folder, "four words of mine", keyring=False)
    unlocking.forget(planned.header)
    (tmp_path / "kept").write_text("four words of mine\nand more\n")
    with (tmp_path / "kept").open("rb") as file:
        monkeypatch.setenv("DESKTOP_MEMORY_PASSPHRASE_FILE", f"/dev/fd/{file.fileno()}")

        assert len(titles(folder)) == 301


def test_a_new_recovery_key_ends_the_old_one(folder: Path, file_keyring: Path) -> None:
    old = on(folder).recovery_key

    fresh = encryption.new_recovery_key(folder)

    header = headers.load(folder)
    assert header is not None
    unlocking.unlock(header, fresh)
    with pytest.raises(Locked):
        unlocking.unlock(header, old)


def test_a_later_passphrase_opens_it_beside_the_keyring(folder: Path, file_keyring: Path) -> None:
    on(folder)

    encryption.set_passphrase(folder, "four words of mine")

    forget_all(folder, file_keyring)
    header = headers.load(folder)
    assert header is not None
    unlocking.unlock(header, "four words of mine")
    assert len(titles(folder)) == 301


def test_neither_keyring_nor_passphrase_is_refused(no_keyring: None) -> None:
    with pytest.raises(KnownError, match="each start"):
        encryption.plan(keyring=False)
    with pytest.raises(system_keyring.NoKeyring):
        encryption.plan()
    with pytest.raises(KnownError, match="characters"):
        encryption.plan("short", keyring=False)


def test_a_keyring_that_never_answers_is_given_up(
    folder: Path, file_keyring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = on(folder)
    unlocking.forget(planned.header)
    file_keyring.write_text('{"slow": 1}')
    monkeypatch.setattr(system_keyring, "_QUIET_SECONDS", 0.1)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    with pytest.raises(Locked, match="does not answer"):
        titles(folder)


def test_the_key_of_another_memory_is_told(folder: Path, file_keyring: Path) -> None:
    planned = on(folder)
    store = folder / "memory.sqlite"
    convert(store, folder / "other", planned.key, Key(bytes(32)), lambda share: False)
    (folder / "other").replace(store)

    with pytest.raises(StoreError, match="file is not a database"):
        titles(folder)


def test_a_plain_store_beside_a_header_is_told(folder: Path, file_keyring: Path, tmp_path: Path) -> None:
    plain = (folder / "memory.sqlite").read_bytes()
    on(folder)
    (folder / "memory.sqlite").write_bytes(plain)

    with pytest.raises(StoreError, match="is not encrypted, although"):
        titles(folder)
