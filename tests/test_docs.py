"""The documents tell of what is there."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from desktop_memory.cli.parser import build

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


def _commands() -> dict[str, argparse.ArgumentParser]:
    groups = [action for action in build()._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(groups[0].choices)


def _help(parser: argparse.ArgumentParser) -> str:
    """The help of a command and of the commands within it."""
    within = [a.choices.values() for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    return parser.format_help() + "".join(_help(inner) for group in within for inner in group)


def test_the_readme_lists_every_command_and_no_other() -> None:
    table = (ROOT / "README.md").read_text().partition("## Commands")[2]
    cells = [line.split(" | ")[0] for line in table.splitlines() if line.startswith("| `")]
    named = {word for cell in cells for word in re.findall(r"`([a-z-]+)", cell)}

    assert named == set(_commands())


def test_every_option_that_the_documents_show_exists() -> None:
    commands = _commands()
    unknown, checked = [], 0
    for document in DOCUMENTS:
        for code in re.findall(
            r"`([^`\n]+)`|^\$? ?((?:desktop-memory|dmem) .+)$", document.read_text(), re.MULTILINE
        ):
            words = "".join(code).removeprefix("desktop-memory ").removeprefix("dmem ").split()
            if words and words[0] in commands:
                options = re.findall(r"--[a-z-]+", " ".join(words))
                checked += len(options)
                helped = _help(commands[words[0]]) + "--json --home"
                unknown += [(document.name, words[0], option) for option in options if option not in helped]

    assert unknown == []
    assert checked > 30


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_link_is_dead(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", document.read_text())

    dead = [link for link in links if "://" not in link and not (document.parent / link).exists()]

    assert [link for link in dead if not link.endswith(".png")] == []


def test_every_runtime_dependency_has_its_reason() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    listed = project.partition("dependencies = [")[2].partition("\n]")[0]
    names = set(re.findall(r'^\s+"([A-Za-z0-9_-]+)', listed, re.MULTILINE))
    reasons = (ROOT / "docs/decisions.md").read_text().partition("## Runtime dependencies")[2]

    assert {name for name in names if f"| {name}" not in reasons} == set()
    assert len(names) > 10


def test_each_promise_names_tests_that_are_there() -> None:
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    there = set(re.findall(r"def (test_\w+)", tests))
    lines = [line for line in (ROOT / "docs/privacy.md").read_text().splitlines() if line.startswith("| ")]
    promises = [line for line in lines if not line.startswith(("| promise", "| ---"))]

    named = [re.findall(r"`(test_\w+)`", line) for line in promises]

    assert [line for line, names in zip(promises, named, strict=True) if not names] == []
    assert {name for names in named for name in names} - there == set()
    assert len(promises) > 40


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_files_that_are_named_are_there(document: Path) -> None:
    paths = re.findall(
        r"`((?:collectors|desktop_memory|tests|packaging|resources|docs)/[\w./-]+)`", document.read_text()
    )

    assert [path for path in paths if "NAME" not in path and not (ROOT / path).exists()] == []
