"""Check an answer: what a chat said, claim by claim, against the records it was given."""

from __future__ import annotations

import re

from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from desktop_memory.context.check import Checked, Finding
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.parts import button, label
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, clean, quiet
from desktop_memory.ui.words import number, tr

_MARKS = {
    "supported": ("check", "ok"),
    "mismatch": ("alert-triangle", "danger"),
    "bad reference": ("alert-triangle", "danger"),
    "wrong citation": ("alert-triangle", "warn"),
    "unsupported": ("circle", "warn"),
    "missing citation": ("circle", "warn"),
    "weak": ("circle", "muted"),
}


class AnswerCheck(QWidget):
    """Paste an answer, press Check. The answer itself is never changed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        px = desk.theme.px
        self.text = QPlainTextEdit()
        self.text.setPlaceholderText(tr("Paste the chat's answer here"))
        self.text.setAccessibleName(tr("The answer to check"))
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(px(84))
        self._told = label(desk.theme, "", 13, token="muted")
        self._told.setWordWrap(True)
        self.rows = RowList(desk.theme, "search", tr("Claims"))
        self.rows.setMinimumHeight(px(180))
        self.rows.hide()
        row = QHBoxLayout()
        row.addWidget(self._told, 1)
        row.addWidget(button(desk.theme, tr("Check"), self.check, name="check"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        column.addWidget(self.text)
        column.addLayout(row)
        column.addWidget(self.rows)

    def check(self) -> None:
        """Judge each claim."""
        answer, memory = self.text.toPlainText().strip(), self._desk.memory
        if not answer:
            self._told.setText(tr("Nothing to check yet: paste an answer first."))
            return
        self._desk.background.run(
            lambda: memory.check(answer), self._show, self._desk.notices.failed, owner=self, lane="check"
        )

    def _show(self, checked: Checked) -> None:
        counts = ", ".join(f"{verdict_word(v)} {number(n)}" for v, n in checked.counts.items())
        against = tr("Against {tag}").format(tag=checked.tag) if checked.tag else tr("Against your last copy")
        self._told.setText(f"{against}: {counts}" if counts else tr("It makes no claim that can be checked."))
        self.rows.show_rows([_row(n, finding) for n, finding in enumerate(checked.findings)] or [quiet("")])
        self.rows.setVisible(bool(checked.findings))


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


def _row(place: int, finding: Finding) -> Row:
    icon, tint = _MARKS.get(finding.verdict, ("circle", "muted"))
    told = [verdict_word(finding.verdict)]
    if finding.differs:
        told.append(tr("not there: {facts}").format(facts=", ".join(finding.differs)))
    if finding.better:
        told.append(tr("better: {records}").format(records=", ".join(f"[{n}]" for n in finding.better)))
    return Row(
        key=("claim", place), style="entry", title=_tidy(finding.claim), icon=icon, tint=tint,
        second=clean(" · ".join(told)), tooltip=finding.claim[:1500],
        time=", ".join(f"[{n}]" for n in finding.cited[:6]),
    )  # fmt: skip


def _tidy(claim: str) -> str:
    """Without the gap that a taken out [n] leaves before a full stop."""
    return re.sub(r"\s+([.,;:!?])", r"\1", clean(claim))
