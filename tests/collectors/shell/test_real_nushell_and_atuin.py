"""nushell and Atuin themselves, where they are installed: Debian has neither."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from collectors.collector import Place
from collectors.event import Event
from collectors.shell.atuin import Atuin
from collectors.shell.nushell import Nushell
from collectors.shell.spool import ShellHook
from collectors.shell.zsh import Zsh
from desktop_memory.desktop import shell_hook
from tests.collectors.shell.terminal import Reader, program, shell, texts

ATUIN = program("atuin") or ""
needs_atuin = pytest.mark.skipif(not ATUIN, reason="atuin is not installed")


@pytest.mark.parametrize("form", ["sqlite", "plaintext"])
def test_nushell_and_its_hook_tell_each_command_once(home: Path, form: str):
    data = home / "it's my memory"
    shell_hook.install("nushell", data)
    commands = ["cd /", "^false", "print '日本 \\n'", "sleep 300ms"]
    with shell("nu", home, f"$env.config.history.file_format = '{form}'\n", term="xterm") as nu:
        for command in commands:
            nu.type(command + "\r")
            nu.wait_for("ready%")
        nu.type("$env.DESKTOP_MEMORY_PRIVATE = '1'\r")
        nu.wait_for("ready%")
        nu.leave("\r")

    spool = data / "spool"
    hook = Reader(ShellHook(spool=spool), Place(source="shell hook", name=str(spool)))
    collector = Nushell(copies=home / "copies", spool=spool)
    (place,) = collector.places()
    history = Reader(collector, place)
    told = history.read()

    assert texts(hook.read()) == commands
    assert [event.details["exit"] for event in hook.told] == [0, 1, 0, 0]
    assert [event.details["cwd"] for event in hook.told] == [str(home), "/", "/", "/"]
    assert [event.text for event in told][:4] == commands
    if form == "sqlite":
        assert [event.details["exit"] for event in told[:4]] == [0, 1, 0, 0]
        hook.told.extend(told)
        assert Counter(hook.texts)["^false"] == 1


def test_nushells_notes_are_private_bounded_and_off_without_their_folder(home: Path):
    data = home / "memory"
    shell_hook.install("nushell", data)
    spool = data / "spool" / "nushell"
    aside = data / "aside"

    def noted(*commands: str) -> list[Path]:
        with shell("nu", home, "", term="xterm") as nu:
            for command in commands:
                nu.type(command + "\r")
                nu.wait_for("ready%")
            nu.leave("\r")
        return [file for file in spool.iterdir() if file.stat().st_size] if spool.exists() else []

    (notes,) = noted("print one", f"mv '{spool}' '{aside}'", "print two", f"mv '{aside}' '{spool}'")
    assert stat.S_IMODE(notes.stat().st_mode) == 0o600
    assert (b"print one" in notes.read_bytes(), b"print two" in notes.read_bytes()) == (True, False)
    notes.unlink()
    for number in range(1_000):
        (spool / f"{number}.1").touch()
    assert noted("print three") == []
    shutil.rmtree(spool)
    assert noted("print four") == []
    assert not spool.exists()


@needs_atuin
def test_atuin_and_zsh_tell_each_command_once(home: Path):
    rc = (
        "HISTFILE=~/.zsh_history HISTSIZE=1000 SAVEHIST=1000; setopt EXTENDED_HISTORY INC_APPEND_HISTORY\n"
        f"path+=({Path(ATUIN).parent})\n"
        'eval "$(atuin init zsh --disable-up-arrow --disable-ctrl-r)"\n'
    )
    (home / "work").mkdir()
    from_atuin: dict[str, Event] = {}
    with shell("zsh", home, rc) as zsh:
        zsh.run("cd work", "false", "echo '日本'", "ls", "ls")
        atuin = Atuin(copies=home / "copies")
        (place,) = atuin.places()
        both = Reader(atuin, place)
        until = time.monotonic() + 20
        while time.monotonic() < until and not (from_atuin and "exit" in from_atuin["false"].details):
            from_atuin.update(
                (event.text, event) for event in both.read()
            )  # it completes its rows in the background
        zsh.leave()

    both.read()
    zsh_history = Reader(Zsh(), Place(source="zsh", name=str(home / ".zsh_history")))
    both.told.extend(zsh_history.read())

    assert from_atuin["false"].details["cwd"] == str(home / "work")
    assert from_atuin["false"].details.get("exit", 1) == 1
    assert from_atuin["false"].source == "zsh"
    assert Counter(both.texts) == Counter(texts(zsh_history.told))


@needs_atuin
def test_lines_that_atuin_made_of_one_command_are_not_told_beside_it(home: Path):
    (home / ".bash_history").write_text(
        "#1700000000\ncat <<EOF\nsome  words\n\nEOF\n#1700000009\nEOF\n#1700000010\nlast\n"
    )
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "SHELL": "/bin/bash"}
    subprocess.run([ATUIN, "import", "bash"], env=environment, check=True, capture_output=True)
    atuin = Atuin(copies=home / "copies")
    (place,) = atuin.places()

    reader = Reader(atuin, place)
    reader.read()

    assert [(event.text, event.approx) for event in reader.told] == [("EOF", False), ("last", False)]


@needs_atuin
@pytest.mark.parametrize("time", ["#1786000000\n", ""])
def test_what_follows_a_time_within_a_heredoc_is_not_told_at_that_time(home: Path, time: str):
    (home / ".bash_history").write_text(
        f"{time}cat > a.py <<'EOF'\n#1700000000\nx = 1 << 2\n\nlast\nEOF\n#1786000050\nmake\n"
    )
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "SHELL": "/bin/bash"}
    subprocess.run([ATUIN, "import", "bash"], env=environment, check=True, capture_output=True)
    atuin = Atuin(copies=home / "copies")
    (place,) = atuin.places()

    reader = Reader(atuin, place)
    reader.read()

    assert texts(reader.told) == ["make"]


@needs_atuin
def test_times_that_atuin_makes_up_on_import_are_known_as_such(home: Path):
    (home / ".bash_history").write_text("one\ntwo\n#1700000000\nthree\n")
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "SHELL": "/bin/bash"}
    subprocess.run([ATUIN, "import", "bash"], env=environment, check=True, capture_output=True)
    atuin = Atuin(copies=home / "copies")
    (place,) = atuin.places()

    with_file = Reader(atuin, place)
    with_file.read()
    (home / ".bash_history").unlink()
    without = Reader(Atuin(copies=home / "others"), place)
    without.read()

    assert [(event.text, event.approx) for event in with_file.told] == [("three", False)]
    assert sorted((event.text, event.approx) for event in without.told) == [
        ("one", True),
        ("three", False),
        ("two", True),
    ]
