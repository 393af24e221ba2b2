"""What is said below the screens, in the user's language: errors, advice and reasons, known by their template."""

from __future__ import annotations

import itertools
import re
import tomllib
from functools import cache

from desktop_memory.resources import resource

LONGEST = 1_000
SENTENCES = 6
_language = "en"


def speak(language: str) -> None:
    """Use this language from now on; what it does not know stays as it is said."""
    global _language
    _language = language


def translated(text: str) -> str:
    """The text in that language; several sentences are looked for one after the other."""
    if not text.strip() or len(text) > LONGEST:
        return text
    whole = _said(text, one_sentence=True)
    if whole is not None:
        return whole
    for end in itertools.islice(re.finditer(r"[.:] ", text), SENTENCES):
        first = _said(text[: end.start() + 1])
        if first is not None:
            return f"{first} {translated(text[end.end() :])}"
    return _said(text) or text


def _said(text: str, *, one_sentence: bool = False) -> str | None:
    """By the first template that fits; with `one_sentence`, one whose places hold no end of a sentence: what
    follows there may be a sentence with a template of its own."""
    for pattern, said in _templates(_language):
        found = pattern.fullmatch(text)
        if found is not None and not (one_sentence and any(". " in filling for filling in found.groups())):
            return said.format(*found.groups())
    return None


@cache
def _templates(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The most particular first: those with the most text of their own."""
    path = resource("words", f"{language}-told.toml")
    if not path.is_file():
        return ()
    known: dict[str, str] = tomllib.loads(path.read_text(encoding="utf-8"))["told"]
    pairs = sorted(known.items(), key=lambda pair: -len(pair[0].replace("{}", "")))
    return tuple((_pattern(template), said) for template, said in pairs)


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(re.escape(part) for part in template.split("{}")), re.DOTALL)
