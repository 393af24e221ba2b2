"""Whatever hangs or fails, `status` says so within half a minute, and that it is over when it is over."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from collectors.collector import Unavailable
from desktop_memory import app as app_module
from desktop_memory import engine as engine_module
from desktop_memory import standstill
from desktop_memory.app import App
from desktop_memory.errors import KnownError
from desktop_memory.store.store import FILE_NAME
from tests.factories import event
from tests.running import ask, recording, run
from tests.stubs import ScriptedSource, ScriptedWatch

HALF_A_MINUTE = 30.0
SOON = 8.0


def until(true: Callable[[dict[str, Any]], bool], told: Callable[[], dict[str, Any]], within: float) -> float:
    """How many seconds it took until the status was so."""
    begun = time.monotonic()
    status: dict[str, Any] = {}
    while time.monotonic() - begun < within:
        status = told()
        if true(status):
            return time.monotonic() - begun
        time.sleep(0.2)
    raise AssertionError(status)


def told_by(home: Path) -> dict[str, Any]:
    """What `status` says, or the error it ends with."""
    done = run(home, "status", "--json")
    return dict(json.loads(done.stdout if done.returncode == 0 else done.stderr))


def test_another_program_holds_the_file_and_the_recorder_is_stopped(home: Path) -> None:
    with recording(home) as process:
        with sqlite3.connect(home / "memory" / FILE_NAME, isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            until(
                lambda status: "busy" in status["problems"].get("store", ""), lambda: ask(home, "status"), 30
            )
            told = run(home, "status").stdout
            other.execute("ROLLBACK")
        other.close()
        # once in some runs the file was just changing hands, and `status` told a disk error: it is asked again
        until(
            lambda status: "store" not in status.get("problems", {"store": ""}),
            lambda: told_by(home),
            HALF_A_MINUTE,
        )

        os.kill(process.pid, signal.SIGSTOP)
        begun = time.monotonic()
        stopped = ask(home, "status")
        took = time.monotonic() - begun
        os.kill(process.pid, signal.SIGCONT)

        assert told.startswith("Degraded")
        assert "! store: The memory is busy: another program holds it. Try again" in told
        assert (stopped["running"], stopped["state"]) == (True, "degraded")
        assert stopped["problems"]["app"].startswith("The app does not answer. See `desktop-memory doctor`")
        assert took < HALF_A_MINUTE
        assert "app" not in ask(home, "status")["problems"]


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64m,mode=700", "none", str(folder)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root mounts disks")
def test_a_full_disk_shows_before_anything_is_lost_and_heals_by_itself(home: Path) -> None:
    (home / "memory").mkdir(mode=0o700)
    with small_disk(home / "memory"), recording(home):
        filler = home / "memory" / "filler"
        with filler.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(65_536)):
                    pass
            except OSError:
                pass

        def told() -> dict[str, Any]:
            return ask(home, "status")

        until(lambda status: "disk is full" in status["problems"].get("store", ""), told, HALF_A_MINUTE)
        assert told()["state"] == "degraded"
        filler.unlink()
        until(lambda status: "store" not in status["problems"], told, HALF_A_MINUTE)


@pytest.fixture
def app(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """A recorder with scripted sources that looks after itself twenty times as often."""
    monkeypatch.setattr(app_module, "_PROBE_SECONDS", 0.2)
    monkeypatch.setattr(standstill, "LONGEST_STEP", 1.0)
    monkeypatch.setattr(engine_module, "_RESTART_LIVE_SECONDS", 0.1)
    sources = (ScriptedSource("asked", [[event(1)]]), ScriptedWatch("live"))
    monkeypatch.setattr(app_module, "sources_of", lambda parts: sources)
    made = App.open(home / "memory")
    assert made.parts.models is not None
    made.parts.models.close()
    made.parts.models = None  # no model is loaded for one event
    made.test_sources = sources  # type: ignore[attr-defined]
    yield made
    made.close()


def asked_of(app: App) -> Callable[[], dict[str, Any]]:
    """The status as a fresh thread gets it: it must open a connection of its own."""

    def told() -> dict[str, Any]:
        found: list[dict[str, Any]] = []
        thread = threading.Thread(target=lambda: found.append(app.status()))
        thread.start()
        thread.join(5)
        assert found, "the status waits for what hangs"
        return found[0]

    return told


def test_a_write_that_hangs_shows_and_keeps_nobody_from_asking(app: App) -> None:
    app.start()
    told, goes_on = asked_of(app), threading.Event()
    until(lambda status: status["state"] == "recording", told, SOON)

    def hang() -> None:
        with app.parts.store.transaction():
            goes_on.wait(20)

    hanging = threading.Thread(target=hang)
    hanging.start()
    until(lambda status: "at one step" in status["problems"].get("store", ""), told, SOON)
    assert told()["state"] == "degraded"
    goes_on.set()
    hanging.join()
    until(lambda status: status["state"] == "recording", told, SOON)


def test_a_source_that_fails_or_ended_is_no_recording(app: App) -> None:
    asked, live = app.test_sources  # type: ignore[attr-defined]
    app.engine._poll_seconds = 0.2
    app.start()
    told = asked_of(app)
    until(lambda status: status["state"] == "recording", told, SOON)

    asked.script[:] = [RuntimeError("a bug")] * 2
    until(lambda status: status["state"] == "degraded", told, SOON)
    assert [place["state"] for place in told()["places"]] == ["failing"]
    asked.script[:] = [[event(1)]]
    app.parts.store.place_works("asked", "here")
    until(lambda status: status["state"] == "recording", told, SOON)

    live.error = Unavailable("The desktop is gone.", "Log in again.")
    live.watching.clear()
    app.engine._live[0]._stop.set()
    until(lambda status: "Log in again" in status["live"]["live"]["advice"], told, SOON)
    until(lambda status: status["state"] == "degraded", told, SOON)  # but while it is tried again
    live.error = None
    until(lambda status: status["state"] == "recording", told, SOON)


def test_a_watch_that_ends_by_itself_is_said_and_begun_again(app: App) -> None:
    _, live = app.test_sources  # type: ignore[attr-defined]
    live.watch = lambda emit, stop: None
    app.engine._poll_seconds = 0.2
    app.start()

    until(lambda status: "ended by itself" in status["live"]["live"]["advice"], asked_of(app), SOON)
    del live.watch
    live.watching.wait(5)
    assert live.watching.is_set()


@pytest.mark.parametrize("part", ["graph", "vectors", "projects", "sharing", "engine"])
def test_a_part_that_hangs_fails_or_is_dead_is_named(
    app: App, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standstill, "_LONGER", {})
    worker = {
        "graph": app._projector, "vectors": app._indexer, "projects": app._regrouper, "sharing": app._sharer,
        "engine": app.engine,
    }[part]  # fmt: skip
    goes_on = threading.Event()

    def hang(*_: object) -> bool:
        goes_on.wait(20)
        return False

    if part == "engine":
        app.engine._turn = hang  # type: ignore[assignment,method-assign]
    else:
        worker._work = hang  # type: ignore[union-attr]
    app.start()
    told = asked_of(app)

    until(lambda status: "at one step" in status["problems"].get(part, ""), told, SOON)
    assert told()["state"] == "degraded"
    goes_on.set()
    until(lambda status: part not in status["problems"], told, SOON)
    if part != "engine":
        worker._work = _fails  # type: ignore[union-attr]
        worker.wake()
        until(lambda status: "It fails. Mend it." in status["problems"].get(part, ""), told, SOON)

    worker._stop.set()
    worker.wake()
    until(lambda status: "thread ended" in status["problems"].get(part, ""), told, SOON)


def _fails(stop: threading.Event) -> bool:
    raise KnownError("It fails.", "Mend it.")


def test_all_is_well_at_rest_however_long(app: App) -> None:
    app.start()
    told = asked_of(app)
    until(lambda status: status["state"] == "recording", told, SOON)

    time.sleep(1.5)

    assert json.dumps(told()["problems"]) == "{}"
