from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from desktop_memory.errors import BusyError
from desktop_memory.graph.engine import EngineError, Statement
from desktop_memory.graph.graph import Graph, GraphNotReady
from tests.chain_rows import Rows
from tests.graph_desk import Desk, assert_mirrors

COUNT = Statement("MATCH (e:Event) RETURN count(*)")


def filled(folder: Path, events: int = 20) -> Desk:
    desk = Desk(folder)
    for minute in range(events):
        desk.rows.add(minute, minute * 60, app="vim", files=["a.py"])
    desk.rows.keep_sessions()
    desk.catch_up()
    return desk


def set_aside(folder: Path) -> list[Path]:
    return sorted(folder.parent.glob("graph-*.damaged"))


def test_a_closed_graph_opens_again_where_it_was(tmp_path):
    desk = filled(tmp_path / "graph")
    cursor = desk.graph.cursor
    desk.close()

    again = Desk(tmp_path / "graph", desk.rows)
    assert (again.graph.state, again.graph.cursor) == ("ready", cursor)
    assert_mirrors(again)
    again.close()


def test_a_second_opening_in_the_same_process_is_refused(tmp_path):
    desk = filled(tmp_path / "graph")

    with pytest.raises(BusyError):
        Graph.open(tmp_path / "graph")

    assert desk.graph.read(COUNT) == [[20]]
    desk.close()
    Graph.open(tmp_path / "graph").close()


def _hold(folder: Path, told: multiprocessing.connection.Connection) -> None:
    graph = Graph.open(folder)
    told.send("open")
    time.sleep(60)
    graph.close()


def test_an_opening_in_another_process_is_refused_until_that_one_is_gone(tmp_path):
    filled(tmp_path / "graph").close()
    here, there = multiprocessing.Pipe()
    other = multiprocessing.get_context("spawn").Process(target=_hold, args=(tmp_path / "graph", there))
    other.start()
    assert here.recv() == "open"

    with pytest.raises(BusyError):
        Graph.open(tmp_path / "graph")
    other.kill()
    other.join()

    graph = Graph.open(tmp_path / "graph")
    assert graph.state == "ready"
    graph.close()


@pytest.mark.parametrize("content", [b"", b"nonsense", os.urandom(300_000)])
def test_a_damaged_file_is_set_aside_and_the_graph_made_anew(tmp_path, content):
    desk = filled(tmp_path / "graph")
    desk.close()
    (tmp_path / "graph" / "graph.kuzu").write_bytes(content)

    again = Desk(tmp_path / "graph", desk.rows)
    again.catch_up()

    assert_mirrors(again)
    again.close()
    if content:
        (aside,) = set_aside(tmp_path / "graph")
        assert (aside / "graph.kuzu").read_bytes() == content


def test_a_file_whose_opening_crashed_the_process_is_not_opened_again(tmp_path):
    desk = filled(tmp_path / "graph")
    desk.close()
    size = (tmp_path / "graph" / "graph.kuzu").stat().st_size
    (tmp_path / "graph" / "opening").write_text("4711")

    again = Desk(tmp_path / "graph", desk.rows)
    assert (again.graph.state, again.graph.why) == ("missing", "its file was damaged")
    (aside,) = set_aside(tmp_path / "graph")
    assert (aside / "graph.kuzu").stat().st_size == size
    again.catch_up()

    assert_mirrors(again)
    assert not (tmp_path / "graph" / "opening").exists()
    again.close()


def test_a_graph_of_another_schema_is_made_anew(tmp_path, monkeypatch):
    desk = filled(tmp_path / "graph")
    desk.close()
    monkeypatch.setattr("desktop_memory.graph.schema.VERSION", 2)

    again = Desk(tmp_path / "graph", desk.rows)
    assert (again.graph.state, again.graph.why) == ("missing", "it was made by another version")
    again.catch_up()

    assert_mirrors(again)
    assert set_aside(tmp_path / "graph") == []
    again.close()


def test_a_missing_graph_says_so_and_can_be_asked_nothing(tmp_path):
    graph = Graph.open(tmp_path / "graph")

    with pytest.raises(GraphNotReady, match="not made yet"):
        graph.read(COUNT)
    graph.close()
    with pytest.raises(GraphNotReady, match="closed"):
        graph.read(COUNT)


def test_a_query_that_fails_leaves_the_graph_usable(tmp_path):
    desk = filled(tmp_path / "graph")

    with pytest.raises(GraphNotReady):
        desk.graph.read(Statement("MATCH (e:Event) RETURN e.nothing_of_that_name"))

    assert desk.graph.read(COUNT) == [[20]]
    desk.close()


def test_a_query_that_takes_too_long_is_stopped(tmp_path):
    desk = filled(tmp_path / "graph", events=400)

    started = time.monotonic()
    with pytest.raises(GraphNotReady):
        desk.graph.read(
            Statement(
                "MATCH (a:Event), (b:Event), (c:Event), (d:Event) "
                "WHERE a.start + b.start > c.start + d.start RETURN count(*)"
            )
        )

    assert time.monotonic() - started < 10
    assert desk.graph.read(COUNT) == [[400]]
    desk.close()


def _project(folder: Path, database: Path, told: multiprocessing.connection.Connection) -> None:
    desk = Desk(folder, Rows(database))
    while True:
        desk.catch_up()
        told.send(desk.graph.cursor.event)
        for _ in range(7):
            number = desk.rows.connection.execute("SELECT coalesce(max(id), 0) FROM event").get + 1
            desk.rows.add(number, (number * 7919) % 3_000, app=f"app {number % 3}")
        desk.rows.keep_sessions()


def test_a_projecting_process_that_is_killed_leaves_a_graph_that_goes_on(tmp_path):
    database = tmp_path / "rows.sqlite"
    Rows(database).connection.close()
    context = multiprocessing.get_context("spawn")
    for trial in range(3):
        here, there = context.Pipe()
        process = context.Process(target=_project, args=(tmp_path / "graph", database, there))
        process.start()
        for _ in range(3 + trial):
            linked = here.recv()
        time.sleep(0.013 * trial)
        os.kill(process.pid, signal.SIGKILL)
        process.join()

        desk = Desk(tmp_path / "graph", Rows(database))
        assert desk.graph.cursor.event >= linked
        desk.catch_up()
        assert_mirrors(desk)
        desk.close()
        desk.rows.connection.close()
    assert set_aside(tmp_path / "graph") == []


def _open_and_catch_up(folder: Path, database: Path) -> None:
    desk = Desk(folder, Rows(database))
    desk.catch_up()
    assert_mirrors(desk)
    desk.close()


@pytest.mark.parametrize("at", [0.0, 0.5, 0.9])
def test_a_damaged_journal_costs_one_start_at_most(tmp_path, at):
    database = tmp_path / "rows.sqlite"
    desk = filled_slowly(tmp_path / "graph", Rows(database))
    journal = desk.graph.folder / "graph.kuzu.wal"
    saved = bytearray(journal.read_bytes())
    desk.close()
    desk.rows.connection.close()
    begin = int(len(saved) * at)
    saved[begin : begin + 40] = os.urandom(40)
    journal.write_bytes(saved)

    for _start in range(2):
        process = multiprocessing.get_context("spawn").Process(
            target=_open_and_catch_up, args=(tmp_path / "graph", database)
        )
        process.start()
        process.join()
        if process.exitcode == 0:
            break
    assert process.exitcode == 0


def filled_slowly(folder: Path, rows: Rows) -> Desk:
    """Linked one by one, so that the journal holds it."""
    desk = Desk(folder, rows)
    desk.catch_up()
    for number in range(40):
        desk.rows.add(number, number * 60, app="vim")
        desk.rows.keep_sessions()
        desk.catch_up()
    return desk


def test_the_machine_s_fault_is_not_the_file_s(tmp_path, monkeypatch):
    desk = filled(tmp_path / "graph")
    desk.close()
    file = (tmp_path / "graph" / "graph.kuzu").stat().st_ino

    def full(*_: object, **__: object) -> None:
        raise EngineError("Buffer manager exception: Mmap for size 1099511627776 failed.")

    with monkeypatch.context() as patch:
        patch.setattr("desktop_memory.graph.graph.Engine", full)
        again = Desk(tmp_path / "graph", desk.rows)
    assert (again.graph.state, again.graph.why) == ("missing", "it cannot be opened now")
    again.catch_up()

    assert again.graph.state == "ready"
    assert (tmp_path / "graph" / "graph.kuzu").stat().st_ino == file
    assert set_aside(tmp_path / "graph") == []
    assert_mirrors(again)
    again.close()


def test_where_there_is_no_engine_everything_else_goes_on(tmp_path, monkeypatch):
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("desktop_memory.graph.engine.importlib.import_module", missing)
    (tmp_path / "graph").mkdir()
    (tmp_path / "graph" / "graph.kuzu").touch()
    desk = Desk(tmp_path / "graph")
    desk.rows.add(1, 1)

    assert not desk.projector.catch_up(threading.Event())
    assert desk.projector.state() == {
        "state": "missing", "behind": 1, "progress": "", "reason": "this Python has no graph engine"
    }  # fmt: skip
    assert desk.projector.forget([1]) == 0
    desk.close()


def test_a_folder_that_cannot_be_used_is_no_reason_to_stop(tmp_path):
    (tmp_path / "graph").write_text("a file in the folder's place")

    desk = Desk(tmp_path / "graph")

    assert not desk.projector.catch_up(threading.Event())
    assert desk.projector.state()["reason"] == "its folder cannot be used"
    desk.close()
