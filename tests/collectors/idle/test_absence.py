"""When somebody is away, decided from idle times alone."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.idle.absence import Absence
from tests.factories import NOON


def second(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


class Person:
    """Inputs at given seconds, and what is decided when looking as often as asked."""

    def __init__(self, *inputs: float, absence: Absence | None = None) -> None:
        self.inputs = sorted(inputs)
        self.absence = absence or Absence()
        self.told: list[tuple[str, float]] = []
        self.looks = 0
        self.now = 0.0

    def until(self, end: float) -> list[tuple[str, float]]:
        while self.now < end:
            idle = self.now - max((i for i in self.inputs if i <= self.now), default=0.0)
            at = second(self.now)
            self.looks += 1
            if (since := self.absence.leaves(at, idle)) is not None:
                self.told.append(("away", round((since - NOON).total_seconds(), 6)))
            elif (since := self.absence.returns(at, idle)) is not None:
                self.told.append(("back", round((since - NOON).total_seconds(), 6)))
            self.now += self.absence.seconds_to_next(at, idle)
        return self.told


def test_three_minutes_without_input_are_an_absence_since_the_last_input():
    assert Person(0, 10, 50).until(231) == [("away", 50)]


def test_less_is_not():
    assert Person(*range(0, 1000, 170)).until(1000) == []


def test_it_is_seen_within_seconds():
    person = Person(0, 50)

    person.until(230)
    assert person.told == []
    person.until(232)
    assert person.told == [("away", 50)]


def test_the_return_counts_from_its_first_input():
    told = Person(0, *[500 + step for step in range(60)]).until(600)

    assert told[0] == ("away", 0)
    kind, since = told[1]
    assert kind == "back"
    assert 500 <= since <= 510


def test_one_stray_input_does_not_end_an_absence():
    assert Person(0, 1000).until(3000) == [("away", 0)]


def test_single_strays_through_a_night_do_not_either():
    assert Person(0, 1000, 2000, 3000, 4000).until(5000) == [("away", 0)]


def test_two_inputs_that_follow_each_other_do():
    assert Person(0, 1000, 1100).until(1200) == [("away", 0), ("back", 1000)]


def test_after_the_return_it_takes_three_minutes_again():
    told = Person(0, 1000, 1100).until(1400)

    assert told == [("away", 0), ("back", 1000), ("away", 1100)]


def test_who_is_certainly_there_is_not_away_for_another_three_minutes():
    absence = Absence()

    absence.here(second(500))

    assert absence.leaves(second(600), 600) is None
    assert absence.leaves(second(679), 679) is None
    assert absence.leaves(second(680), 680) == second(500)


def test_a_clock_set_back_does_not_keep_anybody_away():
    absence = Absence()
    assert absence.leaves(second(10_200), 200) == second(10_000)

    absence.clock_moved(timedelta(seconds=-9_000))

    assert absence.returns(second(1_300), 1) is None
    assert absence.returns(second(1_305), 1) == second(1_299)


def test_looking_is_rare():
    busy = Person(*range(0, 3600, 5))
    away = Person(0)

    busy.until(3600)
    away.until(3600)

    assert busy.looks <= 3600 / 30 + 1
    assert away.looks <= 3600 / 10 + 1


@given(st.lists(st.floats(0, 5000), max_size=80), st.floats(10, 300))
@settings(deadline=None)
def test_absences_and_returns_alternate_and_never_go_back_in_time(inputs, threshold):
    told = Person(*inputs, absence=Absence(threshold=timedelta(seconds=threshold))).until(6000)

    assert [kind for kind, _ in told] == ["away", "back"] * (len(told) // 2) + ["away"] * (len(told) % 2)
    assert [at for _, at in told] == sorted(at for _, at in told)
