"""Looks at a graph's file without changing it, in a process of its own: a damaged one can crash who opens it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from desktop_memory.errors import BusyError
from desktop_memory.graph import schema
from desktop_memory.graph.engine import Engine, EngineError
from desktop_memory.graph.graph import MARKER, file_of
from desktop_memory.graph.lock import GraphLock
from desktop_memory.graph.walk import counts

COMMAND = "graph-look"

_GOOD, _OTHER_VERSION, _DAMAGED = 0, 10, 11
_PATIENCE_SECONDS = 30
_ANEW = "It is made anew by itself when the app starts; until then the store answers in its place."


@dataclass(frozen=True, slots=True)
class Held:
    """The last event and change that a graph holds, and how many of each node and edge."""

    event: int
    change: int
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Looked:
    """What is wrong with a graph, in words for the user; nothing when all is well, or it is not there yet."""

    problem: str = ""
    advice: str = ""
    held: Held | None = None


def look(folder: Path) -> Looked:
    """Look at the graph of this folder. One that is open is left to its owner, who tells by itself."""
    lock = GraphLock(folder / "lock")
    if not file_of(folder).exists() and not (folder / MARKER).exists():
        return Looked()
    try:
        lock.acquire()
    except (BusyError, OSError):
        return Looked()
    try:
        if (folder / MARKER).exists():
            return Looked("the last opening of the graph crashed", _ANEW)
        return _told(*_opened_in_a_child(folder))
    finally:
        lock.release()


def _told(code: int | None, said: bytes) -> Looked:
    if code == _GOOD:
        return Looked(held=Held(**json.loads(said)) if said else None)
    if code == _OTHER_VERSION:
        return Looked("the graph was made by another version", _ANEW)
    if code is None:
        return Looked("the graph's file did not open in time", "Try again on a machine that is less busy.")
    return Looked("the graph's file is damaged", _ANEW)


def _opened_in_a_child(folder: Path) -> tuple[int | None, bytes]:
    """The child's exit code and what it said; negative when the file crashed it, None when it did not come back."""
    base = (
        [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-P", "-m", "desktop_memory"]
    )
    try:
        done = subprocess.run(
            [*base, COMMAND, str(folder)], env=_environment(), capture_output=True, timeout=_PATIENCE_SECONDS,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None, b""
    return done.returncode, done.stdout


def _environment() -> dict[str, str]:
    here = str(Path(__file__).parents[2])
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH", "")))),
    }


def child(folder: Path) -> int:
    """Open the file for reading alone, try it and count what it holds; what came of it as an exit code."""
    try:
        engine = Engine(file_of(folder), read_only=True)
    except EngineError:
        return _DAMAGED
    except ImportError:
        return _GOOD  # without an engine there is no graph to be wrong
    try:
        cursor = schema.read_cursor(engine) if schema.is_current(engine) else None
        if cursor is None:
            return _OTHER_VERSION
        schema.try_out(engine, cursor)
        print(json.dumps({"event": cursor.event, "change": cursor.change, "counts": counts(engine)}))
    except EngineError:
        return _DAMAGED
    finally:
        engine.close()
    return _GOOD
