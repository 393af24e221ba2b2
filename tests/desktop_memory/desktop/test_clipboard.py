"""Copying without a window, with the real programs and a real terminal."""

from __future__ import annotations

import base64
import contextlib
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_memory.desktop import clipboard
from desktop_memory.errors import KnownError
from tests.desktop_session import Screen, need, screen
from tests.wayland_session import Sway, sway

__all__ = ["screen", "sway"]

TEXT = 'Context\n- 09:42 retry.py "日本語 😀 ă"\n'


@pytest.fixture(autouse=True)
def no_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", "TMUX"):
        monkeypatch.delenv(variable, raising=False)


def pasted(screen: Screen) -> str:
    command = ("xclip", "-selection", "clipboard", "-o")
    return subprocess.run(
        command, env=dict(os.environ, DISPLAY=screen.display), capture_output=True, text=True
    ).stdout


@pytest.mark.desktop
def test_a_text_comes_back_as_it_was(screen: Screen):
    need("xclip")

    by = clipboard.copy(TEXT)

    assert by == "xclip"
    assert pasted(screen) == TEXT


@pytest.mark.desktop
def test_a_megabyte_too(screen: Screen):
    need("xclip")
    text = "line of context\n" * 70_000

    clipboard.copy(text)

    assert pasted(screen) == text


@pytest.mark.desktop
def test_an_empty_text_leaves_the_clipboard_as_it_was(screen: Screen):
    need("xclip")
    clipboard.copy(TEXT)

    with pytest.raises(KnownError):
        clipboard.copy(" \n")

    assert pasted(screen) == TEXT


@pytest.mark.desktop
def test_a_program_that_only_says_it_copied_is_found_out(
    screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The text is read back: here every program takes it and has something else."""
    liar = tmp_path / "xclip"
    liar.write_text("#!/bin/sh\n[ $# = 3 ] && echo other || exec /bin/cat >/dev/null\n")
    liar.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(KnownError) as raised:
        clipboard.copy(TEXT)

    assert "xclip" in raised.value.problem


def test_without_a_desktop_it_says_what_would_help(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)

    with pytest.raises(KnownError) as raised:
        clipboard.copy(TEXT)

    assert "--copy" in raised.value.advice


@pytest.mark.parametrize(("variable", "program"), [("WAYLAND_DISPLAY", "wl-clipboard"), ("DISPLAY", "xclip")])
def test_what_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, program: str
):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    monkeypatch.setenv(variable, "x")
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(KnownError) as raised:
        clipboard.copy(TEXT)

    assert program in raised.value.advice


IN_A_TERMINAL = """
import os
os.close(os.open(os.ttyname(0), os.O_RDWR))  # now it is the controlling terminal of this session
from desktop_memory.desktop import clipboard
print(clipboard.copy("hello \\u00e4"), flush=True)
"""


def in_a_terminal(**variables: str) -> bytes:
    """What a terminal receives when the text is copied there."""
    ours, its = pty.openpty()
    command = (sys.executable, "-c", IN_A_TERMINAL)
    env = dict(os.environ, **variables)
    with subprocess.Popen(command, env=env, stdin=its, stdout=its, stderr=its, start_new_session=True):
        os.close(its)
        said = b""
        with contextlib.suppress(OSError):  # Linux: the other end was closed
            while part := os.read(ours, 4096):
                said += part
    os.close(ours)
    return said


def test_over_ssh_the_terminal_copies():
    said = in_a_terminal(SSH_TTY="/dev/pts/1", TERM="xterm")

    assert b"\033]52;c;" + base64.b64encode("hello ä".encode()) + b"\a" in said
    assert b"the terminal" in said


def test_tmux_passes_it_on():
    said = in_a_terminal(SSH_TTY="/dev/pts/1", TERM="tmux-256color", TMUX="/tmp/tmux,1,0")

    assert said.startswith(b"\033Ptmux;\033\033]52;c;")
    assert b"\a\033\\" in said


def test_screen_passes_it_on_in_pieces(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TERM", "screen")

    sequence = clipboard.osc52(b"x" * 3000)

    pieces = sequence.split(b"\033\\")[:-1]
    assert all(piece.startswith(b"\033P") and len(piece) < 768 for piece in pieces)
    assert b"".join(piece[2:] for piece in pieces) == b"\033]52;c;" + base64.b64encode(b"x" * 3000) + b"\a"


@pytest.mark.desktop
def test_on_wayland_wl_copy_does_it(sway: Sway):
    need("wl-copy", "wl-paste")

    by = clipboard.copy(TEXT)

    assert by == "wl-copy"
    said = subprocess.run(("wl-paste", "--no-newline"), capture_output=True, text=True, check=True)
    assert said.stdout == TEXT
