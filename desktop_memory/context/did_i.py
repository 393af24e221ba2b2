"""Did I …? Confirmed by a record, related ones only, or nothing found - in the log, which is not all of a life."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from desktop_memory.context import moments
from desktop_memory.context.check import TOPIC, match_of
from desktop_memory.context.describe import describe
from desktop_memory.context.draft import plain
from desktop_memory.context.evidence import evidence
from desktop_memory.context.fold import Item
from desktop_memory.context.outlet import Outlet
from desktop_memory.context.sources import Sources
from desktop_memory.model import Query, Remembered
from desktop_memory.pipeline.phrases import find

LOOKED_AT = 50
SHOWN = 5
CONFIRMED = 0.75

Answer = Literal["confirmed", "related", "nothing found"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """A record that speaks for the claim, and the facts of the claim that it does not have."""

    event: Remembered
    text: str
    share: float
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class DidI:
    """The answer in words for a person, with the records behind it, best first."""

    answer: Answer
    sentence: str
    traces: tuple[Trace, ...] = ()


def did_i(claim: str, sources: Sources, *, owner: bool = False) -> DidI:
    """What the log says of a claim such as "I ran the migration on Tuesday"; behind walls only for its owner."""
    now, zone = sources.now(), sources.zone()
    phrase = find(claim, now, zone)
    words = phrase.text if phrase is not None else claim
    query = Query(
        text=words,
        since=phrase.since if phrase else None,
        until=phrase.until if phrase else None,
        limit=LOOKED_AT,
    )
    said = evidence(words)
    walled = set() if owner else {name.casefold() for name in sources.walled()}
    shown = str if owner else _gate(sources)
    traces = []
    for hit in sources.search(query).hits:
        event = hit.event
        if event.project.casefold() in walled and event.project:
            continue
        length = ((event.end or event.start) - event.start).total_seconds()
        told = plain(describe(Item(events=(event,), seconds=length), zone=zone, now=now))
        stamp = f"{moments.near_day(event.start, now, zone)} {moments.clock(event.start, zone)}"
        match = match_of(said, evidence(f"{stamp} {told}"))
        if match.share >= TOPIC:
            differs = (*match.contradicts, *match.missing)
            text = shown(f"{stamp} {told}")
            traces.append(Trace(event=event, text=text, share=match.share, differs=differs))
    traces.sort(key=lambda trace: (-trace.share, bool(trace.differs), trace.event.start))
    return _answered(traces)


def _gate(sources: Sources) -> Callable[[str], str]:
    outlet = Outlet(sources.redaction(strict=True, projects=()), sources.aliases(), sources.walled())
    return lambda text: outlet.words(text)[0]


def _answered(traces: list[Trace]) -> DidI:
    confirmed = [trace for trace in traces if not trace.differs and trace.share >= CONFIRMED]
    if confirmed:
        sentence = f"Yes, by {_records(len(confirmed))}: {confirmed[0].text}"
        return DidI(answer="confirmed", sentence=sentence, traces=tuple(confirmed[:SHOWN]))
    if traces:
        differs = f" ({', '.join(traces[0].differs)} is not there)" if traces[0].differs else ""
        sentence = f"Not as said; the nearest record is {traces[0].text}{differs}"
        return DidI(answer="related", sentence=sentence, traces=tuple(traces[:SHOWN]))
    return DidI(
        answer="nothing found", sentence="Nothing found in the log. What was not recorded is not there."
    )


def _records(count: int) -> str:
    return "one record" if count == 1 else f"{count} records"
