"""`demo`: a made-up fortnight in a throw-away profile, in the window or as a printed tour."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from pathlib import Path

import platformdirs

from desktop_memory.cli.output import say
from desktop_memory.cli.tour import tour, typed
from desktop_memory.clock import NOW_VARIABLE
from desktop_memory.counting import counted

_MARK = "demo"
TOUR = (
    ("now",),
    ("search", "duplicate", "charge", "retry", "--limit", "6"),
    ("session",),
    ("resume", "--project", "billing-api"),
    ("context",),
)


def demo(arguments: argparse.Namespace) -> int:
    """Make the profile anew, then open the app on it or print the tour."""
    from desktop_memory.desktop.display import has_display
    from desktop_memory.ipc.remote import RemoteApp
    from desktop_memory.reach import running

    folder = Path(getattr(arguments, "home", None) or usual_folder())
    if running(folder):
        say("The demo runs already; here it is.")
        RemoteApp(folder).show("window")
        return 0
    _make(folder)
    if has_display() and not arguments.tour:
        from desktop_memory.ui.run import run

        return run(folder, demo=True)
    return _tour(folder, arguments)


def usual_folder() -> Path:
    """Where the profile lies that nobody chose a place for."""
    return platformdirs.user_cache_path("desktop-memory") / "demo"


def is_demo(folder: Path) -> bool:
    return (folder / _MARK).exists()


def _make(folder: Path) -> None:
    from desktop_memory import demo, settings
    from desktop_memory.app import App
    from desktop_memory.assembly import SETTINGS_FILE
    from desktop_memory.owner import OwnerLock

    if (folder / "memory.sqlite").exists() and not is_demo(folder):
        from desktop_memory.errors import KnownError

        raise KnownError(f"{folder} holds a real memory.", "Choose another folder with --home.")
    if folder.exists():
        lock = OwnerLock(folder)  # a demo that runs keeps its folder
        lock.acquire()
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()
    folder.mkdir(mode=0o700, parents=True)
    (folder / _MARK).touch(mode=0o600)
    os.environ.setdefault(NOW_VARIABLE, demo.NOW.isoformat())
    os.environ["TZ"] = demo.ZONE_NAME
    if hasattr(time, "tzset"):  # not on Windows
        time.tzset()
    from desktop_memory.clock import clock

    people = folder / "home"
    os.umask(0o077)
    print("Making up a fortnight …", end="", file=sys.stderr, flush=True)
    settings.save(demo.settings(), folder / SETTINGS_FILE)
    demo.lay_out(people, clock())
    app = App.open(folder)
    try:
        receipt = demo.fill(app.memory, clock(), home=people)
        app.catch_up(seconds=60)
    finally:
        app.close()
    print(f" {counted(receipt.new, 'event')} in {folder}", file=sys.stderr)


def _tour(folder: Path, given: argparse.Namespace) -> int:
    tour(given, ["--home", str(folder)], TOUR)
    say(
        f"\nTry your own: {NOW_VARIABLE}={os.environ[NOW_VARIABLE]} TZ={os.environ['TZ']} "
        f"{typed()} --home {folder} search …"
    )
    return 0
