"""A large forget goes in steps: others write in between, and what ends half way leaves nothing in two minds."""

from __future__ import annotations

import pytest

from desktop_memory.model import Query
from desktop_memory.store import forget
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.invariants import broken

COUNT = 25
ALL = Query(since=at(0), until=at(100))
EVENTS = [event(n, text=f"quokka {n}", project=f"p{n % 3}", aliases=(f"also {n}",)) for n in range(COUNT)]


def put(store, *events):
    return dict(store.record([Incoming(event=e, body=e.text) for e in events]))


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(forget, "STEP", 10)
    store = Store.open(tmp_path / "memory", clock=FakeClock(at(200)))
    put(store, *EVENTS, event(150, text="later"))
    yield store
    store.close()


def stopping(monkeypatch, after):
    """Let the forget end, as by a kill, before it has made so many steps."""
    made = []
    step = forget.Forget.step

    def counted(self, connection, now):
        if len(made) == after:
            raise KeyboardInterrupt
        made.append(1)
        return step(self, connection, now)

    monkeypatch.setattr(forget.Forget, "step", counted)


def test_all_of_it_goes_and_comes_back(store):
    before = [(e.key, e.start, e.text, e.project) for e in store.all_events()]
    found, removed = store.forget(ALL, undoable=True)

    assert (len(found), removed.texts) == (COUNT, COUNT)
    assert [e.text for e in store.all_events()] == ["later"]
    assert put(store, *EVENTS) == {"forgotten": COUNT}

    assert store.take_back() == COUNT
    assert sorted((e.key, e.start, e.text, e.project) for e in store.all_events()) == sorted(before)
    assert put(store, *EVENTS) == {"known": COUNT}
    assert put(store, event(3, text="a new one", identity="also 3")) == {"known": 1}
    assert store.take_back(removed.batch) is None
    store.close()
    assert broken(store.path.parent) == []


def test_others_write_in_between(store, monkeypatch):
    """What is recorded meanwhile is kept, unless it is of the forgotten stretch."""
    outcomes = []
    step = forget.Forget.step

    def between(self, connection, now):
        some = step(self, connection, now)
        if self.more:
            monkeypatch.setattr(store, "_shorten_log", lambda: outcomes.append(put(store, *wanted)))
        return some

    wanted = [event(160, text="meanwhile"), event(50, text="late quokka")]
    monkeypatch.setattr(forget.Forget, "step", between)
    store.forget(ALL, undoable=True)

    assert outcomes[0] == {"new": 1, "forgotten": 1}
    assert [e.text for e in store.all_events()] == ["later", "meanwhile"]


@pytest.mark.parametrize("undoable", [True, False])
@pytest.mark.parametrize("after", [1, 2])
def test_one_that_ended_half_way_is_gone_on_with(store, monkeypatch, undoable, after):
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        stopping(patch, after)
        store.forget(ALL, undoable=undoable)
    folder = store.path.parent
    store.close()
    assert broken(folder) == []

    again = Store.open(folder, clock=FakeClock(at(201)))
    assert again.count() == COUNT + 1 - 10 * after
    assert put(again, event(2, text="quokka 2")) == {"forgotten": 1}, "what went stays away"
    again.purge(at(0))
    assert [e.text for e in again.all_events()] == ["later"]
    assert put(again, *EVENTS) == {"forgotten": COUNT}
    if undoable:
        assert again.take_back() == COUNT
        assert put(again, *EVENTS) == {"known": COUNT}
    else:
        assert again.take_back() is None
    again.close()
    assert broken(folder) == []
    holding = [file.name for file in folder.iterdir() if b"quokka" in file.read_bytes()]
    assert bool(holding) == undoable


def test_half_of_one_can_be_taken_back(store, monkeypatch):
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        stopping(patch, 2)
        store.forget(ALL, undoable=True)

    assert store.take_back() == 20
    assert store.count() == COUNT + 1
    assert put(store, *EVENTS) == {"known": COUNT}
    store.close()
    assert broken(store.path.parent) == []


def test_one_that_is_for_good_cannot_be_taken_back_half_way(store, monkeypatch):
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        stopping(patch, 2)
        store.forget(ALL)

    assert store.take_back() is None


def test_nothing_is_purged_while_a_forget_is_on_its_way(store, monkeypatch):
    purged = []
    monkeypatch.setattr(store, "_shorten_log", lambda: purged.append(store.purge(at(1_000))))
    store.forget(ALL, undoable=True)
    assert purged == [0, 0]
    assert store.take_back() == COUNT
