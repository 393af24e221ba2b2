"""Tells cheaply whether anything happened in a repository since it was last read."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from collectors.git.repository import Repository

# Two changes within a tick of the file system's clock look like one; git calls such files "racily clean".
UNSETTLED_NS = 2_000_000_000

FILES = ("packed-refs", "config", "config.worktree", "shallow", "reftable/tables.list", "logs/refs/stash")
OWN_FILES = ("HEAD", "logs/HEAD", "index")


def state(repository: Repository, *, extra: str = "") -> str:
    """A mark that differs once a branch, the config, a reflog or the index changed; "" while nobody can tell yet.

    `extra` is what else the caller's answer depends on. No git is run and no file is read.
    """
    digest = hashlib.sha256(extra.encode())
    newest = 0
    for path in _watched(repository):
        try:
            seen = os.stat(path)
        except OSError:
            digest.update(b"-")
            continue
        newest = max(newest, seen.st_mtime_ns)
        digest.update(f"{seen.st_mtime_ns} {seen.st_size} {seen.st_ino};".encode())
    return "" if abs(time.time_ns() - newest) < UNSETTLED_NS else digest.hexdigest()[:24]


def shallow_mark(repository: Repository) -> str:
    """Differs when a shallow clone got more of its past; "" for a whole one."""
    try:
        return hashlib.sha256((repository.common / "shallow").read_bytes()).hexdigest()[:8]
    except OSError:
        return ""


def _watched(repository: Repository) -> Iterator[str]:
    common = str(repository.common)
    for name in FILES:
        yield os.path.join(common, name)
    for git_dir in repository.git_dirs():
        for name in OWN_FILES:
            yield os.path.join(str(git_dir), name)
    yield os.path.join(common, "worktrees")
    # A ref is replaced by renaming a file into its folder, which changes the folder's own time.
    yield from _folders(os.path.join(common, "refs", "heads"))
    yield from _personal_config()


def _folders(top: str) -> Iterator[str]:
    yield top
    try:
        with os.scandir(top) as entries:
            below = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return
    for folder in sorted(below):
        yield from _folders(folder)


def _personal_config() -> tuple[str, str]:
    home = Path.home()
    xdg = os.environ.get("XDG_CONFIG_HOME") or str(home / ".config")
    chosen = os.environ.get("GIT_CONFIG_GLOBAL")
    return (chosen or str(home / ".gitconfig"), os.path.join(xdg, "git", "config"))
