"""What a screen reader walks through: everything that acts has a role and a name, on every screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_memory.model import ContextRequest
from desktop_memory.ui.pages.all import PAGES
from desktop_memory.ui.pages.context import COPIES, ContextPage
from desktop_memory.ui.pages.search import SearchPage
from desktop_memory.ui.pages.timeline import TimelinePage
from desktop_memory.ui.screens import Screens
from desktop_memory.ui.welcome import Welcome
from tests.desktop_memory.ui.conftest import Stage

Role = QAccessible.Role
ACTS = {
    Role.Button, Role.CheckBox, Role.RadioButton, Role.EditableText, Role.List, Role.ListItem, Role.ComboBox,
    Role.SpinBox, Role.MenuItem, Role.ButtonMenu, Role.Link, Role.Slider, Role.ProgressBar, Role.Table, Role.Tree,
}  # fmt: skip
MOST_ITEMS = 30
"""Of a list so many rows are asked."""


def tree(root: QWidget) -> Iterator[tuple[str, QAccessibleInterface]]:
    """Everything that can be met below this window, with the way there."""
    waiting = [("", QAccessible.queryAccessibleInterface(root))]
    while waiting:
        way, found = waiting.pop()
        if found is None or not found.isValid() or found.state().invisible:
            continue
        way = f"{way}/{found.role().name}"
        yield way, found
        waiting += [(way, found.child(n)) for n in range(min(found.childCount(), MOST_ITEMS))]


def faults(root: QWidget) -> list[str]:
    """What acts without a name, and what can have the keyboard without a role."""
    found: list[str] = []
    for way, one in tree(root):
        owner = one.object()
        if one.role() in ACTS and not one.text(QAccessible.Text.Name).strip():
            found.append(f"no name: {way} {owner} {one.text(QAccessible.Text.Value)[:20]}")
        if one.role() in (Role.NoRole, Role.Client) and one.state().focusable and owner is not root:
            found.append(f"no role: {way} {owner}")
    return found


def test_every_page_can_be_read_out(stage: Stage, qtbot: QtBot) -> None:
    screens = Screens(stage.desk)
    qtbot.addWidget(screens.window)
    screens.window.show()

    for page in range(len(PAGES)):
        screens.window.go(page)
        qtbot.wait(150)
        assert faults(screens.window) == []
    assert sum(1 for _ in tree(screens.window)) > 40
    screens.window.go_to("TimelinePage")
    qtbot.wait(100)
    assert "Timeline" in {
        one.text(QAccessible.Text.Name) for _, one in tree(screens.window) if one.role() == Role.Chart
    }

    window = screens.window
    window.search_for("retry")
    assert isinstance(window.page, SearchPage)
    window.page.why.click()
    qtbot.wait(200)
    assert faults(window) == []
    window.go_to("TimelinePage")
    assert isinstance(window.page, TimelinePage)
    window.page.reopen()
    qtbot.wait(200)
    assert faults(window) == []
    stage.copier.copy(ContextRequest(minutes=15))
    window.go_to("ContextPage")
    assert isinstance(window.page, ContextPage)
    window.page.form.more.click()
    qtbot.wait(100)
    assert faults(window) == []
    window.page.show_view(COPIES)
    qtbot.wait(200)
    assert faults(window) == []
    screens.end()


def test_popup_message_preview_and_menus_can_be_read_out(stage: Stage, qtbot: QtBot) -> None:
    screens = Screens(stage.desk)
    for shown in (screens.popup, screens.toast, screens.preview):
        qtbot.addWidget(shown)
    screens.popup.open()
    qtbot.wait(200)
    assert faults(screens.popup) == []
    screens.popup.field.setText("retry yesterday")
    qtbot.wait(300)
    assert faults(screens.popup) == []
    screens.popup.hide()
    stage.desk.bridge.copy()
    qtbot.waitUntil(screens.toast.isVisible)
    assert faults(screens.toast) == []
    screens.toast.deeds.buttons[0].click()
    qtbot.waitUntil(screens.preview.isVisible)
    assert faults(screens.preview) == []
    assert faults(screens.tray.menu) == []
    screens.end()


def test_the_first_start_can_be_read_out(stage: Stage, qtbot: QtBot, tmp_path: Path) -> None:
    stage.desk.folder = tmp_path
    made = Welcome(stage.desk)
    qtbot.addWidget(made)
    made.show()

    for _ in range(4):
        qtbot.wait(100)
        assert faults(made) == []
        if made.step < 3:
            made._next.click()


def test_a_part_without_a_name_is_found(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(QLineEdit())
    window.show()

    assert len(faults(window)) == 1
