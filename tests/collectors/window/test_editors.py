"""What an editor's title tells, by the patterns that come with the app."""

from __future__ import annotations

import pytest

from collectors.window.backend import window
from collectors.window.editors import Edited, load, read
from desktop_memory.resources import resource

EDITORS = load(resource("editors.toml"))


@pytest.mark.parametrize(
    ("app", "title", "project", "file"),
    [
        ("code", "retry.py - shop - Visual Studio Code", "shop", "retry.py"),
        ("Code", "● retry.py - shop - Visual Studio Code", "shop", "retry.py"),
        ("Code", "retry.py — shop — Visual Studio Code", "shop", "retry.py"),
        ("Code", "retry.py (Working Tree) - shop - Visual Studio Code", "shop", "retry.py"),
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


def test_a_long_title_is_read_in_no_time():
    hostile = "● " + "a - " * 240 + "Visual Studio Code!"

    assert read(window(hostile, app_id="code"), "VS Code", EDITORS) == Edited()
