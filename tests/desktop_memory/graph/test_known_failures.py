"""The two best-known failures of such graphs, beside what makes them: here they do not happen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.graph_desk import Desk, assert_mirrors

GAP = 600

Poll = Sequence[tuple[str, int]]
"""What one poll brings: names and seconds, in the order of its source."""

# A shell tells at once, a browser flushes every twenty minutes, git is read last of all.
POLLS: tuple[Poll, ...] = (
    [(f"shell {second}", second) for second in range(0, 1_200, 120)],
    [(f"page {second}", second) for second in range(30, 1_200, 150)],
    [(f"shell {second}", second) for second in range(1_200, 2_400, 120)],
    [(f"page {second}", second) for second in range(1_230, 2_400, 150)],
    [("commit", 700), ("commit late", 1_900)],
)
LATE: tuple[Poll, ...] = ([("before", 0), ("going on", 500)], [("after", 1_300)], [("between", 900)])
"""Two sessions, 800 seconds apart, until what happened between them is read."""


def linked_within_each_poll(polls: Sequence[Poll]) -> int:
    """The usual way: each event to the one before it in its own batch. Into how many pieces the chain falls."""
    return sum(1 for poll in polls if poll)


def sessions_by_the_last_seen(polls: Sequence[Poll]) -> int:
    """The usual way: an event belongs to the running session when it is near the newest one that was seen."""
    newest, sessions = None, 0
    for poll in polls:
        for _, second in poll:
            if newest is None or abs(second - newest) > GAP:
                sessions += 1
            newest = second
    return sessions


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "graph")
    yield desk
    desk.close()


def read(desk: Desk, polls: Sequence[Poll]) -> None:
    """Each poll is stored and linked before the next one comes."""
    for poll in polls:
        for name, second in poll:
            desk.rows.add(name, second)
        desk.rows.keep_sessions()
        desk.catch_up()


def test_the_chain_does_not_break_at_each_poll(desk):
    read(desk, POLLS)

    assert linked_within_each_poll(POLLS) == 5
    assert_mirrors(desk)
    assert len(desk.chain()) == sum(map(len, POLLS))
    assert desk.built == 1  # the first poll made it; all others were spliced in


def test_a_late_event_does_not_split_what_it_joins(desk):
    read(desk, LATE)

    assert sessions_by_the_last_seen(LATE) == 2
    assert len({session for _, session in desk.pairs("IN_SESSION", "Session")}) == 1
    assert_mirrors(desk)
