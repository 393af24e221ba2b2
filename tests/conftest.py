"""Every test has a home of its own and leaves no named thread behind."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("everyday", max_examples=100)
settings.register_profile("nightly", max_examples=1_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "everyday"))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # begun in the background: programs that tests start would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary home folder, so that no test reads or changes the real one."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    for variable in [name for name in os.environ if name.startswith(("XDG_", "DESKTOP_MEMORY"))]:
        monkeypatch.delenv(variable)
    for variable in ("HISTFILE", "ZDOTDIR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("DESKTOP_MEMORY_HOME", str(folder / "memory"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    before = os.umask(0o022)  # the app closes its own to others, for as long as the process lives
    yield folder
    os.umask(before)


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    mine = [
        t
        for t in threading.enumerate()
        if t not in before and not t.name.startswith(("Thread-", "Dummy-", "pymp"))
    ]
    for thread in mine:
        thread.join(timeout=5)
    assert [t.name for t in mine if t.is_alive()] == []
