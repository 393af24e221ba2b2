"""Makes an event fit to keep: secrets masked, unprintable characters out, lengths bounded."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from collectors.event import Event
from desktop_memory.pipeline.secrets import mask

TITLE_LIMIT = 1_000
TEXT_LIMIT = 20_000
NAME_LIMIT = 1_000
URL_LIMIT = 8_000
FILES_LIMIT = 500
DEPTH_LIMIT = 6

_NAMES = ("app", "project", "repo", "branch", "domain", "source")
_LINE_UNWANTED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_TEXT_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MARGIN = 4_000
"""Read beyond a limit before masking, so that a secret across the limit is seen whole."""


def clean(event: Event) -> tuple[Event, Mapping[str, int]]:
    """The event as it may be kept, and the secrets that were masked in it, by kind.

    Titles keep 1,000 characters, texts the first 20,000 with a mark that says how long they were. Identity
    and aliases stay as they are: the store keeps only their keyed hash.
    """
    masked: Counter[str] = Counter()
    fitted: dict[str, Any] = {
        "title": _fit(event.title, TITLE_LIMIT, False, masked),
        "text": _fit(event.text, TEXT_LIMIT, True, masked),
        "url": _fit(event.url, URL_LIMIT, False, masked),
        "details": _fit_value(event.details, masked, 0) if event.details else event.details,
        "files": tuple(_line(file) for file in event.files[:FILES_LIMIT]),
    }
    names = (event.app, event.project, event.repo, event.branch, event.domain, event.source)
    if _line(together := "".join(names)) != together:  # hardly ever
        fitted.update(zip(_NAMES, map(_line, names), strict=True))
    changed = {name: value for name, value in fitted.items() if value != getattr(event, name)}
    return dataclasses.replace(event, **changed) if changed else event, masked


def printable(text: str, *, lines: bool = False) -> str:
    """Without control characters, NULs and lone surrogates; line breaks and tabs stay if `lines`."""
    if not text.isprintable():
        unwanted = _TEXT_UNWANTED if lines else _LINE_UNWANTED
        text = unwanted.sub("" if lines else " ", _SURROGATE.sub("\ufffd", text))
    return text


def _fit(text: str, limit: int, lines: bool, masked: Counter[str]) -> str:
    if not text:
        return text
    whole = len(text)
    text, found = mask(printable(text[: limit + _MARGIN], lines=lines))
    if found:
        masked.update(found)
    if whole > limit + _MARGIN:
        text = _without_last_word(text)  # it may be half a secret that was not recognised
    if whole <= limit + _MARGIN and len(text) <= limit:
        return text
    mark = f" … [cut, {whole:,} characters]"
    return text[: limit - len(mark)].rstrip() + mark


def _without_last_word(text: str) -> str:
    """The text up to its last space; one that has none for long loses its margin."""
    tail = text[-_MARGIN:]
    spaces = [at for at, letter in enumerate(tail) if letter.isspace()]
    return text[: len(text) - len(tail) + (spaces[-1] + 1 if spaces else 0)]


def _fit_value(value: Any, masked: Counter[str], depth: int) -> Any:
    if isinstance(value, str):
        return _fit(value, TEXT_LIMIT, True, masked)
    if depth >= DEPTH_LIMIT:
        return None
    if isinstance(value, dict) or hasattr(value, "items"):
        return {
            printable(str(key))[:NAME_LIMIT]: _named(str(key), item, masked, depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_fit_value(item, masked, depth + 1) for item in value]
    return value


def _named(name: str, value: Any, masked: Counter[str], depth: int) -> Any:
    """A value under a name that announces a secret ("password": "…") is masked by that name."""
    if not isinstance(value, str) or not value:
        return _fit_value(value, masked, depth)
    make = _remembered_detail if len(name) + len(value) <= _REMEMBERED_LENGTH else _detail
    text, found = make(name, value)
    if found:
        masked.update(found)
    return text


def _detail(name: str, value: str) -> tuple[str, Mapping[str, int]]:
    if "\n" not in value:
        prefix = f"{name}="
        quoted, found = mask(f'{prefix}"{printable(value[: NAME_LIMIT + _MARGIN])}"')
        if found and quoted.startswith(f'{prefix}"[redacted:') and quoted.endswith(']"'):
            return quoted[len(prefix) + 1 : -1], found
    masked: Counter[str] = Counter()
    if name == "diff":  # a line's first letter says what became of it; what follows is a line as any other
        fitted = _fit(_DIFF_LINE.sub(r"\1 ", value), TEXT_LIMIT, True, masked)
        return _DIFF_LINE_APART.sub(r"\1", fitted), masked
    return _fit(value, TEXT_LIMIT, True, masked), masked


_DIFF_LINE = re.compile(r"^([+-])", re.MULTILINE)
_DIFF_LINE_APART = re.compile(r"^([+-]) ", re.MULTILINE)
_REMEMBERED_LENGTH = 200
_remembered_detail = lru_cache(maxsize=1_024)(_detail)  # profiles, folders and the like repeat all day


def _line(text: str) -> str:
    return printable(text)[:NAME_LIMIT] if text else text
