"""The store says whether the next write would go through, and keeps its log short."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_memory.errors import StoreError
from desktop_memory.store import writing
from desktop_memory.store.store import FILE_NAME, Store
from tests.factories import FakeClock


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=FakeClock())
    yield opened
    opened.close()


def fill(store: Store, size: int) -> None:
    with store.transaction() as connection:
        connection.execute("INSERT OR REPLACE INTO profile (name, value) VALUES ('x', zeroblob(?))", (size,))


def test_the_trouble_of_a_write_stays_until_one_goes_through(store: Store) -> None:
    with store.transaction() as connection:
        pages = connection.pragma("page_count")
    store._writer.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(StoreError):
        fill(store, 1_000_000)

    with pytest.raises(StoreError, match="disk is full"):
        store.probe()
    assert "disk is full" in str(store.writing.trouble)

    store._writer.execute("PRAGMA max_page_count=100000")
    store.probe()
    assert store.writing.trouble is None
    assert store.writing.since is None


def test_a_probe_leaves_nothing_behind(store: Store, tmp_path: Path) -> None:
    before = {path.name: path.stat().st_size for path in (tmp_path / "data").iterdir()}

    store.probe()

    assert {path.name: path.stat().st_size for path in (tmp_path / "data").iterdir()} == before


def test_a_long_log_is_begun_anew_once_nobody_reads_in_it(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_LONG_LOG", 100_000)
    log = tmp_path / "data" / f"{FILE_NAME}-wal"
    with store.snapshot() as now:
        assert now.count() == 0
        fill(store, 500_000)
        store.probe()
        assert log.stat().st_size > 500_000

    store.probe()

    assert log.stat().st_size == 0
