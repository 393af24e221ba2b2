from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest

from desktop_memory.graph import walk
from desktop_memory.graph.graph import GraphNotReady
from desktop_memory.graph.walk import CROWDED, GraphWalk
from desktop_memory.store.walk import SqlWalk
from tests.graph_desk import Desk

DAY = 86_400


def walks(desk: Desk) -> tuple[GraphWalk, SqlWalk]:
    sql = SqlWalk(lambda: desk.rows.connection)
    return GraphWalk(desk.graph, sql), sql


@pytest.fixture(scope="module")
def busy(tmp_path_factory):
    """Three days of 12 sessions each, in random order of arrival; a few things shared, one app in most."""
    desk = Desk(tmp_path_factory.mktemp("walk") / "graph")
    random = Random(7)
    moments = [day * DAY + hour * 3_000 + n * 100 for day in range(3) for hour in range(12) for n in range(8)]
    random.shuffle(moments)
    for second in moments:
        desk.rows.add(
            second,
            second,
            app="shell" if random.random() < 0.8 else f"app {random.randrange(9)}",
            project=f"project {second // 3_000 % 5}",
            domain=f"site {random.randrange(60)}.org",
            files=[f"{random.randrange(90)}.py"],
        )
    desk.rows.keep_sessions()
    desk.store.now = datetime(1970, 1, 4, 9, tzinfo=UTC)
    desk.catch_up()
    yield desk
    desk.close()


def ids(desk: Desk) -> list[int]:
    return [id_ for (id_,) in desk.rows.connection.execute("SELECT id FROM event ORDER BY id")]


def test_the_graph_and_sql_answer_alike(busy):
    graph, sql = walks(busy)

    assert graph.hubs == sql.hubs != frozenset()
    for event in ids(busy)[::9]:
        assert graph.before(event, 5) == sql.before(event, 5)
        assert graph.after(event, 5) == sql.after(event, 5)
        assert graph.session_mates(event, 5) == sql.session_mates(event, 5)
        for entity, kind in sql.entities(event):
            assert list(graph.sharing(entity, kind, event, 6)) == sql.sharing(entity, kind, event, 6), kind
    for entity in range(1, 60):
        assert dict(graph.going_together(entity, 3, 5)) == pytest.approx(
            dict(sql.going_together(entity, 3, 5))
        )


def test_the_app_of_nearly_every_session_is_a_hub_and_nothing_else_is(busy):
    graph, _ = walks(busy)

    named = busy.rows.connection.execute(
        "SELECT name FROM entity WHERE id IN (SELECT value FROM json_each(?))", (str(sorted(graph.hubs)),)
    )
    assert named.fetchall() == [("shell",)]


def test_walks_end_where_the_chain_ends(busy):
    graph, sql = walks(busy)
    (first,) = busy.rows.connection.execute("SELECT id FROM event ORDER BY start, key LIMIT 1").fetchone()

    assert graph.before(first, 5) == []
    assert graph.after(first, 75) == sql.after(first, 75)
    assert len(graph.after(first, 5_000)) == 200
    assert graph.after(first, 0) == []
    assert graph.before(999_999, 3) == []


def test_a_crowded_thing_is_left_to_the_index(tmp_path):
    desk = Desk(tmp_path / "graph")
    for second in range(CROWDED + 50):
        desk.rows.add(second, second, project="all")
    desk.rows.keep_sessions()
    desk.catch_up()
    graph, sql = walks(desk)
    desk.graph.close()

    assert graph.sharing(1, "project", 200, 3) == sql.sharing(1, "project", 200, 3) == [199, 201, 198]


def test_without_a_graph_a_walk_says_so(tmp_path):
    desk = Desk(tmp_path / "graph")
    graph, _ = walks(desk)

    with pytest.raises(GraphNotReady):
        graph.before(1, 3)
    desk.close()


def test_counts_tell_nodes_and_edges(busy):
    counts = walk.counts(busy.graph)

    assert (counts["Event"], counts["PREVIOUS"], counts["IN_SESSION"], counts["Session"]) == (
        288,
        287,
        288,
        36,
    )
    assert counts["TOUCHED"] == counts["IN_PROJECT"] == 288
    assert counts["CO_OCCURS"] > 0
