"""The embedding process: loads the model, answers frames on its standard input, ends when nobody needs it.

A process of its own, because an ONNX session keeps most of its memory even when it is let go. Questions are
answered on the main thread at once, other texts one batch at a time on a thread that yields to all else.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from queue import SimpleQueue
from typing import Any, BinaryIO

from desktop_memory.embedding.engines import Embed, load
from desktop_memory.embedding.frames import BadFrame, read_frame, write_frame, write_greeting
from desktop_memory.embedding.priority import lower_this_thread

COMMAND = "embedder-child"
"""The argument that makes a bundled app run `main` instead of itself."""


def main() -> int:
    if sys.argv[1:3] == [COMMAND, "download"]:
        from desktop_memory.embedding import hub_child

        return hub_child.main(*sys.argv[3:5])
    # Ctrl+C reaches the whole group; this process ends with its standard input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = os.fdopen(0, "rb", closefd=False)
    answers = _keep_stdout_for_answers()
    write_greeting(answers)
    first = read_frame(requests)
    if first is None:
        return 0
    spec = first[0]
    try:
        embed = load(spec)
        dimension = embed(["a first text"]).shape[1]
    except Exception as error:  # one of many unrelated types; the parent shows it as a problem
        write_frame(answers, {"failed": f"{type(error).__name__}: {error}"[:500]})
        return 1
    write_frame(answers, {"ready": True, "dimension": dimension})
    _silence_stderr()
    Server(embed, requests, answers, idle_seconds=spec["idle_seconds"]).run()
    return 0


class Server:
    """Reads requests until the other side is gone or `idle_seconds` passed without one."""

    def __init__(self, embed: Embed, requests: BinaryIO, answers: BinaryIO, idle_seconds: float) -> None:
        self._embed = embed
        self._requests = requests
        self._answers = answers
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._waiting = 0
        self._last_use = time.monotonic()
        self._passages: SimpleQueue[dict[str, Any]] = SimpleQueue()

    def run(self) -> None:
        threading.Thread(target=self._end_when_idle, name="idle", daemon=True).start()
        threading.Thread(target=self._embed_passages, name="passages", daemon=True).start()
        while (frame := read_frame(self._requests)) is not None:
            request = frame[0]
            with self._lock:
                self._waiting += 1
            if request["urgent"]:
                self._answer(request)
            else:
                self._passages.put(request)
        os._exit(0)  # whatever is still being embedded, nobody waits for it

    def _embed_passages(self) -> None:
        lower_this_thread()
        while True:
            self._answer(self._passages.get())

    def _answer(self, request: dict[str, Any]) -> None:
        try:
            header, body = {"id": request["id"]}, self._embed(request["texts"]).astype("<f4").tobytes()
        except Exception as error:  # whatever the library raises: this request fails, the next may not
            header, body = {"id": request["id"], "failed": type(error).__name__}, b""
        with self._lock:
            write_frame(self._answers, header, body)
            self._waiting -= 1
            self._last_use = time.monotonic()

    def _end_when_idle(self) -> None:
        while True:
            with self._lock:
                left = self._idle_seconds - (time.monotonic() - self._last_use)
                if left <= 0 and not self._waiting:
                    os._exit(0)
            time.sleep(max(left, 0.05))


def _keep_stdout_for_answers() -> BinaryIO:
    """Whatever prints goes to stderr from now on; the pipe carries frames only."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _silence_stderr() -> None:
    """From here on messages could quote what is embedded."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.dup2(null, 1)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BrokenPipeError, BadFrame):
        os._exit(1)
