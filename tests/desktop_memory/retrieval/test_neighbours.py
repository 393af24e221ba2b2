from __future__ import annotations

from collections.abc import Sequence

import pytest

from desktop_memory.graph.graph import GraphNotReady
from desktop_memory.graph.walk import GraphWalk
from desktop_memory.retrieval.neighbours import Neighbours
from desktop_memory.store.walk import SqlWalk
from tests.graph_desk import Desk


@pytest.fixture(params=["graph", "sql"])
def asked(request, tmp_path):
    """Rows with their graph, and Neighbours over the graph or over SQL alone."""
    desk = Desk(tmp_path / "graph")

    def ask() -> Neighbours:
        desk.rows.keep_sessions()
        desk.catch_up()
        sql = SqlWalk(lambda: desk.rows.connection)
        return Neighbours(sql, GraphWalk(desk.graph, sql) if request.param == "graph" else None)

    yield desk, ask
    desk.close()


def whys(found: Sequence) -> list[tuple[int, str]]:
    return [(one.event, one.why) for one in found]


def test_each_neighbour_says_why_it_is_there(asked):
    desk, ask = asked
    seed = desk.rows.add("seed", 10_000, files=["a.py"], domain="a.org")
    file = desk.rows.add("file", 50_000, files=["a.py"])
    site = desk.rows.add("site", 90_000, domain="a.org")
    mate = desk.rows.add("mate", 10_500)
    for number in range(4):
        desk.rows.add(number, 200_000 + number)

    found, notice = ask().around([seed])

    assert notice == ""
    assert set(whys(found)) == {
        (file, "same file"),
        (site, "same site"),
        (mate, "just after"),
    }  # nearest reason wins
    assert found[0].event == file


def test_nothing_asked_for_stands_among_the_neighbours_and_nothing_twice(asked):
    desk, ask = asked
    seeds = [desk.rows.add(n, n * 60, project="p") for n in range(3)]
    others = [desk.rows.add(n + 10, n * 60 + 30, project="p") for n in range(4)]

    found, _ = ask().around(seeds, most=50)

    assert sorted(one.event for one in found) == others


def test_what_nearly_every_session_has_connects_nothing(asked):
    desk, ask = asked
    events = [desk.rows.add(n, n * 10_000, app="shell") for n in range(12)]

    found, _ = ask().around([events[0]], most=50)

    assert whys(found) == [(events[1], "just after"), (events[2], "just after")]


def test_no_hop_asks_nothing_and_two_reach_further(asked):
    desk, ask = asked
    chain = [
        desk.rows.add("a", 10_000, files=["1"]),
        desk.rows.add("b", 90_000_000, files=["1", "2"]),
        desk.rows.add("c", 190_000_000, files=["2"]),
    ]
    for number in range(12):
        desk.rows.add(number, 30_000_000 + 5_000_000 * number)
    neighbours = ask()

    assert neighbours.around([chain[0]], hop_depth=0)[0] == []
    one_hop = {one.event for one in neighbours.around([chain[0]], hop_depth=1)[0]}
    two_hops = {one.event: one.hops for one in neighbours.around([chain[0]], hop_depth=2, most=50)[0]}
    assert chain[1] in one_hop
    assert chain[2] not in one_hop
    assert (two_hops[chain[1]], two_hops[chain[2]]) == (1, 2)


def test_the_closest_stay_when_there_are_too_many(asked):
    desk, ask = asked
    seed = desk.rows.add("seed", 0, project="p", files=["a"])
    for number in range(40):
        desk.rows.add(number, 10_000 + 1_000 * number, project="p")
    far = desk.rows.add("far", 9_000_000, files=["a"])

    found, _ = ask().around([seed], most=3, fanout=10)

    assert len(found) == 3
    assert found[0].event == far


def test_an_unknown_event_has_no_neighbours(asked):
    desk, ask = asked
    desk.rows.add("seed", 0)

    assert ask().around([4_711]) == ([], "")


def test_without_its_graph_sql_answers_and_says_so(tmp_path):
    desk = Desk(tmp_path / "graph")
    seed, other = desk.rows.add("a", 0, files=["x"]), desk.rows.add("b", 90_000, files=["x"])
    desk.rows.keep_sessions()
    sql = SqlWalk(lambda: desk.rows.connection)
    graph = GraphWalk(desk.graph, sql)
    with pytest.raises(GraphNotReady):
        graph.before(seed, 1)

    found, notice = Neighbours(sql, graph).around([seed])

    assert whys(found) == [(other, "same file")]
    assert notice == "Answered without the graph: it was not made yet."
    desk.close()
