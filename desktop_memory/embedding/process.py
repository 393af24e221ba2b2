"""A running embedding process, as its parent sees it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_memory.embedding.child import COMMAND
from desktop_memory.embedding.frames import BadFrame, read_frame, skip_to_greeting, write_frame

if TYPE_CHECKING:
    from desktop_memory.embedding.embedder import Vectors


URGENT_SECONDS = 6.0
"""Who asks a question waits no longer: search goes by words then. An answer takes milliseconds as a rule."""


class ChildGone(Exception):
    """The process ended before it answered; `idle` when it had only found nothing to do for long.

    `hung` when it was ended because it let the deadline pass.
    """

    def __init__(self, why: str, *, idle: bool = False, hung: bool = False) -> None:
        super().__init__(why)
        self.idle = idle
        self.hung = hung


class RequestFailed(Exception):
    """The process lives, but could not embed these texts."""


class Child:
    """Starts at once, loads meanwhile. Threads may ask at the same time; each waits for its own answer.

    A dimension of 0 in the description is learned from the model.
    """

    def __init__(self, spec: Mapping[str, Any], *, deadline: float) -> None:
        self._deadline = deadline
        self.dimension = int(spec["dimension"])
        self._lock = threading.Lock()
        self._last = 0
        self._loaded: Future[None] = Future()
        self._answers: dict[int, Future[bytes]] = {}
        self._open = True
        self._end: ChildGone | None = None
        self._stderr = tempfile.TemporaryFile()
        self._process = self._start(spec["folder"])
        assert self._process.stdin is not None
        self._requests = self._process.stdin
        self._reader = threading.Thread(target=self._read, name="embedder-answers", daemon=True)
        self._reader.start()
        self._send(dict(spec))

    def _start(self, folder: str) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                env=environment(),
                cwd=folder,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            self._stderr.close()
            raise ChildGone(f"its process cannot be started: {error.strerror}") from error

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._open and self._end is None

    @property
    def loaded(self) -> bool:
        return self.alive and self._loaded.done() and self._loaded.exception() is None

    def ask(self, texts: Sequence[str], *, urgent: bool) -> Vectors:
        """One row a text. Raises ChildGone; a process that lets the deadline pass is killed."""
        import numpy as np

        try:
            self._loaded.result(self._deadline)
            body = self._request(texts, urgent).result(
                min(URGENT_SECONDS, self._deadline) if urgent else self._deadline
            )
        except TimeoutError as error:
            raise self._kill("it gave no answer in time", hung=True) from error
        return np.frombuffer(body, dtype="<f4").reshape(len(texts), self.dimension)

    def close(self) -> None:
        """Let it end by itself, for a second."""
        self._close_requests()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._reader.join(5)

    def _kill(self, why: str, *, hung: bool = False) -> ChildGone:
        """From here on it counts as gone, however long the system takes."""
        self._end = ChildGone(why, hung=hung)
        self._process.kill()
        return self._end

    def _close_requests(self) -> None:
        with contextlib.suppress(OSError):  # what it did not read any more cannot be flushed
            self._requests.close()

    def _request(self, texts: Sequence[str], urgent: bool) -> Future[bytes]:
        answer: Future[bytes] = Future()
        with self._lock:
            if self._end is not None:
                raise self._end
            self._last += 1
            id_ = self._last
            self._answers[id_] = answer
        self._send({"id": id_, "urgent": urgent, "texts": list(texts)})
        return answer

    def _send(self, header: dict[str, Any]) -> None:
        with contextlib.suppress(OSError, ValueError), self._lock:  # gone: the reader tells all who wait
            write_frame(self._requests, header)

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            if skip_to_greeting(self._process.stdout):
                while (frame := read_frame(self._process.stdout)) is not None:
                    self._hand_out(*frame)
        except (BadFrame, OSError, KeyError):
            self._kill("it did not answer as agreed")
        self._open = False
        self._process.stdout.close()
        self._tell_the_end(self._process.wait())
        self._close_requests()

    def _hand_out(self, header: dict[str, Any], body: bytes) -> None:
        if "ready" in header:
            self._take_ready(header["dimension"])
        elif "id" not in header:
            self._loaded.set_exception(ChildGone(str(header["failed"])))
        else:
            with self._lock:
                answer = self._answers.pop(header["id"])
            if "failed" in header:
                answer.set_exception(RequestFailed(header["failed"]))
            else:
                answer.set_result(body)

    def _take_ready(self, dimension: int) -> None:
        if self.dimension in (0, dimension):
            self.dimension = dimension
            self._loaded.set_result(None)
        else:
            self._kill(f"its vectors have {dimension} numbers, not {self.dimension}")

    def _tell_the_end(self, code: int) -> None:
        gone = self._end or ChildGone(f"its process ended with {code}{self._last_words()}", idle=code == 0)
        with self._lock:
            self._end = gone
            waiting = list(self._answers.values())
            self._answers.clear()
        if not self._loaded.done():
            self._loaded.set_exception(gone)
        for answer in waiting:
            answer.set_exception(gone)
        self._stderr.close()

    def _last_words(self) -> str:
        """What it wrote before it was ready; later it writes nothing."""
        self._stderr.seek(0)
        lines = self._stderr.read().decode("utf-8", "replace").strip().splitlines()
        return f": {lines[-1][:300]}" if lines else ""


def command() -> list[str]:
    """Runs `child.main`; -P keeps a stray module in the working folder out."""
    if getattr(sys, "frozen", False):
        return [sys.executable, COMMAND]
    return [sys.executable, "-P", "-m", "desktop_memory.embedding.child"]


def environment() -> dict[str, str]:
    """One thread, no network, and memory that glibc gives back once the model is loaded (50 MB)."""
    here = str(Path(__file__).parents[2])
    return {
        **os.environ,
        "PYTHONWARNINGS": "ignore",
        "PYTHONPATH": os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH", "")))),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "MALLOC_TRIM_THRESHOLD_": "131072",
        "MALLOC_MMAP_THRESHOLD_": "1000000",
    }
