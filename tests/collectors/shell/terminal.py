"""A real shell in a terminal, into which a test types; and a reader that follows a history as the engine does."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from collectors.collector import Collector, Cursor, Place
from collectors.event import Event

PROMPT = "ready%"
HOOKS = Path(__file__).parents[3] / "resources" / "hooks"
_WHERE_IS_THE_CURSOR = b"\x1b[6n"
_RC = {
    "zsh": ".zshrc",
    "bash": ".bashrc",
    "fish": ".config/fish/config.fish",
    "nu": ".config/nushell/config.nu",
}
_PROMPTS = {
    "zsh": "unsetopt PROMPT_SP PROMPT_CR; PS1='read''y%%'; PS2='more%%'\n",
    "bash": "PS1='read''y%'; PS2='mor''e%'\n",
    "fish": "set -g fish_greeting\nfunction fish_prompt; end\n"
    "function say_ready --on-event fish_prompt; printf 'read''y%%'; end\n",
    "nu": "$env.config.show_banner = false\n$env.config.hooks.pre_prompt = [{|| print -n ('read' + 'y%') }]\n",
}


def program(name: str) -> str | None:
    """Where it is installed: on the path, or beside the Python that runs the tests."""
    return shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))


class Shell:
    """An interactive shell; every wait ends, at the latest after ten seconds."""

    def __init__(self, process: subprocess.Popen[bytes], terminal: int) -> None:
        self.process = process
        self._terminal = terminal
        self._seen = b""

    def run(self, *lines: str | bytes) -> None:
        """Type each line and wait until the shell asks for the next."""
        for line in lines:
            self.type(line + ("\n" if isinstance(line, str) else b"\n"))  # type: ignore[operator]
            self.wait_for(PROMPT)

    def type(self, keys: str | bytes) -> None:
        data = keys.encode() if isinstance(keys, str) else keys
        while data:
            data = data[os.write(self._terminal, data[:512]) :]
            self._look(0)

    def wait_for(self, words: str) -> None:
        wanted = words.encode()
        until = time.monotonic() + 10
        while wanted not in self._seen:
            if time.monotonic() > until or not self._look(0.5):
                raise AssertionError(f"{words!r} did not come: {self._seen[-400:]!r}")
        self._seen = self._seen[self._seen.index(wanted) + len(wanted) :]

    def leave(self, enter: str = "\n") -> None:
        """Log out, as a history needs to be written."""
        self.type("exit" + enter)
        with contextlib.suppress(OSError):
            while self.process.poll() is None and self._look(0.1):
                pass
        self.process.wait(10)

    def _look(self, seconds: float) -> bool:
        """Take what the shell wrote; False once the terminal is closed."""
        ready, _, _ = select.select([self._terminal], [], [], seconds)
        if ready:
            try:
                read = os.read(self._terminal, 65_536)
                self._seen += read
                for _ in range(read.count(_WHERE_IS_THE_CURSOR)):
                    os.write(self._terminal, b"\x1b[1;1R")
            except OSError:
                return False
        return True


@contextlib.contextmanager
def shell(
    name: str, home: Path, rc: str = "", *, environment: Mapping[str, str] | None = None, term: str = "dumb"
) -> Iterator[Shell]:
    """A shell at its first prompt, with this rc file in this home."""
    found = program(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    (home / _RC[name]).parent.mkdir(parents=True, exist_ok=True)
    (home / _RC[name]).write_text(_PROMPTS[name] + rc)
    terminal, theirs = os.openpty()
    process = subprocess.Popen(
        [found, "-i"] if name != "nu" else [found],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=home,
        env={
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TERM": term,
            **(environment or {}),
        },
        preexec_fn=lambda: os.login_tty(theirs),
    )
    os.close(theirs)
    running = Shell(process, terminal)
    try:
        running.wait_for(PROMPT)
        yield running
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(10)
        os.close(terminal)


@dataclass
class Reader:
    """Asks a collector as the engine does, keeping the cursor and everything told."""

    collector: Collector
    place: Place
    cursor: Cursor | None = None
    told: list[Event] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def read(self) -> list[Event]:
        """All that is new, in the order of time."""
        new: list[Event] = []
        more = True
        while more:
            batch = self.collector.collect(self.place, self.cursor)
            assert list(batch.events) == sorted(batch.events, key=lambda event: event.start)
            self.cursor, more = json.loads(json.dumps(batch.cursor)), batch.more
            self.skipped.update(batch.skipped)
            new.extend(batch.events)
        self.told.extend(new)
        return sorted(new, key=lambda event: event.start)

    @property
    def texts(self) -> list[str]:
        """The commands a store would hold by now, in the order of time."""
        names: set[str] = set()
        kept: list[Event] = []
        for event in self.told:
            if names.isdisjoint((event.identity, *event.aliases)):
                kept.append(event)
            names.update((event.identity, *event.aliases))
        return texts(sorted(kept, key=lambda event: event.start))


def texts(events: list[Event]) -> list[str]:
    return [event.text for event in events]
