"""What a question names: projects, apps, sites, branches and files, by their names or by what these mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from desktop_memory.model import Entity, EntityKind, Hit, Remembered
from desktop_memory.retrieval.terms import stop_words
from desktop_memory.store.store import Store

MOST = 5
NEAR = 0.40
"""From this r on a name means what the question asks for."""
_LONGEST_NAME = 4
_BY_INDEX: tuple[EntityKind, ...] = ("project", "workspace", "domain", "app")
_LOOKED_AT = 20
_WORDS = 40
_NAMES = 48
_PUNCTUATION = "?!.,;:\"'()[]{}<>`"

Named = tuple[EntityKind, str]


class Nearness(Protocol):
    """The lane of meaning, as far as it judges names."""

    def nearness(self, text: str, names: Sequence[str]) -> list[float] | None:
        """r of each name to the text; None when there is no model."""
        ...


class Seeds:
    """Finds entities from which a context goes on. `aliases` maps a name to the one that others see."""

    def __init__(
        self,
        store: Store,
        lane: Nearness | None,
        *,
        hubs: Callable[[], frozenset[int]],
        aliases: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._store = store
        self._lane = lane
        self._hubs = hubs
        self._aliases = aliases

    def named(self, text: str, hits: Sequence[Hit]) -> list[Entity]:
        """At most five: those that the text names first, then those of the hits that mean what it says."""
        phrases = _phrases(text)
        around = _names_of(hit.event for hit in hits[:_LOOKED_AT])
        wanted: list[Named] = [(kind, phrase) for phrase in phrases for kind in _BY_INDEX]
        wanted += [one for one in around if _short(one) in phrases]
        wanted += self._behind_aliases(phrases)
        found = self._entities(wanted)
        if len(found) < MOST:
            found.update(self._entities(self._near(text, around)))
        hubs = self._hubs() if found else frozenset()
        return [entity for entity in found.values() if entity.id not in hubs][:MOST]

    def touching(self, entity: Entity, count: int) -> list[Remembered]:
        """The newest events that touch it."""
        return self._store.touching(entity.id, limit=count)

    def _behind_aliases(self, phrases: frozenset[str]) -> list[Named]:
        real = [name for name, alias in self._aliases().items() if alias.casefold() in phrases]
        return [(kind, name) for name in real for kind in _BY_INDEX]

    def _near(self, text: str, around: Sequence[Named]) -> list[Named]:
        names = [one for one in around if one[0] != "file"][:_NAMES]  # to a model all files look alike
        if self._lane is None or not names:
            return []
        near = self._lane.nearness(text, [_short(one) for one in names])
        if near is None:
            return []
        ranked = sorted(zip(near, names, strict=True), key=lambda pair: -pair[0])
        return [name for r, name in ranked if r >= NEAR]

    def _entities(self, wanted: Iterable[Named]) -> dict[int, Entity]:
        found = (self._store.entity(kind, name) for kind, name in dict.fromkeys(wanted))
        return {entity.id: entity for entity in found if entity is not None}


def _phrases(text: str) -> frozenset[str]:
    """The words of a text and what up to four of them in a row make, in lower case; none that any text holds."""
    words = [word.strip(_PUNCTUATION).casefold() for word in text.split(maxsplit=_WORDS)[:_WORDS]]
    rows = (
        words[at : at + size] for size in range(1, _LONGEST_NAME + 1) for at in range(len(words) - size + 1)
    )
    return frozenset(" ".join(row) for row in rows if not all(word in stop_words() for word in row))


def _names_of(events: Iterable[Remembered]) -> list[Named]:
    """What these events touch, each once, the first event's first."""
    found: dict[Named, None] = {}
    for event in events:
        of_event: list[Named] = [("project", event.project), ("domain", event.domain)]
        of_event += [("file", name) for name in event.files]
        for one in of_event:
            if one[1]:
                found.setdefault(one)
    return list(found)


def _short(named: Named) -> str:
    """A file is called by its last part."""
    kind, name = named
    return (name.replace("\\", "/").rpartition("/")[2] if kind == "file" else name).casefold()
