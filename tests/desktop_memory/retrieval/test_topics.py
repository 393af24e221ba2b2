from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_memory.graph.walk import GraphWalk
from desktop_memory.retrieval.communities import communities
from desktop_memory.retrieval.neighbours import Neighbours
from desktop_memory.retrieval.topics import Topics
from desktop_memory.store.walk import SqlWalk
from tests.graph_desk import Desk

HOUR = 3_600


def test_what_goes_together_is_a_community_and_a_pair_is_none():
    edges = [
        (1, 2, 5.0),
        (2, 3, 5.0),
        (1, 3, 5.0),
        (4, 5, 5.0),
        (5, 6, 5.0),
        (4, 6, 5.0),
        (3, 4, 0.5),
        (8, 9, 9.0),
    ]

    assert set(communities(edges)) == {frozenset({1, 2, 3}), frozenset({4, 5, 6})}


def test_something_that_is_everywhere_does_not_swallow_the_rest():
    edges = [
        (a, b, 3.0) for group in ((1, 2, 3), (4, 5, 6), (7, 8, 9)) for a in group for b in group if a < b
    ]
    edges += [(one, 100, 4.0) for one in range(1, 10)]

    found = communities(edges)

    assert len(found) == 3
    assert sorted(len(group) for group in found) == [3, 3, 4]


@given(
    st.lists(st.tuples(st.integers(1, 20), st.integers(1, 20), st.floats(0.1, 50)), max_size=60),
    st.randoms(use_true_random=False),
)
def test_the_same_edges_in_any_order_give_the_same_communities(edges, random: Random):
    whole = [(one, other, round(weight)) for one, other, weight in edges]
    shuffled = whole[:]
    random.shuffle(shuffled)

    found = communities(shuffled)

    assert found == communities(whole)
    members = [one for group in found for one in group]
    assert len(members) == len(set(members))


@pytest.fixture(params=["graph", "sql"])
def desk(request, tmp_path):
    made = Desk(tmp_path / "graph")
    made.walk = request.param
    made.store.now = datetime(1970, 3, 1, 9, tzinfo=UTC)
    yield made
    made.close()


def work(desk: Desk, day: int, hour: float, files: str, branch: str) -> None:
    """Half an hour on these files and this branch."""
    for number in range(12):
        second = day * 86_400 + (hour + number / 24) * HOUR
        desk.rows.add(
            f"{second} {files}",
            second,
            kind="git_commit",
            app="VS Code",
            branch=branch,
            files=[files[number % len(files)]],
        )


def fortnight(desk: Desk, since: int = 44) -> None:
    for day in range(since, since + 14):
        work(desk, day, 9, "abc", "feat/alpha")
        work(desk, day, 13, "xyz", "fix/beta")
        work(desk, day, 17, "mno", "docs")
    desk.rows.keep_sessions()
    desk.catch_up()


def topics(desk: Desk) -> Topics:
    sql = SqlWalk(desk.store.read)
    return Topics(desk.store, Neighbours(sql, GraphWalk(desk.graph, sql) if desk.walk == "graph" else None))


def shown(found: list) -> list[tuple[str, set[str]]]:
    return [(topic.name, {entity.name for entity in topic.entities}) for topic in found]


def test_topics_are_named_by_what_stands_out_in_them(desk):
    fortnight(desk)

    found = shown(topics(desk).all())

    assert sorted(found) == [
        ("docs", {"docs", "m", "n", "o"}),
        ("feat/alpha", {"feat/alpha", "a", "b", "c"}),
        ("fix/beta", {"fix/beta", "x", "y", "z"}),
    ]


def test_the_same_topics_next_week_have_the_same_ids_and_the_user_s_name(desk):
    fortnight(desk)
    before = {topic.name: topic.id for topic in topics(desk).all()}
    assert topics(desk).rename(before["fix/beta"], "  The  beta bug ")
    for day in range(58, 65):
        work(desk, day, 9, "abcd", "feat/alpha")
        work(desk, day, 13, "xyz", "fix/beta")
        work(desk, day, 17, "mno", "docs")
    desk.rows.keep_sessions()
    desk.store.now += timedelta(days=7)
    desk.catch_up()

    after = {topic.name: topic.id for topic in topics(desk).all()}

    assert after == {
        "docs": before["docs"],
        "feat/alpha": before["feat/alpha"],
        "The beta bug": before["fix/beta"],
    }


def test_a_named_topic_that_was_away_comes_back_under_its_name(desk):
    fortnight(desk)
    (beta,) = (topic.id for topic in topics(desk).all() if topic.name == "fix/beta")
    topics(desk).rename(beta, "Beta")
    desk.store.now += timedelta(days=100)
    assert topics(desk).all() == []
    fortnight(desk, since=146)
    desk.store.now += timedelta(days=2)

    assert [topic.id for topic in topics(desk).all() if topic.name == "Beta"] == [beta]


def test_events_find_the_topics_they_touch(desk):
    fortnight(desk)
    (event,) = desk.rows.connection.execute(
        "SELECT max(event) FROM event_entity WHERE entity = (SELECT id FROM entity WHERE name = 'y')"
    ).fetchone()

    assert shown(topics(desk).of([event])) == [("fix/beta", {"fix/beta", "y"})]
    assert topics(desk).of([]) == []
    assert not topics(desk).rename(999, "nothing")


def test_events_that_touch_little_of_a_topic_do_not_tell_its_name(desk):
    fortnight(desk)
    (beta,) = (topic.id for topic in topics(desk).all() if topic.name == "fix/beta")
    topics(desk).rename(beta, "Secret beta")
    shared = desk.rows.add("elsewhere", 58 * 86_400, files=["x"])
    whole = desk.rows.add("whole", 58 * 86_400 + 5_000, files=["x", "y", "z"])
    desk.rows.keep_sessions()

    assert [topic.name for topic in topics(desk).of([shared])] == ["x"]
    assert [topic.name for topic in topics(desk).of([whole])] == ["Secret beta"]


def test_what_is_forgotten_leaves_no_name_behind(desk):
    fortnight(desk)
    assert len(topics(desk).all()) == 3
    desk.rows.connection.execute("DELETE FROM entity WHERE name IN ('fix/beta', 'x', 'y', 'z')")

    assert {name for name, _ in shown(topics(desk).all())} == {"docs", "feat/alpha"}
    assert desk.rows.connection.execute("SELECT group_concat(name, '') FROM topic").get == ""
