"""Names that others see as other ones: "Nordwind AG" as "Client A"."""

from __future__ import annotations

import re
from collections.abc import Mapping


class Aliases:
    """Replaces whole names, the longest first, in any case."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._aliases = {name.casefold(): alias for name, alias in names.items() if name.strip()}
        longest_first = sorted(self._aliases, key=len, reverse=True)
        self._pattern = (
            re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)", re.IGNORECASE)
            if longest_first
            else None
        )

    def replace(self, text: str) -> tuple[str, int]:
        """The text with its aliases, and how many names were replaced."""
        if self._pattern is None:
            return text, 0
        return self._pattern.subn(lambda match: self._aliases.get(match[0].casefold(), match[0]), text)
