"""`uninstall`: what was done outside the data folder is undone; the folder itself goes only when asked for."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from functools import partial
from pathlib import Path

from desktop_memory.cli import demo
from desktop_memory.cli.asked import agreed
from desktop_memory.cli.output import print_json, say
from desktop_memory.cli.session import folder_of
from desktop_memory.desktop.outside import Change, changes
from desktop_memory.errors import BusyError, KnownError
from desktop_memory.ipc.client import tell
from desktop_memory.owner import OwnerLock
from desktop_memory.reach import running

_PATIENCE = 30.0
"""Seconds for the app to end: it finishes what it is writing."""


def uninstall(arguments: argparse.Namespace) -> None:
    """Undo every change, and say how the program itself goes."""
    folder = folder_of(arguments)
    for used in (folder, demo.usual_folder()):
        if running(used):
            if not arguments.quit:
                raise KnownError("The app is running.", "Quit it first: tray → Quit, or --quit.")
            _quit(used)
    done = []
    for change in [*changes(folder), *_ai_clients(folder), *_demo()]:
        change.undo()
        done.append(f"{change.what}: {change.path}")
    removed = arguments.data and _remove_data(folder, sure=arguments.yes)
    if arguments.json:
        print_json({"undone": done, "data_removed": bool(removed), "folder": str(folder)})
        return
    for line in done:
        say(f"undone   {line}")
    if not done:
        say("Nothing was changed outside the data folder.")
    say(f"removed  {folder}" if removed else f"kept     {folder} (remove it with --data)")
    say(f"The program itself: {_farewell()}")


def _ai_clients(folder: Path) -> list[Change]:
    """The AI clients that may ask this memory."""
    from desktop_memory.mcp import clients

    return [
        Change(f"{config.client} may ask", str(config.path), partial(clients.remove, config))
        for config in clients.known().values()
        if clients.asks(config, folder)
    ]


def _demo() -> list[Change]:
    """The made-up fortnight."""
    folder = demo.usual_folder()
    return [Change("demo", str(folder), partial(shutil.rmtree, folder))] if demo.is_demo(folder) else []


def _quit(folder: Path) -> None:
    """Ask the app to end, and wait until it has let the folder go."""
    tell(folder, "quit")
    end = time.monotonic() + _PATIENCE
    while True:
        lock = OwnerLock(folder)
        try:
            lock.acquire()
        except BusyError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            lock.release()
            return


def _farewell() -> str:
    """How the program goes, which depends on how it came."""
    if getattr(sys, "frozen", False):
        folder = Path(sys.executable).parent
        if folder == Path("/usr/lib/desktop-memory"):
            return "sudo apt remove desktop-memory"
        if sys.platform == "win32":
            return "Settings → Apps → Desktop Memory"
        whole = [parent for parent in folder.parents if parent.suffix == ".app"]
        return f"delete {(whole or [folder])[0]}"
    checkout = Path(__file__).parent.parent.parent
    if (checkout / "pyproject.toml").is_file():
        return f"delete {checkout}"
    by = "pipx" if (Path(sys.prefix) / "pipx_metadata.json").is_file() else "pip"
    return f"{by} uninstall desktop-memory"


def _remove_data(folder: Path, *, sure: bool) -> bool:
    from desktop_memory import encryption
    from desktop_memory.store.store import FILE_NAME

    if not (folder / FILE_NAME).exists():
        return False
    if not sure:
        if not sys.stdin.isatty():
            raise KnownError("Removing the memory needs a yes.", "Repeat it with --yes.")
        if not agreed(f"Remove everything in {folder}?"):
            return False
    lock = OwnerLock(folder)
    lock.acquire()
    encryption.leave(folder)
    shutil.rmtree(folder)
    lock.release()
    return True
