"""`encrypt` as people use it: real commands, a real recorder, and a search of every byte that lies in the folder."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running import COMMAND, ask, environment, recording, run, zsh_history

WORDS = ("xylophone", "marzipan", "quicksilver")
PASSPHRASE = "four words of mine"


@pytest.fixture
def keys(home: Path) -> dict[str, str]:
    """An environment whose keyring is a file outside the data folder."""
    return {
        "PYTHON_KEYRING_BACKEND": "tests.file_keyring.FileKeyring",
        "FILE_KEYRING": str(home / "keyring.json"),
    }


def readable(home: Path) -> list[str]:
    """Where in the data folder, links followed, one of the words stands."""
    found = []
    for parent, _, names in os.walk(home / "memory", followlinks=True):
        for path in (Path(parent, name) for name in names):
            raw = path.read_bytes().lower()
            if any(word.encode() in raw or word.encode("utf-16-le") in raw for word in WORDS):
                found.append(str(path.relative_to(home)))
    return found


@pytest.mark.slow
def test_nothing_that_was_recorded_can_be_read_from_the_folder(home: Path, keys: dict[str, str]) -> None:
    zsh_history(home, [(1_786_615_200 + n, f"make {WORDS[n % 3]}-{n}") for n in range(30)])
    ask(home, "note", "marzipan for the party", **keys)
    assert "memory/memory.sqlite" in readable(home)

    told = ask(home, "encrypt", "on", **keys)

    assert told["ways"] == ["keyring", "recovery"]
    assert readable(home) == []
    with recording(home, **keys) as recorder:
        assert ask(home, "search", "quicksilver", **keys)["hits"]
        refused = run(home, "encrypt", "off", **keys)
        assert (refused.returncode, "Privacy page" in refused.stderr) == (3, True)
        assert ask(home, "forget", "--last", "1m", **keys)["events"]
        ask(home, "backup", str(home / "memory" / "backup.zip"), **keys)
        assert readable(home) == [], "while it records"
        recorder.send_signal(signal.SIGKILL)
        recorder.wait()
    assert readable(home) == [], "after it was killed"
    run(home, "export", str(home / "memory" / "carried"), **keys)
    assert readable(home) == []

    ask(home, "encrypt", "off", **keys)

    assert ask(home, "search", "quicksilver", **keys)["hits"]
    assert ask(
        home, "import", str(home / "memory" / "carried"), DESKTOP_MEMORY_PASSPHRASE=told["recovery_key"]
    )["read"]


def test_without_a_keyring_a_file_with_the_passphrase_opens_it(home: Path) -> None:
    (home / "kept").write_text(PASSPHRASE + "\n")
    run(home, "note", "marzipan for the party")

    done = run(home, "encrypt", "on", "--passphrase-file", str(home / "kept"))

    assert done.returncode == 0, done.stderr
    assert "Recovery key" in done.stdout
    assert readable(home) == []
    locked = run(home, "search", "marzipan")
    assert (locked.returncode, locked.stdout) == (1, "")
    assert "encrypted with a passphrase" in locked.stderr
    assert "DESKTOP_MEMORY_PASSPHRASE_FILE" in locked.stderr
    assert "Traceback" not in locked.stderr
    assert "marzipan" in run(home, "search", "marzipan", "--passphrase-file", str(home / "kept")).stdout


def test_at_a_terminal_it_asks(home: Path) -> None:
    import pty

    (home / "kept").write_text(PASSPHRASE)
    run(home, "note", "marzipan for the party")
    run(home, "encrypt", "on", "--passphrase-file", str(home / "kept"))
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(home)
        os.execve(COMMAND[0], [*COMMAND, "now"], environment(home))
    answers = iter([b"a wrong one\n", PASSPHRASE.encode() + b"\n"])

    shown = b""
    with open(terminal, "rb+", buffering=0) as line:
        while True:
            try:
                read = line.read(4_096)
            except OSError:  # the other side has ended
                break
            shown += read
            if b"recovery key: " in read:
                line.write(next(answers))
    os.waitpid(child, 0)

    assert b"neither the passphrase nor the recovery key" in shown
    assert b"marzipan" in shown
    assert PASSPHRASE.encode() not in shown


def test_ctrl_c_leaves_it_as_it_was(home: Path, keys: dict[str, str]) -> None:
    lines = [
        json.dumps(
            {"kind": "note", "start": f"2026-08-13T10:{n % 60:02}:00Z", "title": f"marzipan {n} " * 40}
        )
        for n in range(1_500)
    ]
    (home / "lines").write_text("\n".join(lines))
    ask(home, "import", str(home / "lines"), **keys)
    process = subprocess.Popen(
        [*COMMAND, "encrypt", "on", "--yes"], env=environment(home, **keys), cwd=home,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    while not list((home / "memory").glob("*switching-new")) and process.poll() is None:
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)

    assert process.returncode == 130
    assert not ask(home, "encrypt", "status", **keys)["encrypted"]
    assert list((home / "memory").glob("*switching*")) == []
    assert json.loads((home / "keyring.json").read_text()) == {}
    assert ask(home, "status", **keys)["events"] == 1_500


@pytest.mark.skipif(
    not (shutil.which("gnome-keyring-daemon") and shutil.which("dbus-run-session")),
    reason="needs gnome-keyring and dbus",
)
class TestRealKeyring:
    """GNOME Keyring over a message bus of its own."""

    @pytest.fixture
    def session(self, home: Path) -> Iterator[dict[str, str]]:
        runtime = home / "run"
        runtime.mkdir(mode=0o700)
        bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True
        )
        assert bus.stdout is not None
        more = {"DBUS_SESSION_BUS_ADDRESS": bus.stdout.readline().strip(), "XDG_RUNTIME_DIR": str(runtime)}
        yield more
        bus.terminate()
        bus.communicate()

    def daemon(self, home: Path, session: dict[str, str], password: str) -> subprocess.Popen[str]:
        """The daemon with its login keyring, unlocked by this password; none leaves it locked."""
        words = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]
        process = subprocess.Popen(
            [*words, "--unlock"] if password else words, env=environment(home, **session), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(password)
        process.stdin.close()
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and "secrets" not in names(session):
            time.sleep(0.05)
        return process

    def test_it_keeps_the_key_and_a_locked_one_is_told_without_a_dialog(
        self, home: Path, session: dict[str, str]
    ) -> None:
        running = self.daemon(home, session, "login")
        run(home, "note", "marzipan for the party", **session)

        told = ask(home, "encrypt", "on", **session)

        assert told["ways"] == ["keyring", "recovery"]
        assert readable(home) == []
        assert "marzipan" in run(home, "now", **session).stdout
        running.terminate()
        running.wait()
        locked = self.daemon(home, session, "")
        started = time.monotonic()

        refused = run(home, "now", **session)

        assert refused.returncode == 1
        assert "locked" in refused.stderr, refused.stderr
        assert time.monotonic() - started < 20
        opened = ask(home, "encrypt", "unlock", **session, DESKTOP_MEMORY_PASSPHRASE=told["recovery_key"])
        assert opened["keyring"] is False
        locked.terminate()
        locked.wait()


def names(session: dict[str, str]) -> str:
    done = subprocess.run(
        ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
         "org.freedesktop.DBus.ListNames"], env={**os.environ, **session}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    return done.stdout
