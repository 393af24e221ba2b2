"""What the commands print: lines for people, one JSON object for programs, errors as one line with advice."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import Any

from desktop_memory.errors import KnownError, sentences

SCHEMA = 1
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_CONTROL_OR_BREAK = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def print_json(shape: dict[str, Any], warnings: Sequence[str] = ()) -> None:
    """One object on stdout, with the schema's version and the warnings; a path that is no text keeps its bytes."""
    whole = {"schema": SCHEMA, "warnings": list(warnings), **shape}
    write(json.dumps(whole, ensure_ascii=False, default=str) + "\n", "backslashreplace")


def print_warnings(warnings: Sequence[str]) -> None:
    for warning in warnings:
        print(f"note: {one_line(warning)}", file=sys.stderr)


def print_error(error: KnownError, as_json: bool) -> None:
    if as_json:
        told = {"error": {"problem": error.problem, "advice": error.advice}}
        print(json.dumps(told, ensure_ascii=False), file=sys.stderr)
    else:
        print(f"desktop-memory: {_shown(sentences(error.problem, error.advice))}", file=sys.stderr)


def write(text: str, errors: str = "replace") -> None:
    """Text to stdout in UTF-8 whatever the terminal's own encoding."""
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(text)
    else:
        buffer.write(text.encode("utf-8", errors))
        buffer.flush()


def show(progress: str) -> None:
    """A line for people at a terminal that the next one is written over; empty: none."""
    if sys.stderr.isatty():
        print(f"\r\033[K{one_line(progress)}", end="", file=sys.stderr, flush=True)


def show_share(what: str, share: float) -> bool:
    """Show how much of something is done, 0 to 1; False, since nobody cancels it here."""
    show(f"{what} … {share:.0%}")
    return False


def say(text: str = "") -> None:
    """A line for people. What a name holds is shown, and never steers the terminal."""
    write(_shown(text) + "\n")


def one_line(name: str) -> str:
    """A name, without line breaks and control characters."""
    return _CONTROL_OR_BREAK.sub(" ", name)


def _shown(text: str) -> str:
    return _CONTROL.sub("\ufffd", text)
