"""Makes lines of what was chosen, each with its time and its weight."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from desktop_memory.context import apps, moments
from desktop_memory.context.describe import describe, is_decision
from desktop_memory.context.draft import Entry, Text, own
from desktop_memory.context.fold import Item, Trivia, fold, is_call, searched
from desktop_memory.context.outlet import Outlet
from desktop_memory.context.select import Selection, sameness
from desktop_memory.context.sources import Sources
from desktop_memory.context.walls import kept_from
from desktop_memory.context.window_title import subject
from desktop_memory.model import Gap, Remembered

FAR_NEIGHBOURS = 2
WEAK_REASONS = ("same site", "same app")
"""What two events share by chance: no reason to tell of another day."""
SAME_PAGE_REACH = timedelta(hours=12)
ONE_DAY = timedelta(hours=24)
SHORT_STRETCH = timedelta(hours=6)


@dataclass(frozen=True, kw_only=True, slots=True)
class Lines:
    """Lines in order of time, and what lies behind them."""

    entries: tuple[Entry, ...] = ()
    items: tuple[Item, ...] = ()
    trivia: Trivia | None = None
    more: int = 0
    """Items too light to be written out at all."""


class Writer:
    """Writes entries: local times, the outlet's gate, weights."""

    def __init__(
        self, selection: Selection, sources: Sources, outlet: Outlet, struck: Collection[int] = ()
    ) -> None:
        """`struck` are events whose lines the user does not want told."""
        self.gone = set(struck)
        self._gone_things: set[tuple[str, ...]] = set()
        self._selection = selection
        self._sources = sources
        self._outlet = outlet
        self._zone = sources.zone()
        self._now = sources.now()

    def stretch(self, most: int) -> Lines:
        """What happened in the stretch or the session, repeats made one, what is trivial counted.

        Of more than `most` items the heaviest are written out.
        """
        chosen = self._selection
        items, trivia = fold(chosen.events, chosen.since, chosen.until)
        items = self._wanted(items)
        heaviest = sorted(items, key=lambda item: -weight(item))[:most]
        entries = [self._entry(item, items, new=self._is_new(item)) for item in heaviest]
        entries += [self._gap(gap) for gap in self._gaps_of_stretch()]
        more = len(items) - len(heaviest)
        return Lines(entries=_in_time(entries), items=tuple(items), trivia=trivia, more=more)

    def _gaps_of_stretch(self) -> list[Gap]:
        """Its gaps; of several days those within a day, since nights go without saying."""
        chosen = self._selection
        if chosen.until - chosen.since <= ONE_DAY:
            return list(chosen.gaps)
        days = moments.local_date
        return [
            gap
            for gap in chosen.gaps
            if days(gap.start, self._zone) == days(gap.end or chosen.until, self._zone)
        ]

    def relevant(self) -> Lines:
        """The hits, each once, with the other times that the same was seen."""
        items: list[Item] = []
        scores: dict[int, float] = {}
        for rank, hit in enumerate(self._selection.hits):
            if any(hit.event.id in item.ids for item in items):  # the same page, by another title
                continue
            items.append(self._with_repeats(hit.event))
            scores[hit.event.id] = 100.0 - rank
        items = self._wanted(items)
        items.sort(key=lambda item: (item.first.start, item.first.id))
        entries = [
            replace(
                self._entry(item, items, dated=True),
                weight=max(scores.get(id_, 0.0) for id_ in item.ids),
                why="asked for",
            )
            for item in items
        ]
        return Lines(entries=_in_time(entries), items=tuple(items))

    def beside(self, told: Sequence[Remembered], limit: int) -> Lines:
        """What stands before, after and beside the hits: the weightiest, none of them told already."""
        chosen = self._selection
        known = {event.id for event in told}
        whys = {one.event.id: one.why for one in chosen.neighbours}
        events = sorted((n.event for n in chosen.neighbours if n.event.id not in known), key=_order)
        events = [event for event in events if sameness(event) not in self._gone_things]
        shown = {event.url for event in told if event.kind == "browser" and event.url}
        events = [event for event in events if event.kind != "window" or event.url not in shown]
        near = [event for event in events if whys[event.id] == "same session"]
        far = [event for event in events if whys[event.id] not in ("same session", *WEAK_REASONS)]
        pages: set[tuple[str, str]] = {
            (event.kind, _page(event)) for event in told if event.kind == "browser"
        }
        items = [i for i in fold(near)[0] if (i.first.kind, _page(i.first)) not in pages]
        items = self._wanted([*items, *self._far(far, pages)])
        best = chosen.hits[0].event if chosen.hits else None
        ranked = sorted(items, key=lambda item: -self._beside_weight(item, best))[:limit]
        first_day = moments.local_date(best.start, self._zone) if best else None
        entries = []
        for item in ranked:
            dated = moments.local_date(item.first.start, self._zone) != first_day
            entry = self._entry(item, items, dated=dated)
            entries.append(replace(entry, weight=self._beside_weight(item, best), why=whys[item.first.id]))
        entries += [self._gap(gap) for gap in chosen.gaps]
        return Lines(entries=_in_time(entries), items=tuple(ranked))

    def _wanted(self, items: Sequence[Item]) -> list[Item]:
        """Without those that hold an event that was struck out: all they stand for goes with it."""
        kept = []
        for item in items:
            if self.gone.isdisjoint(item.ids):
                kept.append(item)
            else:
                self.gone.update(item.ids)
                self._gone_things.update(sameness(event) for event in item.events)
        return kept

    def _far(self, events: Sequence[Remembered], pages: set[tuple[str, str]]) -> list[Item]:
        """The few weightiest things of other sessions."""
        items = [i for i in fold(events)[0] if (i.first.kind, _page(i.first)) not in pages]
        items = [item for item in items if weight(item) >= 6]
        return sorted(items, key=lambda item: -weight(item))[:FAR_NEIGHBOURS]

    def _beside_weight(self, item: Item, best: Remembered | None) -> float:
        if best is None:
            return weight(item)
        hours = abs((item.first.start - best.start).total_seconds()) / 3600
        return weight(item) - min(4.0, hours)

    def _with_repeats(self, event: Remembered) -> Item:
        """The hit's item: the same page on that day is one with it, on other days it is told in brackets."""
        others = (
            [e for e in kept_from(self._sources.repeats(event), self._selection.walls)[0] if e.id != event.id]
            if event.kind == "browser"
            else []
        )
        day = moments.local_date(event.start, self._zone)
        same = [e for e in others if moments.local_date(e.start, self._zone) == day]
        items, _ = fold(sorted([event, *same], key=_order))
        item = next((i for i in items if event.id in i.ids), Item(events=(event,)))
        visits = [e for e in others if e.kind == event.kind and e not in same and not searched(e)]
        elsewhere = tuple(sorted(visits, key=_order))
        return replace(item, others=elsewhere)

    def _entry(
        self, item: Item, all_items: Sequence[Item], *, dated: bool = False, new: bool = False
    ) -> Entry:
        text = describe(
            item,
            zone=self._zone,
            now=self._now,
            page_of=lambda event: _page_of(event, all_items),
            new=new,
        )
        passed, masked = self._outlet(text)
        in_full: Text = ()
        if self._is_decision_above(item):
            in_full, passed, masked = passed, (own("my decision, above"),), Counter()
        lead = item.last if item.first.kind == "terminal" else item.first
        return Entry(
            at=item.first.start,
            when=self._when(item, dated),
            day=moments.near_day(item.first.start, self._now, self._zone),
            text=passed,
            kind=item.first.kind,
            events=(lead.id, *(id_ for id_ in item.ids if id_ != lead.id)),
            until=item.last.end,
            weight=weight(item),
            masked=masked,
            in_full=in_full,
        )

    def _is_decision_above(self, item: Item) -> bool:
        return self._selection.mode == "session" and is_decision(item.first)

    def _is_new(self, item: Item) -> bool:
        if self._selection.mode != "session" or item.first.kind != "window" or is_call(item.first):
            return False
        shown = subject(item.first)
        return shown.is_file and apps.is_office_file(shown.text) and not self._sources.seen_before(item.first)

    def _when(self, item: Item, dated: bool) -> str:
        at = item.first.start
        when = moments.clock(at, self._zone)
        if item.first.kind == "terminal" and moments.clock(item.last.start, self._zone) != when:
            when += f"–{moments.clock(item.last.start, self._zone)}"
        if item.first.approx:
            when = f"about {when}"
        return f"{moments.near_day(at, self._now, self._zone)} {when}" if dated else when

    def _gap(self, gap: Gap) -> Entry:
        end = gap.end or self._selection.until
        start = moments.clock(gap.start, self._zone)
        until = moments.clock(end, self._zone)
        if moments.local_date(end, self._zone) != moments.local_date(gap.start, self._zone):
            until = f"{moments.near_day(end, self._now, self._zone)} {until}"
        text: Text = (own("not recorded"),)
        short = self._selection.until - self._selection.since <= SHORT_STRETCH
        weight = 50.0 if short else 3.0
        return Entry(at=gap.start, until=end, when=f"{start}–{until}", text=text, kind="gap", weight=weight)


def weight(item: Item) -> float:
    """How much a line says of the work: what was written down and what failed most, glances least."""
    event = item.last
    minutes = item.seconds / 60
    if event.kind == "terminal":
        failed = event.details.get("exit") not in (None, 0, 130)
        return 8.0 if failed else 5.0
    if event.kind == "window":
        if is_call(event):
            return 8.0
        quiet = 2.0 if apps.is_chatter(event.app) else 3.5
        return quiet + math.log2(1 + minutes)
    if event.kind == "browser":
        return 6.0 if searched(event) else 4.0 + math.log2(1 + minutes)
    return {"note": 10.0, "git_commit": 9.0, "git_stash": 6.0, "file": 6.0}.get(event.kind, 4.0)


def _order(event: Remembered) -> tuple[datetime, int]:
    return event.start, event.id


def _in_time(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda e: (e.at, e.kind == "gap", e.events[:1])))


def _page(event: Remembered) -> str:
    return event.url.split("#")[0] or event.title


def _page_of(event: Remembered, items: Sequence[Item]) -> int:
    """The told page that a download came from: of its address, else the last one before it on that site."""
    pages = [item.first for item in items if item.first.kind == "browser" and not searched(item.first)]
    same = [page for page in pages if event.url and page.url == event.url]
    before = [p for p in pages if p.domain and p.domain == event.domain and p.start <= event.start]
    near = [page for page in (same or before) if event.start - page.start <= SAME_PAGE_REACH]
    return near[-1].id if near else 0
