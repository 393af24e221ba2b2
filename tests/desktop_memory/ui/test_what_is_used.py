"""Search learns what somebody came back to, and gets ready while the popup opens."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop_memory.model import Query
from desktop_memory.ui import opening
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.rows import event_row
from desktop_memory.ui.searching import Searching
from tests.desktop_memory.ui.conftest import Stage


def _asked(stage: Stage, name: str) -> list[tuple[object, ...]]:
    return [what for said, what in stage.memory.asked if said == name]


def test_what_is_opened_or_copied_counts_as_used(stage: Stage, qtbot: QtBot, monkeypatch) -> None:
    page = next(event for event in stage.memory.kept if event.url)
    monkeypatch.setattr("desktop_memory.ui.actions.open_event", lambda event: None)
    actions = Actions(stage.desk, Copier(stage.desk))
    row = event_row(page)

    actions.open(row)
    actions.copy_lines([row])

    assert opening.target(page)
    qtbot.waitUntil(lambda: _asked(stage, "used") == [((page.id,),), ((page.id,),)])


def test_meaning_gets_ready_before_the_first_question(stage: Stage, qtbot: QtBot) -> None:
    searching = Searching(stage.desk, "test")

    searching.warm()

    qtbot.waitUntil(lambda: len(_asked(stage, "warm")) == 1)


def test_each_question_overtakes_the_one_before_it(stage: Stage, qtbot: QtBot) -> None:
    searching = Searching(stage.desk, "test")
    for text in ("r", "re", "ret"):
        with qtbot.waitSignal(searching.found):
            searching.ask(Query(text=text), at_rest=True)

    queries = [query for (query,) in _asked(stage, "search")]

    assert [query.turn for query in queries] == [1, 2, 3]
    assert len({query.lane for query in queries} - {""}) == 1
