"""Commits from a real repository into a real store: each once, and found by the lines they changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.collector import Cursor
from collectors.git.collector import Git
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.store.store import Store
from tests.collectors.git.workshop import NOON, Workshop, introduce, read_all
from tests.factories import FakeClock
from tests.stubs import memory_over


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    clock = FakeClock()
    store = Store.open(tmp_path / "data", clock=clock)
    yield memory_over(store, clock)
    store.close()


@pytest.fixture
def repo() -> Workshop:
    introduce(Path.home())
    return Workshop(Path.home() / "src" / "billing-api")


def remember(memory: Memory, repo: Workshop, cursor: Cursor | None = None, *, diffs: bool = False) -> Cursor:
    _, events, there = read_all(Git(home=Path.home(), diffs=diffs), repo.path, cursor)
    memory.remember(events)
    return there


def titles(memory: Memory) -> list[str]:
    return [event.title for event in memory._store.between(None, None)]


def test_a_commit_is_found_by_a_line_that_it_changed_and_no_key_is_kept(
    memory: Memory, repo: Workshop
) -> None:
    repo.commit("Start")
    (repo.path / "locks.py").write_text(
        'pg_advisory_xact_lock(42)\nkey = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"\n'
    )
    repo.git("add", ".")
    repo.commit("Hold the door")

    remember(memory, repo)
    before = memory.search(Query(text="pg_advisory_xact_lock")).hits
    remember(memory, repo, diffs=True)
    after = memory.search(Query(text="pg_advisory_xact_lock")).hits

    assert before == ()
    assert [hit.event.title for hit in after] == ["Hold the door"]
    assert "+pg_advisory_xact_lock(42)" in after[0].event.details["diff"]
    assert b"sk_live_4eC39HqLyjWDarjtT1zdp7dc" not in b"".join(
        path.read_bytes() for path in memory._store.path.parent.glob("memory.sqlite*")
    )
    assert "Start" in titles(memory)


def test_a_rebase_with_a_conflict_leaves_each_piece_of_work_once(memory: Memory, repo: Workshop) -> None:
    repo.commit("Start")
    repo.git("checkout", "--quiet", "-b", "feature")
    repo.commit("Side")
    repo.git("checkout", "--quiet", "main")
    repo.commit("Meanwhile")
    cursor = remember(memory, repo)
    with pytest.raises(AssertionError, match="conflict"):
        repo.git("rebase", "main", "feature", at=NOON + 9_000)
    (repo.path / "notes.txt").write_text("settled\n")
    (repo.path / "more.txt").write_text("more\n")
    repo.git("add", ".")
    repo.git("rebase", "--continue", at=NOON + 9_001)

    remember(memory, repo, cursor)

    assert sorted(titles(memory)) == ["Meanwhile", "Side", "Start"]
    side = next(event for event in memory._store.between(None, None) if event.title == "Side")
    assert set(side.files) == {"more.txt", "notes.txt"}
    assert side.details["hash"] == repo.git("rev-parse", "feature")
