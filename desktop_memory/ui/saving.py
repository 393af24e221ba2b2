"""Keeping a changed setting: written to its file, read again by the app, put back when that fails."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from desktop_memory import settings as settings_file
from desktop_memory.errors import KnownError
from desktop_memory.settings import Settings
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.setting_fields import changed
from desktop_memory.ui.words import tr

FILE = "settings.toml"

_one_at_a_time = threading.Lock()


def save_setting(desk: Desk, section: str, name: str, value: Any, then: Callable[[], object]) -> None:
    """Change one setting; `then` follows when it is kept and acts, a notice when it could not be."""
    before = desk.settings
    desk.settings = changed(before, section, name, value)

    def not_saved(error: Exception) -> None:
        desk.settings = before
        if isinstance(error, OSError):
            error = KnownError(
                tr("The setting was not saved: {why}.").format(why=error.strerror or error),
                tr("It is as it was. See whether the disk is full or the folder is read-only."),
            )
        desk.notices.failed(error)

    desk.background.run(lambda: _write(desk, before), lambda _: then(), not_saved)


def _write(desk: Desk, before: Settings) -> None:
    """Write what is chosen by now: two changes in a row may be written in any order.

    A rule that the app cannot read does not stay in the file: it could not start with it.
    """
    if desk.folder is None:
        raise KnownError(tr("There is no folder to keep settings in."), tr("They are as they were."))
    with _one_at_a_time:
        settings_file.save(desk.settings, desk.folder / FILE)
        try:
            desk.app.reload()
        except KnownError:
            settings_file.save(before, desk.folder / FILE)
            desk.app.reload()
            raise
