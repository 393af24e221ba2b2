"""Several commands one after another, each shown as it would be typed."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from desktop_memory.cli.output import say


def tour(given: argparse.Namespace, home: Sequence[str], commands: Iterable[Sequence[str]]) -> None:
    """Run each of `commands` on the data folder that the options `home` name."""
    for words in commands:
        say(f"\n$ desktop-memory {' '.join(words)}")
        one = given.parse([*home, *words])
        one.run(one)


def typed() -> str:
    """The command as it was typed, so that a line which begins with it can be pasted."""
    called = Path(sys.argv[0])
    if called.stem not in ("desktop-memory", "dmem"):
        return "desktop-memory"
    return called.name if shutil.which(called.name) == str(called) else str(called)
