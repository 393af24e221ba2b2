"""Following a history file while shells append to it, trim it, rewrite it and leave lines half written."""

from __future__ import annotations

import random
import shutil
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.collector import Place
from collectors.shell import bash, zsh
from collectors.shell.bash import Bash
from collectors.shell.history import History
from collectors.shell.zsh import Zsh
from tests.collectors.shell.terminal import Reader, shell, texts

SECOND = 1_700_000_000


class Followed:
    """A history file and a reader with small batches."""

    def __init__(self, path: Path, shell_name: str = "zsh", batch: int = 2_000) -> None:
        self.path = path
        self._shell = shell_name
        self._batch = batch
        self.reader = self.fresh()

    def fresh(self) -> Reader:
        """Another reader, which has read nothing yet."""
        collector = Zsh() if self._shell == "zsh" else Bash()
        collector._history = History(
            self._shell, zsh.records if self._shell == "zsh" else bash.records, batch_commands=self._batch
        )
        return Reader(collector, Place(source=self._shell, name=str(self.path)))

    def append(self, data: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(data)

    def replace(self, data: bytes) -> None:
        """As zsh does: a new file takes the old one's place."""
        new = self.path.with_suffix(".new")
        new.write_bytes(data)
        new.replace(self.path)


def dated(commands: list[str], start: int = SECOND) -> bytes:
    return b"".join(b": %d:0;%s\n" % (start + n, command.encode()) for n, command in enumerate(commands))


def undated(commands: list[str]) -> bytes:
    return b"".join(command.encode() + b"\n" for command in commands)


def numbered(first: int, last: int) -> list[str]:
    return [f"command {n}" for n in range(first, last)]


def test_only_what_was_appended_is_told(home: Path):
    followed = Followed(home / "h")
    followed.append(dated(numbered(0, 3)))
    followed.reader.read()

    assert followed.reader.read() == []
    followed.append(dated(["new"], SECOND + 60))

    assert texts(followed.reader.read()) == ["new"]


def test_nothing_new_costs_no_reading(home: Path, monkeypatch: pytest.MonkeyPatch):
    followed = Followed(home / "h")
    followed.append(dated(numbered(0, 3)))
    followed.reader.read()
    cursor = followed.reader.cursor
    monkeypatch.setattr("collectors.shell.tail.Tail._read", lambda *_: pytest.fail("it was read"))

    assert followed.reader.read() == []
    assert followed.reader.cursor == cursor


@pytest.mark.parametrize("shell_name", ["zsh", "bash"])
def test_a_half_written_line_is_left_for_the_next_time(home: Path, shell_name: str):
    followed = Followed(home / "h", shell_name)
    followed.append(b"one\ntwo\necho hal")
    assert texts(followed.reader.read()) == ["one", "two"]

    followed.append(b"f\nthree\n")

    assert texts(followed.reader.read()) == ["echo half", "three"]


def test_a_half_written_command_of_several_lines_is_left_for_the_next_time(home: Path):
    extended, lines = Followed(home / "z"), Followed(home / "b", "bash")
    extended.append(b": 1700000000:0;for i in 1\\\ndo\\\n")
    lines.append(b'git commit -m "a\nb')
    assert extended.reader.read() == lines.reader.read() == []

    extended.append(b"done\n")
    lines.append(b'c"\n')

    assert texts(extended.reader.read()) == ["for i in 1\ndo\ndone"]
    assert texts(lines.reader.read()) == ['git commit -m "a\nbc"']


def test_a_trimmed_and_rewritten_dated_file_doubles_nothing(home: Path):
    followed = Followed(home / "h")
    followed.append(dated(numbered(0, 100)))
    followed.reader.read()

    followed.replace(dated(numbered(60, 100), SECOND + 60) + dated(numbered(100, 105), SECOND + 900))

    followed.reader.read()
    assert followed.reader.texts == numbered(0, 105)


def test_a_trimmed_file_costs_no_telling_of_what_is_known(home: Path):
    followed = Followed(home / "h")
    followed.append(dated(numbered(0, 100)))
    followed.reader.read()

    followed.replace(dated(numbered(60, 100), SECOND + 60) + dated(["new"], SECOND + 900))

    assert texts(followed.reader.read()) == ["new"]


def test_a_file_of_which_little_is_known_is_told_from_its_beginning(home: Path):
    followed = Followed(home / "h")
    followed.append(dated(numbered(0, 20)))
    followed.reader.read()

    followed.replace(dated(["before all"], SECOND - 60) + dated(numbered(0, 20)))

    assert texts(followed.reader.read()) == ["before all", *numbered(0, 20)]


@pytest.mark.parametrize("shell_name", ["zsh", "bash"])
def test_a_trimmed_undated_file_gives_only_what_is_new(home: Path, shell_name: str):
    followed = Followed(home / "h", shell_name)
    followed.append(undated(numbered(0, 100)))
    followed.reader.read()

    for round_ in range(1, 20):
        followed.replace(undated(numbered(5 * round_, 100 + 5 * round_)))
        assert texts(followed.reader.read()) == numbered(95 + 5 * round_, 100 + 5 * round_)


def test_a_shell_that_overwrites_the_commands_of_another_adds_its_own(home: Path):
    followed = Followed(home / "h", "bash")
    common = numbered(0, 30)
    followed.append(undated([*common, "a1", "a2"]))
    followed.reader.read()

    followed.replace(undated([*common[5:], "b1", "b2"]))

    assert texts(followed.reader.read()) == ["b1", "b2"]


def test_repeats_in_an_undated_file_are_as_many_as_there_are(home: Path):
    followed = Followed(home / "h", "bash")
    followed.append(undated(["make", "make", "ls", "make", "ls", "make"] * 10))

    followed.reader.read()
    followed.append(undated(["make", "make"]))

    assert Counter(followed.reader.texts) == {"make": 40, "ls": 20}
    followed.reader.read()
    assert Counter(followed.reader.texts) == {"make": 42, "ls": 20}


def test_reading_from_the_beginning_again_gives_the_same_identities(home: Path):
    followed = Followed(home / "h", "bash")
    for n in range(5):
        followed.append(undated(numbered(10 * n, 10 * n + 10)) + b"#170000000%d\nls\n" % n)
        followed.reader.read()

    again = followed.fresh().read()

    assert {e.identity for e in again} == {e.identity for e in followed.reader.told}
    assert len(followed.reader.told) == len(again) == 55


def test_a_lost_cursor_doubles_at_most_the_first_few_of_a_trimmed_undated_file(home: Path):
    followed = Followed(home / "h", "bash")
    followed.append(undated(numbered(0, 200)))
    first = {e.identity for e in followed.reader.read()}
    followed.replace(undated(numbered(100, 200)))

    again = followed.fresh().read()

    assert sum(e.identity not in first for e in again) <= 12


def test_another_file_with_the_same_end_is_read_from_its_beginning(home: Path):
    followed = Followed(home / "h")
    followed.append(dated(numbered(10, 60)))
    followed.reader.read()

    followed.replace(dated(["command ab"]) + dated(numbered(11, 60), SECOND + 1))

    followed.reader.read()
    assert Counter(followed.reader.texts) == Counter([*numbered(10, 60), "command ab"])


def test_an_emptied_file_is_waited_for(home: Path):
    followed = Followed(home / "h", "bash")
    followed.append(undated(numbered(0, 20)))
    followed.reader.read()

    followed.path.write_bytes(b"")
    assert followed.reader.read() == []
    followed.path.write_bytes(undated(numbered(5, 25)))

    assert texts(followed.reader.read()) == numbered(20, 25)


def test_the_first_look_gives_the_newest_first_and_then_all(home: Path):
    followed = Followed(home / "h", batch=10)
    followed.append(dated(numbered(0, 95)))
    reader = followed.reader

    first = reader.collector.collect(reader.place, None)
    second = reader.collector.collect(reader.place, first.cursor)

    assert texts(list(first.events)) == numbered(90, 95)
    assert first.more
    assert texts(list(second.events)) == numbered(80, 90)
    assert second.more
    assert texts(reader.read()) == numbered(0, 95)


def test_a_first_reading_goes_on_after_a_restart_and_among_new_commands(home: Path):
    followed = Followed(home / "h", "bash", batch=10)
    followed.append(undated(numbered(0, 95)))
    reader = followed.reader
    told = []
    cursor = None
    more = True
    while more:
        batch = followed.fresh().collector.collect(reader.place, cursor)  # nothing but the cursor survives
        told.extend(batch.events)
        cursor, more = batch.cursor, batch.more
        if len(told) == 25:
            followed.append(undated(["meanwhile"]))

    assert sorted(texts(told)) == sorted([*numbered(0, 95), "meanwhile"])
    assert {e.identity for e in told} == {e.identity for e in followed.fresh().read()}
    told.sort(key=lambda event: event.start)
    assert texts(told) == [*numbered(0, 95), "meanwhile"]


def test_many_appended_commands_come_in_batches(home: Path):
    followed = Followed(home / "h", batch=10)
    followed.append(dated(["first"]))
    followed.reader.read()
    followed.append(dated(numbered(0, 95), SECOND + 10))

    batch = followed.reader.collector.collect(followed.reader.place, followed.reader.cursor)

    assert texts(list(batch.events)) == numbered(0, 10)
    assert batch.more
    assert texts(followed.reader.read()) == numbered(0, 95)


def test_real_bash_trimming_its_file_at_every_exit_doubles_nothing(home: Path):
    followed = Followed(home / ".bash_history", "bash")
    followed.append(undated(numbered(0, 50)))
    followed.reader.read()

    for n in range(4):
        with shell("bash", home, "HISTFILESIZE=50 HISTCONTROL=\n") as running:
            running.run(f"echo {n}", "ls", "ls")
            running.leave()
        assert texts(followed.reader.read()) == [f"echo {n}", "ls", "ls", "exit"]
    assert len(followed.path.read_bytes().splitlines()) == 50


def test_real_zsh_trimming_its_file_doubles_nothing(home: Path):
    followed = Followed(home / ".zsh_history")
    followed.append(dated(numbered(0, 20)))
    followed.reader.read()

    rc = "HISTFILE=~/.zsh_history HISTSIZE=20 SAVEHIST=20; setopt EXTENDED_HISTORY\n"
    expected = numbered(0, 20)
    for n in range(4):
        with shell("zsh", home, rc) as running:
            running.run(f"echo {n}", "ls", "ls")
            running.leave()
        followed.reader.read()
        expected += [f"echo {n}", "ls", "ls", "exit"]

    assert followed.reader.texts == expected
    assert b"command 5\n" not in followed.path.read_bytes()


def test_hundreds_of_thousands_of_lines_do_not_fill_the_memory(home: Path):
    path = home / "h"
    with path.open("wb") as file:
        for n in range(20_000):
            file.write(b": %d:0;git commit -m 'change number %d'\n" % (SECOND + n, n))
    followed = Followed(path)
    tracemalloc.start()
    try:
        count, cursor, more = 0, None, True
        while more:
            batch = followed.reader.collector.collect(followed.reader.place, cursor)
            count, cursor, more = count + len(batch.events), batch.cursor, batch.more
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert count == 20_000
    assert peak < 9_000_000


few_commands = st.lists(
    st.sampled_from(["ls", "make", "git status", "vim a", "x y", "pwd", "echo 'a b'"]), max_size=60
)
many_commands = st.lists(st.integers(0, 40).map(lambda n: f"command {n}"), min_size=1, max_size=80)


@settings(max_examples=40, deadline=None)
@given(
    entries=st.lists(
        st.tuples(st.sampled_from(["ls", "pwd", "make x", "a\nb"]), st.none() | st.integers(0, 3)),
        max_size=80,
    ),
    cuts=st.lists(st.integers(0, 3_000), max_size=4),
    batch=st.integers(1, 15),
)
def test_batches_and_pieces_never_change_what_a_command_is(
    tmp_path_factory: pytest.TempPathFactory,
    entries: list[tuple[str, int | None]],
    cuts: list[int],
    batch: int,
):
    data, second = b"", SECOND
    for text, step in entries:
        second += step or 0
        stamp = b"" if step is None else b": %d:0;" % second
        data += stamp + text.replace("\n", "\\\n").encode() + b"\n"
    folder = tmp_path_factory.mktemp("h")
    whole, pieces = Followed(folder / "whole"), Followed(folder / "pieces", batch=batch)
    whole.append(data)
    at = 0
    for cut in [*sorted(cuts), len(data)]:
        pieces.append(data[at:cut])
        at = max(at, cut)
        pieces.reader.read()

    expected = whole.reader.read()
    shutil.rmtree(folder)

    assert Counter(e.identity for e in pieces.reader.told) == Counter(e.identity for e in expected)
    assert len({e.identity for e in expected}) == len(expected) == len(entries)


@settings(max_examples=40, deadline=None)
@given(before=many_commands, after=many_commands, cut=st.integers(0, 80), seed=st.integers())
def test_a_trimmed_undated_file_never_doubles_nor_loses_more_than_its_repeats(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], after: list[str], cut: int, seed: int
):
    folder = tmp_path_factory.mktemp("h")
    unique = [f"{command} {random.Random(seed + n).random()}" for n, command in enumerate(before)]
    followed = Followed(folder / "h", "bash")
    followed.append(undated(unique))
    followed.reader.read()

    kept = unique[min(cut, len(unique) - 1) :]
    followed.replace(undated([*kept, *after]))

    new = texts(followed.reader.read())
    shutil.rmtree(folder)
    assert new == after


def test_a_first_reading_tells_how_far_it_has_come(home: Path):
    (home / "h").write_bytes(
        b"".join(b": %d:0;make part-%03d\n" % (1_700_000_000 + n, n) for n in range(100))
    )
    history = History("zsh", zsh.records, batch_commands=30)

    batches = [history.collect(home / "h", None)]
    while batches[-1].more:
        batches.append(history.collect(home / "h", batches[-1].cursor))

    assert [round(batch.share or 0, 1) for batch in batches] == [0.1, 0.4, 0.7, 1.0]
