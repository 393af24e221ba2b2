"""Copies, updates, proposals, topics and the graph on the command line, as a user meets them."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desktop_memory.cli import main
from desktop_memory.cli.parser import build
from desktop_memory.errors import UsageError
from tests.factories import NOON
from tests.running import COMMAND, environment, recording

NOW = NOON.isoformat()
LINES = "\n".join(
    json.dumps(
        {
            "kind": "terminal",
            "start": f"2026-08-13T09:5{n}:00+00:00",
            "text": f"make part{n}",
            "project": "open",
        }
    )
    for n in range(8)
)


@dataclass(frozen=True)
class Done:
    """What a command left behind, run within this process: starting one takes longer than most commands."""

    code: int
    stdout: str
    stderr: str


Now = Callable[..., Done]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Now:
    monkeypatch.setenv("DESKTOP_MEMORY_NOW", NOW)

    def call(*words: str, stdin: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capfd.readouterr()
        code = main(words)
        return Done(code, *capfd.readouterr())

    return call


def said(done: Done) -> dict[str, Any]:
    assert done.code == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture
def person(home: Path, now: Now) -> Path:
    (home / "events.jsonl").write_text(LINES + "\n")
    assert now("import", str(home / "events.jsonl")).code == 0
    return home


def test_an_event_that_is_not_there_is_said_beside_what_is_told_instead(person, now):
    for words, what in ((["--event", "999"], "event"), (["--session", "999"], "session")):
        done = now("context", *words)

        assert done.code == 0
        assert done.stderr.strip() == f"note: There is no {what} 999; told instead: last 15 minutes."
        assert "End of ctx-" in done.stdout


def test_every_part_of_a_request_can_be_said(person, now):
    words = (
        "context part --session 3 --since 2h --until 1m --kind terminal --project open --top-k 4 --hops 2"
        " --max-neighbors 3 --fanout 4 --no-pins --no-topics --view timeline --format xml --budget 900 --relaxed"
        " --question why --ask-updates --without event:1"
    )
    asked = said(now(*words.split(), "--json"))

    assert asked["format"] == "xml"
    assert "event:1" not in [line["key"] for line in asked["lines"]]
    assert asked["text"].rstrip().endswith('"summary": one line}')


def test_copies_are_listed_and_shown(person, now):
    copied = said(now("context", "--json"))

    (listed,) = said(now("copies", "--json"))["copies"]
    whole = said(now("copies", copied["tag"], "--json"))["copy"]

    assert (listed["tag"], listed["records"], listed["tokens"]) == (
        copied["tag"], len(copied["sources"]), copied["tokens"],
    )  # fmt: skip
    assert [source["n"] for source in whole["sources"]] == [source["n"] for source in copied["sources"]]
    assert copied["tag"] in now("copies").stdout
    assert now("copies", "ctx-none").code == 1


def test_a_chats_updates_are_shown_taken_and_undone(person, now):
    now("pin", "Ship it")
    answer = (
        'Fine. {"additions": ["Call Ana", "Call Bo"], "done": ["ship it"], "removals": ["nothing like it"]}'
    )

    shown = now("updates", stdin=answer)
    wrong = now("updates", "--only", "1,4", stdin=answer)
    taken = now("updates", "--only", "1,3", stdin=answer)

    assert shown.code == 0
    assert "cannot be taken: no pin" in shown.stdout
    assert (wrong.code, "Update 4 cannot be taken" in wrong.stderr) == (2, True)
    assert "Taken." in taken.stdout
    assert [pin["text"] for pin in said(now("pin", "--json"))["pins"]] == ["Call Ana"]
    assert "2 pins are what they were" in now("updates", "--undo").stdout
    assert [pin["text"] for pin in said(now("pin", "--json"))["pins"]] == ["Ship it"]
    assert now("updates", stdin="nothing here").code == 2


def test_no_proposal_waits_at_first(person, now):
    assert said(now("proposals", "--json"))["proposals"] == []
    assert now("proposals", "--accept", "1").code == 2
    assert now("proposals", "--drop", "1").code == 2
    assert now("topics", "rename", "7", "x").code == 2
    assert said(now("topics", "--json"))["topics"] == []


def test_the_graphs_figures_and_making_it_anew_with_the_app_running_or_not(person, now):
    said(now("graph", "rebuild", "--json"))
    own = said(now("graph", "--json"))["graph"]
    with recording(person):
        served = said(now("graph", "rebuild", "--json"))["graph"]

    for found in (own, served):
        assert (found["state"], found["counted_by"]) == ("ready", "graph")
        assert (found["counts"]["Event"], found["counts"]["PREVIOUS"]) == (8, 7)


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_leaves_the_graph_as_it_was(person, now):
    said(now("graph", "rebuild", "--json"))
    many = [
        {"kind": "window", "start": f"2026-08-{1 + n % 9:02}T{n // 9 % 24:02}:{n // 216 % 60:02}:00Z",
         "title": f"w{n}", "app": f"a{n % 50}"}
        for n in range(6_000)
    ]  # fmt: skip
    lines = "\n".join(json.dumps(one) for one in many)
    (person / "many.jsonl").write_text(lines)
    assert now("import", str(person / "many.jsonl")).code == 0
    process = subprocess.Popen(
        [*COMMAND, "graph", "rebuild"],
        env=environment(person),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    folder = person / "memory" / "graph"
    deadline = time.monotonic() + 30
    while not (folder / "csv").exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)

    assert process.returncode == 130
    assert [path.name for path in folder.iterdir() if path.name.startswith(("new", "csv"))] == []
    assert said(now("graph", "--json"))["graph"]["state"] == "ready"


def test_a_damaged_graph_is_seen_before_it_is_opened(person, now):
    said(now("graph", "rebuild", "--json"))
    (person / "memory" / "graph" / "graph.kuzu").write_bytes(b"KUZU" + bytes(40_000))

    found = json.loads(now("doctor", "--json").stdout)

    (graph,) = [check for check in found["checks"] if check["name"] == "graph"]
    assert (graph["state"], "damaged" in graph["problem"]) == ("problem", True)
    assert said(now("around", "--time", "2026-08-13T09:55Z", "--json"))["anchor"]["text"] == "make part5"


def test_files_that_others_may_read_are_one_line(person, now):
    for n in range(30):
        (person / "memory" / f"open{n}").touch(mode=0o644)
        (person / "memory" / f"open{n}").chmod(0o644)

    found = json.loads(now("doctor", "--json").stdout)

    (check,) = [check for check in found["checks"] if check["name"] == "permissions"]
    assert "and 29 more" in check["problem"]


@pytest.mark.parametrize("number", [str(2**64), "-" + "9" * 30, "9" * 5_000, "٣٠x", "1.5"])
@pytest.mark.parametrize(
    "command",
    ["topics rename {} x", "proposals --drop {}", "project undo {}", "connected --app zsh --limit {}",
     "around --time 2h --count {}", "context --event {}", "search x --limit {}"],
)  # fmt: skip
def test_a_number_that_no_store_could_hold_is_said_in_one_line(command: str, number: str):
    words = [word.format(number) for word in command.split()]

    with pytest.raises(UsageError, match=r"too large a number|is no whole number|expected one argument"):
        build().parse_args(words)


@pytest.mark.parametrize(
    ("typed", "advice"),
    [
        ("serach lock", "Did you mean `desktop-memory search`?"),
        ("share onn", "Did you mean `desktop-memory share on`?"),
        ("xyzzy", "See `desktop-memory --help`."),
    ],
)
def test_of_a_command_that_there_is_not_the_one_meant_is_named(typed: str, advice: str) -> None:
    with pytest.raises(UsageError) as told:
        build().parse_args(typed.split())

    assert told.value.advice == advice
