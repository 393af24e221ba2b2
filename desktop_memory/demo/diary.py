"""The demo person's diary: text files, one a day, read into blocks of acts.

A file is named by how many days before the demo's last day it lies. In it, a block begins at the margin
and its acts follow, one a line:

    09:12-10:31 billing-api on fix/LED-712
        edit billing/money.py
        ran pytest tests/test_money.py => 1, 6 s
        09:40 page Currencies | Stripe Documentation @ https://docs.stripe.com/currencies, 140 s
    10:31-10:47 -- idle

An act with a time stands exactly there; the others follow one another, and everyday acts of the same
place come between them until the block ends. In a block marked `exactly` nothing is added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time
from pathlib import Path
from typing import cast, get_args

from collectors.event import GapReason

_BLOCK = re.compile(r"(\d\d:\d\d)-(\d\d:\d\d) (.+)")
_ACT = re.compile(r"(?:(\d\d:\d\d(?::\d\d)?) )?([a-z]+) (.+?)(?:, (\d+) (s|min))?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Act:
    """One thing done: "ran", "pytest => 1"; `at` if it has a time of its own, `seconds` it took."""

    verb: str
    what: str
    at: time | None = None
    seconds: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A stretch at one place (a project, "inbox", "home"), or away from the computer (`away`)."""

    start: time
    end: time
    place: str = ""
    branch: str = ""
    exactly: bool = False
    away: GapReason | None = None
    acts: tuple[Act, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Day:
    """The blocks of the day that lies `ago` days before the last one."""

    ago: int
    blocks: tuple[Block, ...]


def read(folder: Path) -> list[Day]:
    """All days in this folder, the oldest first."""
    days = [
        Day(ago=int(path.stem.partition("-")[0]), blocks=tuple(parse(path.read_text(encoding="utf-8"))))
        for path in folder.glob("[0-9][0-9]-*.txt")
    ]
    return sorted(days, key=lambda day: -day.ago)


def parse(text: str) -> Iterator[Block]:
    """The blocks in this text. Raises ValueError naming a line that is neither a block nor an act."""
    heading = ""
    acts: list[Act] = []
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0].isspace():
            acts.append(_act(line.strip()))
            continue
        if heading:
            yield _block(heading, acts)
        heading, acts = line, []
    if heading:
        yield _block(heading, acts)


def _block(heading: str, acts: list[Act]) -> Block:
    found = _BLOCK.fullmatch(heading)
    if found is None:
        raise ValueError(f"not a block: {heading!r}")
    start, end = time.fromisoformat(found[1]), time.fromisoformat(found[2])
    where = found[3]
    if where.startswith("-- "):
        reason = where.removeprefix("-- ")
        if reason not in get_args(GapReason):
            raise ValueError(f"not a reason to be away: {heading!r}")
        return Block(start=start, end=end, away=cast(GapReason, reason))
    exactly = where.endswith(", exactly")
    place, _, branch = where.removesuffix(", exactly").partition(" on ")
    return Block(start=start, end=end, place=place, branch=branch, exactly=exactly, acts=tuple(acts))


def _act(line: str) -> Act:
    found = _ACT.fullmatch(line)
    if found is None:
        raise ValueError(f"not an act: {line!r}")
    at, verb, what, amount, unit = found.groups()
    seconds = int(amount) * (60 if unit == "min" else 1) if amount else None
    return Act(verb=verb, what=what, at=time.fromisoformat(at) if at else None, seconds=seconds)
