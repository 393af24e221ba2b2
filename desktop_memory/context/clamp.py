"""Keeps a request within its limits and says where it was out of them."""

from __future__ import annotations

from dataclasses import replace

from desktop_memory.model import ContextRequest

LIMITS = {
    "top_k": (1, 50),
    "hop_depth": (0, 3),
    "max_neighbors": (0, 50),
    "fanout": (1, 100),
    "budget_tokens": (200, 16_000),
    "minutes": (1, 60 * 24 * 31),
}
BUDGETS = {"stretch": 600, "session": 1_500, "query": 1_500, "event": 1_500}
MARKUP = {"xml": 2.5, "json": 3.0}
"""How many times as long as Markdown the same records are: these formats hold as many by default."""


def default_budget(mode: str, format: str) -> int:
    """The tokens of a context when none are asked for."""
    return int(BUDGETS[mode] * MARKUP.get(format, 1.0))


def clamp(request: ContextRequest) -> tuple[ContextRequest, tuple[str, ...]]:
    """The request with every number inside its limits, and a sentence for each that was not."""
    changes: dict[str, int] = {}
    warnings: list[str] = []
    for name, (least, most) in LIMITS.items():
        value = getattr(request, name)
        if value is None or least <= value <= most:
            continue
        changes[name] = min(max(value, least), most)
        warnings.append(f"{name} is between {least} and {most:,}: {changes[name]:,} was taken for {value:,}.")
    if request.since and request.until and request.since >= request.until:
        warnings.append("since lies after until: nothing lies between them.")
    return (replace(request, **changes) if changes else request), tuple(warnings)  # type: ignore[arg-type]
