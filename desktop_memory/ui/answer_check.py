"""Check an answer: what a chat said, claim by claim, against the records it was given."""

from __future__ import annotations

import re
from html import escape

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QTextBrowser, QVBoxLayout, QWidget

from desktop_memory.context.check import Checked, Finding, tag_in
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.parts import button, label
from desktop_memory.ui.rows import clean
from desktop_memory.ui.words import number, tr

MOST_HEIGHT = 190
_MARKS = {
    "supported": ("✓", "ok"),
    "mismatch": ("✗", "danger"),
    "bad reference": ("✗", "danger"),
    "wrong citation": ("!", "warn"),
    "unsupported": ("?", "warn"),
    "missing citation": ("?", "warn"),
    "weak": ("~", "muted"),
}


class AnswerCheck(QWidget):
    """Paste an answer, press Check. The answer itself is never changed.

    `tag` is of the copy that it is checked against, unless the answer names another. `number_wanted` follows a press
    on an [n].
    """

    number_wanted = Signal(int)
    tag_wanted = Signal(str)
    """The answer names another copy than the one in view."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.tag = ""
        self.checked: Checked | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        px = desk.theme.px
        self.text = QPlainTextEdit()
        self.text.setPlaceholderText(tr("Paste the chat's answer here"))
        self.text.setAccessibleName(tr("The answer to check"))
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(px(84))
        self._told = label(desk.theme, "", 13, token="muted")
        self._told.setWordWrap(True)
        self.findings = QTextBrowser()
        self.findings.setAccessibleName(tr("Claims"))
        self.findings.setOpenLinks(False)
        self.findings.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.findings.anchorClicked.connect(self._follow)
        self.findings.hide()
        row = QHBoxLayout()
        row.setSpacing(px(12))
        row.addWidget(self._told, 1)
        row.addWidget(button(desk.theme, tr("Check"), self.check, name="check"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(2), 0, 0)
        column.setSpacing(px(8))
        column.addWidget(self.text)
        column.addLayout(row)
        column.addWidget(self.findings)
        desk.theme.follow(self, self._restyle)

    def begin(self, tag: str) -> None:
        """Another copy is in view: what was found against the last one goes, unless the answer named this one."""
        if self.checked is not None and self.checked.tag != tag:
            self.checked = None
            self._told.setText("")
            self.findings.hide()

    def check(self) -> None:
        """Judge each claim."""
        answer, memory = self.text.toPlainText().strip(), self._desk.memory
        if not answer:
            self._told.setText(tr("Nothing to check yet: paste an answer first."))
            return
        tag = tag_in(answer) or self.tag
        self._desk.background.run(
            lambda: memory.check(answer, tag), self._show, self._desk.notices.failed, owner=self, lane="check"
        )

    def _show(self, checked: Checked) -> None:
        self.checked = checked
        counts = ", ".join(f"{verdict_word(v)} {number(n)}" for v, n in checked.counts.items())
        against = tr("Against {tag}").format(tag=checked.tag) if checked.tag else tr("Against your last copy")
        self._told.setText(f"{against}: {counts}" if counts else tr("It makes no claim that can be checked."))
        self._restyle()
        self.findings.setVisible(bool(checked.findings))
        if checked.tag and checked.tag != self.tag:
            self.tag_wanted.emit(checked.tag)

    def _restyle(self) -> None:
        if self.checked is not None:
            self.findings.setHtml("".join(self._finding(finding) for finding in self.checked.findings))
            self._fit()

    def _fit(self) -> None:
        """As high as the findings need, up to a limit; beyond it they scroll."""
        px, whole = self._desk.theme.px, self.findings.document()
        whole.setTextWidth(self.findings.viewport().width())
        self.findings.setFixedHeight(min(round(whole.size().height()) + px(18), px(MOST_HEIGHT)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.checked is not None:
            self._fit()

    def _finding(self, finding: Finding) -> str:
        """The claim with its numbers, and below it what became of it."""
        theme = self._desk.theme
        mark, token = _MARKS.get(finding.verdict, ("~", "muted"))
        links = " ".join(_link(n, theme["accent"].name()) for n in finding.cited[:6])
        told = [escape(verdict_word(finding.verdict))]
        if finding.differs:
            told.append(escape(tr("not there: {facts}").format(facts=", ".join(finding.differs))))
        if finding.better:
            better = ", ".join(_link(n, theme["accent"].name()) for n in finding.better)
            told.append(escape(tr("better: {records}")).format(records=better))
        return (
            f'<p style="margin: 0 0 {theme.px(8)}px 0">{escape(_tidy(finding.claim))} {links}<br>'
            f'<span style="color: {theme[token].name()}; font-size: {theme.px(12)}px">'
            f"{mark} {' · '.join(told)}</span></p>"
        )

    def _follow(self, link: QUrl) -> None:
        if link.scheme() == "record" and link.path().isdigit():
            self.number_wanted.emit(int(link.path()))


def verdict_word(verdict: str) -> str:
    return {
        "supported": tr("supported"),
        "mismatch": tr("differs"),
        "wrong citation": tr("wrong record"),
        "unsupported": tr("not in the records"),
        "missing citation": tr("without a record"),
        "bad reference": tr("no such record"),
        "weak": tr("weak"),
    }.get(verdict, verdict)


def _link(n: int, colour: str) -> str:
    return f'<a href="record:{n}" style="color: {colour}">[{n}]</a>'


def _tidy(claim: str) -> str:
    """Without the gap that a taken out [n] leaves before a full stop."""
    return re.sub(r"\s+([.,;:!?])", r"\1", clean(claim))
