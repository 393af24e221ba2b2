"""Both palettes can be read by everybody."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from desktop_memory.ui.parts import label
from desktop_memory.ui.theme import Theme, contrast, palette

GROUNDS = ("bg", "surface", "raised")
TEXTS = (
    "text", "muted", "accent", "ok", "warn", "danger",
    "window", "browser", "terminal", "git", "file", "note",
)  # fmt: skip


def test_contrast_is_that_of_wcag() -> None:
    assert contrast(QColor("#FFFFFF"), QColor("#000000")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("#FFFFFF")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("ground", GROUNDS)
def test_every_text_stands_out_from_every_ground(name: str, text: str, ground: str) -> None:
    colours = palette(name)

    assert contrast(colours[text], colours[ground]) >= 4.8


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize(
    "pair", [("on_accent", "accent"), ("text", "selection"), ("muted", "selection"), ("accent", "selection")]
)
def test_the_chosen_row_and_the_button_can_be_read(name: str, pair: tuple[str, str]) -> None:
    colours = palette(name)

    assert contrast(colours[pair[0]], colours[pair[1]]) >= 4.8


def test_both_palettes_name_the_same_colours() -> None:
    assert palette("light").colours.keys() == palette("dark").colours.keys()
    assert not palette("light").dark
    assert palette("dark").dark


def test_what_a_label_says_keeps_its_tone_when_the_palette_changes(qapp: QApplication) -> None:
    theme = Theme("light")
    said = label(theme, token="muted")

    said.say("Type the same passphrase twice.", "danger")
    theme.choose("dark")

    assert palette("dark")["danger"].name() in said.styleSheet()
