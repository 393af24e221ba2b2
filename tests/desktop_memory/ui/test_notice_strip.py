"""Several notices at once: none is lost before it could be read, none piles up."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_memory.ui import notice_strip
from desktop_memory.ui.notice_strip import NoticeStrip
from desktop_memory.ui.notices import Notice, Notices
from desktop_memory.ui.theme import Theme

BACK = Notice("The backup is in place.")
TAKEN = Notice("Ctrl+K belongs to another program.", "Choose another key.", "danger")
FULL = Notice("The disk is full.", "Free some space.", "danger")


@pytest.fixture
def strip(qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> NoticeStrip:
    monkeypatch.setattr(notice_strip, "STAYS_MS", 300)
    made = NoticeStrip(Theme("light"))
    qtbot.addWidget(made)
    return made


def shown(strip: NoticeStrip) -> list[str]:
    return [line.notice.text for line in (strip.lasting, strip.news) if line.isVisible()]


def forgot(what: str) -> Notice:
    return Notice(f"Forgot {what}.", button="Undo", act=lambda: None)


def test_news_and_an_error_in_the_same_second_are_both_read(strip: NoticeStrip, qtbot: QtBot) -> None:
    strip.show_notice(BACK)
    strip.show_notice(TAKEN)

    assert shown(strip) == [TAKEN.text, BACK.text]
    qtbot.waitUntil(lambda: shown(strip) == [TAKEN.text])
    strip.lasting.close_button.click()
    assert not strip.isVisible()


def test_an_error_that_was_read_goes_with_the_next_news(strip: NoticeStrip, qtbot: QtBot) -> None:
    strip.show_notice(TAKEN)
    qtbot.waitUntil(lambda: not strip.lasting.can_wait)

    strip.show_notice(BACK)

    assert shown(strip) == [BACK.text]


def test_an_undo_outlives_what_is_said_after_it(strip: NoticeStrip, qtbot: QtBot) -> None:
    strip.show_notice(forgot("one"))
    qtbot.wait(350)
    strip.show_notice(FULL)

    assert shown(strip) == [FULL.text]
    assert strip.lasting.more.text() == "1 more"
    strip.lasting.close_button.click()
    assert shown(strip) == ["Forgot one."]
    assert not strip.lasting.more.isVisible()
    strip.deeds.buttons[0].click()
    assert not strip.isVisible()


def test_what_is_said_again_stands_there_once(strip: NoticeStrip) -> None:
    for _ in range(3):
        strip.show_notice(TAKEN)
        strip.show_notice(FULL)

    strip.lasting.close_button.click()
    strip.lasting.close_button.click()

    assert not strip.isVisible()


def test_a_wider_copy_takes_the_place_of_the_one_before(strip: NoticeStrip) -> None:
    for minutes in (15, 60):
        text = f"Copied the last {minutes} minutes"
        strip.show_notice(Notice(text, button="Preview", act=lambda: None, about="clipboard"))

    assert shown(strip) == ["Copied the last 60 minutes"]
    assert not strip.lasting.more.isVisible()
    strip.show_notice(Notice("Your clipboard is as it was.", about="clipboard"))
    assert shown(strip) == ["Your clipboard is as it was."]


def test_what_was_answered_elsewhere_comes_back_nowhere(strip: NoticeStrip) -> None:
    notices, seen = Notices(), list[Notice]()
    notices.said.connect(strip.show_notice)
    notices.said.connect(seen.append)
    notices.answered.connect(strip.take_away)
    notices.say("9 already stored.", button="Forget 9", act=lambda: notices.say("Forgot 9."))

    _, act = seen[0].deeds[0]
    act()

    assert shown(strip) == ["Forgot 9."]


def test_a_hundred_do_not_become_a_pile(strip: NoticeStrip) -> None:
    for number in range(100):
        strip.show_notice(forgot(f"no. {number}"))

    assert strip.lasting.more.text() == "4 more"
    assert shown(strip) == ["Forgot no. 99."]


def test_an_undo_stays_where_it_is_when_news_goes(strip: NoticeStrip, qtbot: QtBot) -> None:
    column = QVBoxLayout(holder := QWidget())
    qtbot.addWidget(holder)
    column.addStretch(1)
    column.addWidget(strip)
    holder.resize(700, 400)
    holder.show()
    strip.show_notice(forgot("93 records"))
    strip.show_notice(BACK)
    qtbot.waitUntil(lambda: strip.news.height() > 0)
    qtbot.wait(50)
    before = strip.lasting.mapTo(holder, QPoint())

    qtbot.waitUntil(lambda: shown(strip) == ["Forgot 93 records."])
    qtbot.wait(50)

    after = strip.lasting.mapTo(holder, QPoint())
    strip.setParent(None)
    assert after == before
