"""One line of text laid out to a width: cut at its end or middle, with some stretches marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextOption

from desktop_memory.ui.rows import Spot

ELLIPSIS = "…"
_ENDLESS = 1_000_000.0


def fitted(
    text: str,
    font: QFont,
    width: float,
    *,
    spots: Sequence[Spot] = (),
    mark: QColor,
    middle: bool = False,
    weight: int = 600,
) -> QTextLayout:
    """The text in one line no wider than `width`; `spots` stand out in the colour `mark` and this weight."""
    if middle or (text.isascii() is False and _right_to_left(text)):
        mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        cut = QFontMetricsF(font).elidedText(text, mode, width)
        return _laid(cut, font, spots if cut == text else (), mark, weight)
    whole = _laid(text, font, spots, mark, weight)
    if whole.lineAt(0).naturalTextWidth() <= width:
        return whole
    room = max(width - QFontMetricsF(font).horizontalAdvance(ELLIPSIS) - 1, 0)
    at = _characters(text, _cursor(whole, room))
    kept = text[:at].rstrip()
    return _laid(
        kept + ELLIPSIS, font, [(a, min(b, len(kept))) for a, b in spots if a < len(kept)], mark, weight
    )


def natural_width(layout: QTextLayout) -> float:
    return layout.lineAt(0).naturalTextWidth()


def top_left(layout: QTextLayout, x: float, middle_y: float) -> QPointF:
    """Where to draw so that the line stands in the middle of a row."""
    return QPointF(x, middle_y - layout.lineAt(0).height() / 2)


def _laid(text: str, font: QFont, spots: Sequence[Spot], mark: QColor, weight: int) -> QTextLayout:
    layout = QTextLayout(text, font)
    option = QTextOption(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    if spots:
        layout.setFormats([_format(text, spot, mark, weight) for spot in spots])
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(_ENDLESS)
    line.setPosition(QPointF(0, 0))
    layout.endLayout()
    return layout


def _format(text: str, spot: Spot, mark: QColor, weight: int) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    start, end = (_units(text[:at]) for at in spot)
    look = QTextCharFormat()
    look.setForeground(mark)
    look.setFontWeight(QFont.Weight(weight))
    found.start, found.length, found.format = start, end - start, look
    return found


def _cursor(layout: QTextLayout, x: float) -> int:
    found = layout.lineAt(0).xToCursor(x)
    return found[0] if isinstance(found, tuple) else int(found)


def _units(text: str) -> int:
    """Qt counts UTF-16 units, Python characters."""
    return len(text.encode("utf-16-le")) // 2


def _characters(text: str, units: int) -> int:
    return len(text.encode("utf-16-le")[: units * 2].decode("utf-16-le", "ignore"))


def _right_to_left(text: str) -> bool:
    return any("\u0590" <= c <= "\u08ff" for c in text[:60])
