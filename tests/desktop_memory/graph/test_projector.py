from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_memory.graph.engine import EngineError, Statement
from tests.chain_rows import Rows
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
    built = desk.built
    desk.catch_up()

    assert_mirrors(desk)
    assert desk.built == built


def fill(desk: Desk, names: range = range(30)) -> None:
    for name in names:
        desk.rows.add(name, name * 60, app=f"app {name % 3}", files=["a.py"])
    desk.rows.keep_sessions()
    desk.catch_up()


def test_what_comes_late_is_spliced_in_and_the_old_edge_goes(desk):
    fill(desk)
    built = desk.built
    late = desk.rows.add("late", 330)
    earliest = desk.rows.add("earliest", -5)
    desk.rows.keep_sessions()
    desk.catch_up()

    assert desk.chain()[0] == earliest
    assert desk.chain()[6:9] == [6, late, 7]
    assert (7, 6) not in desk.pairs("PREVIOUS", "Event")
    assert_mirrors(desk)
    assert desk.built == built


def test_up_to_a_hundred_deletes_close_the_chain_in_place(desk):
    fill(desk, range(140))
    built = desk.built
    for name in range(0, 140, 2):
        desk.rows.delete(name)
    desk.rows.keep_sessions()
    desk.catch_up()

    assert_mirrors(desk)
    assert (desk.built, desk.graph.cursor.deletes) == (built, 70)


def test_more_deletes_make_the_graph_anew(desk):
    fill(desk, range(140))
    for name in range(70):
        desk.rows.delete(name)
    desk.rows.keep_sessions()
    desk.catch_up()
    built = desk.built
    for name in range(70, 105):
        desk.rows.delete(name)
    desk.rows.keep_sessions()
    desk.catch_up()

    assert_mirrors(desk)
    assert (desk.built, desk.graph.cursor.deletes) == (built + 1, 0)


def test_forgotten_events_are_gone_at_once_and_counted_once(desk):
    fill(desk)
    desk.rows.delete(3)
    desk.rows.delete(4)
    desk.rows.keep_sessions()

    assert desk.projector.forget([4, 5, 999]) == 2
    assert_mirrors(desk)
    desk.catch_up()

    assert_mirrors(desk)
    assert desk.graph.cursor.deletes == 2


def test_after_forgetting_much_no_file_is_left_until_it_is_made_anew(desk):
    fill(desk, range(140))
    for name in range(120):
        desk.rows.delete(name)
    desk.rows.keep_sessions()

    assert desk.projector.forget(range(1, 121)) == 120
    assert (desk.graph.state, desk.graph.has_file) == ("missing", False)
    desk.catch_up()

    assert_mirrors(desk)


def test_an_event_that_comes_back_under_its_old_id_is_linked_again(desk):
    fill(desk)
    kept = desk.rows.connection.execute("SELECT * FROM event WHERE id IN (1, 12, 30)").fetchall()
    for name in (0, 11, 29):
        desk.rows.delete(name)
    desk.rows.keep_sessions()
    desk.catch_up()
    for row in kept:
        desk.rows.restore(row)
    desk.rows.keep_sessions()
    desk.catch_up()

    assert_mirrors(desk)


def test_an_event_deleted_before_it_was_seen_is_passed_over(desk):
    fill(desk)
    desk.rows.add("brief", 5_000)
    desk.rows.delete("brief")
    desk.rows.keep_sessions()

    assert desk.catch_up() == 2
    assert desk.projector.state()["behind"] == 0
    assert_mirrors(desk)


def test_far_behind_the_graph_is_made_anew_instead(desk):
    fill(desk)
    built = desk.built
    for number in range(700):
        desk.rows.add(f"more {number}", 5_000 + number)
    desk.rows.keep_sessions()
    desk.catch_up()

    assert_mirrors(desk)
    assert desk.built == built + 1


def test_while_events_pour_in_the_graph_waits(desk, monkeypatch):
    fill(desk)
    monkeypatch.setattr("desktop_memory.graph.projector._seconds_anew", lambda now: 9.0)
    monkeypatch.setattr(desk.projector, "_must", "for this test")
    importing = threading.Timer(0.1, lambda: [desk.rows.add(f"more {n}", 5_000 + n) for n in range(600)])
    importing.start()

    assert not desk.projector.catch_up(threading.Event())
    importing.join()
    desk.rows.keep_sessions()
    assert desk.projector.state()["behind"] == 600
    desk.catch_up()

    assert_mirrors(desk)


def test_a_cursor_ahead_of_the_store_makes_the_graph_anew(tmp_path, desk):
    fill(desk)
    desk.close()
    older = Rows()
    older.add("other", 0)
    older.keep_sessions()
    again = Desk(tmp_path / "graph", older)
    again.catch_up()

    assert_mirrors(again)
    again.close()


def test_another_store_with_the_same_ids_makes_the_graph_anew(tmp_path, desk):
    fill(desk)
    desk.close()
    other = Rows()
    for number in range(40):
        other.add(f"other {number}", number)
    other.keep_sessions()
    again = Desk(tmp_path / "graph", other)
    again.catch_up()

    assert_mirrors(again)
    again.close()


def test_a_graph_that_lost_an_edge_is_noticed_and_made_anew(desk):
    fill(desk)
    with desk.graph.engine.transaction() as do:
        do.run(
            Statement("MATCH (a:Event {id: $a})-[r:PREVIOUS]->(b:Event {id: $b}) DELETE r", ids=("a", "b")),
            a=7,
            b=6,
        )
    built = desk.built
    desk.rows.add("late", 330)
    desk.rows.keep_sessions()
    desk.catch_up()

    assert_mirrors(desk)
    assert desk.built == built + 1


def test_a_transaction_that_fails_takes_its_cursor_with_it(desk, monkeypatch):
    fill(desk)
    cursor, seen = desk.graph.cursor, desk.events()
    for number in range(5):
        desk.rows.add(f"more {number}", 5_000 + number)
    desk.rows.keep_sessions()

    def fail(*_: object) -> None:
        raise EngineError("as if the disk were full")

    with monkeypatch.context() as patch:
        patch.setattr("desktop_memory.graph.schema.write_cursor", fail)
        assert desk.projector.catch_up(threading.Event())
    assert (desk.graph.cursor, desk.events()) == (cursor, seen)

    desk.catch_up()
    assert_mirrors(desk)


def test_a_cancelled_rebuild_leaves_the_old_graph(desk):
    fill(desk)
    told: list[tuple[int, int]] = []

    assert not desk.projector.rebuild(lambda done, of: told.append((done, of)), lambda: bool(told))

    assert told == [(0, 30)]
    assert_mirrors(desk)
    left = {path.name for path in desk.graph.folder.iterdir()}
    assert left <= {"graph.kuzu", "graph.kuzu.wal", "lock"}


def test_a_rebuild_tells_how_far_it_is(desk):
    for number in range(12_000):
        desk.rows.add(number, number)
    told: list[tuple[int, int]] = []

    assert desk.projector.rebuild(lambda done, of: told.append((done, of)))

    assert told == sorted(told)
    assert {(0, 12_000), (2_500, 12_000), (5_000, 12_000), (6_000, 12_000), (12_000, 12_000)} <= set(told)


def test_no_text_of_the_user_is_in_the_files(desk):
    desk.rows.add("secret", 0, app="SecretApp", project="SecretProject", files=["Secret.txt"])
    fill(desk)
    desk.projector.rebuild()
    desk.rows.add("later", 9_000, app="SecretLater")
    desk.rows.keep_sessions()
    desk.catch_up()
    desk.graph.engine.execute("CHECKPOINT")

    content = b"".join(path.read_bytes() for path in desk.graph.folder.iterdir())

    assert b"window" in content
    assert b"Secret" not in content


def test_a_day_that_is_over_adds_what_went_together(desk):
    desk.catch_up()
    for number in range(6):
        desk.rows.add(number, 3_600 + number * 60, app="vim", project="p", domain=f"{number % 2}.org")
    desk.rows.keep_sessions()
    desk.catch_up()
    together = Statement(
        "MATCH (a:Entity)-[r:CO_OCCURS]->(b:Entity) RETURN a.id, b.id, r.day, r.times", gives=(0, 1)
    )
    assert desk.graph.read(together) == []

    desk.store.now += timedelta(days=1)
    desk.catch_up()
    there = sorted(map(tuple, desk.graph.read(together)))
    desk.catch_up()

    assert [(one, other, day, times) for one, other, day, times in there if one == 1] == [
        (1, 2, 0, 1), (1, 3, 0, 1), (1, 4, 0, 1)
    ]  # fmt: skip
    assert sorted(map(tuple, desk.graph.read(together))) == there


BEGUN = range(10, 16)
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


@pytest.fixture(scope="module")
def beginning() -> Iterator[tuple[Path, bytes]]:
    """The graph of a few events and the rows behind it, of which each example takes a copy; in memory, for on
    a disk they would be waited for."""
    with TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        desk = Desk(Path(folder) / "first" / "graph")
        for name in BEGUN:
            desk.rows.add(name, name * 250)
        desk.rows.keep_sessions()
        desk.catch_up()
        desk.close()
        yield Path(folder), desk.rows.connection.serialize("main")


@contextmanager
def begun(beginning: tuple[Path, bytes]) -> Iterator[Desk]:
    folder, stored = beginning
    copied = Path(shutil.copytree(folder / "first", folder / "copy"))
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", stored)
    desk = Desk(copied / "graph", Rows(connection))
    try:
        yield desk
    finally:
        desk.close()
        shutil.rmtree(copied)


@pytest.mark.nightly
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(batch, min_size=2, max_size=6))
def test_whatever_happens_in_whatever_batches_the_graph_is_what_the_store_says(beginning, batches):
    with begun(beginning) as desk:
        there = set(BEGUN)
        built = desk.built
        for steps in batches:
            for step in steps:
                do(desk, step, there)
                desk.rows.keep_sessions()
            desk.catch_up()
        assert_mirrors(desk)
        assert desk.built == built
