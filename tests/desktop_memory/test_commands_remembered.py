"""Commands from real shells, through the one door: each once, whether a hook, a history or both tell of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.collector import Collector
from collectors.shell.bash import Bash
from collectors.shell.spool import ShellHook
from collectors.shell.zsh import Zsh
from desktop_memory.clock import clock
from desktop_memory.desktop import shell_hook
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.store.store import Store
from tests.collectors.shell.terminal import shell
from tests.stubs import memory_over

DATED = {
    "zsh": "HISTFILE=~/.zsh_history HISTSIZE=1000 SAVEHIST=1000; setopt EXTENDED_HISTORY INC_APPEND_HISTORY\n",
    "bash": "shopt -s histappend; HISTTIMEFORMAT='%s '\n",
}
UNDATED = {
    "zsh": DATED["zsh"].replace("EXTENDED_", "").replace("INC_APPEND_HISTORY", ""),
    "bash": "shopt -s histappend\n",
}


@pytest.fixture
def data(home: Path) -> Path:
    return home / "memory"


@pytest.fixture
def store(data: Path) -> Iterator[Store]:
    opened = Store.open(data, clock=clock)
    yield opened
    opened.close()


def collect(memory: Memory, data: Path, *names: str) -> None:
    """What the engine does in a turn: hooks first."""
    spool = data / "spool"
    for collector in (ShellHook(spool=spool), Zsh(spool=spool), Bash(spool=spool)):
        if not names or collector.source in names:
            _collect(memory, collector)


def _collect(memory: Memory, collector: Collector) -> None:
    for place in collector.places():
        more = True
        while more:
            batch = collector.collect(place, memory.cursor(place))
            memory.remember(batch.events, place=place, cursor=batch.cursor, skipped=batch.skipped)
            more = batch.more


def commands(store: Store) -> list[str]:
    return [event.text for event in store.between(None, None)]


@pytest.mark.parametrize("name", ["zsh", "bash"])
@pytest.mark.parametrize("rc", [DATED, UNDATED], ids=["dated", "undated"])
def test_hook_and_history_give_each_command_once(
    home: Path, data: Path, store: Store, name: str, rc: dict[str, str]
):
    memory = memory_over(store, clock)
    (home / f".{name}rc").write_text(rc[name])
    shell_hook.install(name, data)

    with shell(name, home, (home / f".{name}rc").read_text()) as running:
        running.run("ls", "make", "ls", "make", "echo 'a  b'", "pwd")
        collect(memory, data)
        running.run("ls", "make", "false")
        running.leave()
    collect(memory, data)
    collect(memory, data)

    assert Counter(commands(store)) == {"ls": 3, "make": 3, "echo 'a  b'": 1, "pwd": 1, "false": 1, "exit": 1}
    assert [e.details["exit"] for e in store.between(None, None, query=Query()) if e.text == "false"] == [1]


@pytest.mark.parametrize("name", ["zsh", "bash"])
def test_a_history_read_before_the_hook_is_told_better_by_it(home: Path, data: Path, store: Store, name: str):
    memory = memory_over(store, clock)
    (home / f".{name}rc").write_text(DATED[name])
    shell_hook.install(name, data)
    with shell(name, home, (home / f".{name}rc").read_text()) as running:
        running.run("echo one", "echo two")
        running.leave()

    collect(memory, data, name)
    before = store.between(None, None)
    collect(memory, data)

    after = store.between(None, None)
    assert {e.id for e in after} == {e.id for e in before}
    one = next(e for e in after if e.text == "echo one")
    assert one.details["cwd"] == str(home)
    assert one.start.microsecond > 999


def test_commands_of_a_pause_are_not_taken_from_a_history_without_times(home: Path, data: Path, store: Store):
    memory = memory_over(store, clock)
    (home / ".bash_history").write_text("before\n")
    collect(memory, data)

    with shell("bash", home, UNDATED["bash"]) as running:
        collect(memory, data)
        memory.pause(None)
        running.run("echo in the pause")
        time.sleep(0.1)
        memory.resume()
        running.leave()
    collect(memory, data)

    assert commands(store) == ["before"]


@pytest.mark.parametrize("name", ["zsh", "bash"])
def test_what_was_hidden_from_the_hook_is_nowhere(home: Path, data: Path, store: Store, name: str):
    memory = memory_over(store, clock)
    (home / f".{name}rc").write_text(DATED[name])
    shell_hook.install(name, data)
    with shell(name, home, (home / f".{name}rc").read_text()) as running:
        running.run("echo seen")
        time.sleep(2.1)
        running.run(
            "DESKTOP_MEMORY_PRIVATE=1",
            "echo confidential",
            "DESKTOP_MEMORY_PRIVATE=0",
            " echo confidential too",
        )
        running.leave()

    collect(memory, data)

    assert "echo seen" in commands(store)
    assert not any("confidential" in text for text in commands(store))
    assert b"confidential" not in b"".join(file.read_bytes() for file in data.rglob("*") if file.is_file())


def test_a_bash_without_the_hook_is_not_taken_for_a_zsh_with_it(home: Path, data: Path, store: Store):
    memory = memory_over(store, clock)
    (home / ".zshrc").write_text(DATED["zsh"])
    shell_hook.install("zsh", data)
    (home / ".bash_history").write_text("before\n")
    collect(memory, data)

    with (
        shell("bash", home, UNDATED["bash"]) as bash,
        shell("zsh", home, (home / ".zshrc").read_text()) as zsh,
    ):
        zsh.run("ls")
        bash.run("ls")
        bash.leave()
    collect(memory, data)

    assert Counter(commands(store)) == {"before": 1, "ls": 2, "exit": 1}
