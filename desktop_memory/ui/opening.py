"""What Enter opens: the page, the file, the folder of a command or a repository."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from desktop_memory.errors import KnownError
from desktop_memory.model import Event
from desktop_memory.ui.words import tr

_FOLDERS = ("cwd", "worktree", "folder")


def target(event: Event) -> str:
    """A url or an absolute path that can be opened for this event; empty when there is none."""
    if event.url.startswith(("http://", "https://", "file://")):
        return event.url
    path = event.details.get("path")
    candidates = [path, *event.files] if event.kind == "file" else []
    candidates += [event.details.get(name) for name in _FOLDERS]
    return next((p for p in candidates if isinstance(p, str) and os.path.isabs(p)), "")


def open_event(event: Event) -> None:
    """Open it with the desktop's own program.

    Raises KnownError when there is nothing to open, it is gone, or no program takes it.
    """
    found = target(event)
    if not found:
        raise KnownError(
            tr("This record has nothing that can be opened."), tr("Copy it, or look at it in the timeline.")
        )
    open_target(found)


def open_target(found: str) -> None:
    """Open a url or a path. Raises KnownError when it is gone, or no program takes it."""
    if "://" not in found and not Path(found).exists():
        raise KnownError(tr("{path} is no longer there.").format(path=found), tr("It was moved or deleted."))
    url = QUrl(found) if "://" in found else QUrl.fromLocalFile(found)
    if not QDesktopServices.openUrl(url):
        raise KnownError(
            tr("No program opened {path}.").format(path=url.toDisplayString()[:120]),
            tr("Set a default program for it in the desktop's settings."),
        )
