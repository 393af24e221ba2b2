"""A model from the model hub: a short look whether it is there, then fastembed's own download, watched."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import IO, Any

from desktop_memory.embedding.child import COMMAND
from desktop_memory.embedding.package import Report, Stopped
from desktop_memory.embedding.process import environment
from desktop_memory.errors import KnownError

PROBE_SECONDS = 4.0
STALLED_SECONDS = 60.0
_LOOK_SECONDS = 0.5


class HubFailed(KnownError):
    """The hub does not answer, stalls, or does not have the model."""


def reachable() -> bool:
    """Whether the hub answers at all; known after four seconds, where fastembed itself would take a minute."""
    try:
        with urllib.request.urlopen(_endpoint(), timeout=PROBE_SECONDS):
            return True
    except urllib.error.HTTPError as error:
        return error.code < 500
    except (OSError, ValueError):
        return False


def download(name: str, cache: Path, report: Report, stop: threading.Event) -> dict[str, Any]:
    """What fastembed says of the model it put into `cache`: folder, name, weights, dimension, license."""
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    process = subprocess.Popen(
        _command(name, cache),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_online_environment(),
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    assert process.stdout is not None
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    reader = threading.Thread(target=_read, args=(process.stdout, lines), name="hub-download", daemon=True)
    reader.start()
    try:
        return _watch(lines, cache, report, stop)
    finally:
        process.kill()
        process.wait()
        reader.join()
        process.stdout.close()


def _watch(
    lines: queue.SimpleQueue[str | None], cache: Path, report: Report, stop: threading.Event
) -> dict[str, Any]:
    total, done, moved = 0, 0, time.monotonic()
    while True:
        try:
            line = lines.get(timeout=_LOOK_SECONDS)
        except queue.Empty:
            line = ""
        if line is None:
            raise HubFailed("The model hub did not give the model.", "Try again later, or use --from FILE.")
        if line:
            said: dict[str, Any] = json.loads(line)
            if "failed" in said:
                raise HubFailed("fastembed knows no model of that name.", "See `desktop-memory model list`.")
            if "folder" in said:
                return said
            total = said["bytes"]
        if stop.is_set():
            raise Stopped("The installation was stopped.")
        size = _size(cache)
        if size != done:
            done, moved = size, time.monotonic()
            report("Downloading", min(done, total), total)
        elif time.monotonic() - moved > STALLED_SECONDS:
            raise HubFailed("The model hub stopped sending.", "Try again later, or use --from FILE.")


def _read(stream: IO[bytes], lines: queue.SimpleQueue[str | None]) -> None:
    for line in stream:
        if line.startswith(b"{"):
            lines.put(line.decode("utf-8", "replace"))
    lines.put(None)


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            if path.is_file() and not path.is_symlink():
                total += path.stat().st_size
        except OSError:
            continue  # it was moved meanwhile
    return total


def _endpoint() -> str:
    return os.environ.get("HF_ENDPOINT") or "https://huggingface.co"


def _command(name: str, cache: Path) -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, COMMAND, "download", name, str(cache)]
    return [sys.executable, "-P", "-m", "desktop_memory.embedding.hub_child", name, str(cache)]


def _online_environment() -> dict[str, str]:
    online = {name: value for name, value in environment().items() if name != "HF_HUB_OFFLINE"}
    return {
        **online,
        "HF_HUB_ETAG_TIMEOUT": "10",
        "HF_HUB_DOWNLOAD_TIMEOUT": "30",
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    }
