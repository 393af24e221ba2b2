"""The last gate: aliases and redaction over every recorded word of a context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from desktop_memory.context.draft import Text
from desktop_memory.context.sources import Redact
from desktop_memory.pipeline.aliases import Aliases
from desktop_memory.pipeline.clean import printable

RENAMED = "name replaced"
WALLED = "project"
_SHORTEST_NAME = 3
"""A walled project of a shorter name would empty every sentence of it."""


class Outlet:
    """Applies aliases, then redaction, to the parts that hold recorded words; our own words pass.

    `walled` are names of projects whose wall is closed: another window's title may name them.
    """

    def __init__(self, redact: Redact, aliases: Mapping[str, str], walled: Collection[str] = ()) -> None:
        self._redact = redact
        self._aliases = Aliases(aliases)
        names = (name.strip() for name in walled)
        self._walled = Aliases(
            {name: f"[redacted:{WALLED}]" for name in names if len(name) >= _SHORTEST_NAME}
        )

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
        text, named = self._walled.replace(text)
        if named:
            counts[WALLED] += named
        text, hidden = self._redact(text)
        counts.update(hidden)
        return text, counts
