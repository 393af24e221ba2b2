"""The command line as a user meets it: real processes, real stores, errors with advice, never a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.running import COMMAND, ask, environment, recording, run, zsh_history

NOW = "2026-08-13T10:00:00+00:00"
SECOND = 1_786_615_200  # that moment


@pytest.fixture
def person(home: Path) -> Path:
    """A home with a shell history and a repository."""
    zsh_history(
        home,
        [
            (SECOND - 7_200, "make build"),
            (SECOND - 600, "pytest tests/test_retry.py -k backoff"),
            (SECOND - 300, "git status"),
            (SECOND - 200, "STRIPE_KEY=" + "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc python -m billing.replay"),
        ],
    )
    folder = home / "code" / "billing-api"
    folder.mkdir(parents=True)
    (folder / "retry.py").write_text("x = 1\n")
    git = {**environment(home), "GIT_AUTHOR_DATE": NOW, "GIT_COMMITTER_DATE": NOW}
    for words in (
        ["init", "-q", "-b", "main"],
        ["config", "user.name", "Me"],
        ["config", "user.email", "me@example.org"],
        ["add", "."],
        ["commit", "-q", "-m", "LED-731 take advisory lock before charge"],
    ):
        subprocess.run(["git", *words], cwd=folder, env=git, check=True)
    return home


def test_help_and_popup_need_neither_qt_nor_numpy_nor_the_model(home):
    code = (
        "import sys; from desktop_memory.cli import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit: pass\n"
        "heavy = {'PySide6', 'numpy', 'fastembed', 'onnxruntime', 'kuzu', 'apsw', 'git'} & set(sys.modules)\n"
        "print('HEAVY', sorted(heavy))"
    )
    for words in (["--help"], ["search", "--help"], ["popup"]):
        done = subprocess.run(
            [COMMAND[0], "-c", code, *words],
            env=environment(home),
            capture_output=True,
            text=True,
            check=False,
        )
        assert "HEAVY []" in done.stdout, done.stdout + done.stderr


def test_collect_then_ask_everything(person):
    receipt = ask(person, "collect", DESKTOP_MEMORY_NOW=NOW)
    again = ask(person, "collect", DESKTOP_MEMORY_NOW=NOW)

    assert (receipt["new"], receipt["masked"], receipt["skipped"]) == (5, 1, {})
    assert again["new"] == 0

    now = ask(person, "now", DESKTOP_MEMORY_NOW=NOW)
    assert [line["line"] for line in now["lines"]] == [
        "[09:50] terminal: pytest tests/test_retry.py -k backoff",
        "[09:55] terminal: git status",
        "[09:56] terminal: STRIPE_KEY=[redacted:key] python -m billing.replay",
    ]
    found = ask(person, "search", "LED-731", DESKTOP_MEMORY_NOW=NOW)
    assert found["hits"][0]["event"]["title"].startswith("LED-731")
    assert found["hits"][0]["event"]["project"] == "billing-api"
    session = ask(person, "session", "--time", "09:55", DESKTOP_MEMORY_NOW=NOW)["session"]
    assert [event["kind"] for event in session["events"]] == ["terminal"] * 3 + ["git_commit"]
    around = ask(person, "around", "--time", "09:55", "--count", "1", DESKTOP_MEMORY_NOW=NOW)
    assert around["anchor"]["text"] == "git status"
    assert len(around["before"]) == len(around["after"]) == 1
    connected = ask(person, "connected", "--project", "billing-api", DESKTOP_MEMORY_NOW=NOW)
    assert connected["entity"] == {"kind": "project", "name": "billing-api"}
    standing = ask(person, "resume", DESKTOP_MEMORY_NOW=NOW)["standing"]
    assert (standing["project"], standing["branch"]) == ("billing-api", "main")
    status = ask(person, "status", DESKTOP_MEMORY_NOW=NOW)
    assert status["events"] == 5
    assert {place["source"]: place["state"] for place in status["places"]} == {"git": "ok", "zsh": "ok"}


def test_a_copied_context_cites_what_it_holds_and_nothing_secret(person):
    ask(person, "collect", DESKTOP_MEMORY_NOW=NOW)

    copied = ask(person, "context", DESKTOP_MEMORY_NOW=NOW)

    assert copied["tag"].startswith("ctx-")
    assert [source["n"] for source in copied["sources"]] == list(range(1, len(copied["sources"]) + 1))
    assert all(f"[{source['n']}]" in copied["text"] for source in copied["sources"])
    assert "sk_live" not in copied["text"]
    assert copied["tokens"] <= 600


def test_here_limits_to_the_folders_project(person):
    ask(person, "collect", DESKTOP_MEMORY_NOW=NOW)
    code = [*COMMAND, "search", "--here", "--json"]

    inside = subprocess.run(
        code,
        cwd=person / "code" / "billing-api",
        env=environment(person),
        capture_output=True,
        text=True,
        check=True,
    )
    outside = subprocess.run(
        code, cwd=person, env=environment(person), capture_output=True, text=True, check=False
    )

    assert [hit["event"]["kind"] for hit in json.loads(inside.stdout)["hits"]] == ["git_commit"]
    assert outside.returncode == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["search"], 2),
        (["search", "--kind", "nonsense"], 2),
        (["around", "--time", "bananas"], 2),
        (["now", "--minutes", "-1"], 2),
        (["pause", "soon"], 2),
        (["forget"], 2),
        (["note", " "], 2),
        (["pin", "--done", "99"], 2),
        (["import", "/nowhere/at/all"], 1),
        (["export", "/nowhere/at/all"], 1),
        (["nonsense"], 2),
        (["now", "--minutes", "abc"], 2),
        (["export", "/tmp"], 1),
        (["popup"], 1),
        (["now"], 0),
        (["session"], 0),
        (["resume"], 0),
        (["context"], 0),
    ],
)
def test_errors_are_one_line_with_advice_and_a_fixed_code(home, words, code):
    done = run(home, *words)

    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    if code:
        assert done.stderr.startswith("desktop-memory: ")
        assert len(done.stderr.strip().splitlines()) == 1


def test_errors_as_json_go_to_stderr(home):
    for words in (["around", "--time", "bananas"], ["now", "--minutes", "abc"], ["nonsense"]):
        done = run(home, *words, "--json")

        assert done.stdout == ""
        assert set(json.loads(done.stderr)["error"]) == {"problem", "advice"}


def test_a_note_survives_an_odd_terminal(home):
    done = run(home, "note", "naïve 日本語 😀", LANG="C", LC_ALL="C", PYTHONIOENCODING="ascii")

    assert done.returncode == 0, done.stderr
    assert ask(home, "search", "日本語")["hits"][0]["event"]["title"] == "naïve 日本語 😀"


def test_export_and_import_make_the_same_memory(person, tmp_path):
    ask(person, "collect", DESKTOP_MEMORY_NOW=NOW)
    file = tmp_path / "all.jsonl"
    run(person, "export", str(file))
    assert file.stat().st_mode & 0o077 == 0
    (tmp_path / "second").mkdir()

    receipt = ask(tmp_path / "second", "import", str(file))

    assert receipt["new"] == 5
    assert ask(tmp_path / "second", "import", str(file))["new"] == 0
    assert ask(person, "import", str(file))["new"] == 0


def test_a_history_from_another_machine_is_read_once(home, tmp_path):
    brought = tmp_path / "old_laptop_zsh_history"
    brought.write_text("".join(f": {SECOND + n}:0;make part-{n}\n" for n in range(20)))

    assert ask(home, "import", str(brought))["new"] == 20
    assert ask(home, "import", str(brought))["new"] == 0
    strange = tmp_path / "picture.png"
    strange.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    refused = run(home, "import", str(strange))
    assert (refused.returncode, "is no file that is known" in refused.stderr) == (1, True)


def test_absences_out_of_an_export_are_counted(home, tmp_path):
    told = [
        {"timestamp": "2026-08-13T12:00:00+00:00", "duration": 600, "data": {"status": "afk"}},
        {"timestamp": "2026-08-13T11:00:00+00:00", "duration": 60, "data": {"app": "code", "title": "a.py"}},
    ]
    brought = tmp_path / "activitywatch.json"
    brought.write_text(json.dumps({"buckets": {"aw": {"id": "aw", "events": told}}}))

    said = run(home, "import", str(brought)).stdout
    again = ask(home, "import", str(brought))

    assert said.splitlines() == [
        "1 read: 1 new, 0 known, 0 kept out by privacy.",
        "1 gap new: nobody was there, or nothing was recorded.",
    ]
    assert (again["new"], again["gaps"]) == (0, 0)


def test_what_is_forgotten_stays_away(person):
    ask(person, "collect", DESKTOP_MEMORY_NOW=NOW)

    forgotten = ask(person, "forget", "--last", "15m", DESKTOP_MEMORY_NOW=NOW)
    again = ask(person, "collect", DESKTOP_MEMORY_NOW=NOW)

    assert (forgotten["events"], again["new"]) == (4, 0)
    assert ask(person, "status")["events"] == 1
    for path in (person / "memory").rglob("*"):
        if path.is_file():
            assert b"backoff" not in path.read_bytes(), path


def test_a_pause_by_hand_ends_by_hand(home):
    assert ask(home, "pause")["paused"]
    assert run(home, "note", "kept all the same").returncode == 0
    assert not ask(home, "pause", "off")["paused"]


def test_a_folder_that_cannot_be_written_is_said(home):
    (home / "memory").write_text("a file is in the way")

    done = run(home, "now")

    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_a_second_recorder_is_told_who_holds_the_memory(home):
    with recording(home) as first:
        second = run(home, "record")

        assert second.returncode == 3
        assert str(first.pid) in second.stderr
        assert ask(home, "status")["state"] in ("recording", "degraded")


def test_commands_reach_the_recorder_and_work_without_it(home):
    with recording(home):
        assert run(home, "note", "while it runs").returncode == 0
        assert [line["event"]["title"] for line in ask(home, "now")["lines"]] == ["while it runs"]
        answers = [
            subprocess.Popen([*COMMAND, *words, "--json"], env=environment(home), stdout=subprocess.PIPE)
            for words in (["search", "runs"], ["search", "it"], ["search", "while"], ["session"], ["collect"])
        ]
        for answer in answers:
            out, _ = answer.communicate(timeout=60)
            assert answer.returncode == 0
            json.loads(out)

    assert len(ask(home, "search", "while it runs")["hits"]) == 1
    assert not ask(home, "status")["running"]


def test_a_lock_that_a_killed_recorder_left_does_not_block(home):
    with recording(home) as process:
        os.kill(process.pid, signal.SIGKILL)
        process.wait(timeout=30)

    assert run(home, "note", "after the kill").returncode == 0
    with recording(home):
        assert ask(home, "status")["running"]


def test_it_stops_at_once_when_it_is_asked_to(home):
    with recording(home) as process:
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)

    assert process.returncode == 0
    assert time.monotonic() - begun < 30
