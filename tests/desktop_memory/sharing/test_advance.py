"""How far an exchange with the shared folder is, and ending it half way."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_memory.sharing import writing
from tests.factories import event
from tests.machines import PASSPHRASE, Machine, machine


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Machine, Machine]]:
    """A laptop with much to tell and a desk that has heard nothing yet; segments are small."""
    monkeypatch.setattr(writing, "FULL_BYTES", 20_000)
    monkeypatch.setattr(writing, "_CHUNK", 50)
    laptop, desk = (machine(tmp_path / name, tmp_path / "shared") for name in ("laptop", "desk"))
    laptop.memory.remember([event(n, text=f"step {n}") for n in range(500)])
    desk.see(0.5, "at the desk")
    for each in (laptop, desk):
        each.sharing.on(each.folder, PASSPHRASE)
    yield laptop, desk
    for each in (laptop, desk):
        each.store.close()


def test_it_is_told_how_far_a_turn_is(pair: tuple[Machine, Machine]) -> None:
    laptop, desk = pair
    told: list[tuple[str, float]] = []

    def note(what: str, share: float) -> bool:
        told.append((what, share))
        return False

    laptop.sharing.turn(note)
    assert {what for what, _ in told} == {"writing"}
    assert told[0][1] == 0.0
    assert told[-1][1] == 1.0
    assert len({share for _, share in told}) > 5

    told.clear()
    desk.sharing.turn(note)
    shares = [share for _, share in told]
    assert told[0][0] == "reading"
    assert shares == sorted(shares)
    assert len(set(shares)) > 5
    assert shares[-1] == 1.0
    assert desk.sharing.progress[0] == "", "nothing is under way any more"


@pytest.mark.parametrize("after", [0, 1, 3])
def test_what_was_done_stays_and_the_next_turn_goes_on(pair: tuple[Machine, Machine], after: int) -> None:
    laptop, desk = pair

    def enough() -> object:
        left = iter(range(after))
        return lambda what, share: next(left, None) is None

    turns = [laptop.sharing.turn(enough())]
    assert turns[0].cancelled
    while (turn := laptop.sharing.turn(enough())).cancelled and len(turns) < 100:
        turns.append(turn)
        if after == 0:
            break
    laptop.sharing.turn()
    assert desk.sharing.turn(enough()).cancelled
    read = len(desk.texts)
    assert read < 501
    desk.sharing.turn()
    laptop.sharing.turn()
    assert laptop.texts == desk.texts
    assert len(desk.texts) == 501


def test_who_waits_for_another_turn_hears_of_it_and_can_end_it(pair: tuple[Machine, Machine]) -> None:
    laptop, _ = pair
    begun, go_on = threading.Event(), threading.Event()

    def slow(what: str, share: float) -> bool:
        begun.set()
        return not go_on.wait(20)

    ended: list[bool] = []
    other = threading.Thread(
        target=lambda: ended.append(laptop.sharing.turn(slow).cancelled), name="Thread-other"
    )
    other.start()
    assert begun.wait(20)
    heard: list[tuple[str, float]] = []

    def look(what: str, share: float) -> bool:
        heard.append((what, share))
        return True

    assert laptop.sharing.turn(look).cancelled
    go_on.set()
    other.join(20)

    assert heard == [("writing", 0.0)]
    assert ended == [True]
