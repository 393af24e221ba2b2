"""RemoteMemory and RemoteApp: the running app's methods, asked over the socket."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from desktop_memory.ipc.client import ask
from desktop_memory.ipc.codec import decode, encode

MEMORY_METHODS = (
    "around",
    "check",
    "connected",
    "context",
    "did_i",
    "event",
    "events",
    "forget",
    "gaps",
    "import_lines",
    "latest_projects",
    "log_read",
    "newer",
    "note",
    "now",
    "pause",
    "paused",
    "pin",
    "pins",
    "places",
    "preview_forget",
    "propose",
    "recent",
    "report",
    "resume",
    "search",
    "session",
    "sessions",
    "sessions_of",
    "set_pin_status",
    "standing",
    "stats",
    "timeline",
    "undo_forget",
    "unpin",
)
APP_METHODS = (
    "collect",
    "copy",
    "import_history",
    "pause",
    "quit",
    "rebuild",
    "reload",
    "resume",
    "show",
    "status",
)


class _Remote:
    _protocol = ""
    _methods: tuple[str, ...] = ()

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in self._methods:
            raise AttributeError(name)

        def call(*arguments: Any, **named: Any) -> Any:
            return decode(ask(self._folder, self._protocol, name, encode([list(arguments), named])))

        return call


class RemoteMemory(_Remote):
    """The same methods as Memory."""

    _protocol = "memory"
    _methods = MEMORY_METHODS


class RemoteApp(_Remote):
    """The same methods as App."""

    _protocol = "app"
    _methods = APP_METHODS
