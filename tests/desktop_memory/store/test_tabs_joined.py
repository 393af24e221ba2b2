"""A window gets the address of the page that it showed, whichever of the two is known first."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from collectors.event import Event, identity
from desktop_memory.memory import Memory
from desktop_memory.model import Query, Remembered
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over

TITLE = "Explicit Locking – PostgreSQL"
URL = "https://www.postgresql.org/docs/16/explicit-locking.html"


@pytest.fixture
def memory(store: Store, clock: FakeClock) -> Memory:
    clock.now = at(30)
    return memory_over(store, clock)


def visit(minutes: float = 1, title: str = TITLE, url: str = URL, app: str = "Firefox") -> Event:
    return event(
        minutes,
        kind="browser",
        title=title,
        url=url,
        domain=url.split("/")[2].removeprefix("www."),
        app=app,
        identity=identity("visit", url, str(minutes)),
    )


def window(minutes: float = 1, until: float = 4, title: str = TITLE, *, open: bool = False) -> Event:
    return event(
        minutes,
        until=until,
        kind="window",
        title=f"{title} — Mozilla Firefox",
        app="Firefox",
        open=open,
        identity=identity("window", str(minutes)),
    )


def the_window(memory: Memory) -> Remembered:
    (found,) = memory._store.between(None, None, query=Query(kinds=("window",)))
    return found


@pytest.mark.parametrize(
    "order", [[visit(), window()], [window(), visit()]], ids=["visit first", "window first"]
)
def test_a_window_gets_the_address_of_its_page(memory: Memory, order: Sequence[Event]) -> None:
    for one in order:
        memory.remember([one])

    found = the_window(memory)
    assert (found.url, found.domain) == (URL, "postgresql.org")
    assert [(change.what, change.event) for change in memory._store.changes(0, 10)] == [("edit", found.id)]


def test_what_is_still_open_is_joined_and_goes_on(memory: Memory) -> None:
    memory.remember([window(until=2, open=True)])
    memory.remember([visit()])
    memory.remember([window(until=9)])

    found = the_window(memory)
    assert (found.url, found.end, found.open) == (URL, at(9), False)
    assert len(memory._store.changes(0, 10)) == 1


def test_a_title_that_comes_late_joins_then(memory: Memory) -> None:
    memory.remember([visit(title="Loading", url=URL), window()])
    assert the_window(memory).url == ""

    memory.remember([visit(title=TITLE, url=URL)])

    assert the_window(memory).url == URL


def test_the_window_is_found_by_its_site_and_forgotten_with_it(memory: Memory) -> None:
    memory.remember([window(), visit(), visit(20, "Other", "https://example.org/")])

    connected = memory.connected("domain", "postgresql.org")
    memory.forget(Query(domain="postgresql.org"))

    assert {one.kind for one in connected.events} == {"window", "browser"}
    assert [one.title for one in memory._store.all_events()] == ["Other"]


def test_a_rule_about_the_site_gives_the_window_its_project_too(memory: Memory) -> None:
    memory.add_project_rule("domain", "postgresql.org", "billing-api")
    memory.remember([window()])
    memory.remember([visit()])

    assert the_window(memory).project == "billing-api"
    found = memory.search(Query(text="billing", kinds=("window",))).hits
    assert [hit.event.project for hit in found] == ["billing-api"]


def test_search_finds_a_page_and_its_window_as_one(memory: Memory) -> None:
    memory.remember([window(), visit(), window(20, 22)])

    assert [hit.event.kind for hit in memory.search(Query(text="explicit locking")).hits] == ["browser"]


def test_working_memory_tells_a_page_and_its_window_once(memory: Memory) -> None:
    memory.remember([window(20, 25), visit(20), window(26, 27, "PR #482")])

    lines = [line.line.split("] ")[1] for line in memory.now(15).lines]

    assert lines == [
        f"browser: {TITLE} | postgresql.org",
        "window: Firefox — PR #482 — Mozilla Firefox",
    ]


def test_pages_of_another_browser_and_other_titles_are_left_alone(memory: Memory) -> None:
    memory.remember([window(), visit(app="Google Chrome"), visit(2, "Explicit Lock")])

    assert the_window(memory).url == ""


def test_a_window_of_no_browser_is_never_a_page(memory: Memory) -> None:
    memory.remember([visit(), event(1, until=3, kind="window", title=TITLE, app="Notes")])

    assert the_window(memory).url == ""
