from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graph_desk import Desk, assert_mirrors


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "graph")
    yield made
    made.close()


def test_a_new_store_gets_an_empty_graph(desk):
    desk.catch_up()

    assert_mirrors(desk)


def test_events_that_arrive_in_order_are_linked(desk):
    desk.catch_up()
    for minute in range(30):
        desk.rows.add(minute, minute * 60, app="vim", files=["a.py"])
    desk.rows.keep_sessions()
    desk.catch_up()

    assert_mirrors(desk)


SECONDS = st.integers(0, 4_000)
NAMES = list(range(16))
adding = st.tuples(
    st.just("add"),
    st.sampled_from(NAMES),
    SECONDS,
    st.sampled_from(["vim", "mail", ""]),
    st.sets(st.sampled_from("ab")),
)
changing = st.tuples(st.just("change"), st.sampled_from(NAMES), SECONDS)
deleting = st.tuples(st.just("delete"), st.sampled_from(NAMES))
catching_up = st.tuples(st.just("catch up"))
steps = st.lists(st.one_of(adding, adding, adding, adding, changing, deleting, catching_up), max_size=40)


def do(desk: Desk, step: tuple, there: set) -> None:
    match step:
        case ("add", name, start, app, files) if name not in there:
            desk.rows.add(name, start, files=sorted(files), **({"app": app} if app else {}))
            there.add(name)
        case ("change", name, start) if name in there:
            desk.rows.change(name, start)
        case ("delete", name) if name in there:
            desk.rows.delete(name)
            there.discard(name)
        case ("catch up",):
            desk.rows.keep_sessions()
            desk.catch_up()
    desk.rows.keep_sessions()


@settings(max_examples=60, deadline=None)
@given(steps)
def test_whatever_happens_in_whatever_batches_the_graph_is_what_the_store_says(todo):
    with TemporaryDirectory() as folder:
        desk = Desk(Path(folder) / "graph")
        try:
            desk.catch_up()
            there: set = set()
            for step in todo:
                do(desk, step, there)
            desk.catch_up()
            assert_mirrors(desk)
        finally:
            desk.close()
