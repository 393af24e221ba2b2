"""Where no program can take a key: one button has the desktop itself bind it, or installs our part of GNOME."""

from __future__ import annotations

import os
from collections.abc import Callable

from PySide6.QtWidgets import QPushButton

from desktop_memory.desktop import gnome_extension, own_shortcut
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.notices import Deed
from desktop_memory.ui.parts import button
from desktop_memory.ui.setting_fields import HOTKEYS
from desktop_memory.ui.setting_form import SettingForm
from desktop_memory.ui.words import tr


def add_rows(desk: Desk, form: SettingForm) -> list[QPushButton]:
    """The rows of this desktop, if it has any, below the keys."""
    made = []
    desktop = own_shortcut.here()
    if desktop is not None:
        made.append(button(desk.theme, tr("Bind them there"), lambda: write(desk)))
        told = tr("If a key does nothing, let {desktop} itself bind it").format(desktop=desktop.name)
        form.add_row("desktop", told, made[-1], "shortcut hotkey")
    if on_gnome() and not gnome_extension.installed():
        made.append(button(desk.theme, tr("Install it"), lambda: _run(desk, gnome_extension.install)))
        told = tr("The extension for GNOME: windows, keys, clipboard and a menu in the top bar")
        form.add_row("desktop", told, made[-1], "gnome extension")
    for each in made:
        each.setAccessibleName(each.text())
    return made


def write(desk: Desk) -> None:
    """Let the desktop bind the keys of the settings, and say what it did or what to bind by hand."""
    wanted = [
        (deed, keys) for name, deed in HOTKEYS.items() if (keys := getattr(desk.settings.desktop, name))
    ]
    folder = None if desk.demo else desk.folder
    _run(desk, lambda: " ".join(own_shortcut.write(deed, keys, folder) for deed, keys in wanted))


def deeds(desk: Desk) -> tuple[Deed, ...]:
    """What a notice can offer when a key could not be taken."""
    if own_shortcut.here() is None:
        return ()
    return ((tr("Use the desktop's own shortcut"), lambda: write(desk)),)


def on_gnome() -> bool:
    """Whether this is GNOME on Wayland, where programs can do little without the extension."""
    names = os.environ.get("XDG_CURRENT_DESKTOP", "").casefold().split(":")
    return "gnome" in names and bool(os.environ.get("WAYLAND_DISPLAY"))


def _run(desk: Desk, act: Callable[[], str]) -> None:
    desk.background.run(
        act, lambda told: desk.notices.say(told or tr("No key is chosen.")), desk.notices.failed
    )
