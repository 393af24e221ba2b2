"""How soon the popup is there, and the first results in it, over a memory of a million events.

    python -m tests.benchmarks.popup [--events 1000000] [--folder FOLDER]

Without a screen (Qt's offscreen platform). Beside it an empty window, and the same question asked of the memory itself.
A folder is kept, and one that holds so many events already is used at once.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from desktop_memory.model import Query
from tests.benchmarks.answers import questions
from tests.benchmarks.searching import fill
from tests.benchmarks.table import heading, row, timed
from tests.benchmarks.world import World, last_of, world

_PATIENCE = 10.0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="desktop-memory-bench-") as fresh:
        folder = given.folder or Path(fresh) / "memory"
        fill(folder, given.events)
        with world(folder) as made:
            made.now = last_of(made.bare())
            measure(made)


def measure(made: World) -> None:
    from PySide6.QtWidgets import QApplication, QWidget

    from tests.desktop_memory.ui.scripted import ScriptedApp, ScriptedMemory

    qt = QApplication.instance() or QApplication(["benchmark"])
    popup, background = _popup(made, ScriptedApp(ScriptedMemory()))
    asked = questions()
    bare = QWidget()

    def painted(window: Any) -> None:
        window.show()
        qt.processEvents()

    def opened(_number: int) -> None:
        popup.open()
        qt.processEvents()

    def typed(number: int) -> None:
        popup.field.setText(asked[number])
        _until(qt, lambda: popup._found is not None and popup._found.query.text == asked[number])

    heading(f"The popup over {made.store.count():,} events")
    shown = timed(lambda _number: (bare.hide(), painted(bare)))
    row("it is there", timed(lambda number: (popup.hide(), opened(number))), shown, "50")
    alone = timed(lambda number: made.memory.search(Query(text=asked[number], limit=30, typing=True)))
    row("first results of two words", timed(typed), alone, "50")
    popup.hide()
    background.close()


def _popup(made: World, app: Any) -> tuple[Any, Any]:
    from PySide6.QtGui import QFont

    from desktop_memory.ui.actions import Actions
    from desktop_memory.ui.background import Background
    from desktop_memory.ui.bridge import Bridge
    from desktop_memory.ui.copying import Copier
    from desktop_memory.ui.desk import Desk
    from desktop_memory.ui.notices import Notices
    from desktop_memory.ui.popup import Popup
    from desktop_memory.ui.theme import Theme

    background = Background()
    desk = Desk(
        memory=made.memory, app=app, background=background, bridge=Bridge(),
        theme=Theme("light", font=QFont("Inter", 10)), notices=Notices(), clock=lambda: made.now,
    )  # fmt: skip
    copier = Copier(desk)
    return Popup(desk, copier, Actions(desk, copier)), background


def _until(qt: Any, there: Callable[[], bool]) -> None:
    """Let Qt work until it is there, asleep in between."""
    end = time.monotonic() + _PATIENCE
    while not there():
        if time.monotonic() > end:
            raise TimeoutError("no results came")
        time.sleep(0.001)
        qt.processEvents()


if __name__ == "__main__":
    main()
