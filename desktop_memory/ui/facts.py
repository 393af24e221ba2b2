"""Where things stand, as short lines: branch, what fails, what is uncommitted, what was last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_memory.model import Standing
from desktop_memory.ui.as_written import as_written
from desktop_memory.ui.row_text import fitted, top_left
from desktop_memory.ui.rows import clean, headline
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import ago, number, tr


@dataclass(frozen=True, slots=True)
class Fact:
    """branch **fix/LED-731**, 2 ahead."""

    label: str
    value: str
    rest: str = ""


def facts(standing: Standing | None) -> list[Fact]:
    """The lines that head a copy and Now; at most five."""
    if standing is None:
        return []
    found = []
    if standing.branch:
        ahead = tr(", {count} ahead").format(count=number(standing.ahead)) if standing.ahead else ""
        found.append(Fact(tr("branch"), standing.branch, ahead))
    if standing.failing is not None:
        streak = f" ×{standing.failing_streak}" if standing.failing_streak > 1 else ""
        found.append(Fact(tr("failing"), headline(standing.failing), streak))
    if standing.uncommitted:
        found.append(Fact(tr("uncommitted"), ", ".join(_last(p) for p in standing.uncommitted)))
    elif standing.last_file:
        found.append(Fact(tr("last file"), _last(standing.last_file)))
    if standing.last_note is not None:
        found.append(Fact(tr("note"), headline(standing.last_note)))
    if not found and standing.last is not None:
        found.append(Fact(tr("last"), headline(standing.last)))
    return [Fact(f.label, clean(f.value), f.rest) for f in found[:5]]


def left_off(standing: Standing) -> str:
    """The same in one line: fix/LED-731, 2 ahead · pytest -k backoff failing ×2 · retry.py."""
    parts = []
    if standing.branch:
        ahead = tr(", {count} ahead").format(count=number(standing.ahead)) if standing.ahead else ""
        parts.append(standing.branch + ahead)
    if standing.failing is not None:
        streak = f" ×{standing.failing_streak}" if standing.failing_streak > 1 else ""
        parts.append(tr("{what} failing").format(what=headline(standing.failing)) + streak)
    last_file = standing.uncommitted[0] if standing.uncommitted else standing.last_file
    if last_file:
        parts.append(_last(last_file))
    if standing.last_note is not None:
        parts.append(f"“{headline(standing.last_note)}”")
    if not parts and standing.last is not None:
        parts.append(headline(standing.last))
    return clean(" · ".join(parts))


def since_when(standing: Standing, now: datetime) -> str:
    """now, yesterday, 9 days ago."""
    return ago(standing.last.end or standing.last.start, now) if standing.last is not None else ""


class FactLines(QWidget):
    """Paints facts, each on one line, cut at its end; the whole is in the tooltip."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._facts: list[Fact] = []
        self._folded = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.follow(self, self.update)

    def show_facts(self, found: Sequence[Fact]) -> None:
        self._facts = list(found)
        lines = [f"{fact.label} {fact.value}{fact.rest}" for fact in found]
        self.setToolTip(as_written("\n".join(lines)))
        self.setAccessibleName("; ".join(lines))
        self.setVisible(bool(found) and not self._folded)
        self.updateGeometry()
        self.update()

    def fold(self, folded: bool) -> None:
        """Where room is short they stand only in the copied text."""
        self._folded = folded
        self.setVisible(bool(self._facts) and not folded)

    def sizeHint(self) -> QSize:
        return QSize(120, self._theme.px(20) * len(self._facts))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font, height = self._theme.font(13), self._theme.px(20)
        painter.setPen(self._theme["muted"])
        for place, fact in enumerate(self._facts):
            text = f"{fact.label} {fact.value}{fact.rest}"
            spot = (len(fact.label) + 1, len(fact.label) + 1 + len(fact.value))
            line = fitted(text, font, self.width(), spots=[spot], mark=self._theme["text"], weight=400)
            line.draw(painter, top_left(line, 0, height * (place + 0.5)))


def _last(path: str) -> str:
    return path.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1] or path
