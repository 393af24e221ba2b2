"""Counts that read no events leave out what the rules hide, once they were judged; whatever happens meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_memory.cli import report
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.settings import Privacy
from desktop_memory.status import status
from desktop_memory.store import density, hiding
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over

RULES = {
    "title": Privacy(exclude_titles=("zanzi.ar",)),
    "command": Privacy(exclude_commands=("^deploy",)),
    "folder": Privacy(exclude_paths=("/secret",)),
    "hours": Privacy(exclude_hours=("10:00-10:30",)),
    "only": Privacy(only_apps=("Code",)),
}


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(density, "MOST_JUDGED", 0)
    monkeypatch.setattr(hiding, "BATCH", 3)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=FakeClock(at(600)))
    yield opened
    opened.close()


@pytest.fixture
def memory(store: Store) -> Memory:
    """Five events that each of the rules hides, five that none does."""
    memory = memory_over(store, FakeClock(at(600)))
    memory.remember(
        event(10 + n, text=f"deploy {n}", title="Zanzibar", app="Term", files=("/secret/a",), project="Rose",
              utc_offset=0)
        for n in range(5)
    )  # fmt: skip
    memory.remember(
        event(60 + n, text=f"make {n}", app="Code", project="Rose", utc_offset=0) for n in range(5)
    )
    return memory


def take(memory: Memory, privacy: Privacy) -> None:
    memory._parts.gate.take(privacy)


def follow(memory: Memory) -> None:
    while memory.follow_rules():
        pass


def counted(memory: Memory) -> tuple[int, int]:
    """Of a long stretch, and of the project."""
    of_days = sum(count for _, _, count in memory.density(at(-60), at(1_200), 60.0))
    return of_days, sum(project.events for project in memory.projects())


@pytest.mark.parametrize("rule", RULES)
def test_what_a_rule_hides_is_not_counted_and_is_again_when_the_rule_goes(memory: Memory, rule: str) -> None:
    follow(memory)
    assert counted(memory) == (10, 10)

    take(memory, RULES[rule])
    follow(memory)
    hidden = counted(memory)
    take(memory, Privacy())
    follow(memory)

    assert hidden == (
        5,
        0 if rule == "only" else 5,
    )  # a project by its name alone is none of what is recorded
    assert counted(memory) == (10, 10)


def test_what_comes_in_between_is_counted_and_ends_the_work(memory: Memory) -> None:
    take(memory, RULES["title"])
    memory.follow_rules(lambda: True)
    memory.remember([event(200, text="make more", project="Rose")])

    follow(memory)

    assert counted(memory) == (6, 6)
    assert not memory.follow_rules()


def test_rules_that_change_in_the_middle_begin_anew(memory: Memory) -> None:
    take(memory, RULES["title"])
    memory.follow_rules(lambda: True)
    memory.follow_rules(lambda: True)
    take(memory, Privacy(exclude_commands=("^make",)))

    follow(memory)

    assert counted(memory) == (5, 5)
    assert memory.density(at(50), at(100), 60.0) == []


def test_what_was_forgotten_by_a_rule_and_taken_back_stays_out_of_counts(
    memory: Memory, store: Store
) -> None:
    take(memory, RULES["title"])
    follow(memory)
    memory.forget_excluded(now=False)
    memory.undo_forget()

    follow(memory)

    assert store.count(Query()) == 10
    assert counted(memory) == (5, 5)


def test_another_start_goes_on_where_the_last_one_ended(tmp_path: Path, memory: Memory, store: Store) -> None:
    take(memory, RULES["title"])
    for _ in range(3):
        memory.follow_rules(lambda: True)
    left = hiding.left(store.read(), memory._rules_key())
    again = Store.open(tmp_path / "data", clock=FakeClock(at(600)))
    other = memory_over(again, FakeClock(at(600)))
    take(other, RULES["title"])

    assert left is not None
    assert 0 < left[1] < 10
    assert hiding.left(again.read(), other._rules_key()) == left
    follow(other)
    assert counted(other) == (5, 5)
    again.close()


def test_status_counts_what_is_stored_and_says_how_much_of_it_is_hidden(
    memory: Memory, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def told() -> str:
        monkeypatch.setattr(report, "_status", lambda _: status(memory, running=True))
        report.print_status(tmp_path, False)
        return capsys.readouterr().out.splitlines()[0]

    follow(memory)
    before = told()

    take(memory, RULES["title"])
    follow(memory)

    assert "hidden" not in before
    assert "· 10 events, " in told()
    assert "· 5 of them hidden by rules ·" in told()

    take(memory, Privacy())
    follow(memory)
    assert "hidden" not in told()


def test_settings_that_hide_nothing_judge_nothing_anew(memory: Memory) -> None:
    follow(memory)

    take(memory, Privacy(aliases=("Rose = Tulip",), keep=("browser = 90 days",)))

    assert not memory.follow_rules()


def test_what_a_project_rule_matches_is_counted_without_what_is_hidden(memory: Memory) -> None:
    take(memory, RULES["command"])
    follow(memory)

    assert memory.preview_project_rule("title", "Zanzibar").events == 0

    memory.add_project_rule("app", "Term", "Tulip")
    while memory.follow_projects():
        pass
    assert [rule.events for rule in memory.project_rules()] == [0]
