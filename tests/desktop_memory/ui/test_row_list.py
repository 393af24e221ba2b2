"""The list that all screens share keeps its place, its selection and its keys."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_memory.ui.models import RowModel
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, header
from tests.desktop_memory.ui.conftest import Stage


def rows(numbers: Sequence[int]) -> list[Row]:
    return [Row(key=("event", n), title=f"row {n}") for n in numbers]


@pytest.fixture
def listed(stage: Stage, qtbot: QtBot) -> RowList:
    made = RowList(stage.desk.theme, "log", "things")
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    made.setFocus()
    return made


def test_the_model_keeps_qts_rules_through_all_changes(qtbot: QtBot) -> None:
    model = RowModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)

    for numbers in ([1, 2, 3], [0, 1, 2, 3, 4], [4, 2, 9], [], [5], [9, 5, 1]):
        model.show(rows(numbers))
        assert [row.key[1] for row in model.rows] == numbers


def test_only_what_differs_changes(qtbot: QtBot) -> None:
    model = RowModel()
    model.show(rows([1, 2, 3]))
    inserted: list[tuple[int, int]] = []
    model.rowsInserted.connect(lambda _parent, first, last: inserted.append((first, last)))
    model.rowsRemoved.connect(lambda *_: inserted.append((-1, -1)))

    model.show(rows([0, 1, 2, 3]))

    assert inserted == [(0, 0)]


def test_a_header_cannot_be_chosen(listed: RowList, qtbot: QtBot) -> None:
    listed.show_rows([header("A"), *rows([1]), header("B"), *rows([2])])

    qtbot.keyClick(listed, Qt.Key.Key_Down)
    assert listed.current() == rows([1])[0]
    qtbot.keyClick(listed, Qt.Key.Key_Down)
    assert listed.current() == rows([2])[0]
    qtbot.keyClick(listed, Qt.Key.Key_Down)
    assert listed.current() == rows([2])[0]


def test_home_and_end_reach_the_ends(listed: RowList, qtbot: QtBot) -> None:
    listed.show_rows([header("A"), *rows(range(50))])

    qtbot.keyClick(listed, Qt.Key.Key_End)
    assert listed.current().key[1] == 49  # type: ignore[union-attr]
    qtbot.keyClick(listed, Qt.Key.Key_Home)
    assert listed.current().key[1] == 0  # type: ignore[union-attr]
    assert listed.verticalScrollBar().value() == 0


def test_what_is_in_view_stays_when_rows_arrive_above(listed: RowList, qtbot: QtBot) -> None:
    listed.show_rows(rows(range(100, 200)))
    listed.executeDelayedItemsLayout()
    listed.verticalScrollBar().setValue(720)
    seen = listed.indexAt(listed.viewport().rect().center())
    before = (seen.data(), listed.visualRect(seen).top())

    listed.show_rows(rows([*range(97, 100), *range(100, 200)]))

    after = listed.indexAt(listed.viewport().rect().center())
    assert (after.data(), listed.visualRect(after).top()) == before
    assert listed._pill.isVisible()
    assert listed._pill.text() == "3 new"


def test_the_pill_goes_to_the_top_and_away(listed: RowList, qtbot: QtBot) -> None:
    listed.show_rows(rows(range(100, 200)))
    listed.executeDelayedItemsLayout()
    listed.verticalScrollBar().setValue(720)
    listed.show_rows(rows([*range(97, 100), *range(100, 200)]))

    qtbot.mouseClick(listed._pill, Qt.MouseButton.LeftButton)

    assert listed.verticalScrollBar().value() == 0
    assert not listed._pill.isVisible()


def test_at_the_top_new_rows_simply_appear(listed: RowList) -> None:
    listed.show_rows(rows(range(100, 200)))
    listed.executeDelayedItemsLayout()

    listed.show_rows(rows([99, *range(100, 200)]))

    assert listed.indexAt(listed.rect().topLeft()).data() == "row 99"
    assert not listed._pill.isVisible()


def test_the_selection_stays_when_rows_change(listed: RowList) -> None:
    listed.show_rows(rows([1, 2, 3]))
    listed.choose(1)

    listed.show_rows(rows([0, 1, 2, 3]))

    assert [row.key[1] for row in listed.selected()] == [2]


def test_enter_opens_and_the_copy_keys_copy(listed: RowList, qtbot: QtBot) -> None:
    listed.show_rows(rows([1, 2, 3]))
    listed.choose(0)
    opened: list[Row] = []
    copied: list[list[Row]] = []
    contexts: list[Row] = []
    listed.opened.connect(opened.append)
    listed.copy_wanted.connect(copied.append)
    listed.context_wanted.connect(contexts.append)

    qtbot.keyClick(listed, Qt.Key.Key_Return)
    qtbot.keyClick(listed, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(listed, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(listed, Qt.Key.Key_C, both)

    assert [row.title for row in opened] == ["row 1"]
    assert [[row.title for row in group] for group in copied] == [["row 1", "row 2"]]
    assert [row.title for row in contexts] == ["row 2"]


def test_the_menu_key_asks_for_the_menu_of_the_chosen_rows(listed: RowList, qtbot: QtBot) -> None:
    listed.show_rows(rows([1, 2]))
    listed.choose(1)
    with qtbot.waitSignal(listed.menu_wanted) as wanted:
        from PySide6.QtCore import QPoint
        from PySide6.QtGui import QContextMenuEvent

        QApplication.sendEvent(
            listed.viewport(),
            QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0)),
        )

    assert [row.title for row in wanted.args[0]] == ["row 2"]


def test_a_screen_reader_hears_the_whole_row(listed: RowList) -> None:
    listed.show_rows(
        [Row(key=("event", 1), title="pytest", tail=(("exit 1", "danger"),), time="09:52", chip="billing")]
    )

    index: QModelIndex = listed.rows.index(0)

    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "09:52 · pytest exit 1 · billing"


def test_ten_thousand_rows_paint_within_a_frame(listed: RowList, qtbot: QtBot) -> None:
    import time

    listed.show_rows(
        [
            Row(key=("event", n), title=f"row {n} " + "long " * 40, chip="project", time="09:41")
            for n in range(10_000)
        ]
    )
    listed.grab()
    began = time.perf_counter()

    for n in range(10):
        listed.verticalScrollBar().setValue(n * 400)
        listed.grab()

    assert (time.perf_counter() - began) / 10 < 0.05
