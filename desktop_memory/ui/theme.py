"""Palettes, sizes and fonts: what every screen is painted with."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from desktop_memory.resources import resource
from desktop_memory.ui.stylesheet import stylesheet

BODY_PX = 14
"""The drawings' body size; everything else keeps its proportion to the system's font."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by token: bg, surface, raised, line, text, muted, accent, ... and one a kind of event."""

    name: str
    colours: Mapping[str, str]

    def __getitem__(self, token: str) -> QColor:
        return QColor(self.colours[token])

    @property
    def dark(self) -> bool:
        return self["bg"].lightnessF() < 0.5


@cache
def palette(name: str) -> Palette:
    """The palette "light" or "dark"."""
    return Palette(name, tomllib.loads(resource("palettes", f"{name}.toml").read_text(encoding="utf-8")))


def contrast(one: QColor, other: QColor) -> float:
    """The ratio of WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""
    bright, dim = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


class Theme(QObject):
    """The palette in use, following the system where asked to, and fonts in the system's family and size."""

    changed = Signal()

    def __init__(self, choice: str = "system", *, font: QFont | None = None) -> None:
        super().__init__()
        self._choice = choice
        self._font = QFont(font or QApplication.font())
        # Below 13 px the drawings' rows become hard to read; a bare X server's default is 12.
        self._body = max(13, QFontInfo(self._font).pixelSize())
        self.palette = palette("light")
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._scheme_changed)
        self._apply()

    def choose(self, choice: str) -> None:
        """Use "light", "dark", or "system"."""
        self._choice = choice
        self._apply()

    def follow(self, owner: QObject, repaint: Callable[[], None]) -> None:
        """Call `repaint` now and whenever the palette changes, as long as the owner lives."""

        def still() -> None:
            if isValid(owner):
                repaint()
            else:
                self.changed.disconnect(still)

        repaint()
        self.changed.connect(still)

    def __getitem__(self, token: str) -> QColor:
        return self.palette[token]

    def px(self, drawn: float) -> int:
        """A measure of the drawings, grown or shrunk with the system's font."""
        return round(drawn * self._body / BODY_PX)

    def font(self, drawn_px: float = BODY_PX, weight: int = 400, *, mono: bool = False) -> QFont:
        """The system's font at a size of the drawings; all figures equally wide, so that times line up."""
        font = QFont(self._font)
        if mono:
            font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(max(10, self.px(drawn_px)))
        font.setWeight(QFont.Weight(weight))
        if not mono:
            font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def _scheme_changed(self) -> None:
        if self._choice == "system":
            self._apply()

    def _apply(self) -> None:
        name = self._choice
        if name == "system":
            dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
            name = "dark" if dark else "light"
        self.palette = palette(name)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        if app.style().name() != "fusion":
            app.setStyle("Fusion")
        QApplication.setFont(self.font())
        QApplication.setPalette(_qt_palette(self.palette))
        app.setStyleSheet(stylesheet(self.palette.colours, self.px))
        self.changed.emit()


def _qt_palette(colours: Palette) -> QPalette:
    role = QPalette.ColorRole
    roles = {
        role.Window: "bg",
        role.WindowText: "text",
        role.Base: "surface",
        role.AlternateBase: "raised",
        role.Text: "text",
        role.PlaceholderText: "muted",
        role.Button: "raised",
        role.ButtonText: "text",
        role.BrightText: "danger",
        role.Highlight: "accent",
        role.HighlightedText: "on_accent",
        role.Link: "accent",
        role.LinkVisited: "accent",
        role.ToolTipBase: "raised",
        role.ToolTipText: "text",
        role.Mid: "line",
        role.Dark: "line",
        role.Light: "raised",
        role.Accent: "accent",
    }
    made = QPalette()
    for which, token in roles.items():
        made.setColor(which, colours[token])
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, colours["muted"])
    return made


def _luminance(colour: QColor) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(c) for c in (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
