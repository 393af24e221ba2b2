"""The clipboard without a window: by the desktop's own programs, or through the terminal (OSC 52)."""

from __future__ import annotations

import base64
import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_memory.desktop import gnome_hands
from desktop_memory.errors import KnownError

logger = logging.getLogger(__name__)

_PATIENCE = 5.0
_LOOKS = 10
"""xclip leaves before the X server has heard of the new text: it may take a moment to appear."""
_TERMINAL_LIMIT = 74_994
"""Bytes of text that terminals take by OSC 52: 100,000 of base64 with what is around it."""


@dataclass(frozen=True, slots=True)
class _Program:
    """Commands that put a text on the clipboard and read it back; empty: it cannot be read."""

    put: Sequence[str]
    get: Sequence[str]
    encoding: str = "utf-8"
    empty: Sequence[str] = ()
    """What empties the clipboard, where an empty text does not."""


def copy(text: str) -> str:
    """Put this text on the clipboard, look whether it is there, and say by what it was done.

    Raises KnownError when it is empty (the clipboard stays as it was) or when nothing could take it.
    """
    if not text.strip():
        raise KnownError("There is nothing to copy.", "The clipboard was left as it was.")
    if sys.platform == "win32":
        from desktop_memory.desktop import clipboard_windows

        clipboard_windows.put(text)
        return "Windows"
    if os.environ.get("WAYLAND_DISPLAY") and gnome_hands.copy(text):
        return "GNOME"
    tried = []
    for program in _programs():
        if shutil.which(program.put[0]) is None:
            continue
        if _by(program, text):
            return program.put[0]
        tried.append(program.put[0])
    if _by_terminal(text):
        return "the terminal"
    raise KnownError(*_why(tried))


def held() -> str | None:
    """The text on the clipboard, by the desktop's own programs; None when there is none or nothing can read it."""
    for program in _programs():
        if program.get and shutil.which(program.get[0]) is not None:
            said = _run(program.get, None, wanted=True)
            return None if not said else said.decode("utf-8", "replace")
    return None


def clear(text: str) -> None:
    """Empty the clipboard if it still holds this text."""
    if held() != text:
        return
    for program in _programs():
        if program.put and shutil.which(program.put[0]) is not None:
            _run(program.empty or program.put, None if program.empty else b"")
            return


def _programs() -> Sequence[_Program]:
    """What may reach the clipboard here, the best first."""
    if sys.platform == "darwin":
        return (_Program(("pbcopy",), ("pbpaste",)),)
    found = []
    if os.environ.get("WAYLAND_DISPLAY"):
        found.append(_Program(("wl-copy",), ("wl-paste", "--no-newline"), empty=("wl-copy", "--clear")))
    if os.environ.get("DISPLAY"):
        found.append(
            _Program(("xclip", "-selection", "clipboard"), ("xclip", "-selection", "clipboard", "-o"))
        )
        found.append(_Program(("xsel", "--clipboard", "--input"), ("xsel", "--clipboard", "--output")))
    if _in_windows_subsystem():
        found.append(_Program(("clip.exe",), (), "utf-16"))
    return found


def _by(program: _Program, text: str) -> bool:
    """Whether the text is on the clipboard now."""
    # xclip, xsel and wl-copy stay behind to hand the text out: they must not keep our output open.
    if _run(program.put, text.encode(program.encoding, "replace")) is None:
        return False
    if not program.get or shutil.which(program.get[0]) is None:
        return True
    wanted = text.encode("utf-8", "replace")
    for _ in range(_LOOKS):
        if _run(program.get, None, wanted=True) == wanted:
            return True
        time.sleep(0.05)
    return False


def _run(command: Sequence[str], given: bytes | None, *, wanted: bool = False) -> bytes | None:
    """What the program said; None when it failed or took too long."""
    env = dict(os.environ, LC_CTYPE="UTF-8") if sys.platform == "darwin" else None
    try:
        done = subprocess.run(
            command,
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            stdout=subprocess.PIPE if wanted else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=True,
            env=env,
        )
    except (OSError, subprocess.SubprocessError) as why:
        logger.info("%s failed: %s", command[0], type(why).__name__)
        return None
    return done.stdout or b""


def _by_terminal(text: str) -> bool:
    """Ask the terminal to copy, which also works over SSH. It does not say whether it did."""
    data = text.encode("utf-8", "replace")
    if len(data) > _TERMINAL_LIMIT or not (os.environ.get("SSH_TTY") or sys.stderr.isatty()):
        return False
    try:
        with open("/dev/tty", "wb", buffering=0) as terminal:
            terminal.write(osc52(data))
    except OSError:
        return False
    return True


def osc52(data: bytes) -> bytes:
    """The control sequence that copies, wrapped for the multiplexer it must pass.

    See https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, "Operating System Commands", 52.
    """
    sequence = b"\033]52;c;" + base64.b64encode(data) + b"\a"
    if os.environ.get("TMUX"):
        return b"\033Ptmux;" + sequence.replace(b"\033", b"\033\033") + b"\033\\"
    if os.environ.get("TERM", "").startswith("screen"):
        # screen passes strings of at most 768 bytes.
        parts = [sequence[at : at + 760] for at in range(0, len(sequence), 760)]
        return b"".join(b"\033P" + part + b"\033\\" for part in parts)
    return sequence


def _in_windows_subsystem() -> bool:
    try:
        return "microsoft" in Path("/proc/sys/kernel/osrelease").read_text(encoding="utf-8").lower()
    except OSError:
        return False


def _why(tried: Sequence[str]) -> tuple[str, str]:
    if tried:
        return (
            f"The clipboard did not take the text ({', '.join(tried)}).",
            "Nothing was lost: repeat without --copy to see the text.",
        )
    if os.environ.get("WAYLAND_DISPLAY"):
        return "Nothing here can reach the clipboard.", "Install wl-clipboard."
    if os.environ.get("DISPLAY"):
        return "Nothing here can reach the clipboard.", "Install xclip."
    return (
        "There is no clipboard here: no desktop, and no terminal that copies.",
        "Repeat without --copy and pipe the text to where you need it.",
    )
