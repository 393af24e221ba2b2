"""What a chat would pin, done or removed, as a list to tick: pasted by the user, or handed in by an AI client."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_memory.context.updates import Update, Updates
from desktop_memory.ui.arrange import day_of
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.parts import Elided, button, label
from desktop_memory.ui.pin_words import due_word, kind_word
from desktop_memory.ui.rows import Row, clean
from desktop_memory.ui.tick_list import TickList, tick
from desktop_memory.ui.translated import translated
from desktop_memory.ui.words import number, tr

HEIGHT = 5.5
"""How many rows are seen at once; half a one says that there are more."""
_BLOCK = re.compile(r'\{\s*"(?:additions|removals|done|changes|summary)"\s*:')


@dataclass(frozen=True, slots=True)
class Offer:
    """Updates, who makes them (empty: the user pasted them), and the number of the proposal."""

    updates: Updates
    client: str = ""
    proposal: int | None = None


def holds_updates(text: str) -> bool:
    """Whether this is a chat's answer with a block of updates, not a note."""
    return _BLOCK.search(text) is not None


class UpdatesPanel(QWidget):
    """`taken` carries the updates that are ticked and their offer, `dropped` the offer."""

    taken = Signal(object, object)
    dropped = Signal(object)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        theme = self._theme = desk.theme
        self._clock = desk.clock
        self.offer: Offer | None = None
        self._off: set[int] = set()
        px = theme.px
        self._title = Elided(theme, 14, 600)
        self._about = label(theme, px=13, token="muted")
        self._about.setWordWrap(True)
        self.list = TickList(theme, tr("Changes that a chat suggests"))
        self.list.ticked.connect(self._turn)
        self.take = button(theme, "", self._take, look="primary")
        drop = button(theme, tr("Drop"), lambda: self.dropped.emit(self.offer), look="quiet")
        head = QHBoxLayout()
        head.setContentsMargins(px(16), px(10), px(16), 0)
        head.setSpacing(px(8))
        head.addWidget(self._title, 1)
        head.addWidget(drop)
        head.addWidget(self.take)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(6))
        column.addLayout(head)
        about = QHBoxLayout()
        about.setContentsMargins(px(16), 0, px(16), 0)
        about.addWidget(self._about)
        column.addLayout(about)
        column.addWidget(self.list)
        self.hide()

    def show_offer(self, offer: Offer | None, waiting: int = 0) -> None:
        """Show this one, with so many more waiting; None: nothing is offered."""
        self.setVisible(offer is not None)
        if offer is None or offer == self.offer:
            self.offer = offer
            return
        self.offer = offer
        self._off = set()
        who = clean(offer.client) or tr("A chat")
        title = tr("{who} suggests").format(who=who)
        if waiting:
            title += " · " + tr("{count} more").format(count=number(waiting))
        self._title.setText(title)
        said = [offer.updates.summary, *offer.updates.warnings]
        self._about.setText(" ".join(clean(part) for part in said if part))
        self._about.setVisible(any(said))
        self._show()

    def _show(self) -> None:
        assert self.offer is not None
        updates, today = self.offer.updates.updates, day_of(self._clock())
        self.list.show_rows(
            [
                update_row(place, update, today, on=place not in self._off)
                for place, update in enumerate(updates)
            ]
        )
        most = round(self._theme.px(56) * HEIGHT)
        self.list.setFixedHeight(min(self._theme.px(56) * max(1, len(updates)), most))
        count = len(self._ticked())
        self.take.setText(tr("Take {count}").format(count=number(count)) if count else tr("Take none"))
        self.take.setEnabled(bool(count))

    def _ticked(self) -> list[Update]:
        assert self.offer is not None
        return [
            update
            for place, update in enumerate(self.offer.updates.updates)
            if place not in self._off and not update.problem
        ]

    def _turn(self, rows: Sequence[Row]) -> None:
        for row in rows:
            if isinstance(row.does, int):
                self._off ^= {row.does}
        self._show()

    def _take(self) -> None:
        self.taken.emit(self._ticked(), self.offer)


def update_row(place: int, update: Update, today: date, *, on: bool) -> Row:
    """What would change, and what stands there now; one that cannot be taken says why and has no tick."""
    words = {
        "add": tr("Pin"),
        "done": tr("Mark as done"),
        "remove": tr("Remove"),
        "change": tr("Change"),
    }
    second = words[update.what]
    if update.what == "add":
        second = " · ".join(filter(None, (second, kind_word(update.kind), due_word(update.due, today))))
    if update.what == "change" and update.before != update.text:
        second = tr("Change from “{before}”").format(before=clean(update.before))
    row = Row(
        key=("update", place), style="entry", title=clean(update.text) or "…",
        second=f"{second} · {translated(update.problem)}" if update.problem else second,
        chip=clean(update.project)[:40], icon="alert-triangle", tint="warn", tooltip=update.text,
        does=None if update.problem else place,
    )  # fmt: skip
    return row if update.problem else tick(row, on=on)
