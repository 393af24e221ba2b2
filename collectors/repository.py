"""Which git repository a folder belongs to, told by walking up to its .git: no git, no process."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

_KEPT = 4_096
_FRESH_SECONDS = 300.0
_REMOTE = ("nfs", "cifs", "smb", "fuse.sshfs", "fuse.rclone", "9p", "afs", "ceph", "davfs", "autofs")


@dataclass(frozen=True, kw_only=True, slots=True)
class Repository:
    """`root` is the folder that holds the work; `name` is the repository's for people. A worktree's or a
    submodule's root is its own; a worktree has its repository's name."""

    root: Path
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkout:
    """A repository on this computer, wherever it lies: `name` is what every source calls it there.

    `folders` are its own and those of its worktrees. It is known again by its `first` commit or the
    address of its `remote`, without user and password.
    """

    name: str
    folders: tuple[str, ...]
    first: str = ""
    remote: str = ""


_known: dict[str, tuple[float, Repository | None]] = {}
_remote: tuple[float, tuple[str, ...]] = (0.0, ())


def enclosing(path: str | os.PathLike[str]) -> Repository | None:
    """The nearest repository around this folder or file, which need not exist any more. Network mounts are
    not asked: one that hangs would hold up everything."""
    now = time.monotonic()
    start = os.path.normpath(os.fspath(path))
    if not os.path.isabs(start) or "\0" in start or _is_remote(start, now):
        return None
    walked: list[str] = []
    found: Repository | None = None
    folder = start
    while True:
        known = _known.get(folder)
        if known is not None and now - known[0] < _FRESH_SECONDS:
            found = known[1]
            break
        walked.append(folder)
        if (found := _at(folder)) is not None or (parent := os.path.dirname(folder)) == folder:
            break
        folder = parent
    if len(_known) > _KEPT:
        _known.clear()
    _known.update((folder, (now, found)) for folder in walked)
    return found


def forget() -> None:
    """Look anew at everything."""
    _known.clear()


def _at(folder: str) -> Repository | None:
    root = Path(folder)
    git = root / ".git"
    try:
        if git.is_dir():
            return Repository(root=root, name=root.name or "root") if (git / "HEAD").exists() else None
        if git.is_file():
            return Repository(root=root, name=_linked_name(root, git))
        bare = folder.endswith(".git") and (root / "HEAD").is_file() and (root / "objects").is_dir()
    except (OSError, ValueError):
        return None
    return Repository(root=root, name=root.name.removesuffix(".git") or root.parent.name) if bare else None


def _linked_name(root: Path, link: Path) -> str:
    """The name behind a .git file: a worktree points into its repository's own .git."""
    with link.open("rb") as file:
        told = os.fsdecode(file.read(4_096)).partition("gitdir:")[2].strip()
    parts = Path(os.path.normpath(root / told)).parts
    if len(parts) >= 3 and parts[-2] == "worktrees":
        common = Path(*parts[:-2])
        return (
            common.parent.name if common.name == ".git" else common.name.removesuffix(".git")
        ) or root.name
    return root.name


def _is_remote(path: str, now: float) -> bool:
    global _remote
    if not sys.platform.startswith("linux"):
        return False
    if now - _remote[0] > 60 or not _remote[0]:
        _remote = (now, _remote_mounts())
    return any(path == mount or path.startswith(mount + "/") for mount in _remote[1])


def _remote_mounts() -> tuple[str, ...]:
    try:
        with open("/proc/self/mounts", "rb") as file:
            rows = [os.fsdecode(line).split(" ") for line in file]
    except OSError:
        return ()
    return tuple(
        row[1].replace("\\040", " ").rstrip("/")
        for row in rows
        if len(row) > 2 and row[2].startswith(_REMOTE) and row[1] != "/"
    )
