"""bash: what the real one writes, dated, undated and mixed, and the traps of telling commands apart."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from collectors.collector import Place
from collectors.event import identity
from collectors.shell.bash import Bash
from collectors.shell.running import running_since
from tests.collectors.shell.terminal import Reader, shell, texts

SECOND = 1_700_000_000
DATED = "HISTTIMEFORMAT='%F %T '; shopt -s histappend\n"
UNDATED = "shopt -s histappend\n"
MULTILINE = "for i in 1 2\ndo echo $i\ndone\n"


def reader(path: Path, spool: Path | None = None) -> Reader:
    return Reader(Bash(spool=spool), Place(source="bash", name=str(path)))


def history(home: Path, data: bytes) -> Reader:
    path = home / ".bash_history"
    path.write_bytes(data)
    return reader(path)


def told(home: Path, data: bytes) -> list[str]:
    return texts(history(home, data).read())


def type_some(home: Path, rc: str) -> None:
    with shell("bash", home, rc) as bash:
        bash.run("echo 'für Łódź 😀'", " true")
        bash.type(MULTILINE)
        bash.wait_for("2\r\nready%")
        bash.type("cat <<EOF\n#1700000000\n\nit's\nEOF\n")
        bash.wait_for("it's\r\nready%")
        bash.type('echo "one\n\ntwo"\n')
        bash.wait_for("two\r\nready%")
        bash.run("pwd")
        bash.leave()


@pytest.mark.parametrize("rc", [DATED, UNDATED], ids=["dated", "undated"])
def test_what_bash_wrote_is_read_as_it_was_typed(home: Path, rc: str):
    type_some(home, rc)

    assert texts(reader(home / ".bash_history").read()) == [
        "echo 'für Łódź 😀'",
        "true",
        "for i in 1 2; do echo $i; done",
        "cat <<EOF\n#1700000000\n\nit's\nEOF",
        'echo "one\n\ntwo"',
        "pwd",
        "exit",
    ]


@pytest.mark.parametrize("rc", [DATED, UNDATED], ids=["dated", "undated"])
def test_lines_kept_by_lithist_stay_one_command(home: Path, rc: str):
    type_some(home, rc + "shopt -s lithist\n")

    assert "for i in 1 2\ndo echo $i\ndone" in texts(reader(home / ".bash_history").read())


def test_dated_commands_are_exact_and_known_by_second_text_and_count(home: Path):
    events = history(home, b"#1700000000\nls\n#1700000000\nls\n#1700000005\nmake\n").read()

    assert [event.identity for event in events] == [
        identity("command", SECOND, "ls", 0),
        identity("command", SECOND, "ls", 1),
        identity("command", SECOND + 5, "make", 0),
    ]
    assert not any(event.approx for event in events)


def test_shells_with_and_without_times_share_a_file(home: Path):
    for rc, command in [(UNDATED, "echo a"), (DATED, "echo b"), (UNDATED, "echo c")]:
        with shell("bash", home, rc) as bash:
            bash.run(command)
            bash.leave()

    events = reader(home / ".bash_history").read()

    assert sorted(texts(events)) == ["echo a", "echo b", "echo c", "exit", "exit", "exit"]
    assert {event.text: event.approx for event in events if event.text != "exit"} == {
        "echo a": True,
        "echo b": False,
        "echo c": True,
    }


def test_reading_a_mixed_file_in_pieces_or_at_once_gives_the_same(home: Path):
    pieces = [b"#1700000000\nls\n", b"cd /tmp\nmake\n", b"#1700000100\nmake\n", b"ls\n"]
    piecewise = history(home, b"")
    for end in range(1, len(pieces) + 1):
        (home / ".bash_history").write_bytes(b"".join(pieces[:end]))
        piecewise.read()

    at_once = reader(home / ".bash_history").read()

    assert sorted(e.identity for e in piecewise.told) == sorted(e.identity for e in at_once)
    assert len(at_once) == 5


def test_undated_commands_are_older_than_the_shell_that_wrote_them(home: Path):
    told = history(home, b"before\n")
    told.read()
    started = datetime.now(UTC)

    with shell("bash", home, UNDATED) as bash:
        first_look = told.read()
        bash.run("echo new")
        time.sleep(0.1)
        bash.leave()

    new = told.read()
    assert first_look == []
    assert texts(new) == ["echo new", "exit"]
    assert all(event.approx and event.earliest is not None for event in new)
    assert all(event.earliest <= event.start <= datetime.now(UTC) for event in new if event.earliest)
    assert new[0].start > started


def test_the_oldest_running_shell_bounds_what_may_still_be_written(home: Path):
    before = time.time_ns() // 1_000
    with shell("zsh", home):
        time.sleep(0.3)
        with shell("zsh", home):
            since = running_since("zsh")
            none = running_since("no shell")

    assert since <= before + 250_000
    assert none >= before + 300_000


def test_an_unclosed_quote_swallows_nothing(home: Path):
    assert told(home, b"echo don't\nls\npwd\n") == ["echo don't", "ls", "pwd"]
    assert told(home, b"#1700000000\necho don't\n#1700000001\nls\n") == ["echo don't", "ls"]
    assert told(home, b"cat <<EOF\nls\n#1700000001\npwd\n") == ["cat <<EOF", "ls", "pwd"]
    many = [b"echo don't", *(b"command %d" % n for n in range(100)), b"echo it's"]
    assert told(home, b"\n".join(many) + b"\n") == [command.decode() for command in many]


def test_a_dated_entry_that_bash_could_not_parse_keeps_its_lines_and_ends_at_the_next_time(home: Path):
    opened = b"#1700000000\ncat <<EOF\n#1700000001\nls\n#1700000002\ncat <<EOF\nbody\nEOF\n"

    assert told(home, opened) == ["cat <<EOF", "ls", "cat <<EOF\nbody\nEOF"]
    assert told(home, b"#1700000000\nfor i in 1\ndo\n") == ["for i in 1\ndo"]


def test_a_time_within_a_heredoc_is_its_text_whatever_the_heredoc_says(home: Path):
    shifted = b"cat > a.py <<'EOF'\n#1700000000\nx = 1 << 2\nEOF\n"
    many = b"cat <<EOF\n" + b"#1700000000\nline\n" * 60 + b"EOF\n"

    assert told(home, b"#1700000001\n" + shifted + b"#1700000002\nls\n") == [shifted.decode().strip(), "ls"]
    assert told(home, shifted + b"ls\n") == [shifted.decode().strip(), "ls"]
    assert told(home, b"#1700000001\n" + many) == [many.decode().strip()]


def test_a_quoted_message_of_several_lines_is_one_command_without_times_too(home: Path):
    data = b'ls\ngit commit -m "Subject\n\nBody: it\'s fine\n"\nfoo() {\n  echo "}"\n}\nls | wc &&\n  pwd\necho 1\n'

    assert told(home, data) == [
        "ls",
        'git commit -m "Subject\n\nBody: it\'s fine\n"',
        'foo() {\n  echo "}"\n}',
        "ls | wc &&\n  pwd",
        "echo 1",
    ]


def test_a_time_without_a_command_is_counted(home: Path):
    told = history(home, b"#1700000000\n#1700000001\nls\n")

    assert texts(told.read()) == ["ls"]
    assert told.skipped == {"no command": 1}


def test_another_comment_character_marks_times_as_well(home: Path):
    (event,) = history(home, b";1700000000\nls\n").read()

    assert event.text == "ls"
    assert event.start == datetime.fromtimestamp(SECOND, UTC)


def test_a_comment_with_a_number_is_a_command(home: Path):
    assert told(home, b"#42\n#1700000000 see above\nls\n") == ["#42", "#1700000000 see above", "ls"]


def test_times_that_go_back_keep_their_commands(home: Path):
    events = history(home, b"#1700000100\nlate\n#1700000000\nearly\n").read()

    assert texts(events) == ["early", "late"]


def test_the_history_of_a_shell_with_a_hook_waits_until_the_hook_was_read(home: Path):
    spool = home / "spool"
    (spool / "bash").mkdir(parents=True)
    told = history(home, b"ls\n")
    told.collector = Bash(spool=spool)
    told.read()
    (home / ".bash_history").write_bytes(b"ls\nmake\n")

    (spool / "bash" / "77.1700000000").write_bytes(b"unread")
    assert told.read() == []

    os.utime(spool / "bash" / "77.1700000000", (SECOND, SECOND))  # nobody reads the spool any more
    assert texts(told.read()) == ["make"]


def test_advice_says_what_bash_cannot_tell_until_the_hook_is_there(home: Path):
    (home / ".bash_history").write_text("ls\n")
    (place,) = Bash(spool=home / "spool").places()
    assert "without times" in place.advice
    assert "desktop-memory hook bash install" in place.advice

    (home / ".bash_history").write_text("#1700000000\nls\n")
    (place,) = Bash().places()
    assert "without times" not in place.advice
    assert "desktop-memory hook bash install" in place.advice

    (home / "spool" / "bash").mkdir(parents=True)
    (place,) = Bash(spool=home / "spool").places()
    assert place.advice == ""
