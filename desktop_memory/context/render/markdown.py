"""Markdown, as people paste it into a chat."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from desktop_memory.context.draft import Draft, Entry, Fact, Part, Text

Number = Callable[[int], int]


def render(draft: Draft) -> str:
    """The whole context, ending with its tag."""
    number = draft.number_of
    lines = [f"# {_text(draft.heading, number)}", draft.preamble, *map(safe, draft.notices)]
    if draft.facts:
        lines += ["", *(fact_line(fact, number) for fact in draft.facts)]
    for section in draft.sections:
        if not section.entries:
            continue
        lines += ["", f"## {safe(section.title)}"] if section.title else [""]
        in_time = section.when is not None
        lines += [entry_line(entry, number, in_time=in_time) for entry in section.entries]
    if draft.after:
        lines += ["", *(after_line(entry, number) for entry in draft.after)]
    closing = _text(draft.closing, number)
    lines += ([] if draft.after else [""]) + [f"{closing} End of {draft.tag}.".lstrip()]
    return "\n".join(lines) + "\n"


def line(one: Entry | Fact) -> str:
    """A line as it will stand there, with a number of two digits."""
    if isinstance(one, Fact):
        return fact_line(one, lambda event: 88) + "\n"
    return entry_line(replace(one, n=88 if one.events else 0), lambda event: 88) + "\n"


def fact_line(fact: Fact, number: Number) -> str:
    return f"**{fact.label}** {_text(fact.text, number)}"


def entry_line(entry: Entry, number: Number, *, in_time: bool = False) -> str:
    """- 09:41 [1] ran `git rebase main`, exit 0; what was asked for begins with its number, but in a timeline."""
    if not entry.n:
        return f"- {entry.when} {_text(entry.text, number)}"
    if entry.why == "asked for" and not in_time:
        return f"- [{entry.n}] {entry.when} {_text(entry.text, number)}"
    return f"- {entry.when} [{entry.n}] {_text(entry.text, number)}"


def after_line(entry: Entry, number: Number) -> str:
    return f"{_text(entry.text, number)} [{entry.n}]." if entry.n else _text(entry.text, number)


def _text(text: Text, number: Number) -> str:
    return "".join(_part(part, number) for part in text)


def _part(part: Part, number: Number) -> str:
    if part.style == "own":
        return part.text
    if part.style == "ref":
        n = number(part.event)
        return f" [{n}]" if n else ""
    return _in_code(part.text) if part.style == "code" else safe(part.text)


_CITATION = re.compile(r"\[(?=\^?\d[\d,;\s–-]{0,20}\])|【(?=\d)")
_TAG = re.compile(r"<(?=[/!?]|[A-Za-z][\w:.-]{0,60}(?:\s[^<>]{0,200})?/?>|memory_context)")
_BOLD = re.compile(r"\*\*(?=\w[^*\n]{0,60}\*\*)")
_HEADING = re.compile(r"#{2,}|(?:(?<=\s)|^)#(?=\s)")


def safe(text: str) -> str:
    """Recorded words on one line, in which nothing reads as a number of ours, a heading, a tag or code."""
    text = " ".join(text.split())
    text = _CITATION.sub(lambda match: "\\" + match[0], text)
    text = _TAG.sub("&lt;", text)
    text = _HEADING.sub(lambda match: "\\#" * len(match[0]), text)
    text = _BOLD.sub(r"\\*\\*", text)
    return text.replace("`", "\\`").replace("End of ctx-", "End of ctx -")


def _in_code(text: str) -> str:
    """A command between backticks, more of them than it holds itself."""
    text = _TAG.sub("&lt;", " ".join(text.split()))
    text = _CITATION.sub(lambda match: "\\" + match[0], text)
    text = _HEADING.sub(lambda match: "\\#" * len(match[0]), text) if "## " in text else text
    text = text.replace("End of ctx-", "End of ctx -")
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    space = " " if longest and (text.startswith("`") or text.endswith("`")) else ""
    return f"{fence}{space}{text}{space}{fence}"
