"""Looking at a graph at rest: what is wrong with it is told, and nothing of it is changed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from desktop_memory.graph.graph import MARKER, file_of
from desktop_memory.graph.look import look
from tests.graph_desk import Desk


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("look") / "graph"
    desk = Desk(folder)
    for minute in range(400):
        desk.rows.add(minute, minute * 60, app=f"app {minute % 9}", files=[f"{minute % 40}.py"])
    desk.rows.keep_sessions()
    desk.catch_up()
    desk.close()
    return file_of(folder)


@pytest.fixture
def folder(tmp_path: Path, made: Path) -> Path:
    folder = tmp_path / "graph"
    folder.mkdir()
    file_of(folder).write_bytes(made.read_bytes())
    return folder


def test_a_sound_graph_and_none_at_all_are_no_problem(folder, tmp_path):
    assert look(folder).problem == ""
    assert look(tmp_path / "nothing").problem == ""


@pytest.mark.parametrize("how", ["cut", "zeroed", "flipped"])
def test_a_damaged_file_is_told_and_left_as_it_is(folder, how):
    path = file_of(folder)
    data = bytearray(path.read_bytes())
    dice = random.Random(1)
    if how == "cut":
        del data[len(data) // 3 :]
    elif how == "zeroed":
        data[:4096] = bytes(4096)
    else:
        for _ in range(20_000):
            data[dice.randrange(4096, len(data))] ^= 0xFF
    path.write_bytes(data)

    found = look(folder)

    assert "damaged" in found.problem
    assert "made anew" in found.advice
    assert path.read_bytes() == data


def test_an_opening_that_crashed_is_told(folder):
    (folder / MARKER).touch()

    assert "crashed" in look(folder).problem
    assert (folder / MARKER).exists()


def test_a_graph_that_is_open_is_left_to_its_owner(tmp_path):
    desk = Desk(tmp_path / "graph")
    desk.rows.add(1, 60, app="vim")
    desk.rows.keep_sessions()
    desk.catch_up()

    assert look(tmp_path / "graph").problem == ""
    desk.close()
