"""Everything the screens say can be said in German."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from pytestqt.qtbot import QtBot

import desktop_memory.ui
from desktop_memory.resources import resource
from desktop_memory.settings import Settings
from desktop_memory.ui.setting_fields import declared
from desktop_memory.ui.window import Window
from desktop_memory.ui.words import speak, tr
from tests.desktop_memory.ui.conftest import Stage

GERMAN = tomllib.loads(resource("words", "de.toml").read_text(encoding="utf-8"))["words"]


def said() -> set[str]:
    """Every text that the code hands to tr(), and what the settings say of themselves."""
    found: set[str] = set()
    for path in Path(desktop_memory.ui.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr":
                text = node.args[0]
                if isinstance(text, ast.Constant):
                    found.add(str(text.value))
    for field in declared(Settings()):
        found |= {field.help, *(choice.capitalize() for choice in field.choices)}
    return found


def test_german_says_all_of_it_and_nothing_else() -> None:
    assert said() - set(GERMAN) == set()
    assert set(GERMAN) - said() == set()


def test_a_translation_has_the_same_places_to_fill() -> None:
    def places(text: str) -> list[str]:
        return sorted(re.findall(r"\{\w+\}", text))

    assert {k: v for k, v in GERMAN.items() if places(k) != places(v)} == {}


def test_no_exclamation_marks_and_no_jargon() -> None:
    for text in said():
        assert "!" not in text
        assert not re.search(r"\b(embedding|node|vector)s?\b", text, re.IGNORECASE), text


def test_german_speaks_to_one_person_in_one_way() -> None:
    told = tomllib.loads(resource("words", "de-told.toml").read_text(encoding="utf-8"))["told"]
    formal = re.compile(
        r"[a-zäöüß]e?n Sie\b|\b(?:den|die|das|wenn|was) Sie\b|\bIhnen\b|(?<!^)(?<![.:] )\bIhren?\b"
    )

    assert [text for text in (*GERMAN.values(), *told.values()) if formal.search(text)] == []


@pytest.fixture
def german() -> Iterator[None]:
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    speak("de")
    yield
    speak("en")
    QLocale.setDefault(QLocale.c())


def test_the_window_speaks_german(german: None, stage: Stage, qtbot: QtBot) -> None:
    window = Window(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(window)
    window.show()
    window.go_to("TimelinePage")

    assert [item.text() for item in window.navigation.items][:3] == ["Jetzt", "Zeitleiste", "Suche"]
    qtbot.waitUntil(lambda: window.page._title.text() == "Donnerstag, 13. August")  # type: ignore[attr-defined]


def test_a_language_that_we_lack_is_english() -> None:
    speak("xx")

    assert tr("Copy context") == "Copy context"
