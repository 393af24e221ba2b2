"""What is older, or more, than the user keeps goes for good, and reading its source again brings nothing back."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from desktop_memory.engine import Engine
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.settings import Privacy
from desktop_memory.store.store import FILE_NAME, Store
from tests.factories import FakeClock, at, event
from tests.running import ask, run, zsh_history
from tests.stubs import memory_over

DAY = 24 * 60.0


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(at(100 * DAY))


def keeping(store: Store, clock: FakeClock, *lines: str) -> Memory:
    return memory_over(store, clock, privacy=Privacy(keep=lines))


@pytest.fixture
def store(tmp_path: Path, clock: FakeClock) -> Store:
    return Store.open(tmp_path / "data", clock=clock)


def days(n: float, kind: str = "terminal", **more: object) -> object:
    """An event that many days after the first."""
    text = f"{kind} of day {n}"
    words = {"title": text} if kind == "browser" else {"text": text}
    return event(n * DAY, kind=kind, **words, **more)


def left(store: Store) -> list[str]:
    return [found.text or found.title for found in store.between(None, None, limit=10_000)]


def test_by_age_and_kind(store: Store, clock: FakeClock) -> None:
    memory = keeping(store, clock, "browser = 30 days")
    memory.remember([days(n, kind) for n in (10, 69, 71) for kind in ("terminal", "browser")])  # type: ignore[misc]

    preview = memory.preview_retire()
    assert [(part.kind, part.events) for part in preview] == [("browser", 2)]
    assert memory.preview_retire(("all = 9 years",)) == []
    assert [(part.kind, part.events) for part in memory.preview_retire(("all = 30 days",))] == [("all", 4)]
    assert memory.retire() == 2
    assert set(left(store)) == {
        "terminal of day 10", "terminal of day 69", "terminal of day 71", "browser of day 71",
    }  # fmt: skip
    assert memory.preview_retire() == []
    store.close()


def test_reading_again_brings_nothing_back_and_no_byte_stays(
    store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    memory = keeping(store, clock, "all = 30 days")
    memory.remember([days(n) for n in range(0, 100, 5)])  # type: ignore[misc]
    gone = memory.retire()

    assert gone == 14
    assert memory.remember([days(n) for n in range(0, 100, 5)]).new == 0  # type: ignore[misc]
    assert store.read().execute("SELECT count(*) FROM tombstone").get == 0
    assert store.read().execute("SELECT count(*) FROM forgotten_interval").get == 1
    clock.now += timedelta(days=5)
    memory.retire()
    assert store.read().execute("SELECT count(*) FROM forgotten_interval").get == 1, "one row that moves on"
    store.close()
    raw = b"".join(path.read_bytes() for path in (tmp_path / "data").glob(f"{FILE_NAME}*"))
    assert b"terminal of day 5\0" not in raw
    assert b"of day 5" not in raw.replace(b"of day 50", b"").replace(b"of day 55", b"")


def test_by_size_the_oldest_goes(store: Store, clock: FakeClock) -> None:
    keeping(store, clock).remember(
        [event(n, text=f"word{n} " * 300) for n in range(2_000)]
    )  # about 4 MB of text, more in the file
    store.scrub()
    before = store.path.stat().st_size
    wanted = before / 1_000_000 / 2
    memory = keeping(store, clock, f"all = {wanted:.1f} MB")

    gone = memory.retire()

    assert 500 < gone < 1_500
    assert left(store)[0].startswith(f"word{gone} ")
    assert store.path.stat().st_size < before * 0.75, "the file shrinks"
    store.close()


def test_it_can_be_stopped_and_goes_on(
    store: Store, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_memory.forgetting._RETIRE_STEP", 10)
    memory = keeping(store, clock, "all = 1 day")
    memory.remember([event(n) for n in range(35)])
    looks = iter([False, True])

    assert memory.retire(lambda: next(looks)) == 10
    assert memory.retire() == 25
    assert left(store) == []
    store.close()


def test_the_recorder_does_it_daily(store: Store, clock: FakeClock) -> None:
    memory = keeping(store, clock, "terminal = 10 days")
    memory.remember([days(89), days(95)])  # type: ignore[misc]
    engine = Engine(memory, store, (), poll_seconds=0.01, clock=clock)
    engine.start()
    try:
        eventually(lambda: left(store) == ["terminal of day 95"])
        clock.now += timedelta(days=9)
        engine.wake()
        eventually(lambda: left(store) == [])
    finally:
        engine.stop()
        store.close()


def eventually(holds: object) -> None:
    import time

    deadline = time.monotonic() + 10
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_forget_names_the_backups_that_still_hold_it(
    store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    memory = keeping(store, clock)
    memory.remember([days(1)])  # type: ignore[list-item]
    for name in ("there.zip", "deleted.zip"):
        memory.note_backup(str(tmp_path / name), store.last_id())
    (tmp_path / "there.zip").touch()
    memory.remember([days(2)])  # type: ignore[list-item]

    assert memory.forget(Query(since=at(1.5 * DAY))).backups == (), "newer than every backup"
    assert memory.forget(Query(kinds=("terminal",))).backups == (str(tmp_path / "there.zip"),)
    store.close()


def test_a_forget_names_exports_and_memories_kept_aside(tmp_path: Path) -> None:
    memory, export, backup = tmp_path / "memory", tmp_path / "out.jsonl", tmp_path / "b.zip"
    zsh_history(tmp_path, [(1_786_615_200, "make secret"), (1_786_615_300, "make more")])
    for words in (("collect",), ("export", str(export)), ("backup", str(backup)), ("export", "--plain")):
        run(tmp_path, *words)
    run(tmp_path, "restore", "--replace", str(backup))
    (aside,) = memory.glob("before-restore-*")

    told = ask(tmp_path, "forget", "secret")

    assert told["events"] == 1
    assert told["backups"] == [str(backup), str(export), str(aside / "memory.sqlite")]
    export.unlink()
    backup.unlink()
    shutil.rmtree(aside)
    told = run(tmp_path, "forget", "--yes", "more").stdout
    assert "may still hold" not in told


def test_as_a_user(tmp_path: Path) -> None:
    zsh_history(tmp_path, [(1_700_000_000, "make old"), (1_786_615_200, "make new")])
    ask(tmp_path, "collect")
    (tmp_path / "memory" / "settings.toml").write_text('[privacy]\nkeep = ["terminal = 300 days"]\n')
    told = ask(tmp_path, "forget", "--expired", DESKTOP_MEMORY_NOW="2026-09-01T00:00:00Z")
    assert told["events"] == 1
    assert ask(tmp_path, "status")["events"] == 1
