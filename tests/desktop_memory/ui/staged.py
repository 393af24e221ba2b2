"""A program for tests on a real screen: all screens over the scripted memory, told what to do on standard input."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import QApplication

from desktop_memory.ui import display
from desktop_memory.ui.application import application
from desktop_memory.ui.background import Background
from desktop_memory.ui.bridge import Bridge
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.notices import Notices
from desktop_memory.ui.screens import Screens
from desktop_memory.ui.theme import Theme
from tests.desktop_memory.ui.scripted import ScriptedApp, ScriptedMemory


def main(folder: Path, show: str) -> int:
    os.environ["TZ"] = "Europe/Berlin"
    time.tzset()
    qt = application()
    memory = ScriptedMemory()
    bridge, background = Bridge(), Background()
    memory.changed.append(bridge.notify)
    desk = Desk(
        memory=memory, app=ScriptedApp(memory), background=background, bridge=bridge, theme=Theme("light"),
        notices=Notices(), clock=memory.clock,
    )  # fmt: skip
    screens = Screens(desk, kept=folder / "window.json", composited=display.composited())
    screens.begin(show)
    screens.look()
    print("tray" if screens.tray.icon is not None else "no tray", flush=True)
    screens.tray.appeared.connect(lambda: print("tray appeared", flush=True))

    def told() -> None:
        word = sys.stdin.readline().strip()
        acts = {"search": bridge.search, "window": bridge.window, "copy": bridge.copy, "quit": bridge.quit}
        acts.get(word, QApplication.quit)()

    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda *_: told())
    code = qt.exec()
    screens.end()
    background.close()
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""))
