"""What the benchmarks print, kept as a Markdown report with the machine, its load and the day."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from datetime import UTC, datetime
from io import StringIO, TextIOBase
from itertools import pairwise
from pathlib import Path

APART = "## Measured apart"
"""What takes hours is written by hand below this heading, and stays."""
NAME_WIDTH = 34
"""Where the first number of a table begins: see table.py."""


@contextmanager
def report(file: Path, what: str) -> Iterator[None]:
    """Everything printed within the block, on the screen as before and in this file at its end."""
    told, before = _Both(), _load()
    with redirect_stdout(told):  # type: ignore[type-var]
        yield
    file.write_text(_page(what, before, told.kept.getvalue()) + _apart(file), encoding="utf-8")
    print(f"\n{file}")


def markdown(printed: str) -> str:
    """Tables as tables; what is printed otherwise as it was."""
    blocks = [block for block in re.split(r"\n{2,}", printed.strip("\n")) if block.strip()]
    return "\n\n".join(map(_block, blocks)) + "\n"


def _apart(file: Path) -> str:
    _, heading, below = _read(str(file)).partition(APART)
    return f"\n{heading}{below}" if heading else ""


class _Both(TextIOBase):
    def __init__(self) -> None:
        self.screen, self.kept = sys.stdout, StringIO()

    def write(self, text: str) -> int:
        self.kept.write(text)
        return self.screen.write(text)

    def flush(self) -> None:
        self.screen.flush()


def _page(what: str, before: str, printed: str) -> str:
    return (
        "# Benchmarks\n\n"
        f"Made by `{what}`.\n\n"
        "| | |\n| --- | --- |\n"
        f"| day | {datetime.now(UTC):%Y-%m-%d %H:%M} UTC |\n"
        f"| machine | {_processor()}, {os.cpu_count()} cores, {_memory():.0f} GB |\n"
        f"| system | {platform.system()} {platform.release()}, Python {platform.python_version()} |\n"
        f"| load | {before} at the beginning, {_load()} at the end |\n\n"
        "Times depend on the machine and on what else it does: under a load near the number of its cores, or above, "
        "go by the ratios, whose baseline is measured in the same run.\n\n" + markdown(printed)
    )


def _block(block: str) -> str:
    lines = block.split("\n")
    at = next((n for n, line in enumerate(lines) if line[:NAME_WIDTH].isspace() and "ratio" in line), None)
    if at is None:
        title, *rest = lines
        if rest and re.fullmatch(r"[A-Z][\w ]{2,60}", title):
            return "\n".join([f"## {title}", "", "```text", *rest, "```"])
        return "\n".join(["```text", *lines, "```"])
    head, _, last = lines[at].partition("to reach")
    ends = [0, NAME_WIDTH, *(NAME_WIDTH + match.end() for match in re.finditer(r"\S+", head[NAME_WIDTH:]))]
    names = ["", *head.split(), "to reach" + last]
    table = [names, ["---"] + ["---:"] * (len(names) - 2) + ["---"]]
    table += [_cells(line, ends) for line in lines[at + 1 :]]
    title = [f"## {line}\n" for line in lines[:at]]
    return "\n".join([*title, *(f"| {' | '.join(cells)} |" for cells in table)])


def _cells(line: str, ends: list[int]) -> list[str]:
    parts = [line[a:b].strip() for a, b in pairwise(ends)]
    return [cell.replace("|", "\\|") for cell in (*parts, line[ends[-1] :].strip())]


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


def _processor() -> str:
    found = re.search(r"model name\s*: (.+)", _read("/proc/cpuinfo"))
    return found[1] if found else platform.processor() or platform.machine()


def _memory() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""
