"""Plain text: the Markdown's sentences without its marks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from desktop_memory.context.draft import Draft, Entry, Fact, Part, Text
from desktop_memory.context.render.markdown import safe

Number = Callable[[int], int]


def render(draft: Draft) -> str:
    """The whole context, ending with its tag."""
    number = draft.number_of
    lines = [_text(draft.heading, number), draft.preamble, *map(safe, draft.notices)]
    if draft.facts:
        lines += ["", *(_fact(fact, number) for fact in draft.facts)]
    for section in draft.sections:
        if not section.entries:
            continue
        lines += ["", safe(section.title)] if section.title else [""]
        lines += [_entry(entry, number) for entry in section.entries]
    if draft.after:
        lines += ["", *(_after(entry, number) for entry in draft.after)]
    closing = _text(draft.closing, number)
    lines += ([] if draft.after else [""]) + [f"{closing} End of {draft.tag}.".lstrip()]
    return "\n".join(lines) + "\n"


def line(one: Entry | Fact) -> str:
    """A line as it will stand there, with a number of two digits."""
    if isinstance(one, Fact):
        return _fact(one, lambda event: 88) + "\n"
    return _entry(replace(one, n=88 if one.events else 0), lambda event: 88) + "\n"


def _fact(fact: Fact, number: Number) -> str:
    return f"{fact.label}: {_text(fact.text, number)}"


def _entry(entry: Entry, number: Number) -> str:
    cited = f" [{entry.n}]" if entry.n else ""
    return f"{entry.when}{cited} {_text(entry.text, number)}"


def _after(entry: Entry, number: Number) -> str:
    return f"{_text(entry.text, number)} [{entry.n}]." if entry.n else _text(entry.text, number)


def _text(text: Text, number: Number) -> str:
    return "".join(_part(part, number) for part in text)


def _part(part: Part, number: Number) -> str:
    if part.style == "ref":
        n = number(part.event)
        return f" [{n}]" if n else ""
    return part.text if part.style == "own" else safe(part.text).replace("\\`", "`")
