"""A damaged memory: the damaged file is kept, what can be read is saved, and what was lost is said."""

from __future__ import annotations

import os
import random
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from desktop_memory import encryption
from desktop_memory.app import App
from desktop_memory.doctor import examine
from desktop_memory.errors import Damaged
from desktop_memory.model import Query
from desktop_memory.store import leaves, pages
from desktop_memory.store.connection import DAMAGE_MARK, PAGE_SIZE
from desktop_memory.store.salvage import salvage
from desktop_memory.store.store import FILE_NAME, Store
from desktop_memory.transfer.rescue import rescue, rescues
from desktop_memory.vault import header as headers
from tests.factories import NOON, FakeClock, at, event
from tests.running import ask, run, zsh_history
from tests.stubs import memory_over

FIRST = 1_786_615_200
GAP = timedelta(minutes=10)
GAP_US = 600_000_000


def seen(n: int) -> object:
    """One of many events, some with a text that fills more than a page."""
    return event(n, text=f"make part {n} " + "word " * (n % 40 == 0) * 7_000, project=f"p{n % 7}", app="zsh",
                 files=(f"/src/{n}.py",))  # fmt: skip


COUNT = 1_500
PASSPHRASE = "for this test only"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory with a history, a pin, and something forgotten."""
    folder = tmp_path_factory.mktemp("sound")
    store = Store.open(folder, clock=FakeClock(at(10_000)))
    memory = memory_over(store, FakeClock(at(10_000)))
    memory.remember([seen(n) for n in range(COUNT)])  # type: ignore[misc]
    memory.remember([event(9_000, text="buy a ring", app="Notes")])
    memory.forget(Query(app="Notes"))
    memory.pin("goal", "Ship it")
    store.scrub()
    store.close()
    return folder / FILE_NAME


@pytest.fixture(scope="module")
def forms(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same memory plain, encrypted, and plain again."""
    found = {"plain": sound}
    for form in ("encrypted", "decrypted"):
        folder = Path(shutil.copytree(sound.parent, tmp_path_factory.mktemp("forms") / form))
        encryption.turn_on(folder, encryption.plan(PASSPHRASE, keyring=False), lambda share: False)
        if form == "decrypted":
            encryption.turn_off(folder, lambda share: False)
        found[form] = folder / FILE_NAME
    return found


def branches(path: Path) -> list[int]:
    """The pages that hold no rows and only lead to others."""
    with pages.opened(path) as found:
        return [number for number in range(2, found.count + 1) if found[number][0] in (2, 5)]


def spoil(raw: bytearray, way: str, branches: list[int]) -> None:
    rng = random.Random(way)
    if way == "first page":
        raw[:PAGE_SIZE] = rng.randbytes(PAGE_SIZE)
    elif way == "4 KB anywhere":
        for _ in range(3):
            start = rng.randrange(PAGE_SIZE, len(raw) - 4_096)
            raw[start : start + 4_096] = rng.randbytes(4_096)
    elif way == "every branch of its trees":
        for number in branches:
            raw[(number - 1) * PAGE_SIZE : (number - 1) * PAGE_SIZE + 64] = rng.randbytes(64)
    elif way == "cut short":
        del raw[len(raw) * 3 // 4 // PAGE_SIZE * PAGE_SIZE :]  # the first half holds the empty tables


@pytest.mark.parametrize("form", ["plain", "encrypted", "decrypted"])
@pytest.mark.parametrize(
    ("way", "least"),
    [
        ("nothing", COUNT),
        ("first page", COUNT),
        ("every branch of its trees", COUNT),
        ("4 KB anywhere", COUNT - 200),
        ("cut short", 50),
    ],
)
def test_what_is_still_there_is_saved(
    forms: dict[str, Path], tmp_path: Path, form: str, way: str, least: int
) -> None:
    old = Path(shutil.copytree(forms[form].parent, tmp_path / "old"))
    raw = bytearray((old / FILE_NAME).read_bytes())
    spoil(raw, way, branches(old / FILE_NAME))
    (old / FILE_NAME).write_bytes(raw)
    (tmp_path / "new").mkdir()
    headers.carry(old, tmp_path / "new")
    found = salvage(old / FILE_NAME, tmp_path / "new" / FILE_NAME, GAP_US)

    assert least <= found.events <= COUNT
    store = Store.open(tmp_path / "new", clock=FakeClock(at(10_000)))
    memory = memory_over(store, FakeClock(at(10_000)))
    assert store.problems() == []
    assert store.count() == found.events
    assert sum(session.count for session in store.sessions(None, None)) == found.events
    assert memory.search(Query(text="part")).hits
    if way != "cut short":
        assert [pin.text for pin in store.pins()] == ["Ship it"]
        receipt = memory.remember([seen(n) for n in range(COUNT)])  # type: ignore[misc]
        assert receipt.new == COUNT - found.events, "it is the same memory: only what was lost is new"
        assert memory.remember([event(9_000, text="buy a ring", app="Notes")]).new == 0, "still forgotten"
    store.close()
    assert b"buy a ring" not in (tmp_path / "new" / FILE_NAME).read_bytes()


def test_pages_say_what_sqlite_says(sound: Path) -> None:
    import apsw

    with pages.opened(sound) as found:
        rows = [row for row in leaves.rows(found) if row.id is not None and len(row.values) > 20]
    connection = apsw.Connection(str(sound))
    wanted = dict(connection.execute("SELECT id, text FROM event").fetchall())
    connection.close()
    assert {row.id: row.values[9] for row in rows} == wanted


@pytest.mark.parametrize("seed", range(20))
def test_noise_in_the_pages_is_no_crash(sound: Path, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    raw = bytearray(sound.read_bytes())
    for _ in range(200):
        raw[rng.randrange(len(raw))] = rng.randrange(256)
    (tmp_path / "noisy").write_bytes(raw)
    with pages.opened(tmp_path / "noisy") as found:
        assert sum(1 for _ in leaves.rows(found)) > 0


def damage(path: Path) -> bytes:
    raw = bytearray(path.read_bytes())
    spoil(raw, "first page", [])
    path.write_bytes(raw)
    return bytes(raw)


def test_the_owner_saves_it_at_its_start_and_says_so(sound: Path, home: Path) -> None:
    folder = home / "memory"
    folder.mkdir(mode=0o700)
    shutil.copy(sound, folder / FILE_NAME)
    os.chmod(folder / FILE_NAME, 0o600)
    raw = damage(folder / FILE_NAME)

    app = App.open(folder)
    try:
        assert app.parts.store.count() == COUNT
    finally:
        app.close()
    (done,) = rescues(folder)
    assert (done.events, done.lost) == (COUNT, 0)
    assert (folder / done.kept / FILE_NAME).read_bytes() == raw
    told = [check for check in examine(folder) if check.name == "damage"]
    assert [check.state for check in told] == ["ok"]
    assert done.kept in told[0].advice


def test_as_a_user(home: Path) -> None:
    zsh_history(home, [(FIRST + n, f"make part-{n}") for n in range(50)])
    ask(home, "collect")
    folder = home / "memory"
    damage(folder / FILE_NAME)
    for rest in ("-wal", "-shm"):
        (folder / (FILE_NAME + rest)).unlink(missing_ok=True)

    said = run(home, "now")
    assert said.returncode == 1
    assert "doctor --mend" in said.stderr
    assert run(home, "doctor").returncode == 1
    mended = run(home, "doctor", "--mend")
    assert mended.returncode == 0, mended.stdout
    assert "50 events were saved" in mended.stdout
    assert ask(home, "status")["events"] == 50
    assert ask(home, "collect")["new"] == 0


def test_damage_met_while_reading_is_said_and_looked_at_by_the_next_start(sound: Path, home: Path) -> None:
    """Only a page in the middle: the store opens, and a read meets it."""
    folder = home / "memory"
    folder.mkdir(mode=0o700)
    raw = bytearray(sound.read_bytes())
    spoil(raw, "every branch of its trees", branches(sound))
    (folder / FILE_NAME).write_bytes(raw)
    os.chmod(folder / FILE_NAME, 0o600)

    said = run(home, "search", "part", "--json")
    assert said.returncode == 1, "no bug, no traceback"
    assert "damaged" in said.stderr
    assert (folder / DAMAGE_MARK).exists()
    assert ask(home, "collect")["read"] >= 0
    assert ask(home, "status")["events"] == COUNT
    assert not (folder / DAMAGE_MARK).exists()


def test_a_false_alarm_changes_nothing(sound: Path, home: Path) -> None:
    folder = home / "memory"
    folder.mkdir(mode=0o700)
    shutil.copy(sound, folder / FILE_NAME)
    os.chmod(folder / FILE_NAME, 0o600)
    (folder / DAMAGE_MARK).touch()
    App.open(folder).close()
    assert rescues(folder) == []
    assert not (folder / DAMAGE_MARK).exists()


def test_nothing_readable_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(random.Random(1).randbytes(200_000))
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(Damaged, match="nothing in it"):
        rescue(tmp_path, NOON, GAP)
    assert (tmp_path / FILE_NAME).read_bytes() == before
    assert rescues(tmp_path) == []
