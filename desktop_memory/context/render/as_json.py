"""The same data as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from desktop_memory.context.draft import Draft, Entry, Fact, Text

Number = Callable[[int], int]


def render(draft: Draft) -> str:
    """One object; `schema` says which form of it."""
    number = draft.number_of
    goals = [fact for fact in draft.facts if fact.pin is not None and fact.pin.kind == "goal"]
    others = [fact for fact in draft.facts if fact.pin is not None and fact.pin.kind != "goal"]
    standing = [fact for fact in draft.facts if fact.pin is None]
    whole: dict[str, Any] = {
        "schema": 1,
        "tag": draft.tag,
        "made": draft.made.isoformat(),
        "heading": _text(draft.heading, number),
        "about": " ".join((draft.preamble, *draft.notices)),
        "goals": [_fact(fact, number) for fact in goals],
        "preferences": [_fact(fact, number) for fact in others],
        "standing": [_fact(fact, number) for fact in standing],
        "episodes": [
            {"title": section.title, "records": [_entry(entry, number) for entry in section.entries]}
            for section in draft.sections
            if section.entries
        ],
        "summary": [_entry(entry, number) for entry in draft.after],
        "topics": [topic.name for topic in draft.topics],
        "sources": [_source(entry) for entry in draft.numbered()],
        "end": f"{_text(draft.closing, number)} End of {draft.tag}.".lstrip(),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def line(one: Entry | Fact) -> str:
    """A line as it will stand there, with its source."""
    if isinstance(one, Fact):
        return _dumped(_fact(one, lambda event: 88))
    one = replace(one, n=88 if one.events else 0)
    return _dumped(_entry(one, lambda event: 88)) + (_dumped(_source(one)) if one.n else "")


def _dumped(value: object) -> str:
    return "  " + json.dumps(value, ensure_ascii=False, indent=1) + ",\n"


def _fact(fact: Fact, number: Number) -> dict[str, Any]:
    return {"label": fact.label, "text": _text(fact.text, number)}


def _entry(entry: Entry, number: Number) -> dict[str, Any]:
    found: dict[str, Any] = {"n": entry.n} if entry.n else {}
    found |= {"when": entry.when, "kind": entry.kind, "text": _text(entry.text, number)}
    return found | ({"why": entry.why} if entry.why else {})


def _source(entry: Entry) -> dict[str, Any]:
    return {"n": entry.n, "event": entry.events[0], "at": entry.at.isoformat(timespec="seconds")}


def _text(text: Text, number: Number) -> str:
    pieces = []
    for part in text:
        n = number(part.event) if part.style == "ref" else 0
        pieces.append((f" [{n}]" if n else "") if part.style == "ref" else part.text)
    return "".join(pieces).encode("utf-8", "replace").decode("utf-8")
