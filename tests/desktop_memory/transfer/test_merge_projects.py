"""What was decided about projects comes along: once and where nothing was here with a merge, as it is with a backup."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from collectors.repository import Checkout
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.project import Project
from desktop_memory.store.store import Store
from desktop_memory.transfer.backup import make
from desktop_memory.transfer.merge import merge
from desktop_memory.transfer.restore import restore
from tests.desktop_memory.transfer.decided import FIRST, OTHER, decide, decide_anything, follow, ran, window
from tests.factories import NOON, FakeClock, at
from tests.stubs import memory_over

Open = Callable[[str], tuple[Memory, Store]]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    stores: list[Store] = []

    def opened(name: str) -> tuple[Memory, Store]:
        clock = FakeClock(at(10_000))
        stores.append(Store.open(tmp_path / name, clock=clock))
        return memory_over(stores[-1], clock), stores[-1]

    yield opened
    for store in stores:
        store.close()


def quiet(what: str, share: float) -> bool:
    return False


def taken(desk: tuple[Memory, Store], laptop: tuple[Memory, Store]) -> int:
    return merge(desk[0], desk[1], desk[1].path.parent, laptop[1].path.parent, quiet).projects


def known(memory: Memory) -> dict[str, tuple[int, bool, tuple[str, ...]]]:
    def line(project: Project) -> tuple[int, bool, tuple[str, ...]]:
        return project.events, project.archived, project.merged

    return {project.name: line(project) for project in memory.projects()}


def rules(memory: Memory) -> list[tuple[str, str, str, int]]:
    return [(rule.kind, rule.pattern, rule.project, rule.events) for rule in memory.project_rules()]


def test_rules_names_merges_and_archives_come_along_once(opened: Open) -> None:
    laptop, desk = opened("laptop"), opened("desk")
    decide(laptop[0])
    desk[0].learn(Checkout(name="api", folders=("/src/api",), first=FIRST))
    desk[0].remember([ran(100, "/src/api", "api"), window(102, "Nordwind offer at the desk")])

    assert taken(desk, laptop) == 4
    assert known(desk[0]) == {
        "Billing": (4, False, ("scripts",)),
        "Client A": (2, False, ()),
        "old": (1, True, ()),
    }
    assert rules(desk[0]) == [("title", "Nordwind", "Client A", 2)]
    assert [hit.event.text for hit in desk[0].search(Query(project="api", kinds=("terminal",))).hits]

    before = known(desk[0])
    assert taken(desk, laptop) == 0
    assert known(desk[0]) == before


def test_the_past_that_came_along_follows_when_a_decision_is_taken_back(opened: Open) -> None:
    laptop, desk = opened("laptop"), opened("desk")
    decide(laptop[0])
    taken(desk, laptop)

    for change in desk[0].project_changes():
        desk[0].undo_project_change(change.id)
    follow(desk[0])

    assert known(desk[0]) == {"api": (2, False, ()), "scripts": (1, False, ()), "old": (1, False, ())}
    assert taken(desk, laptop) == 0, "what was taken back here stays so"
    assert rules(desk[0]) == []


def test_what_was_decided_here_counts(opened: Open) -> None:
    laptop, desk = opened("laptop"), opened("desk")
    decide(laptop[0])
    desk[0].learn(Checkout(name="api", folders=("/src/api",), first=FIRST))
    desk[0].remember([ran(100, "/src/api", "api"), window(102, "Nordwind at the desk")])
    desk[0].rename_project("api", "Invoices")
    desk[0].add_project_rule("title", "Nordwind", "Client B")
    desk[0].archive_project("Invoices")
    follow(desk[0])

    taken(desk, laptop)

    assert known(desk[0]) == {
        "Invoices": (4, True, ("scripts",)),
        "Client B": (2, False, ()),
        "old": (1, True, ()),
    }


def test_another_repository_of_the_same_name_is_not_renamed(opened: Open) -> None:
    laptop, desk = opened("laptop"), opened("desk")
    decide(laptop[0])
    desk[0].learn(Checkout(name="api", folders=("/work/api",), first=OTHER))
    desk[0].remember([ran(100, "/work/api", "api")])

    taken(desk, laptop)

    assert known(desk[0])["api"] == (1, False, ())


def test_a_name_that_is_another_projects_here_is_left_to_it(opened: Open) -> None:
    laptop, desk = opened("laptop"), opened("desk")
    decide(laptop[0])
    desk[0].remember([ran(100, "/src/billing", "Billing")])
    desk[0].learn(Checkout(name="api", folders=("/src/api",), first=FIRST))

    taken(desk, laptop)

    assert known(desk[0])["Billing"][0] >= 1
    assert taken(desk, laptop) == 0


def test_a_backup_brings_all_of_it_back_and_nothing_twice(opened: Open, tmp_path: Path) -> None:
    memory, store = opened("data")
    decide(memory)
    make(store.path.parent, tmp_path / "b.zip", NOON, quiet)
    restore(tmp_path / "back", tmp_path / "b.zip", NOON, quiet)

    back = opened("back")
    assert known(back[0]) == known(memory)
    assert rules(back[0]) == rules(memory)
    assert len(back[0].project_changes()) == len(memory.project_changes())

    assert taken((memory, store), back) == 0
    assert known(memory) == known(back[0])


@pytest.mark.parametrize("seed", [3, 17, 81])
def test_whatever_was_decided_on_two_machines_is_taken_over_once(opened: Open, seed: int) -> None:
    chance = random.Random(seed)
    both = [opened("laptop"), opened("desk")]
    for _ in range(20):
        decide_anything(chance.choice(both)[0], chance)

    for one, other in (both, both[::-1], both):
        taken(one, other)
        before = known(one[0])
        assert taken(one, other) == 0
        assert known(one[0]) == before
