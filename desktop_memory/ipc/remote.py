"""RemoteMemory and RemoteApp: the running app's methods, asked over the socket."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from desktop_memory.ipc.client import ANSWER_SECONDS, ask
from desktop_memory.ipc.codec import decode, encode

MEMORY_METHODS = (
    "add_project_rule",
    "archive_project",
    "follow_projects",
    "merge_projects",
    "preview_project_rule",
    "project_called",
    "project_changes",
    "project_outlet",
    "project_rules",
    "projects",
    "remove_project_rule",
    "rename_project",
    "undo_project_change",
    "apply_updates",
    "around",
    "cancel_excluded",
    "check",
    "client_reads",
    "connected",
    "connections",
    "context",
    "copied",
    "copies",
    "density",
    "did_i",
    "drop_proposal",
    "event",
    "events",
    "forget",
    "excluded_share",
    "forget_excluded",
    "forget_usage",
    "gaps",
    "graph_stats",
    "import_lines",
    "latest_projects",
    "log_read",
    "masked",
    "newer",
    "note",
    "note_backup",
    "now",
    "pause",
    "order_pins",
    "paused",
    "pin",
    "pins",
    "places",
    "preview_excluded",
    "preview_forget",
    "preview_retire",
    "proposals",
    "propose",
    "read_updates",
    "recent",
    "rename_topic",
    "report",
    "report_lines",
    "resume",
    "retire",
    "search",
    "session",
    "sessions",
    "sessions_of",
    "set_pin_status",
    "standing",
    "stats",
    "tell_lines",
    "tell_report",
    "timeline",
    "topics",
    "undo_forget",
    "undo_updates",
    "unpin",
    "unwritable",
    "used",
    "warm",
    "without_graph",
)
APP_METHODS = (
    "cancel_reading",
    "cancel_rebuild",
    "cancel_sharing",
    "collect",
    "copy",
    "import_history",
    "merge",
    "pause",
    "privacy",
    "problems",
    "quit",
    "rebuild",
    "reload",
    "resume",
    "share_now",
    "share_off",
    "share_on",
    "share_remove",
    "share_state",
    "show",
    "status",
)

_LONG = frozenset(
    {
        "collect",
        "forget",
        "forget_excluded",
        "import_history",
        "merge",
        "preview_excluded",
        "rebuild",
        "retire",
        "share_now",
        "undo_forget",
    }
)
_SHORT = {"status": 15.0, "problems": 15.0}
_DAY = 24 * 3_600.0


class _Remote:
    _protocol = ""
    _methods: tuple[str, ...] = ()

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in self._methods:
            raise AttributeError(name)

        def call(*arguments: Any, **named: Any) -> Any:
            message = encode([list(arguments), named])
            timeout = _DAY if name in _LONG else _SHORT.get(name, ANSWER_SECONDS)
            return decode(ask(self._folder, self._protocol, name, message, timeout))

        return call


class RemoteMemory(_Remote):
    """The same methods as Memory."""

    _protocol = "memory"
    _methods = MEMORY_METHODS


class RemoteApp(_Remote):
    """The same methods as App."""

    _protocol = "app"
    _methods = APP_METHODS
