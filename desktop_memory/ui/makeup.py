"""What a session consists of: a bar of its programs' time, and how much of everything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_memory.context.apps import label
from desktop_memory.model import Remembered
from desktop_memory.ui.as_written import as_written
from desktop_memory.ui.rows import clean
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import counted, stretch, tr

NAMED = 4
"""Programs that have a part of their own; the rest share one."""
SHADES = (0.95, 0.68, 0.48, 0.34, 0.2)
LEAST = 1.0


@dataclass(frozen=True, slots=True)
class Makeup:
    """Programs with their seconds, the longest first; and "5 commands", "1 commit"."""

    programs: tuple[tuple[str, float], ...] = ()
    others: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        return " · ".join((*(f"{name} {stretch(seconds)}" for name, seconds in self.programs), *self.others))


def makeup(events: Iterable[Remembered]) -> Makeup:
    """Of these records."""
    seconds: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for event in events:
        if event.kind == "window" and event.app:
            lasted = ((event.end or event.start) - event.start).total_seconds()
            seconds[clean(label(event.app))] += lasted  # type: ignore[assignment]
        else:
            counts["git" if event.kind == "git_commit" else event.kind] += 1
    longest = [(name, lasted) for name, lasted in seconds.most_common() if lasted >= LEAST]
    programs = longest[:NAMED]
    if rest := sum(lasted for _, lasted in longest[NAMED:]):
        programs.append((tr("others"), rest))
    words = {
        "browser": (tr("page"), tr("pages")),
        "terminal": (tr("command"), tr("commands")),
        "git": (tr("commit"), tr("commits")),
        "file": (tr("file"), tr("files")),
        "note": (tr("note"), tr("notes")),
    }
    return Makeup(
        tuple(programs),
        tuple(counted(counts[kind], one, many) for kind, (one, many) in words.items() if counts[kind]),
    )


class MakeupBar(QWidget):
    """Paints it: the bar, and below it what its parts are."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._makeup = Makeup()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.follow(self, self.update)

    def show_makeup(self, made: Makeup) -> None:
        self._makeup = made
        self.setVisible(bool(made.told))
        self.setAccessibleName(made.told)
        self.setToolTip(as_written(made.told))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self._theme.px(34))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        px = self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar = QRectF(0, px(4), self.width(), px(6))
        self._paint_bar(painter, bar, self._makeup.programs)
        painter.setFont(self._theme.font(12))
        metrics = painter.fontMetrics()
        left, middle, dot = 0.0, bar.bottom() + px(14), px(8)
        for place, (name, seconds) in enumerate(self._makeup.programs):
            text = f"{name} {stretch(seconds)}"
            width = metrics.horizontalAdvance(text)
            if left + dot + px(6) + width > self.width():
                return
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._shade(place))
            painter.drawRoundedRect(QRectF(left, middle - dot / 2, dot, dot), 2, 2)
            left = self._write(painter, text, left + dot + px(6), middle) + px(14)
        for text in self._makeup.others:
            if left + metrics.horizontalAdvance(text) > self.width():
                return
            left = self._write(painter, text, left, middle) + px(14)

    def _paint_bar(self, painter: QPainter, bar: QRectF, programs: Sequence[tuple[str, float]]) -> None:
        whole = sum(seconds for _, seconds in programs)
        if not whole:
            return
        outline = QPainterPath()
        outline.addRoundedRect(bar, bar.height() / 2, bar.height() / 2)
        painter.save()
        painter.setClipPath(outline)
        left = bar.left()
        for place, (_, seconds) in enumerate(programs):
            width = bar.width() * seconds / whole
            painter.fillRect(QRectF(left, bar.top(), max(width - 1, 1), bar.height()), self._shade(place))
            left += width
        painter.restore()

    def _shade(self, place: int) -> QColor:
        colour = QColor(self._theme["window"])
        colour.setAlphaF(SHADES[min(place, len(SHADES) - 1)])
        return colour

    def _write(self, painter: QPainter, text: str, left: float, middle: float) -> float:
        painter.setPen(self._theme["muted"])
        height = self._theme.px(16)
        width = painter.fontMetrics().horizontalAdvance(text)
        box = QRectF(left, middle - height / 2, width + 2, height)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
        return left + width
