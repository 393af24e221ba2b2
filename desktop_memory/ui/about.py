"""What a page of connections is about, and the way back to what it was about before."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_memory.model import EntityKind, Remembered
from desktop_memory.ui.rows import clean, headline
from desktop_memory.ui.words import tr

MOST = 50
"""So many steps back are kept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class About:
    """A record, or a file, project, site, page, app or branch by its name."""

    event: Remembered | None = None
    kind: EntityKind = "project"
    name: str = ""

    @property
    def title(self) -> str:
        if self.event is not None:
            return headline(self.event) or tr("untitled")
        return clean(self.name)

    @property
    def key(self) -> tuple[object, ...]:
        """Two of the same key are about the same thing."""
        return ("event", self.event.id) if self.event is not None else (self.kind, self.name)


def things_of(event: Remembered) -> list[About]:
    """What a record touches, each of which has connections of its own."""
    found: list[About] = []
    if event.project:
        found.append(About(kind="project", name=event.project))
    found += [About(kind="file", name=name) for name in event.files[:3]]
    if event.domain:
        found.append(About(kind="domain", name=event.domain))
    if event.app and not event.domain:
        found.append(About(kind="app", name=event.app))
    return found


class Way:
    """Where one has been: a step forward drops what was ahead."""

    def __init__(self) -> None:
        self._steps: list[About] = []
        self._at = -1

    @property
    def here(self) -> About | None:
        return self._steps[self._at] if self._steps else None

    @property
    def can_go_back(self) -> bool:
        return self._at > 0

    @property
    def can_go_forward(self) -> bool:
        return self._at + 1 < len(self._steps)

    def go(self, about: About) -> None:
        """A new step, unless it is where one stands."""
        if self.here is not None and self.here.key == about.key:
            return
        self._steps = [*self._steps[: self._at + 1], about][-MOST:]
        self._at = len(self._steps) - 1

    def step(self, by: int) -> About | None:
        """One back or forward; None where the way ends."""
        if not 0 <= self._at + by < len(self._steps):
            return None
        self._at += by
        return self.here
