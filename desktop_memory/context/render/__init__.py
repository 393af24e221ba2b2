"""A draft in the format asked for. Recorded words cannot forge the structure of any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType

from desktop_memory.context.budget import estimate
from desktop_memory.context.draft import Draft, Entry, Fact, Text, plain
from desktop_memory.context.render import as_json, markdown, text, xml
from desktop_memory.model import CopiedContext, CopiedLine, HeldBack, Source

FORMATS: Mapping[str, ModuleType] = {"markdown": markdown, "text": text, "xml": xml, "json": as_json}


def render(draft: Draft, format: str = "markdown") -> CopiedContext:
    """The text with its numbered sources; what stands behind it is untouched and not in `tokens`."""
    context: str = FORMATS[format].render(draft)
    whole = "\n\n".join(part for part in (context, *draft.behind) if part)
    whole = f"{whole}\n" if draft.behind else whole
    return CopiedContext(
        tag=draft.tag,
        format=format,
        text=whole,
        tokens=estimate(context),
        sources=tuple(_source(entry, draft) for entry in draft.numbered()),
        title=plain(draft.heading),
        lines=_lines(draft),
        masked=dict(draft.masked),
        left_out=draft.left_out,
        held_back=tuple(
            HeldBack(project=project, events=events) for project, events in sorted(draft.held_back.items())
        ),
        warnings=draft.warnings,
    )


def cost_of(format: str) -> Callable[[Entry | Fact], int]:
    """What a line will cost in this format, in tokens."""
    one: Callable[[Entry | Fact], str] = FORMATS[format].line
    return lambda line: estimate(one(line))


def _source(entry: Entry, draft: Draft) -> Source:
    said = _said(entry.in_full or entry.text, draft)
    when = entry.when if entry.day in entry.when else f"{entry.day} {entry.when}"
    return Source(n=entry.n, event=entry.events[0], text=f"{when} {said}".strip())


def _lines(draft: Draft) -> tuple[CopiedLine, ...]:
    """What can be struck out, in the order in which it is told."""
    facts = [CopiedLine(key=f.key, text=f"{f.label}: {_said(f.text, draft)}") for f in draft.facts]
    entries = [
        CopiedLine(key=e.key, text=f"{e.when} [{e.n}] {_said(e.text, draft)}".strip())
        for e in draft.numbered()
    ]
    return (*facts, *entries)


def _said(text: Text, draft: Draft) -> str:
    return "".join(f" [{draft.number_of(p.event)}]" if p.style == "ref" else p.text for p in text)
