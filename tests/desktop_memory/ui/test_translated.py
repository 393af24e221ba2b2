"""What is said below the screens is said in the user's language, known by its template."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import desktop_memory
from desktop_memory.errors import KnownError
from desktop_memory.resources import resource
from desktop_memory.ui import translated
from desktop_memory.ui.notices import notice_of

ROOT = Path(desktop_memory.__file__).parents[1]
GERMAN = tomllib.loads(resource("words", "de-told.toml").read_text(encoding="utf-8"))["told"]
SHOWN = (
    "desktop_memory/memory.py", "desktop_memory/resting.py", "desktop_memory/owner.py", "desktop_memory/settings.py",
    "desktop_memory/pipeline/schedule.py", "desktop_memory/pipeline/title_pattern.py",
    "desktop_memory/pipeline/keeping.py", "desktop_memory/store/notes.py", "desktop_memory/desktop/autostart.py",
    "desktop_memory/desktop/hotkey/chord.py", "desktop_memory/desktop/hotkey/hotkey.py",
    "desktop_memory/desktop/hotkey/x11.py", "desktop_memory/desktop/hotkey/gnome.py",
    "desktop_memory/desktop/gnome_extension.py", "desktop_memory/desktop/own_shortcut.py",
    "desktop_memory/mcp/clients.py", "collectors/git/command.py", "collectors/x11.py",
)  # fmt: skip
"""Where a person in the window meets every error."""
ERRORS = ("KnownError", "UsageError", "StoreError", "BusyError", "NoKeys", "Unavailable")


def template(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.sub(r"\{\w+\}", "{}", node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def raised(path: Path) -> set[str]:
    """The templates that this file hands to errors."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ERRORS:
            found |= {text for argument in node.args if (text := template(argument))}
    return {text for text in found if re.search(r"[A-Za-z]{3}", text)}


@pytest.fixture
def german() -> Iterator[None]:
    translated.speak("de")
    yield
    translated.speak("en")


def test_every_error_that_a_window_can_meet_is_known() -> None:
    missing = {(path, text) for path in SHOWN for text in raised(ROOT / path) if text not in GERMAN}

    assert missing == set()


def test_nothing_is_translated_that_nobody_says() -> None:
    said: set[str] = set()
    for package in ("desktop_memory", "collectors"):
        for path in (ROOT / package).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            said |= {text for node in ast.walk(tree) if (text := template(node))}

    assert set(GERMAN) - said == set()


def test_a_translation_fills_the_same_places() -> None:
    assert {k for k, v in GERMAN.items() if k.count("{}") != v.count("{}")} == set()


def test_an_error_is_said_in_german(german: None) -> None:
    notice = notice_of(
        KnownError(
            "Another program has Ctrl+Alt+Z.", "Choose another key in Settings, or free it in that program."
        )
    )

    assert notice.text == "Ein anderes Programm hat Ctrl+Alt+Z."
    assert notice.advice.startswith("Wähle in den Einstellungen")


@pytest.mark.parametrize(
    ("said", "here"),
    [
        ("Git is not installed. Install git to see your commits here.",
         "Git ist nicht installiert. Installiere Git, um deine Commits hier zu sehen."),
        ("/a {b}/c cannot be written: disk full.", "/a {b}/c lässt sich nicht beschreiben: disk full."),
        ("'12-13' names no day or time.", "'12-13' nennt keinen Tag und keine Zeit."),
        ("excluded app: Slack", "ausgeschlossenes Programm: Slack"),
        ("Something new. Git is not installed.", "Something new. Git is not installed."),
        ("", ""),
    ],
)  # fmt: skip
def test_templates_are_known_with_what_fills_them(german: None, said: str, here: str) -> None:
    assert translated.translated(said) == here


def test_a_long_text_is_looked_at_in_no_time(german: None) -> None:
    text = "a {} b. c: " * 2000

    assert translated.translated(text) == text


def test_without_a_language_it_stays_as_it_is() -> None:
    assert translated.translated("Git is not installed.") == "Git is not installed."
