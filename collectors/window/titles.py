"""What a window calls itself: made fit to keep, and compared without what only ticks."""

from __future__ import annotations

import re

LIMIT = 1_000
"""Characters of a title that are kept; some programs put whole documents there."""

_UNWANTED = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029]+"  # control characters and line separators
    "|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+"  # invisible marks: Edge and Firefox use them
)
_SURROGATE = re.compile("[\ud800-\udfff]")

_SPINNER = "\u2800-\u28ff◐◑◒◓◴◵◶◷◜◝◞◟◠◡▖▗▘▙▚▛▜▝▞▟⬒⬓⬔⬕✢✳✶✻✽✺✦✧·∗●•○◌⏳⌛⏺"
_TICKING = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        # Spinners, and the marks by which editors show that a file has changed.
        (rf"^[{_SPINNER}*|/\\-][{_SPINNER}]*\s+", ""),
        (rf"^[{_SPINNER}*]+", ""),
        (rf"\s+[{_SPINNER}*|/\\-]$", ""),
        (rf"[{_SPINNER}]", ""),
        # Unread counts; not "copy (1).pdf", not "Halloween (1978)".
        (r"^[\[({](?!(?:19|20)\d\d\D)\d{1,6}\+?[\])}]\s*", ""),
        (r"\s*\((?!(?:19|20)\d\d\))\d{1,6}\+?\)(?!\.\w)", ""),
        (r"\b\d{1,6}\+?\s+(?=(?:unread|new|neue|nouveaux|nuevos|unseen)\b)", ""),
        # Clocks and progress.
        (r"\b\d{1,3}:\d\d(?::\d\d)?(?:\s?[ap]m\b)?(?:\s*/\s*\d{1,3}:\d\d(?::\d\d)?)?", "#:#"),
        (r"\b\d{1,3}(?:[.,]\d+)?\s?%", "#%"),
        (r"\b\d+(?:[.,]\d+)?\s?(?:fps|[kmg]i?b(?:/s|ps))(?!\w)", "#"),
        (r"\b(?:\d+h\s?)?\d+m\s?\d+s\b|(?<=\()\d{1,4}s\b", "#s"),
        (r"(?:\s*\.{1,3}|…)$", ""),
        # What window managers add while a program does not answer.
        (r"\s*\((?:not responding|keine rückmeldung|ne répond pas|no responde)\)$", ""),
    )
)


def clean(text: str, limit: int = LIMIT) -> str:
    """One line without control characters, lone surrogates and invisible marks, of bounded length."""
    text = _SURROGATE.sub("\ufffd", text[: 4 * limit])
    return " ".join(_UNWANTED.sub(" ", text).split())[:limit].rstrip()


def normal(title: str) -> str:
    """The title without spinners, unread counts, clocks and percentages: equal means the same window."""
    for pattern, instead in _TICKING:
        title = pattern.sub(instead, title)
    return " ".join(title.casefold().split())
