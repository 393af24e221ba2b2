"""Real, varied, short texts that a Debian machine has anyway: what its packages and Python functions do."""

from __future__ import annotations

import ast
import random
import subprocess
import sysconfig
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path


def real_texts(count: int, seed: int = 0) -> list[str]:
    """At most `count` different texts, the same ones each time. Beyond 60,000 it reads code for a minute."""
    texts = _tidy(_packages())
    if len(texts) < count:
        texts = _tidy([*texts, *_docstrings()])
    random.Random(seed).shuffle(texts)
    return texts[:count]


def _tidy(texts: Iterable[str]) -> list[str]:
    return sorted({text[:300] for text in texts if len(text) > 12})


def _packages() -> Iterator[str]:
    """`name — what it is`, as a window title would say it."""
    try:
        found = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return
    name = ""
    for line in found.splitlines():
        if line.startswith("Package: "):
            name = line[9:]
        elif line.startswith("Description: "):
            yield f"{line[13:]} — {name}"


def _docstrings() -> Iterator[str]:
    """The first line of what functions and classes say about themselves."""
    for place in {sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")}:
        for path in sorted(Path(place).rglob("*.py")):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    tree = ast.parse(path.read_text(encoding="utf-8"))
            except (OSError, ValueError, SyntaxError, RecursionError):
                continue
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and (text := ast.get_docstring(node)):
                    yield f"{text.splitlines()[0].strip()} ({path.name})"
