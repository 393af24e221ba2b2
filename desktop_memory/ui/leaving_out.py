"""Taking things out of the memory from any list: forget these, never record this app or site again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from PySide6.QtCore import QObject, Signal

from desktop_memory.context.apps import label
from desktop_memory.model import Query, Remembered
from desktop_memory.receipts import Forgotten
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.notices import Deed
from desktop_memory.ui.ports import Memory
from desktop_memory.ui.rows import Row, clean, events_of
from desktop_memory.ui.saving import save_setting
from desktop_memory.ui.words import counted, number, records, span, tr

LONGEST_TITLE = 120
MOST_LIKE_IT = 1_000


class LeavingOut(QObject):
    """What was forgotten comes back by Undo for ten minutes."""

    forgot = Signal(object)
    """Follows each forget, with its receipt: nothing of it may be shown any more."""
    brought_back = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk

    def forget_rows(self, rows: Sequence[Row]) -> None:
        """Forget all events that these rows stand for."""
        if ids := events_of(rows):
            self.forget(Query(), ids)

    def forget(self, query: Query, events: Sequence[int] = ()) -> None:
        """Forget what this matches, and say how much it was."""
        memory = self._desk.memory
        self._desk.background.run(
            lambda: memory.forget(query, events, now=False),
            self._forgot,
            self._desk.notices.failed,
            owner=self,
        )

    def forget_excluded(self) -> None:
        """Forget what is stored that the rules of now would not let in."""
        memory = self._desk.memory
        self._desk.background.run(
            lambda: memory.forget_excluded(now=False), self._forgot, self._desk.notices.failed, owner=self
        )

    def forget_last(self, stretch: timedelta) -> None:
        """Forget the last minutes at once, without a question, and say how to bring them back or to go on."""
        memory, now = self._desk.memory, self._desk.clock()
        since = now - stretch

        def forget() -> tuple[Forgotten, tuple[Remembered, ...]]:
            shown = memory.timeline(since, now).events
            return memory.forget(Query(since=since), now=False), shown

        def say(answer: tuple[Forgotten, tuple[Remembered, ...]]) -> None:
            gone, events = answer
            self.forgot.emit(gone)
            if not gone.events:
                self._desk.notices.say(tr("Nothing was recorded there, so nothing was forgotten."))
                return
            first, last = max(gone.first or since, since), gone.last or now
            self._desk.notices.say(
                tr("{items} from {span} forgotten.").format(
                    items=counted(gone.events, tr("item"), tr("items")), span=span(first, last)
                ),
                tr("They can be brought back for 10 minutes."),
                button=tr("Undo"), act=partial(self.undo, gone.batch), more=self._and_now(events, now),
            )  # fmt: skip

        self._desk.background.run(forget, say, self._desk.notices.failed, owner=self)

    def _and_now(self, gone: Sequence[Remembered], now: datetime) -> tuple[Deed, ...]:
        """What one may want after that: a pause, and a rule for what most of it was."""
        app = self._desk.app
        deeds: list[Deed] = [
            (tr("Pause 15 min"), lambda: self._desk.background.run(lambda: app.pause(timedelta(minutes=15))))
        ]
        times: Counter[tuple[str, str]] = Counter()
        for event in gone:
            source = ("site", event.domain) if event.domain else ("app", event.app)
            if source[1]:
                times[source] += 1 + round(((event.end or event.start) - event.start).total_seconds())
        for (what, name), _ in times.most_common(1):
            never: Callable[[str], None] = self.never_site if what == "site" else self.never_app
            shown = name if what == "site" else clean(label(name))
            deeds.append((tr("Never record {name}").format(name=shown), partial(never, name)))
        return tuple(deeds)

    def never_app(self, app: str) -> None:
        """Record nothing of this app from now on."""
        self._never("exclude_apps", app, label(app), Query(app=app))

    def never_site(self, domain: str) -> None:
        """Record nothing of this site from now on."""
        self._never("exclude_domains", domain, domain, Query(domain=domain))

    def never_titles_like(self, title: str) -> None:
        """Record nothing with such a title from now on; other numbers in it make no difference."""
        title = clean(title)
        memory, pattern = self._desk.memory, pattern_of(title)
        stored = partial(_with_titles_like, memory, pattern, title)
        self._keep_rule(
            "exclude_titles", pattern, tr("Titles like “{title}”").format(title=title[:40]),
            stored, lambda found: self.forget(Query(), found),
        )  # fmt: skip

    def _never(self, rule: str, name: str, shown: str, query: Query) -> None:
        memory = self._desk.memory
        self._keep_rule(
            rule, name, clean(shown), lambda: range(memory.preview_forget(query).events),
            lambda _found: self.forget(query),
        )  # fmt: skip

    def _keep_rule(
        self, rule: str, name: str, said: str, stored: Callable[[], Sequence[int]],
        forget: Callable[[Sequence[int]], None],
    ) -> None:  # fmt: skip
        """Keep a rule, and offer to forget what is `stored` of it."""
        rules: tuple[str, ...] = getattr(self._desk.settings.privacy, rule)

        def offer(found: Sequence[int]) -> None:
            text = tr("{name}: not recorded from now on.").format(name=said)
            if not found:
                self._desk.notices.say(text)
                return
            self._desk.notices.say(
                text,
                tr("{count} already stored.").format(count=number(len(found))),
                button=tr("Forget {count}").format(count=number(len(found))), act=partial(forget, found),
                more=((tr("Keep"), lambda: self._desk.notices.say(tr("Kept what is there."))),),
            )  # fmt: skip

        def kept() -> None:
            self._desk.background.run(stored, offer, self._desk.notices.failed, owner=self)

        if name in rules:
            kept()
        else:
            save_setting(self._desk, "privacy", rule, (*rules, name), kept)

    def _forgot(self, gone: Forgotten) -> None:
        self.forgot.emit(gone)
        if not gone.events:
            self._desk.notices.say(tr("There was nothing of that."))
            return
        self._desk.notices.say(
            tr("Forgot {what}, with their texts and in every copy.").format(what=records(gone.events)),
            _told_of(gone),
            button=tr("Undo"),
            act=partial(self.undo, gone.batch),
        )

    def undo(self, batch: int | None = None) -> None:
        """Bring back what was forgotten in this batch, or last."""
        memory = self._desk.memory
        self._desk.background.run(
            lambda: memory.undo_forget(batch), self._back, self._desk.notices.failed, owner=self
        )

    def _back(self, count: int) -> None:
        self.brought_back.emit()
        self._desk.notices.say(tr("Brought back {what}.").format(what=records(count)))


def _told_of(gone: Forgotten) -> str:
    """What else to know of a forget."""
    told = tr("For ten minutes this can be undone. Reading their sources again does not bring them back.")
    if not gone.backups:
        return told
    named = ", ".join(gone.backups[:3]) + (" …" if len(gone.backups) > 3 else "")
    return told + " " + tr("Older copies may still hold some of it: {files}.").format(files=named)


def pattern_of(title: str) -> str:
    """A rule for titles like this one: the same words, whatever the numbers."""
    words = re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", " ".join(title.split())[:LONGEST_TITLE])
    return re.sub(r"\d+", r"\\d+", words)


def _with_titles_like(memory: Memory, pattern: str, title: str) -> list[int]:
    found = memory.search(Query(text=title[:LONGEST_TITLE], limit=MOST_LIKE_IT, phrases=False)).hits
    like = re.compile(pattern, re.IGNORECASE)
    return [hit.event.id for hit in found if like.search(hit.event.title)]
