"""How long what is kept, in the window: what a limit would take is told before it is set."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_memory import settings as settings_file
from desktop_memory.ui.retention import FIELD, Retention
from desktop_memory.ui.setting_controls import Lines
from tests.desktop_memory.ui.conftest import Stage


@pytest.fixture
def stage(stage_of: Callable[..., Stage], tmp_path: Path) -> Stage:
    return stage_of(folder=tmp_path)


def written(section: Retention, text: str) -> Lines:
    made = section.form.controls[FIELD]
    assert isinstance(made, Lines)
    made.setPlainText(text)
    made.finished.emit(made.lines())
    return made


def shown(stage: Stage, qtbot: QtBot) -> Retention:
    section = Retention(stage.desk)
    qtbot.addWidget(section)
    section.show()
    return section


def reloads(stage: Stage) -> int:
    return sum(said == "reload" for said, _ in stage.memory.asked)


def test_a_limit_that_takes_something_waits_for_a_second_button(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    section = shown(stage, qtbot)

    written(section, "all = 1 day")
    qtbot.waitUntil(section.bar.isVisible)

    assert "for good" in section.told.text()
    assert not reloads(stage)
    section.yes.click()
    qtbot.waitUntil(lambda: reloads(stage) == 1)
    assert settings_file.load(tmp_path / "settings.toml").privacy.keep == ("all = 1 day",)
    assert not section.bar.isVisible()


def test_one_that_is_not_meant_leaves_all_as_it_was(stage: Stage, qtbot: QtBot) -> None:
    section = shown(stage, qtbot)
    field = written(section, "all = 1 day")
    qtbot.waitUntil(section.bar.isVisible)

    section.no.click()

    assert field.lines() == ()
    assert not section.bar.isVisible()
    assert not reloads(stage)
    assert stage.desk.settings.privacy.keep == ()


def test_one_that_takes_nothing_is_set_at_once(stage: Stage, qtbot: QtBot) -> None:
    section = shown(stage, qtbot)

    written(section, "all = 9 years")

    qtbot.waitUntil(lambda: reloads(stage) == 1)
    assert not section.bar.isVisible()


def test_one_that_cannot_be_read_is_said_and_not_kept(stage: Stage, qtbot: QtBot) -> None:
    section = shown(stage, qtbot)

    written(section, "all = soon")

    qtbot.waitUntil(lambda: bool(stage.notices))
    assert stage.notices[0].tone == "danger"
    assert not reloads(stage)
