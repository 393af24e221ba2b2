"""What is said below the screens is said in the user's language, known by its template."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator

import pytest

from collectors.window.private import CANNOT_ALWAYS_TELL, CANNOT_TELL
from desktop_memory.errors import KnownError
from desktop_memory.resources import resource
from desktop_memory.ui import translated
from desktop_memory.ui.notices import notice_of
from tests.desktop_memory.ui.said_below import returned, template, told, tree_of, trees

GERMAN = tomllib.loads(resource("words", "de-told.toml").read_text(encoding="utf-8"))["told"]
ELSEWHERE = {
    "desktop_memory/cli/": "printed by commands, which speak English",
    "desktop_memory/doctor.py": "printed by `desktop-memory doctor`",
    "desktop_memory/mcp/transports.py": "printed by `desktop-memory mcp serve`",
    "desktop_memory/ui/display.py": "printed where no window can be shown",
}
"""The files whose errors no window shows, and why."""


def known(text: str) -> bool:
    """Whether this template has its German, whole or sentence by sentence."""
    return text in GERMAN or all(part in GERMAN or part == "{}" for part in re.split(r"(?<=[.:]) ", text))


@pytest.fixture
def german() -> Iterator[None]:
    translated.speak("de")
    yield
    translated.speak("en")


def test_every_error_and_advice_that_a_window_can_show_is_known() -> None:
    missing = {
        (path, text)
        for path, tree in trees()
        if not path.startswith(tuple(ELSEWHERE))
        for text in told(tree)
        if not known(text)
    }

    assert missing == set()


def test_what_cannot_be_known_of_private_windows_is_said() -> None:
    assert {CANNOT_TELL, CANNOT_ALWAYS_TELL} <= GERMAN.keys()


def test_every_reason_of_a_rule_is_known() -> None:
    missing = {
        text
        for file in ("privacy", "default_lists")
        for function in ("naming", "against", "_against", "_against_site")
        for text in returned(tree_of(f"desktop_memory/pipeline/{file}.py"), function)
        if not known(text)
    }

    assert missing == set()


@pytest.mark.parametrize(
    "code",
    [
        'raise Unavailable(f"{name} is new.")',
        'raise StoreError("One. Something new.", "")',
        '_NEW = "Something new."\nraise KnownError("", _NEW)',
        'def _why(a):\n    return "", f"New {a}."\nraise KnownError(*_why(1))',
        'advice = "" if right else "Something new."',
        'place = Place(advice="Something new.")',
        'skipped["something new"] += 1',
    ],
)
def test_a_new_one_without_german_is_seen(code: str) -> None:
    assert not all(known(text) for text in told(ast.parse(code)))


def test_nothing_is_translated_that_nobody_says() -> None:
    said = {text for _, tree in trees() for node in ast.walk(tree) if (text := template(node))}

    assert set(GERMAN) - said == set()


def test_a_translation_fills_the_same_places() -> None:
    assert {k for k, v in GERMAN.items() if k.count("{}") != v.count("{}")} == set()


def test_each_is_known_by_itself(german: None) -> None:
    filled = {one.replace("{}", "‹x›"): said.replace("{}", "‹x›") for one, said in GERMAN.items()}

    assert {one for one, said in filled.items() if translated.translated(one) != said.format()} == set()


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
        ("/a. b/c cannot be read: Permission denied. Check its permissions.",
         "/a. b/c lässt sich nicht lesen: Permission denied. Prüfe die Rechte."),
        ("/a. b/c cannot be read: x. y.", "/a. b/c lässt sich nicht lesen: x. y."),
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
