"""What led to a record and what came of it, over a real store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.event import Event
from desktop_memory.context.connections import Connections, Connector
from desktop_memory.ipc.codec import decode, encode
from desktop_memory.memory import Memory
from desktop_memory.retrieval.neighbours import Neighbours
from desktop_memory.retrieval.topics import Topics
from desktop_memory.store.store import Store
from desktop_memory.store.walk import SqlWalk
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(tmp_path / "memory", clock=FakeClock(at(100_000)))
    yield store
    store.close()


def remembered(store: Store, *events: Event) -> Memory:
    memory = memory_over(store, FakeClock(at(100_000)))
    memory.remember(events)
    return memory


def connector(store: Store) -> Connector:
    beside = Neighbours(SqlWalk(store.read))
    return Connector(store, beside, Topics(store, beside))


def page(minutes: float, title: str, **more: object) -> Event:
    return event(
        minutes, kind="browser", title=title, url=f"https://example.org/{title}", domain="example.org", **more
    )


def commit(minutes: float, title: str, *files: str) -> Event:
    return event(minutes, kind="git_commit", title=title, files=files, project="billing", repo="billing")


def told(linked: tuple[object, ...]) -> list[str]:
    return [one.event.title or one.event.text for one in linked]  # type: ignore[attr-defined]


def id_of(store: Store, title: str) -> int:
    return next(e.id for e in store.between(None, None) if title in (e.title, e.text))


def test_before_a_commit_stands_what_was_read_and_after_it_what_was_made(store: Store) -> None:
    remembered(
        store, page(0, "how to lock"), commit(3, "take a lock", "retry.py"),
        event(5, text="pytest -k lock", project="billing"), commit(8, "release the lock", "retry.py"),
    )  # fmt: skip

    found = connector(store).of_event(id_of(store, "take a lock"), 10)

    assert told(found.led_here) == ["how to lock"]
    assert told(found.came_of_it) == ["pytest -k lock", "release the lock"]
    assert found.came_of_it[1].why == "same file"
    assert not found.more_before
    assert not found.more_after


def test_a_file_of_other_days_shows_what_shares_it(store: Store) -> None:
    remembered(
        store, commit(0, "begin retry", "retry.py"), commit(3_000, "mend retry", "retry.py"),
        commit(9_000, "drop retry", "retry.py"),
    )  # fmt: skip

    found = connector(store).of_event(id_of(store, "mend retry"), 10)

    assert (told(found.led_here), told(found.came_of_it)) == (["begin retry"], ["drop retry"])


def test_a_thing_seen_often_stands_once_with_its_count(store: Store) -> None:
    pages = [page(n, "the docs", identity=f"visit {n}") for n in range(4)]
    remembered(store, *pages, commit(5, "done", "a.py"))

    found = connector(store).of_event(id_of(store, "done"), 10)

    assert told(found.led_here) == ["the docs"]
    assert found.led_here[0].count == 4


def test_each_list_is_bounded_and_says_that_there_is_more(store: Store) -> None:
    remembered(
        store,
        *(page(n, f"page {n}") for n in range(6)),
        commit(7, "done", "a.py"),
        *(page(8 + n, f"later {n}") for n in range(3)),
    )

    found = connector(store).of_event(id_of(store, "done"), 3)

    assert len(found.led_here) == 3
    assert found.more_before
    assert len(found.came_of_it) == 3
    assert not found.more_after
    assert told(found.led_here)[0] == "page 5", "the nearest in time first"


def test_a_project_tells_what_it_was_taken_up_from_and_what_was_made(store: Store) -> None:
    remembered(
        store, page(0, "LED-731 in the tracker"), event(2, text="pytest", project="billing"),
        commit(9, "fix LED-731", "retry.py"), page(12, "the pull request"),
    )  # fmt: skip

    found = connector(store).of_entity("project", "billing", 10)

    assert found.entity is not None
    assert found.entity.name == "billing"
    assert told(found.led_here) == ["LED-731 in the tracker"]
    assert told(found.came_of_it) == ["fix LED-731", "the pull request"]
    assert [one.why for one in found.came_of_it] == ["of it", "just after"]


def test_a_site_leads_to_the_note_that_was_taken_from_it(store: Store) -> None:
    note = event(4, kind="note", title="use advisory locks")
    remembered(store, event(0, text="psql billing"), page(2, "advisory locks"), note)

    found = connector(store).of_entity("domain", "example.org", 10)

    assert (told(found.led_here), told(found.came_of_it)) == (["psql billing"], ["use advisory locks"])


def test_what_is_trivial_or_an_hour_off_led_nowhere(store: Store) -> None:
    remembered(store, page(0, "long ago"), event(59, text="ls"), event(60, text="pytest", project="billing"))

    assert connector(store).of_entity("project", "billing", 10).led_here == ()


def test_within_a_session_only_the_last_quarter_of_an_hour_led_there(store: Store) -> None:
    remembered(store, page(0, "a"), page(8, "b"), page(16, "c"), event(24, text="pytest", project="billing"))

    assert told(connector(store).of_entity("project", "billing", 10).led_here) == ["c"]


def test_what_was_made_is_told_before_a_window_that_was_in_front(store: Store) -> None:
    remembered(
        store, page(0, "how to lock"), event(1, until=3, kind="window", title="Inbox", app="Mail"),
        event(4, text="ls"), event(5, until=6, kind="window", title="Chat", app="Slack"), commit(7, "lock", "a.py"),
    )  # fmt: skip

    found = connector(store).of_event(id_of(store, "how to lock"), 1)

    assert told(found.came_of_it) == ["lock"]
    assert found.more_after
    everything = connector(store).of_event(id_of(store, "how to lock"), 10)
    assert told(everything.came_of_it) == ["Inbox", "Chat", "lock"], "looking around came of nothing"


def test_what_is_not_there_gives_nothing(store: Store) -> None:
    assert connector(store).of_event(7, 10) == Connections()
    assert connector(store).of_entity("project", "nowhere", 10) == Connections()


def test_connections_cross_to_another_process_whole(store: Store) -> None:
    remembered(store, page(0, "how to lock"), commit(3, "take a lock", "retry.py"))
    found = connector(store).of_event(id_of(store, "take a lock"), 10)

    assert decode(encode(found)) == found
