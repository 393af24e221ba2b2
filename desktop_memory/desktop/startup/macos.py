"""A property list in ~/Library/LaunchAgents, which launchd starts at login.

See launchd.plist(5). Since macOS 13 the user can also switch it off in System Settings, General, Login Items;
launchd does not tell, so that is not seen here.
"""

from __future__ import annotations

import plistlib
from collections.abc import Sequence
from pathlib import Path

from desktop_memory.desktop.startup.entry import Entry


class LaunchAgent:
    def __init__(self, name: str) -> None:
        self._label = f"org.{name}.{name}"
        self._file = Path.home() / "Library" / "LaunchAgents" / f"{self._label}.plist"

    def where(self) -> str:
        return str(self._file)

    def read(self) -> Entry | None:
        try:
            with self._file.open("rb") as file:
                found = plistlib.load(file)
        except FileNotFoundError:
            return None
        except (plistlib.InvalidFileException, ValueError):
            return Entry(command=())
        command = tuple(str(argument) for argument in found.get("ProgramArguments", ()))
        enabled = bool(found.get("RunAtLoad", False)) and not found.get("Disabled", False)
        return Entry(command=command, enabled=enabled)

    def write(self, command: Sequence[str]) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._file.with_suffix(".new")
        with fresh.open("wb") as file:
            plistlib.dump(
                {
                    "Label": self._label,
                    "ProgramArguments": list(command),
                    "RunAtLoad": True,
                    "LimitLoadToSessionType": "Aqua",
                    "ProcessType": "Interactive",
                },
                file,
            )
        fresh.replace(self._file)

    def remove(self) -> None:
        self._file.unlink(missing_ok=True)
