"""The timeline stays smooth however much there is."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import numpy as np
from pytestqt.qtbot import QtBot

from desktop_memory.model import Session
from desktop_memory.ui.timeline_data import LANES, Lane, Marks, with_blocks
from desktop_memory.ui.timeline_view import TimelineView
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import NOW

YEAR = 365 * 86_400
FRAME = 1 / 60


def many(events: int, sessions: int) -> Marks:
    chance = np.random.default_rng(1)
    end = NOW.timestamp()
    lanes = {}
    for name, _ in LANES[:5]:
        start = chance.uniform(end - 2 * YEAR, end, events // 5)
        lanes[name] = Lane.of(start, start + chance.uniform(0, 300, events // 5), np.arange(events // 5))
    starts = np.linspace(end - 2 * YEAR, end - 9000, sessions)
    blocks = tuple(
        Session(
            id=n,
            start=datetime.fromtimestamp(at, UTC),
            end=datetime.fromtimestamp(at + 6000, UTC),
            projects=("p",),
        )
        for n, at in enumerate(starts.tolist())
    )
    return with_blocks(lanes, blocks)


def test_a_million_events_paint_within_a_frame_at_every_zoom(stage: Stage, qtbot: QtBot) -> None:
    view = TimelineView(stage.desk.theme)
    qtbot.addWidget(view)
    view.resize(1600, 280)
    view.show_marks(many(1_000_000, 4_000))
    view.show()
    end = NOW.timestamp()
    taken = {}
    for days in (730, 30, 1, 1 / 24):
        view.look_at(end - days * 86_400, end)
        view.viewport().grab()
        began = time.process_time()
        for n in range(10):
            view.look_at(end - days * 86_400 - n * 60, end - n * 60)
            view.viewport().grab()
        taken[days] = (time.process_time() - began) / 10

    print({days: round(seconds * 1000, 1) for days, seconds in taken.items()})
    assert min(taken.values()) > 0
    assert max(taken.values()) < FRAME


def test_what_is_painted_as_a_strip_can_still_be_found(stage: Stage, qtbot: QtBot) -> None:
    view = TimelineView(stage.desk.theme)
    qtbot.addWidget(view)
    view.show_marks(many(1000, 4_000))
    session = view.marks.sessions[1234]

    assert view.session_at(session.start.timestamp() + 60) == session
    assert view.session_at(session.end.timestamp() + 60) is None
