"""Whether a browser's process was started for private windows alone, by its own switches."""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath

CANNOT_TELL = (
    "Chrome does not tell here which of its windows are private. Under Privacy, recording no window of a browser is "
    "the strict choice; pages come from its history all the same."
)
"""What is so on macOS, where neither a title nor a process tells."""

_SWITCHES = frozenset(("incognito", "inprivate", "private", "private-window", "private-browsing"))
_BROWSERS = (
    "brave", "chrom", "edge", "epiphany", "firefox", "floorp", "icecat", "librewolf", "opera", "palemoon",
    "qutebrowser", "thorium", "vivaldi", "waterfox", "yandex", "zen",
)  # fmt: skip


def started_private(pid: int | None, proc: Path = Path("/proc")) -> bool:
    """True where the process says so. Its other windows count as private too: nothing tells them apart."""
    if pid is None:
        return False
    try:
        words = (proc / str(pid) / "cmdline").read_bytes()[:65_536].decode("utf-8", "replace").split("\0")
    except OSError:
        return False
    name = PurePosixPath(words[0]).name.lower()
    if not any(browser in name for browser in _BROWSERS):
        return False
    return any(word.startswith("-") and word.lstrip("-").lower() in _SWITCHES for word in words[1:])


def what_is_not_told() -> str:
    """What cannot be known of private windows on this system; empty where titles tell."""
    return CANNOT_TELL if sys.platform == "darwin" else ""
