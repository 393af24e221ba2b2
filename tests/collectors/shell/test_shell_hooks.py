"""The zsh and bash hooks in real shells, the spool they write, and the history that tells the same."""

from __future__ import annotations

import os
import stat
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from collectors.collector import Collector, Place, Unavailable
from collectors.event import Event, identity
from collectors.shell.bash import Bash
from collectors.shell.notes import SETTLED_SECONDS
from collectors.shell.spool import ShellHook
from collectors.shell.zsh import Zsh
from tests.collectors.shell.terminal import HOOKS, Reader, Shell, shell, texts

BOTH = pytest.mark.parametrize("name", ["zsh", "bash"])
RC = {
    "zsh": "HISTFILE=~/.zsh_history HISTSIZE=1000 SAVEHIST=1000; setopt EXTENDED_HISTORY INC_APPEND_HISTORY\n",
    "bash": "HISTCONTROL=ignorespace; shopt -s histappend\n",
}


@pytest.fixture
def spool(home: Path) -> Path:
    for name in ("zsh", "bash"):
        (home / "spool" / name).mkdir(parents=True, mode=0o700)
    return home / "spool"


def reader(spool: Path) -> Reader:
    (place,) = ShellHook(spool=spool).places()
    return Reader(ShellHook(spool=spool), place)


def load(name: str, spool: Path) -> str:
    return f"source '{HOOKS}/desktop-memory.{name}' '{spool}/{name}'\n"


def typed(name: str, home: Path, spool: Path, *lines: str, rc: str = "") -> list[Event]:
    """What the hook told of these lines."""
    with shell(name, home, RC[name] + load(name, spool) + rc) as running:
        running.run(*lines)
        running.leave()
    return reader(spool).read()


@BOTH
def test_a_command_is_noted_with_folder_exit_code_and_exact_times(home: Path, spool: Path, name: str):
    (home / "work").mkdir()

    events = typed(name, home, spool, "cd work", "sleep 0.2", "(exit 3)", "nosuchcommand")

    assert texts(events) == ["cd work", "sleep 0.2", "(exit 3)", "nosuchcommand"]
    assert [event.details["cwd"] for event in events] == [str(home)] + [str(home / "work")] * 3
    assert [event.details["exit"] for event in events] == [0, 0, 3, 127]
    assert [(event.source, event.app) for event in events] == [(name, name)] * 4
    sleep = events[1]
    assert sleep.end is not None
    assert 0.2 <= (sleep.end - sleep.start).total_seconds() < 1
    assert not any(event.approx for event in events)
    assert any(event.start.microsecond % 1_000 for event in events)


@BOTH
def test_the_notes_are_readable_by_their_owner_alone(home: Path, spool: Path, name: str):
    with shell(name, home, "umask 022\n" + RC[name] + load(name, spool)) as running:
        running.run("true")

    files = list((spool / name).iterdir())
    assert files
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
    assert all(file.read_bytes() == b"" for file in files if file.name.startswith("last."))


@BOTH
def test_several_lines_quotes_other_scripts_and_stray_bytes_survive(home: Path, spool: Path, name: str):
    with shell(name, home, RC[name] + load(name, spool)) as running:
        running.run('echo "日本語 ă 😀"')
        running.type("echo 'a\nb\n\nc'\n")
        running.wait_for("c\r\nready%")
        running.run("printf '%s\\n' '$HOME \\0 %d \\x1e'")
        if name == "bash":
            running.run(b"echo bytes \xff\xfe")
        running.leave()

    events = reader(spool).read()

    assert texts(events)[:3] == [
        'echo "日本語 ă 😀"',
        "echo 'a\nb\n\nc'",
        "printf '%s\\n' '$HOME \\0 %d \\x1e'",
    ]
    if name == "bash":
        assert events[3].text == "echo bytes ��"


@BOTH
def test_what_is_hidden_is_not_even_written(home: Path, spool: Path, name: str):
    with shell(name, home, RC[name] + "HISTCONTROL=\n" + load(name, spool)) as running:
        running.run(" echo secret-space", "DESKTOP_MEMORY_PRIVATE=1", "echo secret-private")
        running.run("DESKTOP_MEMORY_PRIVATE=0", "echo seen", "HISTFILE=", "echo secret-history")
        running.leave()

    assert not any(b"secret" in file.read_bytes() for file in (spool / name).iterdir())
    assert [text for text in texts(reader(spool).read()) if "PRIVATE" not in text] == ["echo seen"]


@BOTH
def test_patterns_that_keep_commands_out_of_the_history_keep_them_out_here(
    home: Path, spool: Path, name: str
):
    rc = {"zsh": "HISTORY_IGNORE='*secret*'\n", "bash": "HISTIGNORE='*secret*'\n"}[name]

    assert texts(typed(name, home, spool, "echo secret", "echo open", rc=rc)) == ["echo open"]


@pytest.mark.parametrize("name", ["zsh", "bash", "fish"])
@pytest.mark.parametrize("waiting", [998, 1_000])
def test_notes_that_nobody_takes_in_do_not_grow_without_end(home: Path, spool: Path, name: str, waiting: int):
    (spool / name).mkdir(exist_ok=True)
    for number in range(waiting):
        (spool / name / f"{number}.1").touch()

    with shell(name, home, RC.get(name, "") + load(name, spool)) as running:
        running.run("echo one")
        running.leave()

    written = [file for file in (spool / name).iterdir() if file.stat().st_size]
    assert bool(written) == (waiting < 1_000)


@BOTH
def test_deleting_the_spool_switches_it_off_and_bringing_it_back_on_again(home: Path, spool: Path, name: str):
    with shell(name, home, RC[name] + load(name, spool)) as running:
        running.run("echo one")
        for file in (spool / name).iterdir():
            file.unlink()
        (spool / name).rmdir()
        running.run("echo two")
        assert not (spool / name).exists()
        (spool / name).mkdir()
        running.run("echo three")
        running.leave()

    assert texts(reader(spool).read()) == ["echo three"]


@BOTH
def test_the_exit_code_reaches_the_prompt_and_other_hooks(home: Path, spool: Path, name: str):
    mine = {
        "zsh": "precmd() { print -r -- \"precmd $?\" >>~/codes }\nPS1='%? '$PS1\nsetopt PROMPT_PERCENT\n",
        "bash": "PROMPT_COMMAND='echo \"before $? ${PIPESTATUS[*]}\" >>~/codes'\nPS1='$? '$PS1\n",
    }[name]
    with shell(name, home, RC[name] + mine + load(name, spool)) as running:
        running.type("false | (exit 7)\n")
        running.wait_for("7 ready%")
        running.run("true")
        running.leave()

    codes = (home / "codes").read_text().splitlines()
    assert codes[1:3] == {"zsh": ["precmd 7", "precmd 0"], "bash": ["before 7 1 7", "before 0 0"]}[name]


def test_a_prompt_command_in_the_same_string_sees_the_exit_code_in_bash(home: Path, spool: Path):
    rc = RC["bash"] + load("bash", spool) + "PROMPT_COMMAND=$'__desktop_memory_prompt\necho $? >>~/codes'\n"

    with shell("bash", home, rc) as running:
        running.run("(exit 7)", "true")

    assert (home / "codes").read_text().split() == ["0", "7", "0"]


def test_prompt_commands_of_every_kind_go_on_in_bash(home: Path, spool: Path):
    for kind in (
        "PROMPT_COMMAND='a;'",
        "PROMPT_COMMAND=(a b)",
        "PROMPT_COMMAND=$'a\\nb '",
        "unset PROMPT_COMMAND",
    ):
        rc = "a() { echo a >>~/ran; }; b() { echo b >>~/ran; }\n" + kind + "\n"
        with shell("bash", home, RC["bash"] + rc + load("bash", spool) * 2) as running:
            running.run("echo hi")
            running.leave()
        ran = set((home / "ran").read_text().split()) if (home / "ran").exists() else set()
        assert ran == {letter for letter in "ab" if letter in kind.partition("=")[2]}
        assert texts(reader(spool).read())[-1] == "echo hi"
        (home / "ran").unlink(missing_ok=True)


@BOTH
@pytest.mark.parametrize(
    "options", ["set -u", "set -C", "IFS=0", "LC_ALL=C", "alias printf=false source=false local=false"]
)
def test_unusual_options_do_not_break_it(home: Path, spool: Path, name: str, options: str):
    with shell(name, home, RC[name] + load(name, spool) + options + "\n") as running:
        running.run("echo 10", "echo 20")
        running.leave()

    assert texts(reader(spool).read()) == ["echo 10", "echo 20"]


@BOTH
def test_no_process_is_started_for_a_command(home: Path, spool: Path, name: str):
    with shell(name, home, RC[name] + load(name, spool)) as running:
        running.run("true", "true")
        before = _children_faults(running)
        running.run("true", ": two", "cd /", "false")
        after = _children_faults(running)
        running.run("/bin/true")
        counted = _children_faults(running)

    assert after == before
    assert counted > after  # the measure sees processes


def _children_faults(running: Shell) -> int:
    """Page faults of children that have ended: it grows with every process that was started."""
    fields = Path(f"/proc/{running.process.pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[8])


def test_a_bash_that_tells_only_seconds_is_noted_with_seconds(home: Path, spool: Path):
    with shell("bash", home, RC["bash"] + "unset EPOCHREALTIME\n" + load("bash", spool)) as running:
        running.run("echo one", "echo two")

    events = reader(spool).read()
    assert texts(events) == ["echo one", "echo two"]
    assert all(event.start.microsecond < 2 for event in events)


def test_no_debug_trap_is_set_in_bash(home: Path, spool: Path):
    with shell("bash", home, RC["bash"] + load("bash", spool)) as running:
        running.run("trap -p DEBUG >~/traps")

    assert (home / "traps").read_text() == ""


def test_an_undated_history_file_stays_undated(home: Path, spool: Path):
    typed("bash", home, spool, "echo one", "echo two")

    assert (home / ".bash_history").read_text() == "echo one\necho two\nexit\n"


def test_commands_pasted_at_once_are_all_noted(home: Path, spool: Path):
    with shell("bash", home, RC["bash"] + load("bash", spool), term="xterm") as running:
        running.run("echo before", "\x1b[200~echo aa\necho bb\nfalse\x1b[201~")
        running.leave()

    events = reader(spool).read()
    assert texts(events) == ["echo before", "echo aa", "echo bb", "false"]
    assert events[-1].details["exit"] == 1
    assert "exit" not in events[1].details


def test_histories_that_shells_read_from_each_other_are_not_taken_for_new(home: Path, spool: Path):
    rc = (
        RC["bash"]
        + "HISTTIMEFORMAT='%s '\nPROMPT_COMMAND='history -a; history -c; history -r'\n"
        + load("bash", spool)
    )
    with shell("bash", home, rc) as one, shell("bash", home, rc) as two:
        one.run("echo one")
        two.run("echo two", "echo three")
        one.run("echo four")

    assert sorted(texts(reader(spool).read())) == ["echo four", "echo one", "echo three", "echo two"]


@pytest.mark.parametrize(
    ("control", "lines", "expected"),
    [
        ("ignoreboth", ["ls", "ls", "pwd", "ls"], ["ls", "pwd", "ls"]),
        ("ignorespace", ["ls", "ls", "pwd", "ls"], ["ls", "ls", "pwd", "ls"]),
        ("erasedups", ["ls", "pwd", "ls"], ["ls", "pwd", "ls"]),
    ],
)
def test_repeats_are_noted_unless_bash_hides_them(
    home: Path, spool: Path, control: str, lines: list[str], expected: list[str]
):
    events = typed("bash", home, spool, *lines, rc=f"HISTCONTROL={control}\n")

    assert texts(events) == expected


def known(events: list[Event]) -> list[str]:
    """What a store would hold: an event told under a known name is the known one."""
    names: set[str] = set()
    kept = []
    for event in events:
        if names.isdisjoint((event.identity, *event.aliases)):
            kept.append(event.text)
        names.update((event.identity, *event.aliases))
    return sorted(kept)


@BOTH
@pytest.mark.parametrize("order", [1, -1], ids=["hook first", "history first"])
def test_hook_and_dated_history_tell_one_event(home: Path, spool: Path, name: str, order: int):
    rc = RC[name] + "HISTTIMEFORMAT='%s '\n" + load(name, spool)
    with shell(name, home, rc) as running:
        running.run("ls", "ls", "echo   spaced  ", "pwd", "ls")
        running.type("for i in 1 2\ndo echo $i\ndone\n")
        running.wait_for("2\r\nready%")
        running.leave()

    collector: Collector = Zsh() if name == "zsh" else Bash()
    history = Reader(collector, next(iter(collector.places()))).read()
    hook = reader(spool).read()

    assert len(hook) == 6
    assert len(history) == 7
    both = hook + history if order == 1 else history + hook
    assert known(both) == sorted(event.text for event in history)


def test_an_undated_history_tells_the_same_words_as_the_hook(home: Path, spool: Path):
    with shell("bash", home, RC["bash"] + load("bash", spool)) as running:
        running.run("ls -l  ", "echo it\\'s")
        running.type("cat <<EOF\nit's\n\nEOF\n")
        running.wait_for("it's\r\n\r\nready%")
        running.type("echo 'a\nb'\n")
        running.wait_for("b\r\nready%")
        running.leave()

    collector = Bash(spool=spool)
    history = Reader(collector, next(iter(collector.places()))).read()

    assert texts(reader(spool).read()) == texts(history)[:-1]


HIDING = ("echo before", "DESKTOP_MEMORY_PRIVATE=1", "echo private", "DESKTOP_MEMORY_PRIVATE=", "echo after")


@pytest.mark.parametrize(
    ("name", "rc", "shown"),
    [
        ("zsh", RC["zsh"], ["echo before", "echo after", "exit"]),
        ("bash", RC["bash"] + "HISTTIMEFORMAT='%s '\n", ["echo before", "echo after", "exit"]),
        (
            "bash",
            RC["bash"],
            [],
        ),  # without times none of them is known not to be private; the hook told the others
    ],
    ids=["zsh", "dated bash", "undated bash"],
)
def test_what_was_private_is_not_taken_from_the_history_either(
    home: Path, spool: Path, name: str, rc: str, shown: list[str]
):
    collector: Collector = Zsh(spool=spool) if name == "zsh" else Bash(spool=spool)
    history_file = home / f".{name}_history"
    history_file.write_text("earlier\n")
    history = Reader(collector, Place(source=name, name=str(history_file)))
    history.read()
    with shell(name, home, rc + load(name, spool)) as running:
        for line in HIDING:
            running.run(line)
            time.sleep(2.1 if line in ("echo before", HIDING[-2]) else 0)
        running.leave()

    hook = reader(spool).read()
    told = history.read()

    assert "echo private" not in texts(hook)
    assert {"echo before", "echo after"} <= set(texts(hook))
    assert "echo private" in texts(told)
    assert [event.text for event in told if not event.private] == shown


@BOTH
def test_a_leading_space_hides_a_command_from_the_history_where_a_hook_is(home: Path, spool: Path, name: str):
    line = {"zsh": ": 1700000000:0;", "bash": "#1700000000\n"}[name]
    history_file = home / f".{name}_history"
    history_file.write_text(f"{line} echo spaced\n{line}echo shown\n")

    def private(collector: Collector) -> dict[str, bool]:
        events = Reader(collector, Place(source=name, name=str(history_file))).read()
        return {event.text: event.private for event in events}

    with_hook, without = (Zsh(spool=spool), Zsh()) if name == "zsh" else (Bash(spool=spool), Bash())
    assert private(with_hook) == {"echo spaced": True, "echo shown": False}
    assert private(without) == {"echo spaced": False, "echo shown": False}


def test_a_private_note_leaves_seconds_and_no_event(spool: Path):
    put(spool, note("", start="1700000000.5", end="1700000003.0"))
    put(spool, note("ls"))

    assert texts(reader(spool).read()) == ["ls"]
    assert (spool / "hidden").read_text() == "zsh 1699999999 1700000004\n"
    assert stat.S_IMODE((spool / "hidden").stat().st_mode) == 0o600


def test_the_project_is_the_repository_around_the_folder(home: Path, spool: Path):
    deep = home / "billing-api" / "src" / "deep"
    deep.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(home / "billing-api")], check=True)

    events = typed("zsh", home, spool, f"cd {deep}", "true")

    assert [event.project for event in events] == ["", "billing-api"]


# the spool


def note(
    text: str = "ls", *, start: str = "1700000000.500000", end: str = "1700000001.0", shell: str = "zsh"
) -> bytes:
    fields = (shell, "77", start, end, "0", "/nowhere", text)
    return b"\x1e1\0" + b"".join(field.encode() + b"\0" for field in fields) + b"\n"


def put(spool: Path, data: bytes, name: str = "zsh/77.1700000000") -> Path:
    path = spool / name
    with path.open("ab") as file:
        file.write(data)
    return path


def settle(spool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the time pass after which no shell can still be writing to a file that was taken."""
    later = time.time() + SETTLED_SECONDS + 1
    monkeypatch.setattr("collectors.shell.spool.time.time", lambda: later)


def test_a_file_is_deleted_only_after_its_commands_are_kept(spool: Path, monkeypatch: pytest.MonkeyPatch):
    put(spool, note("one"))
    mine = reader(spool)

    assert texts(mine.read()) == ["one"]
    assert len(list((spool / "zsh").iterdir())) == 1
    settle(spool, monkeypatch)
    assert texts(reader(spool).read()) == ["one"]  # another reader, whose store never got it
    assert mine.read() == []
    assert list((spool / "zsh").iterdir()) == []


def test_a_shell_that_still_writes_to_a_taken_file_loses_nothing(
    spool: Path, monkeypatch: pytest.MonkeyPatch
):
    mine = reader(spool)
    file = put(spool, note("one")).open("ab", buffering=0)  # a shell between opening and writing
    assert texts(mine.read()) == ["one"]

    file.write(note("two", start="1700000001.0"))
    file.close()
    put(spool, note("three", start="1700000002.0"))
    settle(spool, monkeypatch)

    assert texts(mine.read()) == ["two", "three"]
    mine.read()
    assert list((spool / "zsh").iterdir()) == []


def test_a_half_written_note_is_waited_for_and_then_skipped(spool: Path, monkeypatch: pytest.MonkeyPatch):
    mine = reader(spool)
    path = put(spool, note("one") + note("two")[:20])

    assert texts(mine.read()) == ["one"]
    put(spool, note("two")[20:], f"zsh/{next(path.parent.iterdir()).name}")
    assert texts(mine.read()) == ["two"]

    put(spool, note("three") + note("four")[:20])
    assert texts(mine.read()) == ["three"]
    assert mine.skipped == {}
    settle(spool, monkeypatch)
    monkeypatch.setattr("collectors.shell.notes.time.time", time.time)
    mine.read()
    assert mine.skipped == {"damaged note": 1}


def test_damaged_notes_are_counted_and_their_neighbours_kept(spool: Path):
    mine = reader(spool)
    broken = [
        note("x")[:25],
        b"garbage\n",
        note("x", start="never"),
        note("x").replace(b"\0\n", b"\0x\n"),
        b"\x1e1\0\0\0\0\0\0\0\0\n",
    ]
    put(spool, note("first") + b"".join(junk + note(f"good {n}") for n, junk in enumerate(broken)))

    assert texts(mine.read()) == ["first", *(f"good {n}" for n in range(len(broken)))]
    assert sum(mine.skipped.values()) >= len(broken)


def test_a_clock_set_back_during_a_command_leaves_out_its_end(spool: Path):
    put(spool, note("one", start="1700000100.0", end="1700000000.0"))

    (event,) = reader(spool).read()

    assert event.end is None


def test_a_decimal_comma_and_whole_microseconds_are_times(spool: Path):
    put(spool, note("a", start="1700000000,25") + note("b", start="1700000000750000"))

    assert [event.start.microsecond for event in reader(spool).read()] == [250_000, 750_000]


def test_no_two_notes_claim_the_same_history_entry(spool: Path):
    starts = ["1700000000.95", "1700000001.05", "1700000001.10", "1700000001.50", "1700000002.01"]
    put(spool, b"".join(note("ls", start=start, end="1700000003.0") for start in starts))

    events = reader(spool).read()

    names = [name for event in events for name in event.aliases]
    assert len(events) == 5
    assert len(names) == len(set(names))
    assert identity("command", 1_700_000_000, "ls", 0) in events[0].aliases


def test_a_command_run_three_times_within_a_second_of_fish_is_three(spool: Path):
    put(spool, note("true", start="1700000000000000", end="1700000000.0") * 3)

    events = reader(spool).read()

    assert texts(events) == ["true"] * 3
    assert len({event.identity for event in events}) == 3


def test_a_start_just_after_the_full_second_may_be_in_the_history_at_the_one_before(spool: Path):
    put(spool, note("late", start="1700000005.010") + note("sure", start="1700000005.600"))

    late, sure = reader(spool).read()

    assert set(late.aliases) == {identity("command", 1_700_000_000 + n, "late", 0) for n in (4, 5)}
    assert sure.aliases == (identity("command", 1_700_000_005, "sure", 0),)


def test_claims_are_remembered_from_turn_to_turn(spool: Path):
    mine = reader(spool)
    put(spool, note("ls"))
    (first,) = mine.read()
    put(spool, note("ls", start="1700000000.7"), "zsh/78.1700000000")
    (second,) = mine.read()

    assert first.aliases == (identity("command", 1_700_000_000, "ls", 0),)
    assert second.aliases == (identity("command", 1_700_000_000, "ls", 1),)


def test_the_cursor_holds_no_command(spool: Path):
    mine = reader(spool)
    put(spool, note("echo s3cret"))
    mine.read()

    assert "s3cret" not in str(mine.cursor)


def test_many_notes_come_in_batches(spool: Path):
    for shell_number in range(5):
        put(spool, note("x" * 9_000) * 100, f"zsh/{shell_number}.1700000000")
    mine = reader(spool)

    batch = mine.collector.collect(mine.place, None)
    mine.cursor = batch.cursor

    assert 100 <= len(batch.events) < 500
    assert batch.more
    assert len(batch.events) + len(mine.read()) == 500


def test_shells_that_write_at_once_lose_nothing(home: Path, spool: Path):
    script = f"""
        printf '\\n' >/dev/null
        set -- {spool}/zsh
        PS1= ; HISTFILE=
        . {HOOKS}/desktop-memory.zsh {spool}/zsh
        for i in {{1..200}}; do
            _desktop_memory_preexec "echo $$ $i"
            _desktop_memory_precmd
        done
    """
    writers = [
        subprocess.Popen(["zsh", "-f", "-i", "-c", script], stdin=subprocess.DEVNULL) for _ in range(4)
    ]
    mine = reader(spool)
    while any(writer.poll() is None for writer in writers):
        mine.read()
    mine.read()

    counted = Counter(text.split()[1] for text in texts(mine.told))
    assert sorted(counted.values()) == [200] * 4
    assert len({event.identity for event in mine.told}) == 800


def test_a_spool_that_cannot_be_read_says_what_would_help(
    home: Path, spool: Path, monkeypatch: pytest.MonkeyPatch
):
    mine = reader(spool)
    refuse: Callable[..., None] = lambda *_: (_ for _ in ()).throw(PermissionError(13, "Permission denied"))  # noqa: E731
    put(spool, note())
    monkeypatch.setattr(Path, "rename", refuse)

    with pytest.raises(Unavailable) as error:
        mine.read()

    assert "chmod" in error.value.advice


def test_leftovers_of_ended_shells_are_cleared_after_a_day(spool: Path):
    last = put(spool, b"", "bash/last.77")
    mine = reader(spool)
    mine.read()
    assert last.exists()

    os.utime(last, (1_700_000_000, 1_700_000_000))
    mine.read()

    assert not last.exists()
