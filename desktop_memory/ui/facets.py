"""What a search can be narrowed to, and how many of its hits each choice would leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Literal

from desktop_memory.model import Hit, Query, Remembered
from desktop_memory.ui.arrange import day_of
from desktop_memory.ui.filters import KINDS
from desktop_memory.ui.ticks import midnight

Dimension = Literal["kind", "app", "project", "site", "day", "failed"]
DIMENSIONS: tuple[Dimension, ...] = ("kind", "app", "project", "site", "day", "failed")
COUNTED = 200
"""So many of the best hits are counted."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """What a search is narrowed to; several kinds, of everything else one."""

    kinds: frozenset[str] = frozenset()
    app: str = ""
    project: str = ""
    site: str = ""
    day: date | None = None
    failed: bool = False

    def __bool__(self) -> bool:
        return self != Chosen()

    def narrowed(self, query: Query) -> Query:
        """The query within this."""
        kinds = tuple(kind for name, group in KINDS if name in self.kinds for kind in group)
        query = replace(
            query, kinds=kinds, app=self.app, project=self.project, domain=self.site, failed=self.failed
        )
        if self.day is None:
            return query
        return replace(query, since=midnight(self.day), until=midnight(self.day + timedelta(days=1)))

    def take(self, dimension: Dimension, value: object) -> Chosen:
        """With this choice; None takes it away."""
        if dimension == "kind":
            name = str(value)
            return replace(self, kinds=self.kinds ^ {name})
        if dimension == "day":
            return replace(self, day=value if isinstance(value, date) else None)
        if dimension == "failed":
            return replace(self, failed=bool(value))
        text = str(value or "")
        if dimension == "app":
            return replace(self, app=text)
        return replace(self, project=text) if dimension == "project" else replace(self, site=text)

    def _passes(self, event: Remembered, *, but: Dimension) -> bool:
        """Whether it would be left by every choice except those of one dimension."""
        wanted: Mapping[Dimension, object] = {
            "app": self.app, "project": self.project, "site": self.site, "day": self.day,
            "failed": self.failed or None,
        }  # fmt: skip
        told = values(event)
        if but != "kind" and self.kinds and told["kind"] not in self.kinds:
            return False
        return all(
            not want or dimension == but or told[dimension] == want for dimension, want in wanted.items()
        )


@dataclass(frozen=True, slots=True)
class Facets:
    """Of each dimension the values of the hits with their counts, the most frequent first; days newest first."""

    counts: Mapping[Dimension, Sequence[tuple[object, int]]] = field(default_factory=dict)

    def of(self, dimension: Dimension, value: object) -> int:
        return next((n for known, n in self.counts.get(dimension, ()) if known == value), 0)


def facets(hits: Iterable[Hit], chosen: Chosen) -> Facets:
    """Each dimension is counted as if nothing of itself were chosen, so that one can change one's mind."""
    counters: dict[Dimension, Counter[object]] = {dimension: Counter() for dimension in DIMENSIONS}
    for hit in hits:
        told = values(hit.event)
        for dimension in DIMENSIONS:
            value = told[dimension]
            if value and chosen._passes(hit.event, but=dimension):
                counters[dimension][value] += 1
    return Facets({dimension: _ordered(dimension, counter) for dimension, counter in counters.items()})


def values(event: Remembered) -> Mapping[Dimension, object]:
    """Where an event stands in each dimension."""
    kind = next((name for name, group in KINDS if event.kind in group), "")
    return {
        "kind": kind, "app": event.app, "project": event.project, "site": event.domain,
        "day": day_of(event.start), "failed": True if event.details.get("exit") else None,
    }  # fmt: skip


def _ordered(dimension: Dimension, counter: Counter[object]) -> list[tuple[object, int]]:
    if dimension == "day":
        return sorted(counter.items(), key=lambda item: str(item[0]), reverse=True)
    return sorted(counter.items(), key=lambda item: (-item[1], str(item[0]).casefold()))
