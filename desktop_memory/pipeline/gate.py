"""The gate before the first write: a privacy rule drops, secrets are masked, text is made clean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from collectors.event import Event
from desktop_memory.pipeline import schedule
from desktop_memory.pipeline.clean import clean
from desktop_memory.pipeline.keeping import limits
from desktop_memory.pipeline.privacy import Rules
from desktop_memory.pipeline.secrets import mask
from desktop_memory.settings import Privacy


class Admitted(NamedTuple):
    """What may be stored (None: nothing, `why` tells), and how many secrets of each kind were masked in it."""

    event: Event | None
    masked: Mapping[str, int]
    why: str = ""


class Gate:
    """Judges by the privacy settings that hold now. Raises KnownError for a rule that cannot be read."""

    def __init__(self, privacy: Privacy) -> None:
        self.take(privacy)

    def take(self, privacy: Privacy) -> None:
        """Judge by these settings from now on."""
        self.rules = Rules.of(privacy)
        self.limits = limits(privacy.keep)
        self.rests = schedule.parse(privacy.pause_schedule)
        self.privacy = privacy

    def admit(self, event: Event) -> Admitted:
        verdict = self.rules.judge(event)
        if not verdict.keep:
            return Admitted(None, {}, verdict.why)
        return Admitted(*clean(event))

    def mask(self, text: str) -> tuple[str, Mapping[str, int]]:
        """A text without its secrets, for what is written outside an event (a pin)."""
        return mask(text)
