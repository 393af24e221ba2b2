"""Keys as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_memory.desktop.hotkey.chord import Chord, parse
from desktop_memory.desktop.hotkey.pynput import written
from desktop_memory.errors import KnownError


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("Ctrl+Alt+Z", "Ctrl+Alt+Z"),
        ("alt + ctrl + z", "Ctrl+Alt+Z"),
        ("Super+Space", "Super+Space"),
        ("win+shift+s", "Shift+Super+S"),
        ("Cmd+Option+M", "Alt+Super+M"),
        ("F12", "F12"),
        ("Shift+F1", "Shift+F1"),
        ("PrintScreen", "Print"),
        ("Ctrl++", "Ctrl++"),
        ("Ctrl+plus", "Ctrl++"),
        ("Ctrl+Enter", "Ctrl+Return"),
        ("Ctrl+ä", "Ctrl+Ä"),
        ("Ctrl+ß", "Ctrl+ß"),
    ],
)
def test_a_chord_is_understood_however_it_is_written(text: str, means: str):
    assert str(parse(text)) == means
    assert parse(means) == parse(text)


@pytest.mark.parametrize(
    "text", ["", "Ctrl", "Ctrl+", "+", "z", "Shift+z", "Space", "Hyper+Z", "Ctrl+Foo", "Ctrl+Alt"]
)
def test_what_is_no_chord_is_said_with_advice(text: str):
    with pytest.raises(KnownError) as raised:
        parse(text)

    assert raised.value.advice


@given(st.text(max_size=30))
@settings(deadline=None)
def test_no_text_breaks_it(text: str):
    try:
        chord = parse(text)
    except KnownError:
        return
    assert parse(str(chord)) == chord


def test_pynput_gets_its_own_form():
    assert written(Chord(frozenset({"Ctrl", "Alt"}), "Z")) == "<ctrl>+<alt>+z"
    assert written(Chord(frozenset({"Super"}), "Space")) == "<cmd>+<space>"
    assert written(Chord(frozenset(), "F12")) == "<f12>"
