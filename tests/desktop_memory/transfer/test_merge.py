"""Two memories become one: what both know stays one, what one was told to forget goes in both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from collectors.event import Gap, identity
from desktop_memory.errors import KnownError
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.receipts import Merged
from desktop_memory.settings import Privacy
from desktop_memory.store.store import FILE_NAME, Store
from desktop_memory.store.whole import Cancelled
from desktop_memory.transfer.backup import make
from desktop_memory.transfer.merge import merge
from tests.factories import NOON, FakeClock, at, event
from tests.running import ask, zsh_history
from tests.stubs import memory_over

FIRST = 1_786_615_200


@dataclass(frozen=True)
class Machine:
    folder: Path
    store: Store
    memory: Memory

    def take(self, other: Machine) -> Merged:
        return merge(self.memory, self.store, self.folder, other.folder, lambda what, share: False)

    @property
    def texts(self) -> list[str]:
        return [found.text or found.title for found in self.store.between(None, None, limit=1_000)]


def machine(folder: Path, privacy: Privacy | None = None) -> Machine:
    clock = FakeClock(at(10_000))
    store = Store.open(folder, clock=clock)
    return Machine(folder, store, memory_over(store, clock, privacy=privacy))


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[Machine]:
    made = machine(tmp_path / "laptop")
    yield made
    made.store.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Machine]:
    made = machine(tmp_path / "desk")
    yield made
    made.store.close()


def test_both_days_lie_in_one_order(laptop: Machine, desk: Machine) -> None:
    laptop.memory.remember([event(0, text="on the laptop"), event(20, text="laptop again")])
    desk.memory.remember([event(10, text="at the desk")])

    merged = desk.take(laptop)

    assert merged.receipt.new == 2
    assert desk.texts == ["on the laptop", "at the desk", "laptop again"]
    devices = {found.text: found.device for found in desk.store.all_events()}
    assert devices["at the desk"] == desk.store.profile.device
    assert devices["on the laptop"] == laptop.store.profile.device


def test_twice_adds_nothing_and_the_other_is_untouched(laptop: Machine, desk: Machine) -> None:
    laptop.memory.remember([event(0, text="on the laptop")])
    before = (laptop.folder / FILE_NAME).read_bytes()
    desk.take(laptop)

    assert desk.take(laptop).receipt.new == 0
    assert (laptop.folder / FILE_NAME).read_bytes() == before


def test_what_both_recorded_is_one(laptop: Machine, desk: Machine) -> None:
    """A commit that was pulled, a visit that was synchronised: one thing, under two secrets."""
    commit = event(0, kind="git_commit", title="Fix the parser", details={"hash": "abc"})
    laptop.memory.remember([commit])
    desk.memory.remember([commit])

    assert desk.take(laptop).receipt.known == 1
    assert desk.texts == ["Fix the parser"]
    laptop.memory.forget(Query(kinds=("git_commit",)))
    assert desk.take(laptop).forgotten == 1


def test_reading_the_other_machines_history_here_adds_nothing(laptop: Machine, desk: Machine) -> None:
    """The machine was set up anew: its histories are here, its memory was merged."""
    hooked = event(0, text="make", aliases=(identity("hook", 1),))
    laptop.memory.remember([hooked])
    desk.take(laptop)

    assert desk.memory.remember([hooked]).known == 1
    by_alias = replace(hooked, identity=identity("hook", 1), aliases=())
    assert desk.memory.remember([by_alias]).known == 1
    assert desk.texts == ["make"]


def test_forgetting_travels(laptop: Machine, desk: Machine) -> None:
    secret = event(0, text="buy a ring", app="Notes")
    laptop.memory.remember([secret])
    desk.take(laptop)
    laptop.memory.forget(Query(app="Notes", since=at(-5), until=at(5)))

    merged = desk.take(laptop)

    assert merged.forgotten == 1
    assert desk.texts == []
    assert desk.memory.remember([secret]).new == 0
    late = event(1, text="ring sizes", app="notes")
    assert desk.memory.remember([late]).new == 0, "a late flush into the forgotten stretch"
    assert desk.memory.remember([event(1, text="make", app="kitty")]).new == 1
    assert b"buy a ring" not in (desk.folder / FILE_NAME).read_bytes()


def test_a_pause_there_is_not_refilled_here(laptop: Machine, desk: Machine) -> None:
    clock = FakeClock(at(0))
    store = laptop.store
    paused = memory_over(store, clock)
    paused.pause()
    clock.advance(30)
    paused.resume()

    desk.take(laptop)
    assert desk.memory.remember([event(10, text="in private")]).new == 0
    assert desk.memory.remember([event(40, text="after")]).new == 1


def test_rules_here_act_on_what_comes(laptop: Machine, tmp_path: Path) -> None:
    laptop.memory.remember([event(0, text="a", app="Slack"), event(1, text="b", app="kitty")])
    strict = machine(tmp_path / "strict", Privacy(exclude_apps=("Slack",)))

    assert strict.take(laptop).receipt.dropped == 1
    assert strict.texts == ["b"]
    strict.store.close()


def test_gaps_keep_their_device_and_pins_come_once(laptop: Machine, desk: Machine) -> None:
    laptop.memory.remember([event(0, text="a"), Gap(start=at(5), end=at(50), reason="asleep")])
    laptop.memory.pin("goal", "Ship it")
    done = laptop.memory.pin("goal", "Old thing")
    laptop.memory.set_pin_status(done.id, "done")
    desk.memory.pin("goal", "ship it")

    merged = desk.take(laptop)

    assert [(gap.start, gap.reason) for gap in desk.store.gaps(at(0), at(60))] == [(at(5), "asleep")]
    assert (merged.pins, merged.receipt.gaps) == (1, 1)
    assert desk.take(laptop).receipt.gaps == 0
    assert [pin.text for pin in desk.memory.pins()] == ["ship it"]


def test_from_a_backup_and_cancelled_half_way(laptop: Machine, desk: Machine, tmp_path: Path) -> None:
    laptop.memory.remember([event(n, text=f"make {n}") for n in range(2_500)])
    backup = tmp_path / "b.zip"
    make(laptop.folder, backup, NOON, lambda what, share: False)

    with pytest.raises(Cancelled):
        merge(desk.memory, desk.store, desk.folder, backup, lambda what, share: what == "merging")
    assert desk.store.count() == 1_000
    merged = merge(desk.memory, desk.store, desk.folder, backup, lambda what, share: False)
    assert (merged.receipt.new, merged.receipt.known) == (1_500, 1_000)


def test_itself_and_nothing_are_refused(desk: Machine, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for other in (desk.folder, tmp_path / "empty", tmp_path / "none"):
        with pytest.raises(KnownError):
            merge(desk.memory, desk.store, desk.folder, other, lambda what, share: False)


def test_as_a_user(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        zsh_history(tmp_path / name, [(FIRST + n, f"{name} {n}") for n in range(5)])
        ask(tmp_path / name, "collect")

    told = ask(tmp_path / "one", "merge", str(tmp_path / "two" / "memory"))
    assert told["new"] == 5
    assert ask(tmp_path / "one", "status")["events"] == 10
