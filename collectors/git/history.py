"""Which commits of a repository are new, and on which branch each was made."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from collectors.git.command import GitFailed, git
from collectors.git.people import Authors

HEADS = "refs/heads/"
USUAL_NAMES = ("main", "master", "trunk", "develop")
DAMAGE = ("Failed to traverse", "Could not read", "missing", "corrupt", "bad object", "unable to read")
LISTING_TIMEOUT = 180.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Branches:
    """The tips of the local branches by name, and the one that the others grow from ("" without any).

    `loose` are commits that were made with no branch checked out.
    """

    tips: dict[str, str]
    current: str = ""
    default: str = ""
    loose: tuple[str, ...] = ()

    @property
    def ends(self) -> set[str]:
        """Every commit from which a history is read."""
        return {*self.tips.values(), *self.loose}


@dataclass(kw_only=True)
class Listing:
    """Commit ids, newest first, packed because a history may hold a million of them."""

    branches: list[str] = field(default_factory=list)
    width: int = 20
    ids: bytearray = field(default_factory=bytearray)
    branch_of: array[int] = field(default_factory=lambda: array("I"))
    incomplete: bool = False

    def __len__(self) -> int:
        return len(self.branch_of)

    def slice(self, start: int, stop: int) -> list[tuple[str, str]]:
        """(commit id, branch) from `start` up to `stop`."""
        return [
            (self.ids[i * self.width : (i + 1) * self.width].hex(), self.branches[self.branch_of[i]])
            for i in range(start, min(stop, len(self)))
        ]


def read_branches(root: Path) -> Branches:
    """The local branches. Raises GitFailed when git cannot read the repository."""
    form = "%(HEAD)%00%(objectname)%00%(refname)%00%(symref)"
    output = git(root, "for-each-ref", f"--format={form}", "refs/heads", "refs/remotes/origin/HEAD")
    tips: dict[str, str] = {}
    current = remote_default = ""
    for line in output.decode("utf-8", "replace").splitlines():
        mark, tip, ref, points_to = line.split("\0")
        if not ref.startswith(HEADS):
            remote_default = points_to.removeprefix("refs/remotes/origin/")
            continue
        name = ref.removeprefix(HEADS)
        tips[name] = tip
        current = name if mark == "*" else current
    default = next((name for name in (remote_default, *USUAL_NAMES, current) if name in tips), "")
    return Branches(tips=tips, current=current, default=default)


def first_commit(root: Path, tips: Sequence[str]) -> str:
    """The oldest root commit: it names the repository, wherever it is moved or cloned to.

    A branch without a common past (gh-pages) is younger and does not change the answer. "" when every
    branch points to nothing.
    """
    for kind in (["--max-parents=0"], []):  # the second where the way back to the root is damaged
        arguments = ("rev-list", *kind, "--timestamp", "--ignore-missing", "--stdin")
        output, _ = _tolerant(root, *arguments, lines=tips)
        found = [(int(at), commit) for at, commit in (line.split() for line in output.decode().splitlines())]
        if found:
            return min(found)[1]
    return ""


def list_new(root: Path, branches: Branches, done: Sequence[str], authors: Authors) -> Listing:
    """Commits by these authors on the branches, without those that `done` reaches; newest first.

    Commits on the default branch count as its own; of the others git names the branch it came by.
    """
    mine = branches.tips.get(branches.default, "")
    others = sorted(branches.ends - {mine})
    known = [f"^{tip}" for tip in done]
    on_default, cut = _log(root, [mine, *known] if mine else [], authors)
    elsewhere, cut_too = _log(
        root, [*others, *known, *([f"^{mine}"] if mine else [])] if others else [], authors
    )
    names = dict.fromkeys(branches.loose, "")
    names |= {tip: name for name, tip in sorted(branches.tips.items(), reverse=True)}
    if mine:
        names[mine] = branches.default
    listing = Listing(branches=list(names.values()), incomplete=cut or cut_too)
    number = {tip.encode(): index for index, tip in enumerate(names)}
    for _, commit, tip in heapq.merge(_parsed(on_default), _parsed(elsewhere), key=lambda found: -found[0]):
        listing.width = len(commit) // 2
        listing.ids += bytes.fromhex(commit.decode())
        listing.branch_of.append(number.get(tip, 0))
    return listing


def _log(root: Path, revisions: list[str], authors: Authors) -> tuple[bytes, bool]:
    if not revisions:
        return b"", False
    return _tolerant(
        root,
        *("log", "--ignore-missing", "--stdin", "--format=%ct %H %S", "--encoding=UTF-8"),
        *authors.flags,
        lines=revisions,
    )


def _tolerant(root: Path, *arguments: str, lines: Sequence[str]) -> tuple[bytes, bool]:
    """What git printed, and whether it had to stop early because an object is missing or damaged."""
    try:
        return git(root, *arguments, lines=lines, timeout=LISTING_TIMEOUT), False
    except GitFailed as error:
        if error.late or not any(sign in error.message for sign in DAMAGE):
            raise
        return error.output, True


def _parsed(output: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    for line in output.splitlines():
        at, commit, tip = line.split(b" ", 2)
        yield int(at), commit, tip
