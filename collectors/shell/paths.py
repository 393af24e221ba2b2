"""Where a shell's history is: the usual places, $HISTFILE, and what the rc files set it to."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

_ASSIGNED = re.compile(
    r"""^[ \t]*(?:export[ \t]+|typeset[ \t]+(?:-\w+[ \t]+)*)?"""
    r"""(HISTFILE|ZDOTDIR)=((?:"[^"\n]*"|'[^'\n]*'|[^\s;#"'])+)""",
    re.MULTILINE,
)
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)(?::?-([^}]*))?\})")
_DEFAULTS = {
    "XDG_STATE_HOME": "~/.local/state",
    "XDG_CACHE_HOME": "~/.cache",
    "XDG_DATA_HOME": "~/.local/share",
    "XDG_CONFIG_HOME": "~/.config",
}
_LONGEST_RC = 1_000_000


def history_files(shell: str, names: Iterable[str], rc_files: Iterable[str]) -> list[Path]:
    """The history files of this shell that exist, each once."""
    folder = zdotdir() if shell == "zsh" else None
    known = {"ZDOTDIR": folder} if folder else {}
    wanted = list(names)
    for rc_file in rc_files:
        wanted.extend(value for name, value in _assigned(rc_file, known) if name == "HISTFILE")
    guessed = set(wanted)
    if (named := os.environ.get("HISTFILE")) and _belongs(named, shell):
        wanted.insert(0, named)
    found: dict[tuple[int, int], Path] = {}
    for name in wanted:
        for path in _paths(name, known):
            try:
                facts = path.stat()
            except (OSError, ValueError):
                continue
            if name not in guessed or stat.S_ISREG(facts.st_mode):
                found.setdefault((facts.st_dev, facts.st_ino), path)
    return list(found.values())


def last_bytes(path: Path, count: int = 4_096) -> bytes:
    """The end of a file, for a first impression; nothing where it cannot be read."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - count))
            return file.read(count)
    except OSError:
        return b""


def expanded(text: str, known: dict[str, str]) -> str | None:
    """`~` and variables replaced as a shell would; None where a variable is not known."""

    def value(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        found = known.get(name) or os.environ.get(name) or _DEFAULTS.get(name)
        if not found and match[3]:
            found = expanded(match[3], known)
        if not found:
            raise LookupError(name)
        return found

    try:
        return os.path.expanduser(_VARIABLE.sub(value, text))
    except LookupError:
        return None


def _paths(text: str, known: dict[str, str]) -> list[Path]:
    path = _path(text, known)
    if path is None:
        return []
    return sorted(path.parent.glob(path.name)) if "*" in path.name else [path]


def _path(text: str, known: dict[str, str]) -> Path | None:
    name = expanded(text, known)
    if not name or "$" in name or "`" in name or not os.path.isabs(name):
        return None
    return Path(os.path.normpath(name))


def zdotdir() -> str | None:
    """The folder of zsh's rc files, where that is not the home folder."""
    if named := os.environ.get("ZDOTDIR"):
        return named
    told = next((value for name, value in _assigned("~/.zshenv", {}) if name == "ZDOTDIR"), "")
    return expanded(told, {})


def _assigned(rc_file: str, known: dict[str, str]) -> Iterator[tuple[str, str]]:
    path = _path(rc_file, known)
    if path is None:
        return
    try:
        if not path.is_file():
            return
        with path.open("rb") as file:
            text = file.read(_LONGEST_RC).decode("utf-8", "replace")
    except OSError:
        return
    for match in _ASSIGNED.finditer(text):
        yield match[1], match[2].replace('"', "").replace("'", "")


def _belongs(path: str, shell: str) -> bool:
    """Whether an exported $HISTFILE is this shell's: by its name, else by the login shell."""
    name = os.path.basename(path)
    for other in ("zsh", "bash"):
        if other in path:
            return other == shell
    if name in (".zhistory", ".histfile"):
        return shell == "zsh"
    return os.path.basename(os.environ.get("SHELL", "")) == shell
