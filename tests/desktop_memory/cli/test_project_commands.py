"""Projects on the command line: shown first, done with --yes, undone."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_memory.cli import main
from tests.collectors.git.workshop import Workshop, introduce
from tests.factories import NOON
from tests.running import ask, recording, run

LINES = "\n".join(
    json.dumps(
        {
            "kind": "window",
            "start": f"2026-08-13T09:{n:02}:00+00:00",
            "title": f"{'Nordwind' if n % 2 else '北風'} {n} - Word",
            "project": "own" if n < 4 else "",
        }
    )
    for n in range(8)
)

Call = Callable[..., Any]


@pytest.fixture
def call(home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """Runs a command within this process; what it said as JSON, or its code and what it said on stderr."""
    monkeypatch.setenv("DESKTOP_MEMORY_NOW", NOON.isoformat())

    def call(*words: str, plain: bool = False) -> Any:
        monkeypatch.setattr("sys.stdin", io.StringIO())
        capfd.readouterr()
        code = main([*words, *([] if plain else ["--json"])])
        out, err = capfd.readouterr()
        return (code, out + err) if plain or code else json.loads(out)

    (home / "events.jsonl").write_text(LINES + "\n", encoding="utf-8")
    assert call("import", str(home / "events.jsonl"))["new"] == 8
    return call


def names(call: Call, *words: str) -> dict[str, int]:
    return {project["name"]: project["events"] for project in call("project", "list", *words)["projects"]}


def test_a_rule_is_shown_then_done_then_undone(call: Call) -> None:
    rule = ("project", "rule", "add", "--title", "nordwind|北風 6", "Client A")

    shown = call(*rule)
    assert (shown["applied"], shown["events"], shown["changed"]) == (False, 5, 5)
    assert names(call) == {"own": 4}

    done = call(*rule, "--yes")
    assert (done["applied"], done["change"]["moved"], done["change"]["running"]) == (True, 5, False)
    assert names(call) == {"Client A": 5, "own": 2}
    assert call("project", "rule", "list")["rules"] == [
        {"id": 1, "kind": "title", "pattern": "nordwind|北風 6", "project": "Client A", "events": 5}
    ]

    call("project", "undo")
    assert names(call) == {"own": 4}


def test_removing_a_rule_asks_too(call: Call) -> None:
    call("project", "rule", "add", "--title", "Nordwind", "P", "--yes")

    assert call("project", "rule", "remove", "1") == {
        "schema": 1,
        "warnings": [],
        "applied": False,
        "events": 4,
    }
    assert call("project", "rule", "remove", "1", "--yes")["change"]["moved"] == 4
    assert names(call) == {"own": 4}


def test_renaming_merging_and_archiving(call: Call) -> None:
    call("project", "rule", "add", "--title", "北風", "北", "--yes")

    assert call("project", "rename", "own", "Mine")["change"]["other"] == "own"
    assert call("project", "merge", "北", "own") == {
        "schema": 1, "warnings": [], "applied": False, "events": 4, "walled": False
    }  # fmt: skip
    call("project", "merge", "北", "own", "--yes")
    assert names(call) == {"Mine": 6}
    call("project", "archive", "mine")
    assert names(call) == {}
    assert call("project", "list", plain=True) == (0, "1 archived one left out: project list --all\n")
    assert call("project", "list")["archived_left_out"] == 1
    assert names(call, "--all") == {"Mine": 6}
    call("project", "unarchive", "mine")
    assert call("search", "--project", "OWN")["hits"]


def test_merging_into_a_walled_project_says_so(call: Call, home: Path) -> None:
    (home / "memory" / "settings.toml").write_text('[privacy]\nwalled_projects = ["own"]\n')
    call("project", "rule", "add", "--title", "北風", "北", "--yes")

    assert call("project", "merge", "北", "own")["walled"] is True
    code, told = call("project", "merge", "北", "own", plain=True)
    assert code == 0
    assert "One of them is walled: both will be." in told
    assert told.endswith("Nothing was changed. Repeat it with --yes.\n")


@pytest.mark.parametrize(
    "words",
    [
        ("rule", "add", "--title", "(a+)+$", "P", "--yes"),
        ("rule", "add", "--title", "[", "P"),
        ("rule", "add", "--folder", "nowhere", "P", "--yes"),
        ("rule", "add", "P"),
        ("rule", "remove", "7", "--yes"),
        ("rename", "nobody", "x"),
        ("rename", "own", " "),
        ("merge", "own", "own", "--yes"),
        ("merge", "own", "nobody", "--yes"),
    ],
)
def test_what_cannot_be_is_said_in_one_line_and_changes_nothing(call: Call, words: tuple[str, ...]) -> None:
    code, told = call("project", *words, plain=True)

    assert code == 2
    assert told.startswith("desktop-memory: ")
    assert told.count("\n") == 1
    assert names(call) == {"own": 4}
    assert call("project", "changes")["changes"] == []


def test_the_running_app_does_the_same(home: Path) -> None:
    (home / "events.jsonl").write_text(LINES + "\n", encoding="utf-8")
    with recording(home):
        assert ask(home, "import", str(home / "events.jsonl"))["new"] == 8
        change = ask(home, "project", "rule", "add", "--title", "Nordwind", "P", "--yes")["change"]

        assert (change["moved"], change["running"]) == (4, False)
        assert run(home, "project", "list").stdout.splitlines()[0].startswith("P  4 events")
        assert ask(home, "project", "undo", str(change["id"]))["change"]["undone"] is True
        assert [p["name"] for p in ask(home, "project", "list")["projects"]] == ["own"]


def test_here_is_the_repository_of_this_folder_not_another_of_its_name(
    call: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".gitconfig").write_text("[user]\n\tname = Ada Example\n\temail = ada@example.org\n")
    for where in ("a", "b"):
        Workshop(home / where / "api").commit(f"work in {where}")
    assert call("collect", "--source", "git")["new"] >= 2
    found = {}
    for where in ("a", "b"):
        monkeypatch.chdir(home / where / "api")
        hits = call("search", "--here", "--kind", "git_commit")["hits"]
        found[where] = [hit["event"]["title"] for hit in hits]

    assert found == {"a": ["work in a"], "b": ["work in b"]}
    assert call("forget", "--here", "--kind", "git_commit", "--yes")["events"] == 1
    assert call("search", "work in a", "--kind", "git_commit")["hits"]


def test_a_folders_name_never_steers_the_terminal(home: Path) -> None:
    introduce(home)
    for folder in ("src/a", "es\x1b]0;owned\x07c\x1b[31m/a", "line\nbreak/a"):
        Workshop(home / folder).commit(f"Start {len(folder)}")

    collected = run(home, "collect")
    told = [run(home, "status").stdout, run(home, "project", "list").stdout, collected.stdout]

    assert not any(character in "".join(told) for character in "\x1b\x07")
    assert sum(line.count("  git ") for line in told[0].splitlines()) == 3
    assert all("today" in line for line in told[0].splitlines() if "  git " in line)
    assert told[1].count("1 event") == 3
