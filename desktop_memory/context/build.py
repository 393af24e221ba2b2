"""Builds a context: choose, fold, fit into the budget, number, gate. A pure function of sources and request."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from desktop_memory.context import facts, wording
from desktop_memory.context.budget import estimate, fit
from desktop_memory.context.clamp import clamp, default_budget
from desktop_memory.context.draft import Draft, Entry, Fact, Text, own, plain
from desktop_memory.context.earlier import earlier_session
from desktop_memory.context.entries import Lines, Writer
from desktop_memory.context.outlet import RENAMED, Outlet
from desktop_memory.context.render import cost_of, render
from desktop_memory.context.select import Selection, select
from desktop_memory.context.sources import Sources, Topic
from desktop_memory.context.updates import ASKED
from desktop_memory.context.views import sections_of, view_of
from desktop_memory.context.walls import pins_kept_from
from desktop_memory.counting import counted
from desktop_memory.model import ContextRequest, CopiedContext, Remembered

PINS_SHARE = 0.15
RELEVANT_SHARE = 0.50
TOPICS = 3
TOKENS_A_LINE = 40
"""More than an ordinary line costs: lines are taken away carefully."""


def build_context(request: ContextRequest, sources: Sources) -> CopiedContext:
    """The rendered context with its numbered sources; never more tokens than its budget."""
    return render(build(request, sources), request.format)


def build(request: ContextRequest, sources: Sources) -> Draft:
    """The context before it has a format. Unknown ids and numbers out of range warn and never fail."""
    request, warnings = clamp(request)
    selection = select(request, sources)
    outlet = Outlet(
        sources.redaction(strict=request.redaction == "strict", projects=_projects(selection)),
        sources.aliases(),
        selection.walls,
    )
    budget = request.budget_tokens or default_budget(
        selection.mode if not request.query else "query", request.format
    )
    draft = _Builder(request, sources, selection, outlet, budget).draft()
    return replace(draft, warnings=(*warnings, *selection.warnings))


class _Builder:
    """The steps of one build, with what they share."""

    def __init__(
        self, request: ContextRequest, sources: Sources, selection: Selection, outlet: Outlet, budget: int
    ) -> None:
        self._request = request
        self._sources = sources
        self._selection = selection
        self._outlet = outlet
        self._budget = budget
        self._struck = frozenset(request.without)
        self._writer = Writer(selection, sources, outlet, struck=_events_of(self._struck))
        self._masked: Counter[str] = Counter()
        self._told: dict[str, str] = {}
        self._cost = cost_of(request.format)
        self._view = view_of(request, selection, sources)

    def draft(self) -> Draft:
        chosen = self._selection
        asked = chosen.mode in ("query", "event")
        told = self._writer.relevant() if asked else self._writer.stretch(max(100, self._budget // 6))
        if self._writer.gone:
            self._selection = chosen = _without(chosen, self._writer.gone)
        told_events = [event for item in told.items for event in (*item.events, *item.others)]
        beside = self._writer.beside(told_events, self._request.max_neighbors) if asked else Lines()
        frame = self._frame(told, beside)
        pinned, rest = self._facts(told, asked)
        kept_told, kept_beside = self._fitting(frame, pinned, rest, told, beside)
        before = 1 if asked and self._view != "tasks" else 0
        frame = replace(frame, facts=(*rest[:before], *pinned, *rest[before:]))
        draft = self._numbered(frame, kept_told, kept_beside)
        return self._finished(draft, told, beside, kept_told, kept_beside)

    # what stands around the list

    def _frame(self, told: Lines, beside: Lines) -> Draft:
        chosen = self._selection
        after: tuple[Entry, ...] = ()
        if chosen.mode == "session":
            after = self._after()
        return Draft(
            heading=self._passed(wording.heading(self._request, chosen, self._sources)),
            preamble=wording.preamble(chosen, told.items, beside.items),
            notices=tuple(self._words(notice) for notice in chosen.notices),
            after=after,
            closing=self._closing(told, (), 0),
            tag="ctx-0000",
            made=self._sources.now(),
            behind=_behind(self._request),
            held_back=chosen.held_back,
        )

    def _after(self) -> tuple[Entry, ...]:
        chosen = self._selection
        spent = wording.times(chosen.events)
        lines = [Entry(at=chosen.until, when="", text=self._passed(spent), kind="times")] if spent else []
        before = earlier_session(chosen, self._sources)
        if before is not None and before.key not in self._struck:
            lines.append(replace(before, text=self._passed(before.text)))
        return tuple(lines)

    def _facts(self, told: Lines, asked: bool) -> tuple[list[Fact], list[Fact]]:
        """Pins, and the other lines; for an answer the best match comes first."""
        chosen, sources = self._selection, self._sources
        pins: list[Fact] = []
        if self._request.include_pins:
            everywhere = self._view == "tasks"
            before_walls = pins_kept_from(sources.pins(), chosen.walls)
            beside = chosen.ids
            pins = facts.pinned(before_walls, chosen.project, sources, everywhere=everywhere, beside=beside)
        if asked:
            rest = [facts.best_match(chosen, sources)] if chosen.mode == "query" and chosen.hits else []
        else:
            rest = facts.standing(chosen, sources)
            if chosen.mode == "session":
                rest += facts.decided(chosen.events, sources) + facts.left_open(told.items, chosen.events)
        return self._told_facts(pins), self._told_facts(rest)

    def _told_facts(self, facts_: Iterable[Fact]) -> list[Fact]:
        """Gated, and without those that were struck out or tell of an event that was."""
        return [
            self._gated(fact)
            for fact in facts_
            if fact.key not in self._struck
            and not any(part.style == "ref" and part.event in self._writer.gone for part in fact.text)
        ]

    # the budget

    def _fitting(
        self, frame: Draft, pinned: list[Fact], rest: list[Fact], told: Lines, beside: Lines
    ) -> tuple[list[Entry], list[Entry]]:
        """What fits: pins 15 %, relevant 50 %, before and after the rest; unused shares flow on."""
        empty = replace(frame, facts=tuple(rest))
        left = self._budget - self._tokens(empty)
        _pins, dropped, used = fit(pinned, self._cost, max(0, min(left, round(self._budget * PINS_SHARE))))
        for fact in dropped:
            pinned.remove(fact)
        left -= used
        share = left if not beside.entries else round(self._budget * (RELEVANT_SHARE + PINS_SHARE)) - used
        kept_told, _, used = fit(_by_weight(told.entries), self._cost, max(0, min(left, share)))
        kept_beside, _, _ = fit(_by_weight(beside.entries), self._cost, max(0, left - used))
        return _without_lone_gaps(kept_told, kept_beside)

    # numbers, the end, the last check

    def _numbered(self, draft: Draft, told: Sequence[Entry], beside: Sequence[Entry]) -> Draft:
        sections = sections_of(self._request, self._selection, self._sources, told, beside)
        number = 0
        numbered = []
        for section in sections:
            entries = []
            for entry in section.entries:
                number += bool(entry.events)
                entries.append(replace(entry, n=number if entry.events else 0))
            numbered.append(replace(section, title=self._words(section.title), entries=tuple(entries)))
        after = []
        for entry in draft.after:
            number += bool(entry.events)
            after.append(replace(entry, n=number if entry.events else 0))
        return replace(draft, sections=tuple(numbered), after=tuple(after))

    def _finished(
        self, draft: Draft, told: Lines, beside: Lines, kept_told: list[Entry], kept_beside: list[Entry]
    ) -> Draft:
        """With closing line and tag; entries go, the lightest first, while it is still too long."""
        while True:
            shown = [*kept_told, *kept_beside]
            left_out = self._left_out(told, kept_told)
            counts = self._counts(draft, shown)
            draft = replace(
                draft,
                closing=self._closing(
                    told, tuple(e for e in draft.numbered() if e.kind != "session"), counts[RENAMED]
                ),
                left_out=left_out,
                masked=dict(sorted(counts.items())),
                topics=self._topics(shown),
            )
            draft = replace(draft, tag=self._tag(draft))
            tokens = self._tokens(draft)
            if tokens <= self._budget:
                return draft
            if not shown and not draft.after and not draft.facts:
                return self._bare(draft)
            excess = tokens - self._budget
            draft, kept_told, kept_beside = self._shorter(draft, kept_told, kept_beside, excess)

    def _bare(self, draft: Draft) -> Draft:
        """With nothing left to take away but the sentences around the list."""
        for barer in (replace(draft, closing=()), replace(draft, closing=(), notices=())):
            draft = replace(barer, tag=self._tag(barer))
            if self._tokens(draft) <= self._budget:
                break
        return draft

    def _tokens(self, draft: Draft) -> int:
        """What counts against the budget: what stands behind the context does not."""
        return estimate(render(replace(draft, behind=()), self._request.format).text)

    def _shorter(
        self, draft: Draft, told: list[Entry], beside: list[Entry], excess: int
    ) -> tuple[Draft, list[Entry], list[Entry]]:
        """Without the lightest lines, as many as the excess is worth; then without what stands around them."""
        if told or beside:
            lightest = sorted((*told, *beside), key=lambda entry: (entry.weight, entry.at))
            gone = {id(entry) for entry in lightest[: max(1, excess // TOKENS_A_LINE)]}
            told = [entry for entry in told if id(entry) not in gone]
            beside = [entry for entry in beside if id(entry) not in gone]
        elif draft.after:
            draft = replace(draft, after=draft.after[:-1])
        else:
            draft = replace(draft, facts=draft.facts[:-1])
        return self._numbered(draft, told, beside), told, beside

    def _left_out(self, told: Lines, kept: Sequence[Entry]) -> int:
        if self._selection.mode in ("query", "event"):
            missing = sum(1 for entry in told.entries if entry.events) - sum(
                1 for entry in kept if entry.events
            )
            return self._selection.weaker + missing
        missing = sum(1 for entry in told.entries if entry.events) - sum(1 for entry in kept if entry.events)
        return told.more + missing

    def _closing(self, told: Lines, shown: tuple[Entry, ...], renamed: int) -> Text:
        chosen = self._selection
        names = f"; names replaced: {renamed}" if renamed else ""
        missing = told.more + sum(1 for entry in told.entries if entry.events) - len(shown)
        if chosen.mode in ("query", "event"):
            weaker = self._left_out(told, [e for e in shown if e.why == "asked for"])
            left = f"; {counted(weaker, 'weaker match', 'weaker matches')} left out" if weaker else ""
            return (own(f"{counted(len(shown), 'record')}{left}{names}."),)
        if chosen.mode == "session":
            total = len(chosen.events)
            before = ", 1 earlier session" if self._has_earlier() else ""
            trivial = self._folded(told) if not shown else ()
            return (
                *trivial,
                own(f"{' ' if trivial else ''}{len(shown):,} of {counted(total, 'record')}{before}{names}."),
            )
        parts = self._folded(told)
        left = f"{missing:,} left out" if missing > 0 else ""
        rest = "; ".join(part for part in (left, names.removeprefix("; ")) if part)
        if rest:
            rest = f"{rest[0].upper()}{rest[1:]}."
        return (*parts, own(f" {rest}" if parts and rest else rest))

    def _folded(self, told: Lines) -> Text:
        """What was trivial, as one sentence."""
        return self._outlet(wording.folded(told.trivia))[0] if told.trivia and told.trivia.count else ()

    def _has_earlier(self) -> bool:
        return earlier_session(self._selection, self._sources) is not None

    def _topics(self, shown: Sequence[Entry]) -> tuple[Topic, ...]:
        """Up to three that what was chosen belongs to; XML and JSON show them."""
        if not self._request.include_topics or self._request.format not in ("xml", "json"):
            return ()
        found = self._sources.topics([id_ for entry in shown for id_ in entry.events])
        return tuple(replace(topic, name=self._words(topic.name)) for topic in found[:TOPICS])

    def _tag(self, draft: Draft) -> str:
        """Short, the same for the same content at the same time, longer where it is taken."""
        said = [
            plain(draft.heading),
            draft.preamble,
            plain(draft.closing),
            draft.made.isoformat(),
            self._request.format,
        ]
        said += [f"{entry.n} {entry.when} {plain(entry.text)}" for s in draft.sections for entry in s.entries]
        said += [f"{fact.label} {plain(fact.text)}" for fact in draft.facts]
        digest = hashlib.sha256("\n".join(said).encode("utf-8", "replace")).hexdigest()
        length = 4
        while length < 16 and self._sources.tag_taken(f"ctx-{digest[:length]}"):
            length += 1
        return f"ctx-{digest[:length]}"

    # the gate

    def _passed(self, text: Text) -> Text:
        passed, masked = self._outlet(text)
        self._masked.update(masked)
        return passed

    def _words(self, text: str) -> str:
        if text not in self._told:
            self._told[text] = self._outlet.words(text)[0]
        return self._told[text]

    def _gated(self, fact: Fact) -> Fact:
        text, masked = self._outlet(fact.text)
        return replace(fact, text=text, masked=masked)

    def _counts(self, draft: Draft, shown: Iterable[Entry]) -> Counter[str]:
        counts = Counter(self._masked)
        for fact in draft.facts:
            counts.update(fact.masked)
        for entry in shown:
            counts.update(entry.masked)
        return counts


def _behind(request: ContextRequest) -> tuple[str, ...]:
    asked = ASKED if request.ask_updates else ""
    return tuple(part for part in (request.question.strip(), asked) if part)


def _events_of(keys: Iterable[str]) -> frozenset[int]:
    numbers = (key.removeprefix("event:") for key in keys if key.startswith("event:"))
    return frozenset(int(number) for number in numbers if number.isascii() and number.isdigit())


def _without(selection: Selection, gone: Collection[int]) -> Selection:
    """As if these had not been found, but for the sentences that say what was."""
    return replace(
        selection,
        events=tuple(event for event in selection.events if event.id not in gone),
        hits=tuple(hit for hit in selection.hits if hit.event.id not in gone),
        neighbours=tuple(one for one in selection.neighbours if one.event.id not in gone),
    )


def _by_weight(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (-entry.weight, -entry.at.timestamp(), entry.events[:1]))


def _without_lone_gaps(told: list[Entry], beside: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    """Where no record is told, neither is a gap."""
    if any(entry.events for entry in (*told, *beside)):
        return told, beside
    return [], []


def _projects(selection: Selection) -> list[str]:
    events: list[Remembered] = [*selection.events]
    events += [hit.event for hit in selection.hits]
    events += [one.event for one in selection.neighbours]
    return sorted({event.project for event in events if event.project})
