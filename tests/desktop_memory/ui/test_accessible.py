"""Keyboard and screen reader reach everything."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

import desktop_memory.ui
from desktop_memory.resources import resource
from desktop_memory.ui.icons import KIND_COLOURS, KIND_ICONS, pixmap
from desktop_memory.ui.pages.all import PAGES
from desktop_memory.ui.screens import Screens
from desktop_memory.ui.theme import palette
from tests.desktop_memory.ui.conftest import Stage


def spoken(widget: QWidget) -> str:
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Name) if found else ""


def test_every_control_has_a_name_and_can_be_focused(stage: Stage, qtbot: QtBot) -> None:
    screens = Screens(stage.desk)
    qtbot.addWidget(screens.window)
    qtbot.addWidget(screens.popup)
    screens.window.show()
    screens.popup.open()
    nameless: list[str] = []
    unreachable: list[str] = []
    for page in range(len(PAGES)):
        screens.window.go(page)
        qtbot.wait(120)
        for root in (screens.window, screens.popup):
            for widget in root.findChildren(QWidget):
                if not widget.isVisible() or not isinstance(
                    widget, (QAbstractButton, QLineEdit, QAbstractItemView, QAbstractScrollArea)
                ):
                    continue
                if not spoken(widget):
                    nameless.append(f"{type(screens.window.page).__name__}: {widget}")
                inside_popup = root is screens.popup
                if (
                    isinstance(widget, QAbstractButton)
                    and not inside_popup
                    and widget.focusPolicy() == Qt.FocusPolicy.NoFocus
                ):
                    unreachable.append(str(widget))

    assert nameless == []
    assert unreachable == []
    screens.end()


def test_tab_goes_through_the_whole_page(stage: Stage, qtbot: QtBot) -> None:
    screens = Screens(stage.desk)
    qtbot.addWidget(screens.window)
    window = screens.window
    window.show()
    window.activateWindow()
    window.go_to("TimelinePage")
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    qtbot.wait(200)
    seen: list[QWidget] = []
    for _ in range(40):
        here = QApplication.focusWidget()
        assert here is not None
        if here in seen:
            break
        seen.append(here)
        qtbot.keyClick(here, Qt.Key.Key_Tab)

    kinds = {kind.__name__ for widget in seen for kind in type(widget).__mro__}
    assert {"TimelineView", "RowList", "HeatStrip", "NavigationItem", "QPushButton", "QToolButton"} <= kinds
    screens.end()


def test_list_rows_are_read_out(stage: Stage, qtbot: QtBot) -> None:
    screens = Screens(stage.desk)
    qtbot.addWidget(screens.window)
    screens.window.show()
    rows = screens.window.page.rows  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: len(rows.rows.rows) == 10)

    found = QAccessible.queryAccessibleInterface(rows)
    assert found.role() == QAccessible.Role.List
    assert found.childCount() == 10
    assert found.child(0).text(QAccessible.Text.Name).startswith("09:55 · Freeze and tick")
    screens.end()


def test_every_icon_that_is_named_is_there_and_shows_something(qtbot: QtBot) -> None:
    source = "\n".join(p.read_text() for p in Path(desktop_memory.ui.__file__).parent.rglob("*.py"))
    quoted = set(re.findall(r'"([a-z0-9-]{1,30})"', source))
    shipped = {path.stem for path in resource("icons").glob("*.svg")}

    assert set(KIND_ICONS.values()) <= shipped
    used = quoted & shipped
    assert len(used) > 20
    for name in used:
        image = pixmap(name, palette("light")["text"], 18).toImage()
        assert any(image.pixelColor(x, y).alpha() > 100 for x in range(18) for y in range(18)), name


def test_every_kind_has_an_icon_and_a_colour() -> None:
    from desktop_memory.model import KINDS

    assert set(KIND_ICONS) == set(KINDS) == set(KIND_COLOURS)
    assert set(KIND_COLOURS.values()) <= set(palette("light").colours)
