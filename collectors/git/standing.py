"""Where a working tree stands right now: its branch, how far it is ahead, what is not committed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collectors.collector import Unavailable
from collectors.git.command import GitFailed, git
from collectors.git.history import Branches, read_branches

MOST_NAMES = 5
TIMEOUT = 3.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """`branch` is empty on a detached HEAD. `ahead` and `behind` count commits against `base`: the branch
    that others grow from, or what this branch follows when it is that one itself; base is empty without
    either. `uncommitted` holds up to five names, changed files before new ones; `more` counts the rest.
    """

    branch: str = ""
    base: str = ""
    ahead: int = 0
    behind: int = 0
    uncommitted: tuple[str, ...] = ()
    more: int = 0


def standing(root: Path) -> Standing | None:
    """How the repository around this folder stands; None when git cannot tell within some seconds.

    Nothing is written, fetched or run: filters that the repository's config names are switched off.
    """
    try:
        top = _top(root)
        branches = read_branches(top)
        base, ahead, behind = _against_base(top, branches)
        names = list(_uncommitted(top))
    except (GitFailed, Unavailable):
        return None
    return Standing(
        branch=branches.current,
        base=base,
        ahead=ahead,
        behind=behind,
        uncommitted=tuple(names[:MOST_NAMES]),
        more=max(0, len(names) - MOST_NAMES),
    )


def _top(folder: Path) -> Path:
    """The top of the working tree that this folder lies in."""
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists():
            return candidate
    return folder


def _against_base(top: Path, branches: Branches) -> tuple[str, int, int]:
    """The base's name, commits ahead of it and commits behind it."""
    if not branches.current:
        return "", 0, 0
    base, commit = branches.default, branches.tips.get(branches.default, "")
    if base == branches.current:
        base = _upstream(top, branches.current)
        commit = f"refs/remotes/{base}"
    if not base or not commit:
        return "", 0, 0
    counts = git(top, "rev-list", "--left-right", "--count", f"{commit}...HEAD", "--", timeout=TIMEOUT)
    behind, ahead = counts.split()
    return base, int(ahead), int(behind)


def _upstream(top: Path, branch: str) -> str:
    form = "--format=%(upstream:short)%00%(upstream:track)%00%(upstream)"
    line = git(top, "for-each-ref", form, f"refs/heads/{branch}", timeout=TIMEOUT).decode("utf-8", "replace")
    short, track, full = line.strip("\n").split("\0")
    return short if full.startswith("refs/remotes/") and track != "[gone]" else ""


def _uncommitted(top: Path) -> Iterator[str]:
    """Names of changed files, then of new ones (a new folder counts as one)."""
    arguments = ("status", "--porcelain=v2", "-z", "--untracked-files=normal", "--ignore-submodules=dirty")
    output = git(top, *arguments, "--no-renames", config=_no_filters(top), timeout=TIMEOUT)
    new: list[str] = []
    for line in output.decode("utf-8", "replace").split("\0"):
        if line.startswith("? "):
            new.append(line[2:])
        elif line[:2] in ("1 ", "u "):
            yield line.split(" ", 8 if line[0] == "1" else 10)[-1]
    yield from new


def _no_filters(top: Path) -> list[str]:
    """Settings that keep git from running this repository's content filters over changed files."""
    try:
        output = git(top, "config", "--name-only", "--null", "--get-regexp", r"^filter\.", timeout=TIMEOUT)
    except GitFailed:
        return []
    keys = {key for key in output.decode("utf-8", "replace").split("\0") if "=" not in key}
    drivers = {key.removeprefix("filter.").rpartition(".")[0] for key in keys if key.count(".") >= 2}
    return [
        setting
        for driver in sorted(drivers)
        for setting in (
            f"filter.{driver}.clean=",
            f"filter.{driver}.process=",
            f"filter.{driver}.required=false",
        )
    ]
