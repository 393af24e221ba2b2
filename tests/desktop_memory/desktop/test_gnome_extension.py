"""Our extension for GNOME Shell: put where GNOME looks for it, and taken away again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_memory.desktop import gnome_extension
from desktop_memory.desktop.outside import changes
from desktop_memory.errors import KnownError

SHELL = "#!/bin/sh\necho 'GNOME Shell {version}'\n"
SETTINGS = """#!/bin/sh
# Keeps one value in a file, as gsettings does.
case "$1" in
get) cat "$HOME/enabled" 2>/dev/null || echo '@as []' ;;
set) printf '%s\\n' "$4" > "$HOME/enabled" ;;
esac
"""


def gnome(folder: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with this GNOME: where it is really installed, test_window_gnome.py loads the extension in it."""
    for name, text in (("gnome-shell", SHELL.format(version=version)), ("gsettings", SETTINGS)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@pytest.mark.parametrize(
    ("version", "modules"), [("42.9", False), ("44.2", False), ("45.0", True), ("61.1", True)]
)
def test_the_form_fits_the_version(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, modules: bool
):
    gnome(tmp_path, version, monkeypatch)

    told = gnome_extension.install()

    where = home / ".local/share/gnome-shell/extensions/desktop-memory@desktopmemory.org"
    about = json.loads((where / "metadata.json").read_text())
    assert ("export default" in (where / "extension.js").read_text()) is modules
    assert version.split(".")[0] in about["shell-version"]
    assert about["uuid"] == where.name
    assert str(where) in told
    assert gnome_extension.installed()


def test_other_extensions_stay_as_they_are(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    gnome(tmp_path, "43.9", monkeypatch)
    (home / "enabled").write_text("['dash@example.org']\n")

    gnome_extension.install()
    gnome_extension.install()
    assert (home / "enabled").read_text() == "['dash@example.org', 'desktop-memory@desktopmemory.org']\n"

    (change,) = changes(home)
    change.undo()
    assert (home / "enabled").read_text() == "['dash@example.org']\n"
    assert not Path(change.path).exists()
    assert changes(home) == []
    assert not gnome_extension.installed()
    assert "not installed" in gnome_extension.remove()


def test_without_gnome_nothing_is_changed(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(KnownError):
        gnome_extension.install()

    gnome(tmp_path, "3.38.6", monkeypatch)
    with pytest.raises(KnownError):
        gnome_extension.install()

    assert not gnome_extension.folder().exists()
