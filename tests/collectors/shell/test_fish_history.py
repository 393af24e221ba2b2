"""fish: what the real one writes, what older and newer ones wrote, and its hook."""

from __future__ import annotations

import stat
import time
from collections import Counter
from pathlib import Path

from collectors.collector import Place
from collectors.event import identity, microseconds
from collectors.shell.fish import Fish
from collectors.shell.spool import ShellHook
from tests.collectors.shell.terminal import HOOKS, Reader, shell, texts

SECOND = 1_700_000_000
DAY = 86_400


def reader(path: Path, spool: Path | None = None) -> Reader:
    return Reader(Fish(spool=spool), Place(source="fish", name=str(path)))


def history(home: Path, data: bytes) -> Reader:
    path = home / "fish_history"
    path.write_bytes(data)
    return reader(path)


def seconds(events: list[object]) -> list[int]:
    return [microseconds(event.start) // 1_000_000 for event in events]  # type: ignore[attr-defined]


def test_what_fish_wrote_is_read_as_it_was_typed(home: Path):
    commands = [
        "echo '日本 😀 ă'",
        "printf 'a\\nb\\\\n'",
        "for i in 1 2\necho $i\nend",
        "cd /tmp",
        "echo 'a\n  when: 1\nb'",
    ]

    with shell("fish", home) as fish:
        fish.run(*commands, " echo hidden")
        fish.leave()

    (place,) = Fish().places()
    assert place.name == str(home / ".local/share/fish/fish_history")
    assert Counter(texts(Reader(Fish(), place).read())) == Counter([*commands, "exit"])


def test_what_real_fish_took_over_from_bash_is_not_told_as_run_in_fish(home: Path):
    (home / ".bash_history").write_text("cd src/api\ngit merge main\nmake 日本\nls\n")
    with shell("fish", home) as fish:
        fish.run("echo mine")
        time.sleep(2.2)
        fish.run("git merge main")
        fish.leave()
    (place,) = Fish().places()
    assert b"make" in Path(place.name).read_bytes(), "fish begins with bash's history"

    batch = Fish().collect(place, None)

    assert sorted(texts(batch.events)) == ["echo mine", "exit", "git merge main"]
    assert batch.skipped["taken over from bash's history"] >= 3


def test_commands_that_are_in_bashs_history_too_are_told(home: Path):
    (home / ".bash_history").write_text("ls\nmake\n")
    told = history(home, b"- cmd: ls\n  when: %d\n- cmd: make\n  when: %d\n" % (SECOND, SECOND + 60))

    assert texts(told.read()) == ["ls", "make"]


def test_both_escapes_are_undone_in_one_pass(home: Path):
    told = history(
        home,
        rb"""- cmd: printf 'a\\nb'
  when: 1700000000
- cmd: this has\\\nbackslashes
  when: 1700000001
""",
    )

    assert texts(told.read()) == ["printf 'a\\nb'", "this has\\\nbackslashes"]


def test_a_command_that_ran_again_is_told_at_both_times(home: Path):
    told = history(
        home, b"- cmd: make\n  when: 1700000100\n  added_when: 1700000000\n- cmd: ls\n  when: 1700000050\n"
    )

    events = told.read()

    assert [(event.text, event.identity) for event in events] == [
        ("make", identity("command", SECOND, "make", 0)),
        ("ls", identity("command", SECOND + 50, "ls", 0)),
        ("make", identity("command", SECOND + 100, "make", 0)),
    ]


def test_deeper_indents_markers_paths_and_nuls_do_no_harm(home: Path):
    told = history(
        home,
        b"%YAML 1.1\n---\n- cmd: one\n   when: 1700000000\n   paths:\n      - a\n      - '- cmd: no'\n"
        b"\0\0- cmd: two\0\n  when: 1700000001\n...\nrubbish\n"
        b"- cmd: echo '- cmd: three'\n  when: 1700000002\n- cmd: \n  when: 3\n",
    )

    events = told.read()

    assert texts(events) == ["one", "two", "echo '- cmd: three'"]
    assert told.skipped == {"not a command": 1, "no command": 1}


def test_the_first_fish_wrote_times_and_commands_on_lines_of_their_own(home: Path):
    told = history(home, b"# 1339718290\nls -l\n# 1339718300\nfor i in 1\\\necho $i\\\nend\n")

    events = told.read()

    assert texts(events) == ["ls -l", "for i in 1\necho $i\nend"]
    assert seconds(events) == [1_339_718_290, 1_339_718_300]


def test_a_last_entry_that_is_not_all_there_waits(home: Path):
    told = history(home, b"- cmd: one\n  when: 1700000000\n- cmd: tw")
    assert texts(told.read()) == ["one"]

    with (home / "fish_history").open("ab") as file:
        file.write(b"o\n")
    assert told.read() == []
    with (home / "fish_history").open("ab") as file:
        file.write(b"  when: 1700000001\n- cmd: three\n  when: 1700000002\n")

    assert texts(told.read()) == ["two", "three"]


def test_an_entry_without_its_time_among_others_is_about_then(home: Path):
    events = history(home, b"- cmd: one\n- cmd: two\n  when: 1700000001\n").read()

    assert [(event.text, event.approx) for event in events] == [("one", True), ("two", False)]


def test_a_file_put_in_another_order_gives_what_is_new_and_what_is_recent(home: Path):
    old = [b"- cmd: old %d\n  when: %d\n" % (n, SECOND + n) for n in range(50)]
    recent = b"- cmd: recent\n  when: %d\n" % (SECOND + 30 * DAY)
    told = history(home, b"".join([*old, recent]))
    told.read()

    new = home / "new"
    late = b"- cmd: late\n  when: %d\n- cmd: new\n  when: %d\n" % (SECOND + 29 * DAY, SECOND + 31 * DAY)
    new.write_bytes(b"".join([*old[:7], *old[8:], old[7], recent, late]))
    new.replace(home / "fish_history")

    assert texts(told.read()) == ["late", "recent", "new"]


def test_a_rewrite_during_the_first_reading_loses_nothing(home: Path):
    old = [b"- cmd: old %d\n  when: %d\n" % (n, SECOND + n * DAY) for n in range(50)]
    told = history(home, b"".join(old))
    told.collector._history.batch_commands = 10  # type: ignore[attr-defined]
    batch = told.collector.collect(told.place, None)
    told.cursor = batch.cursor
    told.told.extend(batch.events)

    new = home / "new"
    new.write_bytes(b"".join(old[5:]))
    new.replace(home / "fish_history")
    told.read()

    assert told.texts == [f"old {n}" for n in range(5, 50)]


def test_real_fish_writing_its_file_anew_doubles_nothing(home: Path):
    with shell("fish", home) as fish:
        fish.run(*(f"echo {n}" for n in range(30)))
        fish.leave()
    (place,) = Fish().places()
    told = Reader(Fish(), place)
    told.read()
    sessions = 0
    while sessions == 0 or Path(place.name).read_bytes().count(b"- cmd: echo 7\n") > 1:
        assert sessions < 8, "fish never wrote its file anew"
        sessions += 1
        time.sleep(1.1)
        with shell("fish", home) as fish:
            fish.run("echo new", *(f"echo {n}" for n in range(30)))
            fish.leave()
        told.read()

    assert Counter(told.texts)["echo new"] == sessions
    assert Counter(told.texts)["echo 7"] == sessions + 1  # at each time


def hooked(home: Path, *lines: str) -> Path:
    spool = home / "spool"
    (spool / "fish").mkdir(parents=True, exist_ok=True)
    with shell("fish", home, f"source {HOOKS}/desktop-memory.fish {spool}/fish\n") as fish:
        fish.run(*lines)
        fish.leave()
    return spool


def notes(spool: Path) -> Reader:
    return Reader(ShellHook(spool=spool), Place(source="shell hook", name=str(spool)))


def test_the_hook_notes_folder_exit_code_and_duration(home: Path):
    (home / "it's").mkdir()

    events = notes(
        hooked(home, 'cd "it\'s"', "sleep 0.3", "false", "echo '日本\nb\\n'", "nosuchcommand")
    ).read()

    assert texts(events) == ['cd "it\'s"', "sleep 0.3", "false", "echo '日本\nb\\n'", "nosuchcommand", "exit"]
    assert [event.details["exit"] for event in events][:5] == [0, 0, 1, 0, 127]
    assert [event.details["cwd"] for event in events] == [str(home)] + [str(home / "it's")] * 5
    slept = events[1].end
    assert slept is not None
    assert 0.3 <= (slept - events[1].start).total_seconds() < 1


def test_the_hook_writes_nothing_that_is_hidden_and_nothing_others_can_read(home: Path):
    spool = hooked(
        home,
        " echo secret",
        "set -g DESKTOP_MEMORY_PRIVATE 1",
        "echo secret",
        "set -e DESKTOP_MEMORY_PRIVATE",
        "echo seen",
    )

    files = list((spool / "fish").iterdir())
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
    assert not any(b"secret" in file.read_bytes() for file in files)
    assert texts(notes(spool).read()) == ["echo seen", "exit"]


def test_the_hook_starts_no_process(home: Path):
    spool = home / "spool"
    (spool / "fish").mkdir(parents=True)
    with shell("fish", home, f"source {HOOKS}/desktop-memory.fish {spool}/fish\n") as fish:
        fish.run("true", "true")
        before = _children_faults(fish.process.pid)
        fish.run("true", "cd /", "false")
        assert _children_faults(fish.process.pid) == before
        fish.run("/bin/true")
        assert _children_faults(fish.process.pid) > before


def _children_faults(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[8])


def test_hook_and_history_tell_one_event(home: Path):
    spool = hooked(home, "echo one", "cd /", "echo two", "for i in 1 2\necho $i\nend")
    (place,) = Fish().places()
    history_reader = Reader(Fish(), place)

    history_reader.told.extend(notes(spool).read())
    history_reader.read()

    assert Counter(history_reader.texts) == Counter(
        ["echo one", "cd /", "echo two", "for i in 1 2\necho $i\nend", "exit"]
    )
