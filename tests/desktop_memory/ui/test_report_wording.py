"""The report is told in the window's language; what was recorded stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import pytest
from PySide6.QtCore import QLocale

from collectors.event import Gap
from desktop_memory.context.report import report
from desktop_memory.context.report_text import written
from desktop_memory.context.report_wording import ENGLISH
from desktop_memory.ipc.codec import decode, encode
from desktop_memory.ui.report_wording import report_wording
from desktop_memory.ui.words import speak
from tests.examples import ListSources, at, retention

DAY = date(2026, 8, 13)


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    before = QLocale()
    yield
    speak("en")
    QLocale.setDefault(before)


@pytest.fixture
def sources() -> ListSources:
    made = retention()
    made.add("git_commit", at(13, "15:00"), title="TODO: index", details={"hash": "abcdef123"}, project="x")
    made.recorded_gaps = [Gap(start=at(13, "14:24"), end=at(13, "15:10"), reason="idle")]
    return made


def test_a_german_report_is_german(sources: ListSources) -> None:
    QLocale.setDefault(QLocale("de_DE"))
    speak("de")

    text = written(report(sources, date(2026, 8, 11), DAY), wording=report_wording())

    assert text.startswith(
        "# Di. 11. Aug. – Do. 13. Aug. 2026\n\n| Stunden | Di. 11. Aug. | Do. 13. Aug. | Summe |\n"
    )
    assert re.search(r"\| Summe \|.* \d+,\d+ \|", text)
    assert "\nNicht aufgezeichnet zwischen dem ersten und dem letzten Eintrag eines Tages: 0,75 h.\n" in text
    assert "\n## Gespräche\n- Di. 11. Aug. " in text
    assert "\n- Do. 13. Aug. 13:52 „NW weekly“ · Teams (32 min)\n" in text
    assert "\n- Do. 13. Aug. abcdef1 „TODO: index“ · x\n" in text
    assert "\n- Retention schedule to Nordwind AG (fällig Mo. 17. Aug.)" in text
    assert "\n## Ein Ziel wert?\n- x: „TODO: index“\n" in text


def test_no_word_of_ours_stays_english_in_a_german_report(sources: ListSources) -> None:
    QLocale.setDefault(QLocale("de_DE"))
    speak("de")
    made = report_wording()
    ours = [name for name in ENGLISH.__slots__ if name not in ("commits", "clock_form", "months")]

    assert [name for name in ours if getattr(made, name) == getattr(ENGLISH, name)] == []


def test_americans_read_the_month_first_and_twelve_hours(sources: ListSources) -> None:
    QLocale.setDefault(QLocale("en_US"))

    text = written(report(sources, DAY, DAY), wording=report_wording())

    assert text.startswith("# Thu, Aug 13 2026\n")
    assert "\n- Thu, Aug 13 01:52 PM “NW weekly” · Teams (32 min)\n" in text


def test_where_no_language_is_set_it_reads_as_on_the_command_line(sources: ListSources) -> None:
    QLocale.setDefault(QLocale.c())
    found = report(sources, date(2026, 8, 11), DAY)

    assert written(found, wording=report_wording()).replace("“", '"').replace("”", '"') == written(found)


def test_the_wording_can_be_sent() -> None:
    assert decode(encode(report_wording())) == report_wording()
