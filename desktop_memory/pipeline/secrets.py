"""Masks what must not be kept: passwords, tokens and keys become `[redacted:kind]` before the first write."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import get_args

from desktop_memory.pipeline.secret_commands import COMMANDS
from desktop_memory.pipeline.secret_names import ANNOUNCING, harmless, kind_of, looks_random, secretish
from desktop_memory.pipeline.secret_shapes import ANY_TOKEN, OPTION, SHAPES, Shape, Sign

Found = tuple[int, int, str]
"""Where a secret starts and ends, and its kind."""


def mask(text: str) -> tuple[str, Mapping[str, int]]:
    """The text with each secret as `[redacted:kind]`, and how many of each kind there were.

    Kinds are key, token and password. Masking twice changes nothing more. The time grows with the length
    of the text and no faster.
    """
    if len(text) > _REMEMBERED_LENGTH:
        return _masked(text)
    return _remembered(text)  # window titles and commands repeat all day


def _masked(text: str) -> tuple[str, Mapping[str, int]]:
    if len(text) < _SHORTEST:
        return text, {}
    masked: Counter[str] = Counter()
    low = text.lower()
    announced = _announces(low)
    for shape in _shapes_in(text, low, announced):
        text = _replace(text, _by_shape(text, shape), masked)
    if "@" in low and "://" in low:
        text = _replace(text, _in_addresses(text), masked)
    if announced and ("=" in low or ":" in low or "：" in low):
        text = _replace(text, _assigned(text), masked)
    if announced and ("-" in low or ("/" in low and ":" in low)):
        text = _replace(text, _options(text), masked)
    return text, masked


_SHORTEST = 6
_REMEMBERED_LENGTH = 500
_remembered = lru_cache(maxsize=4_096)(_masked)
_TRIED = (*SHAPES, *COMMANDS)


def _needles(sign: Sign) -> tuple[tuple[str, int], ...]:
    """The needles of the shapes with this sign, each with the place of its shape."""
    return tuple(
        (needle, place)
        for place, shape in enumerate(_TRIED)
        if shape.sign == sign
        for needle in shape.needles
    )


_NEEDLES = {sign: _needles(sign) for sign in get_args(Sign)}


def _shapes_in(text: str, low: str, announced: bool) -> Sequence[Shape]:
    """The shapes that may be in the text, in their order."""
    needles = _NEEDLES[""]
    if ANY_TOKEN.search(text):
        needles += _NEEDLES["token"]
    if OPTION.search(text):
        needles += _NEEDLES["option"]
    if announced:
        needles += _NEEDLES["name"]
    return [_TRIED[place] for place in sorted({place for needle, place in needles if needle in low})]


def _announces(low: str) -> bool:
    """Whether a name that announces a secret can be in a text of small letters."""
    low = low.replace("path", " ")  # it holds "pat" and announces none
    for word in ANNOUNCING:  # noqa: SIM110 - any() takes twice as long, and this is asked of every text
        if word in low:
            return True
    return False


def _replace(text: str, found: Iterator[Found], masked: Counter[str]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, kind in found:
        if start < done:
            continue
        pieces += [text[done:start], f"[redacted:{kind}]"]
        masked[kind] += 1
        done = end
    return "".join([*pieces, text[done:]]) if pieces else text


def _by_shape(text: str, shape: Shape) -> Iterator[Found]:
    for match in shape.pattern.finditer(text):
        for name, value in match.groupdict().items():
            if value and not harmless("", value):
                yield match.start(name), match.end(name), shape.kind


_ADDRESS = re.compile(
    r"(?<![\w.+-])[A-Za-z][A-Za-z0-9+.-]{1,30}://(?P<user>[^\s/:@\"'<>\[]{0,300})(?::(?P<s>[^\s/\"'<>]{1,600}))?@"
)


def _in_addresses(text: str) -> Iterator[Found]:
    """The password, or a token in the user's place, of addresses such as postgres://ana:secret@host."""
    for match in _ADDRESS.finditer(text):
        password = match["s"]
        if password and not harmless("", password):
            yield match.start("s"), match.end("s"), "password"
        elif not password and looks_random(match["user"], 20):
            yield match.start("user"), match.end("user"), "token"


_VALUE = re.compile(
    r"""\\"(?P<escaped>[^"\\]*+)(?:\\"|\Z)"""
    r"""|"(?P<double>(?:[^"\\]|\\.)*)(?:"|\Z)"""
    r"""|'(?P<single>[^']*+)(?:'|\Z)"""
    r"""|(?P<bare>(?:[^\s"'&;|<>()\\]|\\.){1,200})""",
    re.DOTALL,
)
_REST = re.compile(r"""(?:[^\s"'&;|<>()\\]|\\.)*""", re.DOTALL)
_NAMED = re.compile(
    r"""(?<![\w.-])(?P<name>[\w.-]{1,100}+)(?:\\?["'])?(?P<to>[ \t]{0,2}(?:=>|:=|==?|[:：])[ \t]{0,4})"""
)


def _assigned(text: str) -> Iterator[Found]:
    """Values of names that announce a secret: in the environment, in addresses, in JSON, YAML and headers."""
    done = 0
    for match in _NAMED.finditer(text):
        if match.start() < done:
            continue
        name = match["name"].strip(".-")
        kind, enough = kind_of(name)
        if not kind or match["to"].strip() == "==":
            continue
        value = _VALUE.match(text, match.end())
        if value and _is_secret(name, enough, match["to"], value, text):
            start, done = _extent(value, text)
            yield start, done, kind


def _extent(value: re.Match[str], text: str) -> tuple[int, int]:
    """From where to where the value reaches; a bare one beyond the length that was looked at."""
    start, end = value.span(value.lastgroup or 0)
    rest = _REST.match(text, end) if value.lastgroup == "bare" else None
    return start, rest.end() if rest else end


def _is_secret(name: str, enough: bool, to: str, value: re.Match[str], text: str) -> bool:
    said = value[value.lastgroup or 0]
    if harmless(name, said, text[value.end() : value.end() + 1]):
        return False
    quoted = value.lastgroup != "bare"
    if not enough:
        return looks_random(said)
    to = to.replace("：", ":")
    if ":" in to and not quoted and to != ":=":
        return secretish(said) or (name.lower().startswith("x-") and len(said) >= 8)
    if ":" in to and quoted and " " in to:
        return len(said) >= 4 or not said.isalpha()
    return True


_OPTION = re.compile(r"(?<![\w-])(?P<dashes>--?|/)(?P<name>[A-Za-z][\w.-]{1,60}+)(?P<to>[ \t]+|:)(?=[^-\s])")


def _options(text: str) -> Iterator[Found]:
    """Values of options that announce a secret: `--password x`, `-storepass x`, `/password:x`."""
    done = 0
    for match in _OPTION.finditer(text):
        if match.start() < done or (match["dashes"] == "/" and match["to"] != ":"):
            continue
        name = match["name"]
        kind, enough = kind_of(name)
        if not kind:
            continue
        value = _VALUE.match(text, match.end())
        if value is None:
            continue
        said = value[value.lastgroup or 0]
        if harmless(name, said) or said.startswith("-"):
            continue
        if enough or looks_random(said) or (name == "pass" and looks_random(said, 6)):
            start, done = _extent(value, text)
            yield start, done, kind
