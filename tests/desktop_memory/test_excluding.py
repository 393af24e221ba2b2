"""A rule acts on what is stored already: hidden from every outlet at once, and forgotten when that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from collectors.event import Event
from desktop_memory.memory import Memory
from desktop_memory.model import CopiedContext, Query, Remembered, Source
from desktop_memory.settings import Privacy
from desktop_memory.store import copies
from desktop_memory.store.store import Store
from desktop_memory.store.whole import Cancelled
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over

HIDDEN = "Zanzibar"

RULES: dict[str, Privacy] = {
    "app": Privacy(exclude_apps=("Slack",)),
    "title": Privacy(exclude_titles=("zanzi.ar",)),
    "site": Privacy(exclude_domains=("slack.example",)),
    "folder": Privacy(exclude_paths=("/secret",)),
    "project": Privacy(exclude_projects=("old tulip",)),
    "hours": Privacy(exclude_hours=("10:00-10:30",)),
    "only": Privacy(only_apps=("Code",)),
}

READS: dict[str, Callable[[Memory, Store], object]] = {
    "search": lambda memory, store: memory.search(Query(text="budget", with_sessions=True)),
    "filter": lambda memory, store: memory.search(Query(kinds=("browser",))),
    "recent": lambda memory, store: memory.recent(5),
    "timeline": lambda memory, store: memory.timeline(at(-60), at(200)),
    "around": lambda memory, store: memory.around(at(10)),
    "session": lambda memory, store: memory.session(at(10)),
    "sessions": lambda memory, store: memory.sessions(None, None),
    "event": lambda memory, store: [memory.event(1), memory.events([1, 2])],
    "connected": lambda memory, store: memory.connected("file", "/secret/plan.txt").events,
    "standing": lambda memory, store: memory.standing("Tulip"),
    "latest projects": lambda memory, store: memory.latest_projects(),
    "export": lambda memory, store: list(store.all_events()),
}


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(tmp_path: Path, clock: FakeClock) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def memory(store: Store, clock: FakeClock) -> Memory:
    memory = memory_over(store, clock)
    memory.remember(
        [
            event(
                10, kind="browser", app="Slack", title=f"{HIDDEN} budget", project="old tulip", utc_offset=0,
                url=f"https://slack.example/{HIDDEN}", domain="slack.example", files=("/secret/plan.txt",),
            ),
            event(40, kind="window", app="Code", title="budget.py", project="Rose", utc_offset=0),
        ]
    )  # fmt: skip
    clock.now = at(60)
    memory.rename_project("old tulip", "Tulip")
    return memory


def _take(memory: Memory, privacy: Privacy) -> None:
    memory._parts.gate.take(privacy)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_hides_what_is_stored_from_every_outlet_at_once(
    memory: Memory, store: Store, rule: str
) -> None:
    before = {name: repr(read(memory, store)) for name, read in READS.items()}
    assert sum(HIDDEN in told for told in before.values()) >= 8

    _take(memory, RULES[rule])

    for name, read in READS.items():
        assert HIDDEN not in repr(read(memory, store)), name
    assert [e.title for e in store.all_events()] == ["budget.py"]
    named = {app for session in memory.sessions(None, None) for app in session.apps}
    assert named == ({"Code"} if rule in ("app", "only") else {"Code", "Slack"})

    _take(memory, Privacy())
    assert {name: repr(read(memory, store)) for name, read in READS.items()} == before


def test_what_a_rule_hides_takes_nobodys_place(memory: Memory, store: Store) -> None:
    memory.remember([event(50 + n / 100, kind="window", app="Slack", title=f"chat {n}") for n in range(60)])
    _take(memory, RULES["app"])

    found = memory.search(Query(kinds=("window",), limit=1))

    assert [hit.event.title for hit in found.hits] == ["budget.py"]


def test_a_saved_copy_does_not_tell_what_a_rule_hides_since(memory: Memory, store: Store) -> None:
    sources = (Source(n=1, event=1, text=f"{HIDDEN} budget"), Source(n=2, event=2, text="budget.py"))
    made = CopiedContext(tag="ctx-a", format="text", text="", tokens=1, sources=sources, title=HIDDEN)
    with store.transaction() as connection:
        copies.save(connection, made, {}, ["", ""], at(60))
    assert HIDDEN in repr(memory.copied("ctx-a"))
    assert HIDDEN in repr(memory.copies())

    _take(memory, RULES["app"])
    (listed,) = memory.copies()
    assert (listed.title, listed.records, listed.sources) == ("", 2, ())

    again = memory.copied("ctx-a")
    assert again is not None
    assert HIDDEN not in repr(again)
    assert [source.text for source in again.sources] == ["", "budget.py"]


def test_a_look_at_the_past_tells_how_far_it_is_and_can_be_ended(memory: Memory) -> None:
    memory.remember([event(n, title=f"page {n} of {HIDDEN}", app="Reader") for n in range(100, 1_100)])
    _take(memory, RULES["title"])
    judge, shares = memory._why_not, [0.0]

    def judged(event: Event, *, timeless: bool = False) -> str:
        shares.append(memory.excluded_share())
        if shares[-1] > 0.5:
            memory.cancel_excluded()
        return judge(event, timeless=timeless)

    memory._why_not = judged  # type: ignore[method-assign]
    with pytest.raises(Cancelled):
        memory.preview_excluded()

    assert shares == sorted(shares)
    assert 0.5 < shares[-1] < 0.51
    assert memory.excluded_share() == 0.0
    memory._why_not = judge  # type: ignore[method-assign]
    assert memory.preview_excluded().events == 1_001


def test_what_came_after_a_preview_goes_too_and_a_new_rule_is_asked_anew(
    memory: Memory, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun_at: list[int] = []
    real = store.all_there_are

    def noted(chunk: int = 500, after: int = 0) -> Iterator[Remembered]:
        begun_at.append(after)
        return real(chunk, after)

    monkeypatch.setattr(store, "all_there_are", noted)
    memory.remember([event(50, title=f"{HIDDEN} again", app="Reader")])
    last = store.last_id()
    _take(memory, RULES["title"])
    assert memory.preview_excluded().events == 2
    assert memory.forget_excluded().events == 2
    assert begun_at == [0, last]

    _take(memory, RULES["only"])
    memory.remember([event(55, title="made in Code", app="Code")])
    assert memory.forget_excluded().events == 0
    assert begun_at == [0, last, 0]


@pytest.mark.parametrize("rule", ["title", "project"])
def test_rules_are_applied_to_the_past_after_a_preview(memory: Memory, store: Store, rule: str) -> None:
    assert memory.preview_excluded().events == 0
    assert memory.forget_excluded().batch is None
    _take(memory, RULES[rule])

    preview = memory.preview_excluded()
    assert (preview.events, [e.title for e in preview.newest]) == (1, [f"{HIDDEN} budget"])
    assert len(preview.rules) == 1
    assert memory.forget_excluded(now=False).events == 1

    _take(memory, Privacy())
    assert [e.title for e in store.all_events()] == ["budget.py"]
    assert memory.undo_forget() == 1
    assert store.count() == 2


def test_days_are_counted_without_what_a_rule_hides(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def kinds() -> list[tuple[str, int]]:
        return [(kind, count) for kind, _, count in memory.density(at(0), at(60), 3_600)]

    assert kinds() == [("browser", 1), ("window", 1)]
    _take(memory, RULES["app"])
    assert kinds() == [("window", 1)]
    monkeypatch.setattr("desktop_memory.store.density.MOST_JUDGED", 1)
    for rule in ("app", "site", "project"):
        _take(memory, RULES[rule])
        assert kinds() == [("window", 1)], rule
    memory.remember([event(45, kind="window", app="Zulip", title="chat")])
    _take(memory, Privacy(exclude_apps=("Slack", "Zulip")))
    assert kinds() == [("window", 1)], "names that came since"
    for rule in ("title", "only"):
        _take(memory, RULES[rule])
        assert kinds() == [("browser", 1), ("window", 2)], "of very many, all are counted"


def test_an_excluded_project_is_not_listed(memory: Memory) -> None:
    _take(memory, RULES["project"])

    assert [project.name for project in memory.projects()] == ["Rose"]

    _take(memory, RULES["site"])
    assert {project.name: project.events for project in memory.projects()} == {"Rose": 1, "Tulip": 0}


def test_what_is_hidden_can_be_forgotten_by_its_time_too(memory: Memory, store: Store) -> None:
    _take(memory, RULES["app"])

    assert memory.preview_forget(Query(since=at(0), until=at(20))).events == 1
    assert memory.forget(Query(since=at(0), until=at(20))).events == 1
    assert store.count() == 1


def test_excluded_hours_leave_the_names_of_what_other_hours_hold(memory: Memory) -> None:
    _take(memory, Privacy(exclude_hours=("20:00-09:00",)))

    sessions = memory.sessions(None, None)
    named = {name for session in sessions for name in (*session.apps, *session.projects)}
    assert named == {"Code", "Slack", "Rose", "Tulip"}
