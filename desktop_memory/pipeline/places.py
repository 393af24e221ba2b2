"""Which folders and files an event names, as whole paths that can be compared."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from collectors.event import Event

_BASES = ("cwd", "root", "worktree", "workspace", "folder", "path")
_WORDS = re.compile(r"""[^\s"'`;|&<>()=,]+""")
_LONGEST_COMMAND = 20_000


def whole(path: str, home: Path | None = None) -> str:
    """The path with forward slashes, "~" filled in, "." and ".." resolved, without a trailing slash."""
    text = path.strip().replace("\\", "/")
    if text == "~" or text.startswith("~/"):
        text = f"{(home or Path.home()).as_posix()}{text[1:]}"
    text = posixpath.normpath(text) if text else ""
    return text.casefold() if re.match(r"[A-Za-z]:", text) else text


def under(paths: Iterable[str], folders: Sequence[str]) -> str:
    """The first folder that one of the paths is, or lies in."""
    for path in paths:
        for folder in folders:
            if path == folder or path.startswith(folder.rstrip("/") + "/"):
                return folder
    return ""


def own_paths(event: Event) -> Iterator[str]:
    """Where the event happened: its folder, its files, its file address."""
    bases = _bases(event)
    yield from bases
    for file in event.files:
        yield from _resolved(file, bases)
    if event.url.startswith("file:"):
        yield whole(unquote(urlsplit(event.url).path))


def named_paths(event: Event) -> Iterator[str]:
    """Every path that the event tells of: where it happened, and words of its command."""
    yield from own_paths(event)
    if event.kind == "terminal":
        bases = _bases(event)
        for word in _WORDS.findall(event.text[:_LONGEST_COMMAND]):
            if "/" in word or "\\" in word or word.startswith(("~", ".")):
                yield from _resolved(word, bases)


def _bases(event: Event) -> list[str]:
    return [whole(value) for name in _BASES if isinstance(value := event.details.get(name), str) and value]


def _resolved(path: str, bases: Sequence[str]) -> Iterator[str]:
    if path.startswith(("/", "~", "\\")) or re.match(r"[A-Za-z]:[\\/]", path):
        yield whole(path)
        return
    for base in bases:
        yield whole(posixpath.join(base, path.replace("\\", "/")))
