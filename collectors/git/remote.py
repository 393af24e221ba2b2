"""By what a repository is known again wherever it lies: its first commit, and where it was cloned from."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

from collectors.git.repository import Repository
from collectors.repository import Checkout

_SECTION = re.compile(r"\s*\[\s*([^\]]*?)\s*\]")
_ORIGIN = re.compile(r'remote\s+"origin"', re.IGNORECASE)
_URL = re.compile(r'\s*url\s*=\s*"?([^"#;\s]+)', re.IGNORECASE)
_SHORT_FORM = re.compile(r"(?:[^@/\s]+@)?([A-Za-z0-9.-]{2,}):(?!//)([^\s]+)")
_LONGEST_CONFIG = 100_000


def checkout(repository: Repository, first: str) -> Checkout:
    """The repository with all folders in which it is worked on."""
    worktrees = (repository.worktree(git_dir) for git_dir in repository.git_dirs()[1:])
    folders = dict.fromkeys((repository.root, *(path for path in worktrees if path != repository.root)))
    return Checkout(
        name=_text(repository.name),
        folders=tuple(_text(str(folder)) for folder in folders),
        first=first,
        remote=_origin(repository),
    )


def _origin(repository: Repository) -> str:
    try:
        with (repository.common / "config").open(encoding="utf-8", errors="replace") as file:
            lines = file.read(_LONGEST_CONFIG).splitlines()
    except OSError:
        return ""
    section = ""
    for line in lines:
        if opened := _SECTION.match(line):
            section = opened[1]
        elif _ORIGIN.fullmatch(section) and (found := _URL.match(line)):
            return address(found[1])
    return ""


def address(url: str) -> str:
    """Host and path of a remote, the same however it is reached; "" for one on this computer."""
    if "://" not in url:
        short = _SHORT_FORM.fullmatch(url)
        if short is None:
            return ""
        host, path = short[1], short[2]
    else:
        try:
            parts = urlsplit(url)
            host, path = parts.hostname or "", parts.path
        except ValueError:
            return ""
        if parts.scheme == "file":
            return ""
    path = path.strip("/").removesuffix(".git").rstrip("/")
    return f"{host.lower()}/{path}" if host and path else ""


def _text(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "replace")
