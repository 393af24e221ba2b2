"""The strongest of the reasons for which nobody is there."""

from __future__ import annotations

from collectors.idle.presence import Away, Change, Presence
from tests.factories import at


def test_the_strongest_reason_counts_and_the_weaker_returns():
    presence = Presence()
    heard: list[Change] = []

    with presence.heard_by(heard.append):
        presence.leave("idle", at(0))
        presence.leave("locked", at(5))
        presence.leave("idle", at(6))
        presence.back("locked", at(10))
        presence.back("idle", at(11))
    presence.leave("idle", at(20))

    idle, locked = Away(reason="idle", since=at(0)), Away(reason="locked", since=at(5))
    again = Away(reason="idle", since=at(10))
    assert heard == [
        Change(at=at(0), was=None, now=idle),
        Change(at=at(5), was=idle, now=locked),
        Change(at=at(10), was=locked, now=again),
        Change(at=at(11), was=again, now=None),
    ]


def test_who_comes_late_hears_of_the_absence_that_goes_on():
    presence = Presence()
    presence.leave("paused", at(3))
    heard: list[Change] = []

    with presence.heard_by(heard.append):
        pass

    assert heard == [Change(at=at(3), was=None, now=Away(reason="paused", since=at(3)))]


def test_a_reason_that_did_not_hold_ends_nothing():
    presence = Presence()
    heard: list[Change] = []
    presence.leave("locked", at(0))

    with presence.heard_by(heard.append):
        presence.back("idle", at(1))

    assert len(heard) == 1
    assert presence.away is not None


def test_something_on_the_screen_asks_for_a_look_only_while_idle():
    presence = Presence()
    looks: list[int] = []

    with presence.asking(lambda: looks.append(1)):
        presence.stirred()
        presence.leave("idle", at(0))
        presence.stirred()
        presence.leave("locked", at(1))
        presence.stirred()

    assert looks == [1]
