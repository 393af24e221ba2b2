"""Logs in the data folder: small, private, and never with the user's text."""

from __future__ import annotations

import io
import logging
import logging.handlers
import os
import sys
from collections.abc import Callable
from pathlib import Path

FILE_NAME = "log.txt"
_SIZE = 1_000_000
_FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"


class _PrivateFile(logging.handlers.RotatingFileHandler):
    def _open(self) -> io.TextIOWrapper:
        return open(
            os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a", encoding="utf-8"
        )


class _Redacting(logging.Formatter):
    """Whatever slips into a message or a traceback passes the same gate as everything that leaves."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        super().__init__(_FORMAT)
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        return self._redact(super().format(record))


def start(folder: Path, redact: Callable[[str], str], *, to_stderr: bool = False) -> None:
    """Log to the data folder from now on, to this one alone; one that cannot be written logs to stderr instead."""
    stop()
    logging.raiseExceptions = False  # a log that cannot be written (a full disk) must not print tracebacks
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler: logging.Handler = _PrivateFile(folder / FILE_NAME, maxBytes=_SIZE, backupCount=2)
    except OSError:
        handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Redacting(redact))
    root.addHandler(handler)
    if to_stderr:
        echo = logging.StreamHandler(sys.stderr)
        echo.setLevel(logging.WARNING)
        echo.setFormatter(_Redacting(redact))
        root.addHandler(echo)


def stop() -> None:
    """Close the files that `start` opened."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler.formatter, _Redacting):
            root.removeHandler(handler)
            handler.close()
