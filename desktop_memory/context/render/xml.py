"""XML with fixed element names, which always parses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import escape

from desktop_memory.context.draft import Draft, Entry, Fact, Text

Number = Callable[[int], int]
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BREAKS = str.maketrans({"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
_CITATION = re.compile(r"\[(?=\^?\d[\d,;\s–-]{0,20}\])|【(?=\d)")


def render(draft: Draft) -> str:
    """The whole context as one element, `memory_context`."""
    number = draft.number_of
    goals = [fact for fact in draft.facts if fact.pin is not None and fact.pin.kind == "goal"]
    others = [fact for fact in draft.facts if fact.pin is not None and fact.pin.kind != "goal"]
    standing = [fact for fact in draft.facts if fact.pin is None]
    lines = [
        f'<memory_context schema_version="1" tag={_attribute(draft.tag)} made={_attribute(draft.made.isoformat())}>',
        f"<heading>{_text(draft.heading, number)}</heading>",
        f"<about>{_clean(' '.join((draft.preamble, *draft.notices)))}</about>",
        *_group("goals", [fact_line(fact, number) for fact in goals]),
        *_group("preferences", [fact_line(fact, number) for fact in others]),
        *_group("standing", [fact_line(fact, number) for fact in standing]),
        "<episodes>",
    ]
    for section in draft.sections:
        if section.entries:
            title = f" title={_attribute(section.title)}" if section.title else ""
            lines += [f"<episode{title}>", *(entry_line(e, number) for e in section.entries), "</episode>"]
    lines += [entry_line(entry, number) for entry in draft.after]
    lines.append("</episodes>")
    lines += _group("topics", [f"<topic>{_clean(topic.name)}</topic>" for topic in draft.topics])
    lines += _group("sources", [_source(entry) for entry in draft.numbered()])
    lines += [f"<end>{_text(draft.closing, number)} End of {_clean(draft.tag)}.</end>", "</memory_context>"]
    return "\n".join(lines) + "\n"


def line(one: Entry | Fact) -> str:
    """A line as it will stand there, with its source."""
    if isinstance(one, Fact):
        return fact_line(one, lambda event: 88) + "\n"
    one = replace(one, n=88 if one.events else 0)
    source = f"\n{_source(one)}" if one.n else ""
    return f"{entry_line(one, lambda event: 88)}{source}\n"


def fact_line(fact: Fact, number: Number) -> str:
    name = "goal" if fact.pin is not None and fact.pin.kind == "goal" else "fact"
    label = "" if name == "goal" else f" label={_attribute(fact.label)}"
    return f"<{name}{label}>{_text(fact.text, number)}</{name}>"


def entry_line(entry: Entry, number: Number) -> str:
    if entry.kind == "gap":
        return f"<gap when={_attribute(entry.when)}>not recorded</gap>"
    if not entry.n:
        return f"<summary>{_text(entry.text, number)}</summary>"
    why = f" why={_attribute(entry.why)}" if entry.why else ""
    when = f" when={_attribute(entry.when)}" if entry.when else ""
    return (
        f'<record n="{entry.n}"{when} kind={_attribute(entry.kind)}{why}>{_text(entry.text, number)}</record>'
    )


def _source(entry: Entry) -> str:
    return f'<source n="{entry.n}" event="{entry.events[0]}" at={_attribute(entry.at.isoformat(timespec="seconds"))}/>'


def _group(name: str, lines: list[str]) -> list[str]:
    return [f"<{name}>", *lines, f"</{name}>"] if lines else []


def _text(text: Text, number: Number) -> str:
    pieces = []
    for part in text:
        if part.style == "ref":
            n = number(part.event)
            pieces.append(f" [{n}]" if n else "")
        else:
            pieces.append(_clean(part.text, citations=part.style == "own"))
    return "".join(pieces)


def _clean(text: str, *, citations: bool = False) -> str:
    text = _ILLEGAL.sub("", text)
    if not citations:
        text = _CITATION.sub(lambda match: "\\" + match[0], text)
    return escape(text, quote=False)


def _attribute(text: str) -> str:
    quoted = escape(_ILLEGAL.sub("", text)).translate(_BREAKS)
    return f'"{quoted}"'
