"""The engine asks sources in turn and keeps watchers alive; one that fails leaves the others running."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from collectors.collector import Unavailable
from collectors.event import Gap
from desktop_memory.engine import Engine
from desktop_memory.memory import Memory
from desktop_memory.receipts import Receipt
from desktop_memory.store.place_states import GONE
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import ScriptedSource, ScriptedWatch, memory_over


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(at(30))


@pytest.fixture
def store(tmp_path: Path, clock: FakeClock) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def memory(store: Store, clock: FakeClock) -> Memory:
    return memory_over(store, clock)


def engine(memory: Memory, store: Store, clock: FakeClock, *sources: object, poll: float = 3_600) -> Engine:
    return Engine(memory, store, sources, poll_seconds=poll, clock=clock)  # type: ignore[arg-type]


@contextmanager
def started(working: Engine) -> Iterator[Engine]:
    """An engine that is stopped whatever the test finds."""
    working.start()
    try:
        yield working
    finally:
        working.stop()


def eventually(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)


def states(memory: Memory) -> dict[str, str]:
    return {place.source: place.state for place in memory.places()}


def test_a_source_is_read_batch_by_batch_to_its_end(memory, store, clock):
    source = ScriptedSource("a", [[event(1)], [event(2)], [event(3)]])

    receipt = engine(memory, store, clock, source).collect()

    assert (receipt.new, source.asked) == (3, 3)
    assert engine(memory, store, clock, source).collect().new == 0


def test_a_failing_source_leaves_the_others_running(memory, store, clock):
    sources = [
        ScriptedSource("broken", [RuntimeError("a bug")]),
        ScriptedSource("absent", [Unavailable("The file is locked.", "Close the browser.")]),
        ScriptedSource("well", [[event(1)]]),
    ]

    receipt = engine(memory, store, clock, *sources).collect()

    assert receipt.new == 1
    assert states(memory) == {"broken": "failing", "absent": "unavailable", "well": "ok"}
    advice = {place.source: place.advice for place in memory.places()}
    assert advice["absent"] == "The file is locked. Close the browser."


def test_a_source_that_cannot_go_on_from_its_cursor_reads_anew(memory, store, clock):
    source = ScriptedSource("theirs", [[event(1)], [event(2)]])
    place = next(iter(source.places()))
    memory.remember((event(1),), place=place, cursor={"at": "nonsense"})

    receipt = engine(memory, store, clock, source).collect()

    assert (receipt.new, receipt.known) == (1, 1)
    assert states(memory) == {"theirs": "ok"}


def test_three_failures_back_a_source_off_and_it_is_never_switched_off(memory, store, clock):
    source = ScriptedSource("shy", [Unavailable("gone")] * 99)
    working = engine(memory, store, clock, source, poll=0.01)

    with started(working):
        eventually(lambda: store.retry_at("shy", "here") is not None)
        asked = source.asked
        time.sleep(0.1)
        assert source.asked <= asked + 1
        source.script[:] = [[event(1)]]
        clock.advance(60)
        eventually(lambda: states(memory)["shy"] == "ok")

    assert store.count() == 1


def test_a_request_by_hand_does_not_wait_for_the_back_off(memory, store, clock):
    source = ScriptedSource("shy", [Unavailable("gone")] * 5)
    working = engine(memory, store, clock, source)
    for _ in range(4):
        working.collect()

    source.script[0] = [event(1)]

    assert working.collect().new == 1


def test_a_watcher_tells_as_things_happen(memory, store, clock):
    watch = ScriptedWatch("window")
    working = engine(memory, store, clock, watch)
    with started(working):
        assert watch.watching.wait(5)

        watch.tell(event(1, kind="window", title="retry.py"))
        watch.tell(Gap(start=at(2), end=at(3), reason="locked"))

        assert working.live()["window"]["watching"]
        assert working.live()["window"]["backend"] == "script"
    assert store.count() == 1
    assert [gap.reason for gap in store.gaps(at(0), at(9))] == ["locked"]


def test_a_watcher_that_cannot_watch_says_why(memory, store, clock):
    working = engine(memory, store, clock, ScriptedWatch("window", Unavailable("No display.", "Log in.")))
    with started(working):
        eventually(lambda: states(memory).get("window") == "unavailable")
        eventually(lambda: not working.live()["window"]["watching"])

        assert working.live()["window"]["advice"] == "No display. Log in."


def test_a_source_that_is_switched_off_rests_at_once_and_can_come_back(memory, store, clock):
    watch, source = ScriptedWatch("window"), ScriptedSource("a", [[event(1)]])
    working = engine(memory, store, clock, watch, source)
    working.off = frozenset({"a"})
    with started(working):
        assert watch.watching.wait(5)
        assert source.asked == 0

        working.off = frozenset({"window"})
        working.wake()

        eventually(lambda: source.asked > 0)
        eventually(lambda: not watch.watching.is_set())
        assert working.live() == {}


def test_nothing_is_asked_or_watched_while_paused(memory, store, clock):
    watch, source = ScriptedWatch("window"), ScriptedSource("a", [[event(1)]])
    memory.pause()
    working = engine(memory, store, clock, watch, source)
    with started(working):
        time.sleep(0.1)

        assert source.asked == 0
        assert not watch.watching.is_set()

        memory.resume()
        working.wake()
        assert watch.watching.wait(5)
        eventually(lambda: source.asked > 0)


def test_a_span_that_was_open_when_the_pause_began_ends_there(memory, store, clock):
    memory.remember([event(20, until=29, kind="window", title="draft", open=True)])
    memory.pause()
    clock.advance(10)

    memory.remember([event(20, until=40, kind="window", title="draft", open=True)])

    assert store.event(1).end == at(30)
    assert not store.event(1).open


def test_time_in_which_the_recorder_did_not_run_is_a_gap(memory, store, clock):
    engine(memory, store, clock).stop()
    clock.advance(90)

    working = engine(memory, store, clock)
    with started(working):
        pass

    assert store.gaps(at(0), at(300)) == [Gap(start=at(30), end=at(120), reason="not running")]


def test_places_with_nothing_new_are_written_down_in_one_go(memory, store, clock, monkeypatch):
    working = engine(
        memory, store, clock, *(ScriptedSource(name, [[event(n)]]) for n, name in enumerate("abc"))
    )
    working.collect()
    clock.now = at(45)
    written: list[str] = []
    remember = memory.remember
    monkeypatch.setattr(memory, "remember", lambda *told, **at_: written.append("") or remember(*told, **at_))

    working.collect()

    assert written == []
    assert store.last_alive() is None  # who reads once does not record
    assert {place.source: place.last_success for place in memory.places()} == dict.fromkeys("abc", at(45))


def test_a_place_that_failed_and_has_nothing_new_works_again(memory, store, clock):
    source = ScriptedSource("a", [[event(1)], [], Unavailable("Locked.", "")])
    working = engine(memory, store, clock, source)
    working.collect()
    assert states(memory) == {"a": "unavailable"}
    source.script[2:] = []

    working.collect()

    assert states(memory) == {"a": "ok"}


def test_a_place_that_is_gone_is_said_to_be_and_works_when_it_is_back(memory, store, clock):
    source = ScriptedSource("a", [[event(1)]], places=("here", "there"))
    working = engine(memory, store, clock, source)
    working.collect()

    source._places = ("there",)
    working.collect()
    without = {place.place: (place.state, place.advice) for place in memory.places()}
    source._places = ("here", "there")
    working.collect()

    assert without == {"here": ("waiting", GONE), "there": ("ok", "")}
    assert {place.place: (place.state, place.advice) for place in memory.places()} == {
        "here": ("ok", ""),
        "there": ("ok", ""),
    }


def test_a_source_that_could_not_be_had_leaves_no_complaint_once_it_can(memory, store, clock):
    source = ScriptedSource("a", [[event(1)]])
    store.place_failed("a", "", "unavailable", "It is locked.")

    engine(memory, store, clock, source).collect()

    assert [(place.place, place.state) for place in memory.places()] == [("here", "ok")]


def test_a_first_reading_can_be_ended_and_rests_until_it_is_asked_for(memory, store, clock):
    large = ScriptedSource("large", [[event(n)] for n in range(6)])
    later = ScriptedSource("later", [[event(10)]])
    working = engine(memory, store, clock, large, later, poll=0.01)
    told: list[tuple[str, int, dict[str, object]]] = []

    def progress(place: str, so_far: Receipt, share: float | None) -> None:
        told.append((place, so_far.new, dict(*working.readings.current())))
        if so_far.new == 2:
            working.readings.cancel()

    assert working.collect(progress=progress).new == 2
    assert told[-1] == ("here", 2, {"source": "large", "place": "here", "read": 2, "new": 2, "share": None})
    assert working.readings.current() == []
    with started(working):
        time.sleep(0.2)
        assert (store.count(), later.asked) == (2, 0)
    assert engine(memory, store, clock, large, later).collect().new == 5


class StoppedFor:
    """Stands in for the wait between two turns: the process is stopped in it, while all clocks go on."""

    def __init__(self, clock: FakeClock, minutes: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock, self.minutes, self.passed = clock, minutes, 0.0
        monkeypatch.setattr("desktop_memory.engine.time.monotonic", lambda: self.passed)

    def wait(self, seconds: float) -> None:
        self.clock.advance(self.minutes)
        self.passed += self.minutes * 60

    def clear(self) -> None:
        pass


@pytest.mark.parametrize(("minutes", "lost"), [(180, 1), (2, 0)])
def test_the_hours_in_which_the_process_was_stopped_were_not_recorded(
    memory, store, clock, monkeypatch, minutes, lost
):
    working = engine(memory, store, clock)
    working._wake = StoppedFor(clock, minutes, monkeypatch)

    working._rest(60.0)

    expected = [Gap(start=at(30), end=at(30 + minutes), reason="not running")]
    assert store.gaps(at(0), at(600)) == expected[:lost]


def test_a_machine_that_slept_is_told_of_by_who_saw_it_sleep(memory, store, clock, monkeypatch):
    working = engine(memory, store, clock)
    stopped = StoppedFor(clock, 180, monkeypatch)
    stopped.wait = lambda seconds: clock.advance(180)  # the monotonic clock stands still in sleep
    working._wake = stopped

    working._rest(60.0)

    assert store.gaps(at(0), at(600)) == []
