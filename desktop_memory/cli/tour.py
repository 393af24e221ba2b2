"""Several commands one after another, each shown as it would be typed."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from desktop_memory.cli.output import say


def tour(given: argparse.Namespace, home: Sequence[str], commands: Iterable[Sequence[str]]) -> None:
    """Run each of `commands` on the data folder that the options `home` name."""
    for words in commands:
        say(f"\n$ desktop-memory {' '.join(words)}")
        one = given.parse([*home, *words])
        one.run(one)
