"""A project is known again wherever it goes, and what the user says of it acts on the past and can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from collectors.event import Event
from collectors.repository import Checkout
from desktop_memory.errors import KnownError, UsageError
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.settings import Privacy
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over

FIRST = "5b1d0c6f2a9e47d3b8c1f0e6a7d94c25831fb02e"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path, clock=FakeClock(at(600)))
    yield opened
    opened.close()


@pytest.fixture
def memory(store: Store) -> Memory:
    return memory_over(store, store.clock)


def follow(memory: Memory) -> None:
    while memory.follow_projects():
        pass


def window(minutes: float, title: str, app: str = "Word", **more: Any) -> Event:
    return event(minutes, until=minutes + 1, kind="window", title=title, app=app, **more)


def ran(minutes: float, folder: str, project: str, **more: Any) -> Event:
    return event(minutes, text=f"make {minutes}", project=project, details={"cwd": folder}, **more)


def page(url: str, domain: str, minutes: float = 1) -> Event:
    return event(minutes, kind="browser", title="a page", url=url, domain=domain)


def titles(memory: Memory, project: str) -> list[str]:
    hits = memory.search(Query(project=project, limit=100)).hits
    return sorted(hit.event.title or hit.event.text for hit in hits)


def edits(store: Store) -> set[int]:
    return {change.event for change in store.changes(0, 10_000) if change.what == "edit"}


# repositories


def test_a_repository_that_was_moved_and_renamed_is_the_same_project(memory: Memory):
    memory.learn(Checkout(name="api", folders=("/src/api",), first=FIRST))
    memory.remember([ran(1, "/src/api", "api")])

    memory.learn(Checkout(name="api-new", folders=("/work/api-new",), first=FIRST))
    memory.remember([ran(2, "/work/api-new", "api-new"), window(3, "a.py - api-new", project="api-new")])

    assert titles(memory, "api") == ["a.py - api-new", "make 1", "make 2"]
    assert titles(memory, "API-New") == titles(memory, "api")
    assert [project.name for project in memory.projects()] == ["api"]


def test_what_came_before_the_moved_repository_was_known_again_joins_it(memory: Memory, store: Store):
    memory.learn(Checkout(name="api", folders=("/src/api",), first=FIRST))
    memory.remember([ran(1, "/src/api", "api"), ran(2, "/work/api-new/sub", "api-new")])

    memory.learn(Checkout(name="api-new", folders=("/work/api-new",), first=FIRST))
    follow(memory)

    assert titles(memory, "api") == ["make 1", "make 2"]
    assert edits(store) == {2}
    assert memory.project_changes()[0].what == "learn"


def test_two_repositories_of_one_name_are_two_projects(memory: Memory):
    memory.remember([ran(1, "/a/api", "api"), ran(2, "/b/api", "api")])

    memory.learn(Checkout(name="api", folders=("/a/api",), first=FIRST))
    memory.learn(Checkout(name="api", folders=("/b/api",), first="f" * 40))
    memory.remember([ran(3, "/b/api/deep/down", "api")])
    follow(memory)

    assert titles(memory, "api") == ["make 1"]
    assert titles(memory, "api (b)") == ["make 2", "make 3"]


def test_worktrees_clones_and_shallow_clones_are_one_project(memory: Memory):
    remote = "example.org/team/api"
    memory.learn(Checkout(name="api", folders=("/src/api", "/src/api-fix"), first=FIRST, remote=remote))
    memory.learn(Checkout(name="clone", folders=("/tmp/clone",), first=FIRST))
    memory.learn(Checkout(name="shallow", folders=("/tmp/shallow",), first="e" * 40, remote=remote))

    memory.remember(
        [ran(1, "/src/api-fix", "api"), ran(2, "/tmp/clone", "clone"), ran(3, "/tmp/shallow", "shallow")]
    )

    assert titles(memory, "api") == ["make 1", "make 2", "make 3"]


def test_knowing_a_repository_already_writes_nothing(memory: Memory, store: Store):
    checkout = Checkout(name="api", folders=("/src/api",), first=FIRST, remote="example.org/api")
    memory.learn(checkout)
    before = store.read().execute("PRAGMA data_version").get

    memory.learn(checkout)

    assert store.read().execute("PRAGMA data_version").get == before


# rules


def test_a_rule_acts_on_what_comes_and_on_the_past(memory: Memory, store: Store):
    memory.remember([window(1, "Nordwind AG.docx - Word"), window(2, "Other.docx - Word")])

    assert memory.preview_project_rule("title", "nordwind").events == 1
    change = memory.add_project_rule("title", "nordwind", "Client A")
    follow(memory)
    memory.remember([window(3, "Mail to Nordwind - Outlook")])

    assert titles(memory, "client a") == ["Mail to Nordwind - Outlook", "Nordwind AG.docx - Word"]
    assert edits(store) == {1}
    assert memory.project_rules()[0].events == 2
    assert [(c.id, c.moved, c.running) for c in memory.project_changes()] == [(change.id, 1, False)]
    assert [project.name for project in memory.projects()] == ["Client A"]
    assert memory.session(event=1)[0].projects == ("Client A",)  # type: ignore[index]


@pytest.mark.parametrize(
    ("kind", "pattern", "matching"),
    [
        ("domain", "https://www.Example.org/x", page("https://docs.example.org/q", "docs.example.org")),
        ("domain", "bücher.example", page("https://bücher.example/", "bücher.example")),
        ("folder", "/clients/nordwind/", event(1, text="make", details={"cwd": "/clients/nordwind/2026"})),
        ("folder", "/clients/北風", event(1, kind="file", title="a", files=("/clients/北風/報告.odt",))),
        ("folder", "/clients", event(1, kind="git_commit", title="a", details={"cwd": "/clients/x"})),
        ("app", "zoom", event(1, kind="window", title="a", app="us.zoom.Zoom")),
        ("title", "会議.*議事録", event(1, kind="window", title="今日の会議：議事録 📝")),
    ],
)  # fmt: skip
def test_each_kind_of_rule_matches_stored_and_new_events_alike(
    memory: Memory, kind: str, pattern: str, matching: Event
):
    others = [
        event(50, text="make", details={"cwd": "/clients-of-others/nordwind"}),
        event(51, kind="browser", title="b", url="https://notexample.org/", domain="notexample.org"),
        event(52, kind="window", title="b", app="zoomer"),
    ]
    memory.remember([matching, *others])
    memory.add_project_rule(kind, pattern, "顧客 A")
    follow(memory)
    memory.remember([replace(matching, identity="again", start=at(5), end=None)])

    found = memory.search(Query(project="顧客 A")).hits

    assert sorted(hit.event.start for hit in found) == [at(1), at(5)]


def test_removing_a_rule_gives_back_what_there_was(memory: Memory, store: Store):
    memory.remember([window(1, "Nordwind - x", project="own"), window(2, "Nordwind - y")])
    rule = memory.add_project_rule("title", "Nordwind", "P")
    follow(memory)
    memory.remember([window(3, "Nordwind - z", project="own")])
    assert titles(memory, "P") == ["Nordwind - x", "Nordwind - y", "Nordwind - z"]

    memory.remove_project_rule(memory.project_rules()[0].id)
    follow(memory)

    assert titles(memory, "own") == ["Nordwind - x", "Nordwind - z"]
    assert [
        hit.event.title for hit in memory.search(Query(kinds=("window",))).hits if not hit.event.project
    ] == ["Nordwind - y"]
    assert rule.what == "rule"
    assert (
        store.read().execute("SELECT count(*) FROM event WHERE told IS NOT NULL OR rule IS NOT NULL").get == 0
    )


def test_reading_a_source_again_neither_doubles_nor_resets_what_a_rule_gave(memory: Memory):
    seen = [window(1, "Nordwind - x", project="own"), window(2, "Nordwind - y")]
    memory.remember(seen)
    memory.add_project_rule("title", "Nordwind", "P")
    follow(memory)

    again = memory.remember([*seen, replace(seen[0], end=at(9))])

    assert again.new == 0
    assert titles(memory, "P") == ["Nordwind - x", "Nordwind - y"]
    memory.remove_project_rule(memory.project_rules()[0].id)
    follow(memory)
    assert titles(memory, "own") == ["Nordwind - x"]


def test_a_title_that_comes_late_is_judged_by_the_rules(memory: Memory):
    memory.add_project_rule("title", "Nordwind", "P")
    visit = event(
        1, kind="browser", title="", text="", url="https://x.example/", domain="x.example", identity="v"
    )
    memory.remember([replace(visit, title="")])

    memory.remember([replace(visit, title="Nordwind report")])

    assert titles(memory, "P") == ["Nordwind report"]


def test_the_newer_rule_wins_and_the_older_one_comes_back(memory: Memory):
    memory.remember([window(1, "Nordwind audit")])
    memory.add_project_rule("title", "Nordwind", "old")
    memory.add_project_rule("title", "audit", "new")
    follow(memory)
    assert titles(memory, "new") == ["Nordwind audit"]

    memory.remove_project_rule(memory.project_rules()[0].id)
    follow(memory)

    assert titles(memory, "old") == ["Nordwind audit"]


def test_commits_and_notes_stay_where_they_were_put(memory: Memory):
    memory.remember([event(1, kind="git_commit", title="Nordwind fix", project="api", repo=FIRST)])
    memory.note("Nordwind called", project="calls")
    memory.add_project_rule("title", "Nordwind", "P")
    follow(memory)

    assert titles(memory, "api") == ["Nordwind fix"]
    assert titles(memory, "calls") == ["Nordwind called"]


@pytest.mark.parametrize(
    ("kind", "pattern"),
    [("title", "(a+)+$"), ("title", "["), ("title", ""), ("title", "a?" * 40), ("domain", "no site"), ("domain", " "),
     ("folder", "relative"), ("app", ""), ("mood", "x"), ("title", "(?P<x>" * 300)],
)  # fmt: skip
def test_a_rule_that_cannot_be_used_is_refused_before_anything_is_written(
    memory: Memory, kind: str, pattern: str
):
    with pytest.raises(UsageError):
        memory.add_project_rule(kind, pattern, "P")
    with pytest.raises(UsageError):
        memory.preview_project_rule(kind, pattern)

    assert memory.project_rules() == []
    assert memory.projects() == []


# rename, merge, archive, undo


def test_a_renamed_project_is_found_by_both_names_and_its_sources_go_on_leading_to_it(memory: Memory):
    memory.remember([ran(1, "/src/api", "api", branch="main")])
    memory.pin("goal", "ship it", project="api")

    memory.rename_project("api", "Billing 請求")
    memory.remember([ran(2, "/src/api", "api", branch="main")])
    follow(memory)

    assert titles(memory, "API") == titles(memory, "billing 請求") == ["make 1", "make 2"]
    assert {hit.event.project for hit in memory.search(Query(text="make")).hits} == {"Billing 請求"}
    assert memory.pins()[0].project == "Billing 請求"
    assert {hit.event.text for hit in memory.search(Query(text="請求", phrases=False)).hits} == {
        "make 1",
        "make 2",
    }
    assert {hit.event.text for hit in memory.search(Query(text="api")).hits} == {"make 1", "make 2"}
    assert len(memory.connected("branch", "main").events) in (0, 2)
    branches = [e for n in (1, 2) for e in memory._store.entities_of(n) if e.kind == "branch"]
    assert len({branch.id for branch in branches}) == 1


def test_a_name_that_is_taken_is_refused(memory: Memory):
    memory.remember([ran(1, "/a", "one"), ran(2, "/b", "two")])

    with pytest.raises(UsageError, match="already"):
        memory.rename_project("one", "TWO")
    memory.rename_project("two", "three")
    with pytest.raises(UsageError, match="leads to"):
        memory.rename_project("one", "two")
    with pytest.raises(UsageError, match="no project"):
        memory.rename_project("nobody", "x")
    with pytest.raises(UsageError):
        memory.rename_project("one", " \n ")

    memory.rename_project("three", "two")
    assert titles(memory, "three") == ["make 2"]


def test_merging_moves_what_is_stored_and_undoing_parts_it_again(memory: Memory, store: Store):
    memory.remember([ran(1, "/a", "one"), ran(2, "/b", "two"), ran(3, "/c", "three")])

    first = memory.merge_projects("one", "two")
    memory.merge_projects("two", "three")
    follow(memory)
    memory.remember([ran(4, "/a", "one")])
    assert titles(memory, "three") == titles(memory, "one") == ["make 1", "make 2", "make 3", "make 4"]
    assert [(p.name, p.merged) for p in memory.projects()] == [("three", ("one", "two"))]
    with pytest.raises(UsageError, match="one project"):
        memory.merge_projects("three", "one")

    memory.undo_project_change(first.id)
    follow(memory)

    assert titles(memory, "one") == ["make 1", "make 4"]
    assert titles(memory, "three") == ["make 2", "make 3"]
    assert edits(store) >= {1, 2, 4}


def test_each_change_can_be_undone_once(memory: Memory):
    memory.remember([window(1, "Nordwind", project="own")])
    rule = memory.add_project_rule("title", "Nordwind", "P")
    follow(memory)
    renamed = memory.rename_project("P", "Q")
    archived = memory.archive_project("Q")

    for change in (archived, renamed, rule):
        memory.undo_project_change(change.id)
    follow(memory)

    assert titles(memory, "own") == ["Nordwind"]
    assert [(p.name, p.archived, p.names) for p in memory.projects()] == [
        ("own", False, ()),
        ("P", False, ()),
    ]
    assert [(c.project, c.other) for c in memory.project_changes() if c.what == "rename"] == [("Q", "P")]
    with pytest.raises(KnownError, match="cannot be undone"):
        memory.undo_project_change(rule.id)


def test_an_archived_project_is_not_offered_but_found(memory: Memory):
    memory.remember([ran(500, "/a", "one"), ran(501, "/b", "two")])

    memory.archive_project("two")

    assert memory.latest_projects() == ["one"]
    assert memory.standing().project == "one"  # type: ignore[union-attr]
    assert memory.standing("two").project == "two"  # type: ignore[union-attr]
    assert titles(memory, "two") == ["make 501"]
    memory.archive_project("two", False)
    assert memory.latest_projects() == ["two", "one"]


def test_forgetting_and_taking_back_keeps_what_the_source_told(memory: Memory):
    memory.remember([window(1, "Nordwind", project="own")])
    memory.add_project_rule("title", "Nordwind", "P")
    follow(memory)

    memory.forget(Query(project="P"), now=False)
    memory.undo_forget()
    assert titles(memory, "P") == ["Nordwind"]
    memory.remove_project_rule(memory.project_rules()[0].id)
    follow(memory)

    assert titles(memory, "own") == ["Nordwind"]


def test_a_forgotten_project_leaves_no_name_behind(memory: Memory, store: Store, tmp_path: Path):
    memory.learn(Checkout(name="zanzibar", folders=("/src/zanzibar",), first=FIRST))
    memory.remember([ran(1, "/src/zanzibar", "zanzibar"), ran(2, "/x", "other")])
    memory.rename_project("zanzibar", "timbuktu")
    follow(memory)

    memory.forget(Query(project="timbuktu"))

    raw = b"".join(file.read_bytes() for file in tmp_path.glob("memory.sqlite*"))
    assert b"zanzibar" not in raw
    assert b"timbuktu" not in raw


def test_an_excluded_project_stays_out_under_every_name(store: Store):
    memory = memory_over(store, store.clock, privacy=Privacy(exclude_projects=("secret", "P")))
    memory.remember([ran(1, "/a", "open"), ran(2, "/b", "other")])
    with store.transaction() as connection:
        connection.execute("INSERT INTO entity (kind, norm, name) VALUES ('project', 'secret', 'secret')")
    memory.rename_project("secret", "quiet")
    memory.merge_projects("other", "quiet")
    memory.add_project_rule("title", "Nordwind", "P")

    receipt = memory.remember(
        [ran(3, "/s", "secret"), ran(4, "/b", "other"), window(5, "Nordwind"), ran(6, "/a", "open")]
    )

    assert (receipt.new, receipt.dropped) == (1, 3)


def test_an_excluded_new_name_keeps_out_what_the_source_calls_by_the_old_one(store: Store):
    memory = memory_over(store, store.clock, privacy=Privacy(exclude_projects=("quiet",)))
    memory.remember([ran(1, "/a", "loud"), ran(2, "/b", "open")])
    memory.rename_project("loud", "quiet")
    memory.merge_projects("quiet", "open")

    receipt = memory.remember([ran(3, "/a", "loud"), ran(4, "/b", "open")])

    assert (receipt.new, receipt.dropped) == (1, 1)


def test_others_go_on_seeing_a_renamed_project_by_its_alias(memory: Memory):
    memory.remember([ran(1, "/a", "Nordwind AG"), ran(2, "/b", "Nordwind AG, review"), ran(3, "/c", "own")])
    memory.rename_project("Nordwind AG", "nw-internal")
    memory.rename_project("Nordwind AG, review", "NW Prüfung")
    memory.rename_project("own", "mine")

    walls, aliases = memory.project_outlet(["nordwind ag"], ["Nordwind AG = Client A"])

    assert walls == ["nordwind ag", "nw-internal", "Nordwind AG"]
    assert set(aliases) == {
        "Nordwind AG = Client A",
        "nw-internal = Client A",
        "NW Prüfung = Client A, review",
    }


def test_what_is_written_late_about_a_forgotten_project_is_dropped_under_every_name(
    memory: Memory, store: Store
):
    memory.remember([ran(590, "/a", "old"), ran(591, "/b", "other"), window(592, "Nordwind")])
    memory.rename_project("old", "new")
    memory.merge_projects("other", "new")
    memory.add_project_rule("title", "Nordwind", "new")
    follow(memory)

    assert memory.forget(Query(project="new", since=at(500))).events == 3
    late = [
        ran(593, "/a", "old"),
        ran(594, "/b", "other"),
        window(595, "Nordwind mail"),
        ran(596, "/c", "open"),
    ]
    memory.remember(late)

    assert [hit.event.text for hit in memory.search(Query(limit=10, kinds=("terminal", "window"))).hits] == [
        "make 596"
    ]
