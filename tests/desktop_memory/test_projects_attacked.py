"""Projects under attack: walls through any renames and merges, kills in the middle, recording meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from desktop_memory.context.outlet import Outlet
from desktop_memory.context.stores import StoreSources
from desktop_memory.errors import KnownError
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.settings import Privacy
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.running import ROOT
from tests.stubs import memory_over

NAMES = ("Nordwind AG", "open", "beta", "γάμμα", "計画")
FRESH = ("Nordwind AG", "open", "beta", "x", "客", "Y y")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path, clock=FakeClock(at(6000)))
    yield opened
    opened.close()


def follow(memory: Memory, batches: int = 10**6) -> None:
    while batches and memory.follow_projects():
        batches -= 1


# walls

_step = st.one_of(
    st.tuples(st.just("rename"), st.sampled_from(NAMES + FRESH), st.sampled_from(FRESH)),
    st.tuples(st.just("merge"), st.sampled_from(NAMES + FRESH), st.sampled_from(NAMES + FRESH)),
    st.tuples(st.just("undo"), st.integers(1, 8), st.just("")),
    st.tuples(st.just("remember"), st.sampled_from(NAMES), st.just("")),
    st.tuples(st.just("follow"), st.just(""), st.just("")),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(_step, max_size=8))
@example(
    steps=[
        ("merge", "Nordwind AG", "open"),
        ("follow", "", ""),
        ("merge", "open", "beta"),
        ("follow", "", ""),
    ]
)
@example(steps=[("merge", "Nordwind AG", "open"), ("follow", "", ""), ("undo", 1, "")])
@example(steps=[("rename", "Nordwind AG", "x"), ("remember", "Nordwind AG", ""), ("rename", "x", "客")])
def test_whatever_is_renamed_or_merged_a_wall_an_exclusion_and_an_alias_hold(
    steps: list[tuple[str, object, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = Store.open(tmp_path_factory.mktemp("memory"), clock=FakeClock(at(6000)))
    try:
        privacy = Privacy(walled_projects=("Nordwind AG",), aliases=("Nordwind AG = Client A",))
        memory = memory_over(store, store.clock, privacy=privacy)
        memory.remember([event(n, text=f"secret of {name}", project=name) for n, name in enumerate(NAMES)])
        for number, (what, one, other) in enumerate(steps):
            with suppress(KnownError):
                _do(memory, what, one, other, number)
            _hold(memory, store, privacy)
        follow(memory)
        _hold(memory, store, privacy)
    finally:
        store.close()


def _do(memory: Memory, what: str, one: object, other: str, number: int) -> None:
    if what == "rename":
        memory.rename_project(str(one), other)
    elif what == "merge":
        memory.merge_projects(str(one), other)
    elif what == "undo":
        memory.undo_project_change(int(str(one)))
    elif what == "remember":
        memory.remember([event(100 + number, text=f"secret of {one}", project=str(one))])
    else:
        follow(memory)


def _hold(memory: Memory, store: Store, privacy: Privacy) -> None:
    sources = StoreSources.__new__(StoreSources)
    sources._store, sources._privacy = store, lambda: privacy
    walled = {name.casefold() for name in sources.walled()}
    outlet = Outlet(lambda text: (text, {}), sources.aliases())
    for hit in memory.search(Query(kinds=("terminal",), limit=100)).hits:
        if hit.event.text == "secret of Nordwind AG":
            assert hit.event.project.casefold() in walled
        assert "nordwind" not in outlet.words(hit.event.project)[0].casefold()
    excluding = memory_over(store, store.clock, privacy=Privacy(exclude_projects=("Nordwind AG",)))
    assert excluding.remember([event(999, text="more of it", project="Nordwind AG")]).dropped == 1


# kills and company

_SWEEP = """
import sys
from pathlib import Path
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at
store = Store.open(Path(sys.argv[1]), clock=FakeClock(at(6000)))
print("going", flush=True)
while store.follow_projects():
    pass
"""


@pytest.mark.parametrize("kills", [4])
def test_killed_in_the_middle_it_goes_on_where_it_was(tmp_path: Path, kills: int) -> None:
    store = Store.open(tmp_path, clock=FakeClock(at(60_000)))
    memory = memory_over(store, store.clock)
    memory.remember(
        [
            event(n, kind="window", title=f"Nordwind {n}" if n % 2 else f"other {n}", project="own")
            for n in range(4_000)
        ]
    )
    memory.add_project_rule("title", "Nordwind", "P")
    store.close()

    for number in range(kills):
        child = subprocess.Popen(
            [sys.executable, "-c", _SWEEP, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, env=os.environ
        )
        assert child.stdout is not None
        child.stdout.readline()
        with suppress(subprocess.TimeoutExpired):
            child.wait(timeout=0.02 * (number + 1))
        child.send_signal(signal.SIGKILL)
        child.communicate()

    store = Store.open(tmp_path, clock=FakeClock(at(60_000)))
    memory = memory_over(store, store.clock)
    follow(memory)
    try:
        assert store.count(Query(project="P")) == 2_000
        assert store.count(Query(project="own")) == 2_000
        assert memory.project_changes()[0].moved == 2_000
        assert store.problems() == []
    finally:
        store.close()


def test_recording_and_undoing_while_events_follow_leaves_nothing_behind(store: Store) -> None:
    memory = memory_over(store, store.clock)
    memory.remember([event(n, kind="window", title=f"Nordwind {n}", project="own") for n in range(3_000)])
    done = threading.Event()

    def record() -> None:
        minutes = 10_000
        while not done.is_set():
            memory.remember([event(minutes, kind="window", title=f"Nordwind {minutes}", project="own")])
            minutes += 1

    recorder = threading.Thread(target=record, name="recorder")
    recorder.start()
    try:
        change = memory.add_project_rule("title", "Nordwind", "P")
        memory.follow_projects(lambda: True)
        two = [threading.Thread(target=follow, args=(memory,), name=f"follower-{n}") for n in range(2)]
        for one in two:
            one.start()
        for one in two:
            one.join()
        assert store.count(Query(project="own")) == 0
        memory.undo_project_change(change.id)
        follow(memory)
    finally:
        done.set()
        recorder.join()

    assert store.count(Query(project="P")) == 0
    assert store.count(Query(project="own")) == store.count()


def test_a_change_can_be_cancelled_in_the_middle(store: Store) -> None:
    memory = memory_over(store, store.clock)
    memory.remember([event(n, kind="window", title=f"Nordwind {n}", project="own") for n in range(2_000)])
    change = memory.add_project_rule("title", "Nordwind", "P")
    memory.follow_projects(lambda: True)
    (running,) = memory.project_changes()
    assert running.running
    assert 0 < running.moved < 2_000

    memory.undo_project_change(change.id)
    follow(memory)

    assert store.count(Query(project="own")) == 2_000
    assert memory.project_rules() == []


def test_what_was_moved_and_then_forgotten_is_in_no_byte_of_the_file(store: Store, tmp_path: Path) -> None:
    memory = memory_over(store, store.clock)
    memory.remember([event(n, kind="window", title=f"Zanzibar {n}", project="own") for n in range(900)])
    memory.add_project_rule("title", "Zanzibar", "P")
    follow(memory)

    memory.forget(Query(project="P"))
    rule = memory.project_rules()[0].id
    memory.remove_project_rule(rule)

    raw = b"".join(file.read_bytes() for file in tmp_path.glob("memory.sqlite*"))
    assert raw.count(b"anzibar ") == 0
