"""The desktop's own shortcut, written where no program can take a key."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

from desktop_memory.desktop import own_shortcut
from desktop_memory.desktop.outside import changes
from desktop_memory.errors import KnownError
from tests.desktop_session import eventually, need
from tests.wayland_session import Sway, sway

__all__ = ["sway"]

LIST = "org.gnome.settings-daemon.plugins.media-keys"
SCHEMAS = f"""<schemalist>
  <schema id="{LIST}" path="/org/gnome/settings-daemon/plugins/media-keys/">
    <key name="custom-keybindings" type="as"><default>[]</default></key>
  </schema>
  <schema id="{LIST}.custom-keybinding">
    <key name="name" type="s"><default>''</default></key>
    <key name="command" type="s"><default>''</default></key>
    <key name="binding" type="s"><default>''</default></key>
  </schema>
</schemalist>"""
"""As in gnome-settings-daemon, for the real gsettings."""


@pytest.fixture
def gnome(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("gsettings", "glib-compile-schemas")
    folder = tmp_path / "schemas"
    folder.mkdir()
    (folder / "keys.gschema.xml").write_text(SCHEMAS)
    subprocess.run(("glib-compile-schemas", folder), check=True, timeout=20)
    monkeypatch.setenv("GSETTINGS_SCHEMA_DIR", str(folder))
    monkeypatch.setenv("GSETTINGS_BACKEND", "keyfile")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "ubuntu:GNOME")


def said(*words: str) -> str:
    done = subprocess.run(("gsettings", *words), capture_output=True, text=True, check=True, timeout=20)
    return done.stdout.strip()


def test_gnome_gets_custom_keybindings_beside_the_users_own(gnome: None, home: Path) -> None:
    said("set", LIST, "custom-keybindings", "['/a/custom0/']")

    told = own_shortcut.write("search", "Ctrl+Alt+Z")
    own_shortcut.write("copy", "Super+C", home / "other one")
    own_shortcut.write("search", "Ctrl+Alt+S")

    ours = "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/desktop-memory-{}/"
    assert said("get", LIST, "custom-keybindings") == str(
        ["/a/custom0/", ours.format("search"), ours.format("copy")]
    )
    one = f"{LIST}.custom-keybinding:{ours.format('search')}"
    assert said("get", one, "binding") == "'<Control><Alt>s'"
    assert said("get", one, "command").endswith("popup'")
    other = said("get", f"{LIST}.custom-keybinding:{ours.format('copy')}", "command")
    assert f"popup --home '{home / 'other one'}' --copy" in ast.literal_eval(other)
    assert "from now on" in told

    for change in changes(home):
        change.undo()
    assert said("get", LIST, "custom-keybindings") == "['/a/custom0/']"
    assert said("get", one, "binding") == "''"
    assert not own_shortcut.Gnome().has("copy")


def test_kde_gets_a_service_and_a_line_and_says_that_it_waits(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "kwriteconfig6"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$*" >> "$HOME/told"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "KDE")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)

    told = own_shortcut.write("copy", "Super+C")

    service = home / ".local/share/applications/desktop-memory-copy.desktop"
    assert "X-KDE-Shortcuts=Meta+C\n" in service.read_text()
    assert "popup --copy\n" in service.read_text()
    assert "log in the next time" in told
    line = "--file kglobalshortcutsrc --group services --group desktop-memory-copy.desktop --key _launch"
    assert (home / "told").read_text() == f"{line} Meta+C\n"
    (change,) = changes(home)
    change.undo()
    assert not service.exists()
    assert (home / "told").read_text().endswith(f"{line} --delete\n")


@pytest.mark.desktop
def test_sway_binds_at_once_and_keeps_the_line(
    sway: Sway, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("wtype")
    monkeypatch.setenv("SWAYSOCK", sway.socket)
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "sway")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    mark = Path(sway.runtime) / "pressed"
    monkeypatch.setattr(own_shortcut, "command", lambda deed, folder: ("touch", f"{mark}-{deed}"))

    assert "until you log out" in own_shortcut.write("search", "Ctrl+Alt+Z")
    config = home / ".config/sway/config"
    config.parent.mkdir(parents=True)
    config.write_text("# mine\n")
    assert "from now on" in own_shortcut.write("search", "Ctrl+Alt+Z")
    assert config.read_text().startswith("# mine\n")
    assert f"bindsym Ctrl+Mod1+z exec touch {mark}-search" in config.read_text()

    subprocess.run(("wtype", "-M", "ctrl", "-M", "alt", "-k", "z"), check=True, timeout=10)
    eventually(Path(f"{mark}-search").exists, what="the key did nothing")

    own_shortcut.Sway().remove("search")
    assert config.read_text() == "# mine\n"


def test_elsewhere_the_command_to_bind_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "Enlightenment")
    monkeypatch.delenv("SWAYSOCK", raising=False)

    with pytest.raises(KnownError) as failed:
        own_shortcut.write("copy", "Ctrl+Alt+Z")

    assert failed.value.advice.endswith("popup --copy")
