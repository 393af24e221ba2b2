"""Installs and removes our extension for GNOME Shell, without which GNOME on Wayland tells no program its windows.

See https://gjs.guide/extensions/overview/anatomy.html.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from desktop_memory.errors import KnownError
from desktop_memory.resources import resource

UUID = "desktop-memory@desktopmemory.org"

_OLDEST, _MODULES_SINCE = 42, 45
_ENABLED = ("org.gnome.shell", "enabled-extensions")


def install() -> str:
    """Put the extension where GNOME finds it and switch it on; what was done and what is left to do, for people.

    Raises KnownError, with nothing changed, where there is no GNOME Shell or one that is too old.
    """
    version = shell_version()
    if version < _OLDEST:
        raise KnownError(
            f"GNOME {version} is too old for the extension.", f"It needs GNOME {_OLDEST} or later."
        )
    try:
        _copy("esm" if version >= _MODULES_SINCE else "legacy", version)
    except OSError as why:
        raise KnownError(
            f"{folder()} cannot be written: {why.strerror or why}", "Check its permissions."
        ) from why
    _switch(on=True)
    return (
        f"The extension is installed in {folder()}. It starts when you log in the next time; "
        "until then GNOME on Wayland tells of no windows, so none are recorded."
    )


def remove() -> str:
    """Take the extension away; harmless when it is not there."""
    if not folder().exists():
        return "The extension was not installed."
    _switch(on=False)
    try:
        shutil.rmtree(folder())
    except OSError as why:
        raise KnownError(
            f"{folder()} cannot be removed: {why.strerror or why}", "Remove it by hand."
        ) from why
    return f"The extension was removed from {folder()}."


def installed() -> bool:
    """Whether the files are there and GNOME was told to load them."""
    return (folder() / "extension.js").is_file() and UUID in _enabled()


def folder() -> Path:
    """Where the extension is, or would be."""
    data = os.environ.get("XDG_DATA_HOME", "")
    base = Path(data) if os.path.isabs(data) else Path.home() / ".local" / "share"
    return base / "gnome-shell" / "extensions" / UUID


def shell_version() -> int:
    """The major version of the GNOME Shell that is installed. Raises KnownError when none is."""
    said = _said("gnome-shell", "--version")
    found = re.search(r"(\d+)\.", said or "")
    if found is None:
        raise KnownError(
            "There is no GNOME Shell here.", "The extension is for GNOME only; other desktops need none."
        )
    return int(found[1])


def _copy(form: str, version: int) -> None:
    """The files in that form, made valid for this version; in place of older ones only once they are complete."""
    folder().parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=".desktop-memory-", dir=folder().parent))
    shutil.copyfile(resource("gnome-extension", form, "extension.js"), fresh / "extension.js")
    about = json.loads(resource("gnome-extension", form, "metadata.json").read_text(encoding="utf-8"))
    about["shell-version"] = sorted({*about["shell-version"], str(version)})
    (fresh / "metadata.json").write_text(json.dumps(about, indent=2), encoding="utf-8")
    fresh.chmod(0o755)
    shutil.rmtree(folder(), ignore_errors=True)
    fresh.rename(folder())


def _switch(*, on: bool) -> None:
    """Add it to, or take it from, the extensions that GNOME loads."""
    enabled = [uuid for uuid in _enabled() if uuid != UUID]
    if on:
        enabled.append(UUID)
    if enabled != _enabled() and _said("gsettings", "set", *_ENABLED, repr(enabled)) is None:
        raise KnownError(
            "GNOME's settings cannot be changed here.",
            f"Switch the extension {UUID} on in the app Extensions.",
        )


def _enabled() -> list[str]:
    said = (_said("gsettings", "get", *_ENABLED) or "").removeprefix("@as ").strip()
    try:
        found = ast.literal_eval(said) if said else []
    except (ValueError, SyntaxError):
        return []
    return [str(uuid) for uuid in found] if isinstance(found, list) else []


def _said(*command: str) -> str | None:
    """What the program says; None when it is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
