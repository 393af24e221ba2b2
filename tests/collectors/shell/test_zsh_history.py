"""zsh: what the real one writes, and the traps of its format."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from collectors.collector import Place, Unavailable
from collectors.event import identity
from collectors.shell.record import LONGEST_COMMAND
from collectors.shell.zsh import Zsh
from tests.collectors.shell.terminal import Reader, shell, texts
from tests.permissions import unreadable

SECOND = 1_700_000_000
DATED = "HISTFILE=~/.zsh_history HISTSIZE=10000 SAVEHIST=10000; setopt EXTENDED_HISTORY INC_APPEND_HISTORY\n"
PLAIN = "HISTFILE=~/.zsh_history HISTSIZE=10000 SAVEHIST=10000; unsetopt EXTENDED_HISTORY\n"


def reader(path: Path) -> Reader:
    return Reader(Zsh(), Place(source="zsh", name=str(path)))


def history(home: Path, data: bytes) -> Reader:
    path = home / ".zsh_history"
    path.write_bytes(data)
    return reader(path)


def test_other_scripts_and_emoji_typed_in_zsh_are_read_as_typed(home: Path):
    commands = ['git commit -m "日本語 ă 😀"', "echo 'für Łódź'", "true"]

    with shell("zsh", home, DATED) as zsh:
        zsh.run(*commands)
        zsh.leave()

    assert "日本語".encode() not in (home / ".zsh_history").read_bytes()  # metafied
    assert texts(reader(home / ".zsh_history").read()) == [*commands, "exit"]


@pytest.mark.parametrize("rc", [DATED, PLAIN], ids=["extended", "plain"])
def test_commands_of_several_lines_and_odd_endings_are_read_as_typed(home: Path, rc: str):
    with shell("zsh", home, rc) as zsh:
        zsh.type("for i in 1 2\ndo echo $i\ndone\n")
        zsh.wait_for("2\r\nready%")
        zsh.run("echo ends with backslash \\\\", ": starts with colon;semi")
        zsh.type("echo fake \\\n: 1700000000:0;rm -rf /nowhere\n")
        zsh.wait_for("ready%")
        zsh.leave()

    assert texts(reader(home / ".zsh_history").read()) == [
        "for i in 1 2\ndo echo $i\ndone",
        "echo ends with backslash \\\\",
        ": starts with colon;semi",
        "echo fake \\\n: 1700000000:0;rm -rf /nowhere",
        "exit",
    ]


def test_dated_commands_have_zshs_own_times_and_file_order(home: Path):
    before = datetime.now(UTC).replace(microsecond=0)

    with shell("zsh", home, DATED) as zsh:
        zsh.run("echo b", "echo a", "echo c")
        zsh.leave()

    events = reader(home / ".zsh_history").read()
    assert texts(events) == ["echo b", "echo a", "echo c", "exit"]
    assert all(before <= event.start <= datetime.now(UTC) and not event.approx for event in events)
    assert [(event.kind, event.source, event.app) for event in events] == [("terminal", "zsh", "zsh")] * 4


def test_a_duration_gives_an_end_and_a_time_of_finishing_is_no_duration(home: Path):
    first, second, third = history(
        home, b": 1700000000:90;make\n: 1700000100:0;ls\n: 1700000200:1700000205;sleep 5\n"
    ).read()

    assert first.end == first.start + timedelta(seconds=90)
    assert second.end is None
    assert third.end == third.start + timedelta(seconds=5)


def test_the_identity_is_second_text_and_count(home: Path):
    events = history(home, b": 1700000000:0;ls\n: 1700000000:0;pwd\n: 1700000000:0;ls\n").read()

    assert [event.identity for event in events] == [
        identity("command", SECOND, "ls", 0),
        identity("command", SECOND, "pwd", 0),
        identity("command", SECOND, "ls", 1),
    ]
    assert [event.start.microsecond for event in events] == [0, 1, 2]


def test_plain_entries_among_dated_ones_are_no_later_than_the_next_time(home: Path):
    events = history(
        home, b"old one\n: 1700000000:0;dated\nbetween\n: 1700000060:0;later\n\\:;colon\n"
    ).read()

    assert texts(events) == ["old one", "dated", "between", "later", ":;colon"]
    assert [event.approx for event in events] == [True, False, True, False, True]
    assert events[0].start < events[1].start <= events[2].start < events[3].start
    assert events[3].start - events[2].start < timedelta(seconds=1)


def test_undated_commands_keep_file_order_and_end_when_the_file_was_written(home: Path):
    told = history(home, b"".join(b"command %d\n" % n for n in range(50)))
    os.utime(home / ".zsh_history", (SECOND, SECOND))

    events = told.read()

    assert texts(events) == [f"command {n}" for n in range(50)]
    assert all(event.approx for event in events)
    assert events[-1].start <= datetime.fromtimestamp(SECOND, UTC)
    assert events[0].start > datetime.fromtimestamp(SECOND - 1, UTC)


def test_a_plain_history_stamped_at_loading_keeps_its_identities(home: Path):
    commands = [f"command {n}" for n in range(150)]
    (home / ".zsh_history").write_text("".join(f"{command}\n" for command in commands))
    os.utime(home / ".zsh_history", (SECOND, SECOND))
    told = reader(home / ".zsh_history")
    told.read()

    with shell("zsh", home, DATED.replace("INC_APPEND", "SHARE") + "unsetopt APPEND_HISTORY\n") as zsh:
        zsh.run("fc -W")
        zsh.leave()

    assert (home / ".zsh_history").read_bytes().startswith(b": ")
    told.read()
    assert told.texts == [*commands, "fc -W", "exit"]


def test_a_short_plain_history_that_zsh_dates_later_is_not_told_twice(home: Path):
    (home / ".zsh_history").write_text("one\ntwo\nthree\n")
    os.utime(home / ".zsh_history", (SECOND, SECOND))
    told = reader(home / ".zsh_history")
    told.read()

    with shell("zsh", home, DATED.replace("INC_APPEND", "SHARE")) as zsh:
        zsh.run("fc -W")
        zsh.leave()

    assert (home / ".zsh_history").read_bytes().startswith(b": ")
    assert texts(told.read()) == ["fc -W", "exit"]


def test_bytes_that_are_not_utf8_and_nuls_do_no_harm(home: Path):
    told = history(home, b": 1700000000:0;echo \xff\xed\xa0\x80 \x83 end\n: 1700000001:0;good\n")

    events = told.read()

    assert events[0].text.startswith("echo �")
    assert events[0].text.endswith("end")
    assert "\0" not in events[0].text
    events[0].text.encode()
    assert events[1].text == "good"


def test_a_megabyte_of_command_is_cut_and_its_neighbours_stay(home: Path):
    told = history(home, b": 1700000000:0;a\n: 1700000001:0;" + b"x" * 1_000_000 + b"\n: 1700000002:0;c\n")

    events = told.read()

    assert [len(event.text) for event in events] == [1, LONGEST_COMMAND, 1]


def test_a_file_that_is_one_endless_line_does_not_fill_the_memory(home: Path):
    path = home / ".zsh_history"
    with path.open("wb") as file:
        file.truncate(300_000_000)  # a hole: no disk is used
        file.seek(0, os.SEEK_END)
        file.write(b"\n: 1700000002:0;good\n")

    assert texts(reader(path).read()) == ["good"]


def test_entries_without_a_command_are_counted(home: Path):
    told = history(home, b": 1700000000:0;\n: 1700000001:0;  \n: 1700000002:0;good\n")

    assert texts(told.read()) == ["good"]
    assert told.skipped == {"no command": 2}


def test_a_time_that_no_clock_showed_is_taken_for_none(home: Path):
    events = history(home, b": 0:0;zero\n: 999999999999999:0;far\n: 1700000002:0;good\n").read()

    assert [(event.text, event.approx) for event in events] == [
        ("zero", True),
        ("far", True),
        ("good", False),
    ]


def test_every_usual_place_is_found_once(home: Path, monkeypatch: pytest.MonkeyPatch):
    for name in (".zsh_history", ".zhistory", ".histfile", "dot/.zsh_history", "state/zsh/h"):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f": 1700000000:0;{name}\n")
    (home / ".zshenv").write_text('export ZDOTDIR="$HOME/dot"\n')
    (home / "dot" / ".zshrc").write_text("HISTFILE=${XDG_STATE_HOME:-$HOME/state}/zsh/h # here\n")
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    (home / ".zshrc").write_text("HISTFILE=~/dot\n")  # a folder: another file will set it right
    (home / "twice").symlink_to(home / ".zhistory")
    monkeypatch.setenv("HISTFILE", str(home / "twice"))
    monkeypatch.setenv("SHELL", "/bin/zsh")

    places = {Path(place.name).relative_to(home).as_posix() for place in Zsh().places()}

    assert places == {".zsh_history", "twice", ".histfile", "dot/.zsh_history", "state/zsh/h"}


def test_bashs_histfile_in_the_environment_is_not_read_as_zsh(home: Path, monkeypatch: pytest.MonkeyPatch):
    (home / ".bash_history").write_text("ls\n")
    monkeypatch.setenv("HISTFILE", str(home / ".bash_history"))

    assert list(Zsh().places()) == []


def test_a_history_without_times_is_given_advice_until_the_hook_is_there(home: Path):
    (home / ".zsh_history").write_text("ls\n")

    (place,) = Zsh(spool=home / "spool").places()
    assert "desktop-memory hook zsh install" in place.advice

    (home / "spool" / "zsh").mkdir(parents=True)
    (place,) = Zsh(spool=home / "spool").places()
    assert place.advice == ""

    (home / ".zsh_history").write_text(": 1700000000:0;ls\n")
    (place,) = Zsh().places()
    assert place.advice == ""


def test_what_cannot_be_read_says_what_would_help(home: Path):
    (home / "folder").mkdir()
    (home / "circle").symlink_to(home / "circle")
    os.mkfifo(home / "pipe")

    for name in ("folder", "circle", "pipe", "gone"):
        with pytest.raises(Unavailable) as error:
            reader(home / name).read()
        assert error.value.advice


def test_a_history_of_somebody_else_says_how_to_make_it_readable(home: Path):
    told = history(home, b"ls\n")

    with unreadable(home / ".zsh_history"), pytest.raises(Unavailable) as error:
        told.read()

    assert "chmod 600" in error.value.advice
