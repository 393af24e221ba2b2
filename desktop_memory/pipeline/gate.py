"""The gate before the first write: a privacy rule drops, secrets are masked, text is made clean."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from collectors.event import Event
from desktop_memory.pipeline import schedule
from desktop_memory.pipeline.clean import clean
from desktop_memory.pipeline.keeping import limits
from desktop_memory.pipeline.privacy import Rules
from desktop_memory.pipeline.secrets import mask
from desktop_memory.settings import Privacy


@dataclass(frozen=True, slots=True)
class Admitted:
    """What may be stored (None: nothing), and counts of what was dropped or masked, by kind."""

    event: Event | None
    counts: Counter[tuple[str, str]]


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
            return Admitted(None, Counter({("dropped", verdict.why): 1}))
        cleaned, masked = clean(event)
        return Admitted(cleaned, Counter({("masked", kind): n for kind, n in masked.items()}))

    def mask(self, text: str) -> tuple[str, Counter[str]]:
        """A text without its secrets, for what is written outside an event (a pin)."""
        return mask(text)
