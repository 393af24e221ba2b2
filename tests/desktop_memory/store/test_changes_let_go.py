"""What every projection has followed is let go of; what one has not, never."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop_memory.app import App
from desktop_memory.graph.schema import Cursor
from desktop_memory.model import Query
from desktop_memory.store import feed
from tests.factories import event


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "_MANY_CHANGES", 3)


def changes(app: App) -> list[int]:
    return [row[0] for row in app.parts.store.read().execute("SELECT id FROM change ORDER BY id")]


def test_what_the_graph_has_followed_goes_and_the_graph_stays_right(home: Path) -> None:
    app = App.open(home / "memory")
    app.memory.remember([event(n) for n in range(9)])
    app.catch_up(0)
    assert app.parts.projector is not None
    built = app.parts.projector.counts()
    for id_ in (2, 4):
        app.memory.forget(Query(), [id_])
    app.parts.store.drop_changes(app.parts.projector.followed)
    waiting = changes(app)
    for id_ in (6, 8):
        app.memory.forget(Query(), [id_])

    app.catch_up(0)

    assert app.parts.projector.followed == feed.last_change(app.parts.store.read())
    assert waiting
    assert changes(app) == []
    counted = app.parts.projector.counts()
    assert built is not None
    assert counted is not None
    assert (built["Event"], counted["Event"]) == (9, 5)
    app.close()


def test_a_graph_that_missed_what_went_is_made_anew(home: Path) -> None:
    app = App.open(home / "memory")
    app.memory.remember([event(n) for n in range(9)])
    app.catch_up(0)
    for id_ in (2, 4, 6, 8):
        app.memory.forget(Query(), [id_])
    with app.parts.store.transaction() as connection:
        connection.execute("DELETE FROM change")
    assert app.parts.projector is not None
    app.parts.projector._graph.cursor = _earlier(app)

    with app.parts.store.snapshot() as now:
        assert "older than" in app.parts.projector._why_anew(now)
    app.catch_up(0)

    counted = app.parts.projector.counts()
    assert counted is not None
    assert counted["Event"] == 5
    app.close()


def _earlier(app: App) -> Cursor:
    assert app.parts.projector is not None
    return replace(app.parts.projector._graph.cursor, change=0)


def test_without_a_graph_none_is_kept(home: Path) -> None:
    app = App.open(home / "memory")
    app.memory.remember([event(n) for n in range(9)])
    for id_ in (2, 4, 6, 8):
        app.memory.forget(Query(), [id_])
    assert len(changes(app)) >= 4

    app.parts.store.drop_changes(None)

    assert changes(app) == []
    app.close()
