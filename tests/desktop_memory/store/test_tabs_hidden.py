"""A page that a rule keeps out takes the window that showed it along."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.event import Event, identity
from desktop_memory.memory import Memory
from desktop_memory.settings import Privacy
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over

TITLE = "Current account – Example Bank"


@pytest.fixture
def memory(store: Store, clock: FakeClock) -> Memory:
    clock.now = at(30)
    return memory_over(store, clock, privacy=Privacy(exclude_domains=("bank.example",)))


def visit(minutes: float = 1, title: str = TITLE, domain: str = "bank.example") -> Event:
    url = f"https://{domain}/{minutes}"
    name = identity("visit", url, str(minutes))
    return event(
        minutes, kind="browser", title=title, url=url, domain=domain, app="Google Chrome", identity=name
    )


def window(minutes: float = 1, until: float = 4, title: str = TITLE, **what: Any) -> Event:
    fields: dict[str, Any] = {"app": "Chrome", "identity": identity("window", str(minutes)), **what}
    return event(minutes, until=until, kind="window", title=f"{title} - Google Chrome", **fields)


def titles(memory: Memory) -> list[str]:
    return [one.title for one in memory._store.between(None, None)]


def test_the_window_goes_when_the_visit_becomes_known(memory: Memory) -> None:
    memory.remember([window(0, 1, "News"), window(until=2, open=True)])

    memory.remember([visit()])
    memory.remember([window(until=9)])

    assert titles(memory) == ["News - Google Chrome"]
    assert [change.what for change in memory._store.changes(0, 10)] == ["delete"]
    assert memory._store.problems() == []


def test_a_tab_that_is_come_back_to_stays_out_for_a_day(memory: Memory, clock: FakeClock) -> None:
    memory.remember([visit()])

    memory.remember([window(10, 12), window(200, 201), window(60 * 30, 60 * 30 + 1)])

    assert [one.start for one in memory._store.between(None, None)] == [at(60 * 30)]


def test_windows_of_other_programs_and_pages_stay(memory: Memory) -> None:
    memory.remember([visit(), visit(2, "News", "news.example")])

    memory.remember([window(2, 3, "News"), window(4, 5, app="Notes"), window(6, 7, "Another – Example Bank")])

    assert len(titles(memory)) == 4


def test_the_title_is_kept_as_a_keyed_hash_and_only_for_a_day(memory: Memory, clock: FakeClock) -> None:
    memory.remember([visit(), visit(-60 * 48, "Long ago")])
    kept = memory._store.read().execute("SELECT title, at FROM hidden_page").fetchall()
    clock.advance(60 * 25)
    memory.remember([visit(60 * 24, "Later")])
    later = memory._store.read().execute("SELECT count(*) FROM hidden_page").get

    assert len(kept) == 1
    assert "account" not in kept[0][0]
    assert later == 1
    assert b"Current account" not in b"".join(
        path.read_bytes() for path in memory._store.path.parent.glob("memory.sqlite*")
    )
