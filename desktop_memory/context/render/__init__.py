"""A draft in the format asked for. Recorded words cannot forge the structure of any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType

from desktop_memory.context.budget import estimate
from desktop_memory.context.draft import Draft, Entry, Fact
from desktop_memory.context.render import as_json, markdown, text, xml
from desktop_memory.model import CopiedContext, Source

FORMATS: Mapping[str, ModuleType] = {"markdown": markdown, "text": text, "xml": xml, "json": as_json}


def render(draft: Draft, format: str = "markdown") -> CopiedContext:
    """The text with its numbered sources; a separate question stands behind it, untouched, not in `tokens`."""
    context: str = FORMATS[format].render(draft)
    whole = f"{context}\n\n{draft.question}\n" if draft.question else context
    return CopiedContext(
        tag=draft.tag,
        format=format,
        text=whole,
        tokens=estimate(context),
        sources=tuple(_source(entry, draft) for entry in draft.numbered()),
        masked=dict(draft.masked),
        left_out=draft.left_out,
        warnings=draft.warnings,
    )


def cost_of(format: str) -> Callable[[Entry | Fact], int]:
    """What a line will cost in this format, in tokens."""
    one: Callable[[Entry | Fact], str] = FORMATS[format].line
    return lambda line: estimate(one(line))


def _source(entry: Entry, draft: Draft) -> Source:
    text = entry.in_full or entry.text
    said = "".join(f" [{draft.number_of(p.event)}]" if p.style == "ref" else p.text for p in text)
    return Source(n=entry.n, event=entry.events[0], text=f"{entry.when} {said}".strip())
