"""What a text says in comparable form: its words, its facts (numbers, names, identifiers, quotes), its polarity."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from desktop_memory.context.opposites import CANONICAL, OPPOSITES
from desktop_memory.retrieval.terms import fold, stop_words


@dataclass(frozen=True, slots=True)
class Evidence:
    """Stems of content words; facts as they compare, with how they were written; sides of opposites taken."""

    words: frozenset[str]
    facts: dict[str, str]
    sides: frozenset[tuple[int, int]]
    stamp: frozenset[str] = frozenset()
    """When it was recorded: facts of the time before the text, no matter of what it says."""


_NUMBER_WORDS = {
    "zero": "0", "one": "1", "two": "2", "twice": "2", "three": "3", "thrice": "3", "four": "4", "five": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15",
    "twenty": "20", "thirty": "30", "forty": "40", "sixty": "60",
}  # fmt: skip
_UNITS = {
    "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "m": "min", "min": "min", "mins": "min",
    "minute": "min", "minutes": "min", "h": "h", "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "day": "d",
    "days": "d", "times": "x", "time": "x", "x": "x", "%": "%", "percent": "%", "years": "y", "year": "y",
    "months": "mo", "month": "mo", "kb": "kb", "mb": "mb", "gb": "gb", "ms": "ms", "lines": "l", "files": "f",
}  # fmt: skip
_MONTHS = {
    name: short
    for short, names in {
        "jan": "january jan", "feb": "february feb", "mar": "march mar", "apr": "april apr", "may": "may",
        "jun": "june jun", "jul": "july jul", "aug": "august aug", "sep": "september sep sept", "oct": "october oct",
        "nov": "november nov", "dec": "december dec",
    }.items()
    for name in names.split()
}  # fmt: skip
_DAYS = {
    name: short
    for short, names in {
        "mon": "monday mon", "tue": "tuesday tue tues", "wed": "wednesday wed", "thu": "thursday thu thurs",
        "fri": "friday fri", "sat": "saturday sat", "sun": "sunday sun",
    }.items()
    for name in names.split()
}  # fmt: skip

# Verbs for having something in front, which claims use freely.
_FREE = frozenset(
    ["you", "your", "user", "they", "looked", "look", "looking", "opened", "open", "opening", "viewed", "view",
     "visited", "visit", "read", "reading", "saw", "seen", "used", "using", "use", "worked", "work",
      "working", "spent", "record",
     "recorded", "records", "log", "shows", "show", "shown", "according", "then", "later", "also", "first", "next",
     "finally", "around", "about", "at", "page", "pages", "window", "title", "titled", "article", "called", "named",
     "ran", "run", "running", "executed", "command", "time", "minute", "minutes", "second", "seconds", "hour",
     "hours",
     "made", "make", "did", "done", "had", "went", "got", "took", "site", "website", "website's", "same", "again",
     "currently", "still", "just", "session", "exit", "code", "times", "entitled", "named", "file", "editing", "edited",
     "edit", "wrote", "writing", "written", "roughly", "approximately", "total", "altogether", "while", "during",
     "onto", "upon"]
)  # fmt: skip

_NEGATED = re.compile(
    r"\b(?:not|never|n't|without|no longer|did not|didn't|wasn't|isn't|cannot|couldn't|nor)\b", re.I
)

_STAMP = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} [A-Z][a-z]{2}(?: \d{4})? )?(?:about )?\d\d:\d\d(?:[–-]\d\d:\d\d)? "
)
_QUOTED = re.compile(r"[\"“„»]([^\"“”„«»]{2,200})[\"”“«]")
_TOKEN = re.compile(r"[^\W_][\w.,:/+\-#'’×%@=]*[^\W_%]|[^\W_]|%", re.UNICODE)
_TIME = re.compile(r"^\d{1,2}:\d\d(?::\d\d)?$")


@lru_cache(maxsize=2_048)
def evidence(text: str) -> Evidence:
    """The evidence of a claim or of a source."""
    stamp = _STAMP.match(text)
    told = _spelled_out(text[stamp.end() :] if stamp else text)
    tokens = _tokens(told)
    return Evidence(
        words=frozenset(_words(tokens)),
        facts=dict(_facts(told, tokens)),
        sides=frozenset(_sides(told)),
        stamp=frozenset(dict(_facts("", _tokens(stamp[0])))) if stamp else frozenset(),
    )


def _spelled_out(text: str) -> str:
    """With what our own abbreviations mean: `exit 0` is a success, `×2` is two times, `+41 −9` adds and removes."""
    text = re.sub(r"\bexit(?:ed)?(?: code| status)?(?: with)?(?: code)? 0\b", "exit 0 passed", text)
    text = re.sub(
        r"\b(exit(?:ed)?(?: code| status)?(?: with)?(?: code)? (?!0\b|130\b)-?\d+)\b", r"\1 failed", text
    )
    text = re.sub(r"×\s?(\d+)", r"\1 times", text)
    text = re.sub(r"\b(twice|thrice)\b", lambda m: f"{_NUMBER_WORDS[m[1].lower()]} times", text, flags=re.I)
    text = re.sub(r"\bonce\b", "1 times", text, flags=re.I)
    text = re.sub(r"\b(\d{1,2}) h (\d{1,2})(?: min)?\b", lambda m: f"{60 * int(m[1]) + int(m[2])} min", text)
    text = re.sub(
        r"\b(\d{1,2}|one|two|three|four|five) hours?(?: and)? "
        r"(\d{1,2}|one|two|five|ten|fifteen|twenty|thirty) min(?:ute)?s?\b",
        lambda m: f"{60 * int(_number(m[1])) + int(_number(m[2]))} min",
        text,
        flags=re.I,
    )
    text = re.sub(r"\b(?:half an hour)\b", "30 min", text, flags=re.I)
    text = re.sub(
        r"\b(\d{1,2}|one|two|three|four) (?:h|hours?)\b",
        lambda m: f"{60 * int(_number(m[1]))} min",
        text,
        flags=re.I,
    )
    text = re.sub(r"(\d)[   ](?=\d{3}\b)", r"\1", text)
    return re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)


def _number(word: str) -> str:
    return _NUMBER_WORDS.get(word.lower(), word)


def _tokens(text: str) -> list[str]:
    return [token.strip(".,:'’") for token in _TOKEN.findall(text.replace("−", "-").replace("–", " - "))]


def _words(tokens: Iterable[str]) -> Iterable[str]:
    for token in tokens:
        for piece in _pieces(token):
            if piece not in stop_words() and piece not in _FREE and len(piece) > 1 and not piece.isdigit():
                yield _alike(piece)


def _alike(word: str) -> str:
    """Equal for words that say the same: of one stem, or of one side of a pair of opposites."""
    return CANONICAL.get(word) or stem(word)


def _pieces(token: str) -> Iterable[str]:
    """An identifier and its parts: `tests/test_retry.py` holds tests, test, retry, py."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+|\d+", token)
    found = {fold(part) for part in re.split(r"[\W_]+", token) if part}
    found.update(fold(part) for part in parts)
    return [piece for piece in found if piece]


def stem(word: str) -> str:
    """A light stem of an English word: enough that "rebased" meets "rebase"."""
    for ending, rest in (
        ("ies", "y"), ("ingly", ""), ("edly", ""), ("ations", "at"), ("ation", "at"), ("ments", ""), ("ment", ""),
        ("ings", ""), ("ing", ""), ("ied", "y"), ("ed", ""), ("es", ""), ("ers", ""), ("er", ""), ("ly", ""),
        ("s", ""), ("e", ""),
    ):  # fmt: skip
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: len(word) - len(ending)] + rest
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl" and not word[-1].isdigit():
        word = word[:-1]
    return word


def _facts(text: str, tokens: list[str]) -> Iterable[tuple[str, str]]:
    """What cannot be said in other words: numbers with units, times, dates, identifiers, names, quotations."""
    for quoted in _QUOTED.findall(text):
        words = [_alike(fold(w)) for w in re.findall(r"\w+", quoted)]
        if words:
            yield "quote:" + " ".join(words), f'"{quoted}"'
    low = [token.casefold() for token in tokens]
    for at, token in enumerate(tokens):
        following = low[at + 1] if at + 1 < len(low) else ""
        before = low[at - 1] if at else ""
        yield from _fact(token, low[at], before, following, first=at == 0)


def _fact(token: str, low: str, before: str, following: str, *, first: bool) -> Iterable[tuple[str, str]]:
    if _TIME.match(token):
        yield "time:" + token.lstrip("0"), token
    elif low in _DAYS and token[0].isupper():
        yield "day:" + _DAYS[low], token
    elif low in _MONTHS and (before.isdigit() or following.isdigit()) and token[0].isupper():
        number = before if before.isdigit() and len(before) <= 2 else following
        yield f"date:{int(number)} {_MONTHS[low]}", f"{number} {token}"
    elif (plain := _plain_number(low)) is not None:
        if following in _MONTHS or before in _MONTHS:
            return
        unit = _UNITS.get(following, "")
        yield f"number:{plain}{unit}", f"{token} {following}".strip() if unit else token
    elif found := re.match(r"^(\d+)([a-z%×]{1,3})$", low):
        yield f"number:{found[1]}{_UNITS.get(found[2], found[2])}", token
    elif _is_identifier(token):
        yield "id:" + low.strip(".'"), token
    elif token[0].isupper() and not first and low not in stop_words() and low not in _FREE and len(token) > 2:
        yield "name:" + _alike(fold(token)), token


def _plain_number(low: str) -> str | None:
    if low in _NUMBER_WORDS and low != "one":
        return _NUMBER_WORDS[low]
    match = re.match(r"^0*(\d+(?:[.,]\d+)?)$", low)
    return match[1].replace(",", ".") if match else None


def _is_identifier(token: str) -> bool:
    inner = token[1:-1]
    has_digit = any(c.isdigit() for c in token)
    if any(c in inner for c in "/_#@") or (has_digit and any(c.isalpha() for c in token)):
        return True
    if re.match(r"^\d+(?:\.\d+)+$|^v\d", token):
        return True
    return bool(re.match(r"^[\w-]+\.[A-Za-z]{1,5}$", token)) or bool(re.match(r"^[a-z]+[A-Z]", token))


def _sides(text: str) -> Iterable[tuple[int, int]]:
    """Which side of which pair of opposites the text takes; a negation right before turns it round."""
    words = re.findall(r"[\w']+", text.casefold())
    for at, word in enumerate(words):
        negated = any(_NEGATED.fullmatch(w) or w.endswith("n't") for w in words[max(0, at - 3) : at])
        for number, (one, other) in enumerate(OPPOSITES):
            if word in one:
                yield number, 1 if negated else 0
            elif word in other:
                yield number, 0 if negated else 1
