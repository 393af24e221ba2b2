"""Tells a browser's private window by the mark in its title, and leaves look-alikes alone.

A mark counts only where browsers put it: in the part that names the browser, or in brackets at the very end.
A page about private browsing, a firm called Private Equity or a band called Incognito is none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\xad]")
_BETWEEN = re.compile(r"\s+[-–—|·]\s+")
_BRACKETED = re.compile(r"[(\[（【]\s*([^()\[\]（）【】]+?)\s*[)\]）】]$")
_SLACK = 4
"""Letters that may stand beside browser and mark, such as "de" in "Navegación privada de Firefox"."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrivateMarks:
    """What private windows are called, in all languages, in small letters."""

    browsers: tuple[str, ...] = ()
    tabs: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()

    @classmethod
    def of(cls, browsers: Iterable[str], tabs: Iterable[str], marks: Mapping[str, Iterable[str]]) -> Self:
        """The marks of these lists; longer browser names come first, so that they are found whole."""
        return cls(
            browsers=tuple(sorted(map(_plain, browsers), key=len, reverse=True)),
            tabs=frozenset(map(_plain, tabs)),
            marks=frozenset(_plain(mark) for words in marks.values() for mark in words),
        )

    def in_title(self, title: str, app: str, names: frozenset[str]) -> bool:
        """Whether this title is a private window's. `names` are what the app is known by."""
        if not title:
            return False
        is_browser = any(name in self.browsers for name in names)
        if app and not is_browser:
            return False
        parts = _BETWEEN.split(_plain(title))
        return self._last_part_tells(parts, is_browser) or self._part_before_tells(parts, is_browser)

    def is_new_tab(self, title: str, names: frozenset[str]) -> bool:
        """Whether this is a browser's new private tab and no page about one."""
        tab, *browser = _BETWEEN.split(_plain(title))
        return (
            tab in self.tabs
            and len(browser) <= 1
            and all(part in self.browsers for part in browser)
            and not names.isdisjoint(self.browsers)
        )

    def _last_part_tells(self, parts: list[str], is_browser: bool) -> bool:
        last = parts[-1]
        if self._browser_and_mark(last):
            return True
        if not is_browser:
            return False
        bracketed = _BRACKETED.search(last)
        if bracketed and bracketed[1] in self.marks:
            return True
        return (len(parts) > 1 and last in self.marks and _unmistakable(last)) or last in self.tabs

    def _part_before_tells(self, parts: list[str], is_browser: bool) -> bool:
        if not is_browser and parts[-1] not in self.browsers:
            return False
        if parts[0] in self.tabs:
            return True
        for part in parts[1:-1] if len(parts) > 2 else parts[:-1]:
            bracketed = _BRACKETED.search(part)
            if part == "inprivate" or (bracketed and bracketed[0] == part and bracketed[1] in self.marks):
                return True
        return False

    def _browser_and_mark(self, part: str) -> bool:
        for browser in self.browsers:
            if browser not in part:
                continue
            rest = part.replace(browser, "", 1).strip(" -–—:")
            bracketed = _BRACKETED.search(rest)
            if bracketed and bracketed[0] == rest and bracketed[1] in self.marks:
                return True
            if rest in self.marks and (" " in browser or _unmistakable(rest)):
                return True
            if any(mark in rest and len(rest) - len(mark) <= _SLACK for mark in self.marks if " " in mark):
                return True
        return False


def _unmistakable(mark: str) -> bool:
    """Two words, or a word in a script that has no spaces: "incognito" alone may be a band."""
    return " " in mark or mark == "inprivate" or (len(mark) >= 4 and ord(mark[0]) > 0x3000)


def _plain(text: str) -> str:
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFC", text)).casefold().split())
