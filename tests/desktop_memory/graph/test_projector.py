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
NAMES = st.integers(0, 15)
APPS = st.sampled_from(["vim", "mail"])
adding = st.tuples(st.just("add"), NAMES, SECONDS, APPS, st.sets(st.sampled_from("ab")))
changing = st.tuples(st.just("change"), NAMES, SECONDS, APPS)
deleting = st.tuples(st.just("delete"), NAMES)
batch = st.lists(st.one_of(adding, adding, changing, changing, deleting), min_size=1, max_size=8)


def do(desk: Desk, step: tuple, there: set) -> None:
    match step:
        case ("add", name, start, app, files) if name not in there:
            desk.rows.add(name, start, files=sorted(files), app=app)
            there.add(name)
        case ("change", name, start, app) if name in there:
            desk.rows.change(name, start)
            desk.rows.retell(name, app=app)
        case ("delete", name) if name in there:
            desk.rows.delete(name)
            there.discard(name)


@settings(max_examples=25, deadline=None)
@given(st.lists(batch, min_size=2, max_size=6))
def test_whatever_happens_in_whatever_batches_the_graph_is_what_the_store_says(batches):
    with TemporaryDirectory() as folder:
        desk = Desk(Path(folder) / "graph")
        try:
            there = set(range(10, 16))
            for name in there:
                desk.rows.add(name, name * 250)
            desk.rows.keep_sessions()
            desk.catch_up()
            for steps in batches:
                for step in steps:
                    do(desk, step, there)
                    desk.rows.keep_sessions()
                desk.catch_up()
            assert_mirrors(desk)
        finally:
            desk.close()
