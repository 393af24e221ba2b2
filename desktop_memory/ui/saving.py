"""Keeping a changed setting: written to its file, read again by the app, put back when that fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from desktop_memory import settings as settings_file
from desktop_memory.errors import KnownError
from desktop_memory.settings import Settings
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.setting_fields import changed
from desktop_memory.ui.words import tr

FILE = "settings.toml"


def save_setting(desk: Desk, section: str, name: str, value: Any, then: Callable[[], object]) -> None:
    """Change one setting; `then` follows when it is kept and acts, a notice when it could not be."""
    before = desk.settings
    desk.settings = changed(before, section, name, value)
    after = desk.settings

    def not_saved(error: Exception) -> None:
        desk.settings = before
        if isinstance(error, OSError):
            error = KnownError(
                tr("The setting was not saved: {why}.").format(why=error.strerror or error),
                tr("It is as it was. See whether the disk is full or the folder is read-only."),
            )
        desk.notices.failed(error)

    desk.background.run(lambda: _write(desk, after), lambda _: then(), not_saved)


def _write(desk: Desk, chosen: Settings) -> None:
    if desk.folder is None:
        raise KnownError(tr("There is no folder to keep settings in."), tr("They are as they were."))
    settings_file.save(chosen, desk.folder / FILE)
    desk.app.reload()
