"""Finds the profiles of browsers. A profile is a folder that holds a history file.

All are taken: `profiles.ini` names the wrong one at times.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from collectors.browser.browsers import Browser


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """One profile of one browser; `history` is its database."""

    app: str
    name: str
    history: Path


def profiles(browsers: Iterable[Browser], home: Path, file: str) -> Iterator[Profile]:
    """Every profile of these browsers that has this history file, each once though folders may be links."""
    seen: set[Path] = set()
    for browser in browsers:
        for folder in browser.folders:
            for history in _histories(Path(_filled(folder, home)), file):
                real = Path(os.path.realpath(history))
                if real not in seen:
                    seen.add(real)
                    yield Profile(app=browser.name, name=history.parent.name, history=history)


def _histories(folder: Path, file: str) -> list[Path]:
    """The history in this folder itself (Opera) and in each folder right below."""
    try:
        found = [folder / file, *sorted(below / file for below in folder.iterdir())]
    except PermissionError:
        found = [folder / file]
    except OSError:
        return []
    return [history for history in found if _is_there(history)]


def _is_there(history: Path) -> bool:
    try:
        return history.is_file()
    except PermissionError:
        return True  # it says so when its turn comes
    except OSError:
        return False


def _filled(folder: str, home: Path) -> str:
    return folder.format(
        home=home,
        config=_variable("XDG_CONFIG_HOME", home / ".config", home),
        local=_variable("LOCALAPPDATA", home / "AppData" / "Local", home),
        roaming=_variable("APPDATA", home / "AppData" / "Roaming", home),
    )


def _variable(name: str, default: Path, home: Path) -> str:
    """The variable counts only for the home folder that it was made for."""
    given = os.environ.get(name, "")
    return given if os.path.isabs(given) and home == Path.home() else str(default)
