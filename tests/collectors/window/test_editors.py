"""What an editor's title tells, by the patterns that come with the app."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.window import apps
from collectors.window.apps import readable
from collectors.window.backend import window
from collectors.window.editors import Edited, load, read
from desktop_memory.resources import resource

NAMES = apps.load(resource("apps.toml"))
EDITORS = load(resource("editors.toml"))


@pytest.mark.parametrize(
    ("app", "title", "project", "file"),
    [
        ("code", "retry.py - shop - Visual Studio Code", "shop", "retry.py"),
        ("Code", "● retry.py - shop - Visual Studio Code", "shop", "retry.py"),
        ("Code", "retry.py — shop — Visual Studio Code", "shop", "retry.py"),
        ("Code", "retry.py (Working Tree) - shop - Visual Studio Code", "shop", "retry.py"),
        ("Code", "retry.py (Working Tree) (retry.py) - shop - Visual Studio Code", "shop", "retry.py"),
        ("Code", "retry (old).py - shop - Visual Studio Code", "shop", "retry (old).py"),
        ("code", "my-file.test.ts - my-shop - Visual Studio Code", "my-shop", "my-file.test.ts"),
        ("Code", "main.rs - shop [SSH: build-host] - Visual Studio Code", "shop", "main.rs"),
        ("Code", "main.rs - shop (Workspace) - Work - Visual Studio Code", "shop", "main.rs"),
        ("codium", "main.rs - shop - VSCodium", "shop", "main.rs"),
        ("Cursor", "main.rs - shop - Cursor", "shop", "main.rs"),
        ("code", "shop - Visual Studio Code", "shop", ""),
        ("code", "Welcome - shop - Visual Studio Code", "shop", ""),
        ("code", "Visual Studio Code", "", ""),
        ("firefox", "retry.py - shop - Visual Studio Code", "", ""),
    ],
)
def test_a_title_tells_file_and_project(app: str, title: str, project: str, file: str):
    edited = read(window(title, app_id=app), "", EDITORS)

    assert edited == Edited(project=project, files=(file,) if file else ())


@pytest.mark.parametrize(
    ("app", "title", "project", "file"),
    [
        ("jetbrains-pycharm-ce", "shop – retry.py", "shop", "retry.py"),
        (
            "jetbrains-idea",
            "shop [~/code/shop] – src/main/Shop.java [shop.main] - IntelliJ IDEA",
            "shop",
            "src/main/Shop.java",
        ),
        ("jetbrains-goland", "my-shop – .../cmd/main.go", "my-shop", ".../cmd/main.go"),
        ("jetbrains-pycharm", "shop", "shop", ""),
        ("jetbrains-pycharm", "Welcome to PyCharm", "", ""),
        ("sublime_text", "retry.py (shop) - Sublime Text (UNREGISTERED)", "shop", "retry.py"),
        ("Sublime_text", "~/shop/retry.py • (shop) - Sublime Text", "shop", "/home/me/shop/retry.py"),
        ("dev.zed.Zed", "shop — retry.py", "shop", "retry.py"),
        ("dev.zed.Zed", "empty project", "", ""),
        ("Alacritty", "retry.py (~/shop/src) - NVIM", "", "/home/me/shop/src/retry.py"),
        ("gnome-terminal-server", "retry.py + (~/shop) - VIM", "", "/home/me/shop/retry.py"),
        ("Gvim", "[No Name] - GVIM", "", ""),
        ("Emacs", "retry.py - GNU Emacs at host", "", "retry.py"),
        ("Emacs", "*scratch* - GNU Emacs at host", "", ""),
        ("emacs", "retry.py – Doom Emacs", "", "retry.py"),
        ("emacs", "*doom* – Doom Emacs", "", ""),
        ("gedit", "*retry.py (~/shop) - gedit", "", "/home/me/shop/retry.py"),
        ("org.gnome.TextEditor", "notes.txt (~/Documents) - Text Editor", "", "/home/me/Documents/notes.txt"),
        ("Mousepad", "~/shop/retry.py - Mousepad", "", "/home/me/shop/retry.py"),
        ("org.kde.kate", "retry.py  — Kate", "", "retry.py"),
        ("org.kde.kate", "shop: retry.py * — Kate", "shop", "retry.py"),
        ("notepad++", r"*C:\shop\retry.py - Notepad++", "", r"C:\shop\retry.py"),
        ("obsidian", "Retry plan - Work - Obsidian v1.5.3", "Work", "Retry plan"),
        ("libreoffice-writer", "letter.odt — LibreOffice Writer", "", "letter.odt"),
        ("WINWORD", "letter.docx - Read-Only - Word", "", "letter.docx"),
        ("firefox", "How to quit - VIM", "", ""),
    ],
)
def test_other_editors_are_data_too(
    monkeypatch: pytest.MonkeyPatch, app: str, title: str, project: str, file: str
):
    monkeypatch.setenv("HOME", "/home/me")

    edited = read(window(title, app_id=app), readable(app, NAMES), EDITORS)

    assert edited == Edited(project=project, files=(file,) if file else ())


@given(
    st.text("-–—() []•*:./~ a", max_size=300),
    st.sampled_from(["code", "jetbrains-idea", "sublime_text", "emacs", "kate"]),
)
@settings(deadline=None)
def test_no_title_is_too_hard(title: str, app: str):
    began = time.process_time()

    read(window(title + " - Visual Studio Code", app_id=app), "", EDITORS)

    assert time.process_time() - began < 0.5


def test_a_long_title_is_read_in_no_time():
    hostile = "● " + "a - " * 240 + "Visual Studio Code!"

    assert read(window(hostile, app_id="code"), "VS Code", EDITORS) == Edited()
