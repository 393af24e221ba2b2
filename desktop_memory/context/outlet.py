"""The last gate: aliases and redaction over every recorded word of a context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from desktop_memory.context.draft import Text
from desktop_memory.context.sources import Redact
from desktop_memory.pipeline.aliases import Aliases
from desktop_memory.pipeline.clean import printable

RENAMED = "name replaced"


class Outlet:
    """Applies aliases, then redaction, to the parts that hold recorded words; our own words pass."""

    def __init__(self, redact: Redact, aliases: Mapping[str, str]) -> None:
        self._redact = redact
        self._aliases = Aliases(aliases)

    def __call__(self, text: Text) -> tuple[Text, Counter[str]]:
        """The text as others may see it, and how much of each kind was hidden or renamed."""
        counts: Counter[str] = Counter()
        passed = []
        for part in text:
            if part.style in ("said", "code") and part.text:
                shown, found = self.words(part.text)
                counts.update(found)
                part = replace(part, text=shown)
            passed.append(part)
        return tuple(passed), counts

    def words(self, text: str) -> tuple[str, Counter[str]]:
        """The same for a plain string."""
        counts: Counter[str] = Counter()
        text, renamed = self._aliases.replace(printable(text))
        if renamed:
            counts[RENAMED] += renamed
        text, hidden = self._redact(text)
        counts.update(hidden)
        return text, counts
