"""`popup`: asks the running app to open search, or to copy. Standard library only: a key press feels immediate."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

_USAGE = """usage: desktop-memory popup [--copy] [--home FOLDER]

Opens search in the running app. Bind it to a key.
With --copy it opens nothing and copies the last 15 minutes; again within 5 seconds the last hour, then the session."""
_ADVICE = "Start it with `desktop-memory run`."


def popup(arguments: Sequence[str]) -> int:
    """Open search in the running app, or with --copy copy the last 15 minutes; 1 when none runs."""
    if any(argument in ("-h", "--help") for argument in arguments):
        print(_USAGE)
        return 0
    from desktop_memory.errors import KnownError
    from desktop_memory.ipc.client import NotRunning, tell

    try:
        tell(_folder(arguments), "show", "copy" if "--copy" in arguments else "search")
    except NotRunning:
        print(f"desktop-memory: the app is not running. {_ADVICE}", file=sys.stderr)
        return 1
    except KnownError as error:
        print(f"desktop-memory: {error.problem} {error.advice}", file=sys.stderr)
        return error.exit_code
    return 0


def _folder(arguments: Sequence[str]) -> Path:
    named = ""
    for at, argument in enumerate(arguments):
        if argument == "--home" and at + 1 < len(arguments):
            named = arguments[at + 1]
        elif argument.startswith("--home="):
            named = argument.removeprefix("--home=")
    named = named or os.environ.get("DESKTOP_MEMORY_HOME", "")
    if named:
        return Path(named).expanduser().absolute()
    import platformdirs

    return platformdirs.user_data_path("desktop-memory", appauthor=False)
