"""What a person calls a program."""

from __future__ import annotations

import pytest

from collectors.window.apps import load, readable
from desktop_memory.resources import resource

NAMES = load(resource("apps.toml"))


@pytest.mark.parametrize(
    ("app_id", "name"),
    [
        ("firefox-esr", "Firefox"),
        ("Firefox-esr", "Firefox"),
        ("Code", "VS Code"),
        ("org.gnome.Nautilus", "Nautilus"),
        ("org.gnome.TextEditor", "TextEditor"),
        ("xfce4-terminal", "Xfce4 Terminal"),
        ("jetbrains-pycharm-ce", "PyCharm"),
        ("EXCEL", "Excel"),
        ("com.microsoft.VSCode", "VS Code"),
        ("kitty", "kitty"),
        ("Gimp-2.10", "GIMP"),
        ("some_tool.exe", "Some Tool"),
        ("", ""),
    ],
)
def test_a_class_becomes_a_name(app_id: str, name: str):
    assert readable(app_id, NAMES) == name


def test_the_desktops_own_name_is_better_than_a_class_but_not_than_ours():
    assert readable("org.gnome.Nautilus", NAMES, "Files") == "Files"
    assert readable("firefox-esr", NAMES, "Firefox ESR") == "Firefox"
