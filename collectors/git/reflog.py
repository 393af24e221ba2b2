"""What a repository's own diary tells: who commits here, on which branch, what replaced what.

Format: `old new Name <email> seconds offset<TAB>message`, one line a move of HEAD, oldest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from collectors.git.repository import Repository

LINE = re.compile(
    rb"(?P<old>[0-9a-f]{40,64}) (?P<new>[0-9a-f]{40,64}) (?P<name>[^<\n]*?) ?<(?P<email>[^>\n]*)> "
    rb"(?P<at>\d{1,12}) (?P<offset>[+-]\d{4})(?:\t(?P<message>.*))?"
)
CHECKOUT = re.compile(r"checkout: moving from (\S+) to (\S+)")
CONTINUED = re.compile(r"rebase(?: -i)? \(continue\)")
BEGUN = re.compile(r"rebase(?: -i)? \((?:start|abort)\)")
REBASED = re.compile(r"rebase(?: -i)? \(finish\): (?:returning to )?refs/heads/(\S+)")
MAKING = re.compile(r"commit|rebase|cherry-pick|revert|am\b|merge .*: Merge made|pull.*: Merge made")
# Each of these puts a new commit in the place of the one that HEAD pointed to.
REPLACING = re.compile(r"commit \(amend\)|rebase(?: -i)? \((?:reword|edit|squash|fixup|continue|amend)\)")
# While one of these is there, what HEAD points to is on its way to its branch.
REBASING = ("rebase-merge", "rebase-apply")
MAX_READ = 2_000_000
MAX_LOOSE = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class Move:
    """HEAD went from commit `old` to commit `new`; `offset` is in minutes."""

    old: str
    new: str
    name: str
    email: str
    at: int
    offset: int
    message: str

    @property
    def is_commit(self) -> bool:
        return self.message.startswith("commit")


@dataclass(frozen=True, kw_only=True, slots=True)
class Diary:
    """What the reflogs of all worktrees say about commits made here.

    `branches` gives the branch that was checked out when a commit was made, `replaced` the commit
    that an amended one took the place of, `settled` the tip and branch that a rebase came to in which this
    commit had a conflict. `loose` are the newest commits made with no branch checked out, as in a submodule.
    """

    branches: dict[str, str] = field(default_factory=dict)
    replaced: dict[str, str] = field(default_factory=dict)
    settled: dict[str, tuple[str, str]] = field(default_factory=dict)
    loose: tuple[str, ...] = ()
    people: frozenset[tuple[str, str]] = frozenset()


def read_diary(repository: Repository) -> Diary:
    """The diary of all worktrees; what is missing or unreadable is left out."""
    diary = Diary()
    people: set[tuple[str, str]] = set()
    loose: set[str] = set()
    for git_dir in repository.git_dirs():
        moves = list(read_moves(git_dir / "logs" / "HEAD"))
        made = dict(_branches(moves, current_branch(git_dir)))
        diary.branches.update((commit, branch) for commit, branch in made.items() if branch)
        diary.settled.update(_settled(moves))
        if not any((git_dir / sign).exists() for sign in REBASING):
            loose.update([commit for commit, branch in made.items() if not branch][:MAX_LOOSE])
        for move in moves:
            if move.is_commit:
                people.add((move.name, move.email))
            if REPLACING.match(move.message) and move.old.strip("0"):
                diary.replaced[move.new] = move.old
    loose -= {*diary.replaced.values(), *diary.branches}
    return replace(diary, people=frozenset(people), loose=tuple(sorted(loose)))


def read_moves(path: Path) -> Iterator[Move]:
    """The newest moves in this reflog, oldest first; malformed lines are passed over."""
    for line in _last_lines(path):
        if (found := LINE.fullmatch(line)) is None:
            continue
        offset = int(found["offset"])
        sign = -1 if offset < 0 else 1
        yield Move(
            old=found["old"].decode(),
            new=found["new"].decode(),
            name=found["name"].decode("utf-8", "replace"),
            email=found["email"].decode("utf-8", "replace"),
            at=int(found["at"]),
            offset=sign * (abs(offset) // 100 * 60 + abs(offset) % 100),
            message=(found["message"] or b"").decode("utf-8", "replace"),
        )


def _branches(moves: Iterable[Move], current: str) -> Iterator[tuple[str, str]]:
    """The branch of each commit made ("" for none), walking back from the branch that is checked out now.

    A commit that is met again further back was made there.
    """
    branch = current
    for move in reversed(list(moves)):
        if (checkout := checkout_of(move)) is not None:
            branch = checkout[0]
        elif rebased := REBASED.match(move.message):
            branch = rebased[1]
        elif MAKING.match(move.message):
            yield move.new, "" if is_commit_name(branch) else branch


def _settled(moves: Iterable[Move]) -> Iterator[tuple[str, tuple[str, str]]]:
    """The commits that were made when a conflict of a rebase was settled, each with its end: tip and branch."""
    waiting: list[str] = []
    for move in moves:
        if CONTINUED.match(move.message):
            waiting.append(move.new)
        elif rebased := REBASED.match(move.message):
            yield from ((commit, (move.new, rebased[1])) for commit in waiting)
            waiting = []
        elif BEGUN.match(move.message):
            waiting = []


def tip_before(repository: Repository, tip: str, branch: str) -> str:
    """Where this branch pointed before a rebase brought it to this tip; "" where its own reflog is gone."""
    if ".." in branch.split("/"):
        return ""
    for move in read_moves(repository.common / "logs" / "refs" / "heads" / branch):
        if move.new == tip and move.message.startswith("rebase"):
            return move.old
    return ""


def checkout_of(move: Move) -> tuple[str, str] | None:
    """The branch or commit that was left, and the one that was checked out."""
    found = CHECKOUT.match(move.message)
    return None if found is None else (found[1], found[2])


def current_branch(git_dir: Path) -> str:
    """The branch that is checked out; "" on a detached HEAD."""
    try:
        head = (git_dir / "HEAD").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""


def is_commit_name(name: str) -> bool:
    """The id of a commit, or a way to one, rather than a branch."""
    return name == "HEAD" or re.fullmatch(r"[0-9a-f]{7,64}", name) is not None or "~" in name or "^" in name


def _last_lines(path: Path) -> list[bytes]:
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - MAX_READ))
            data = file.read()
    except OSError:
        return []
    lines = data.split(b"\n")
    return lines[1:] if size > MAX_READ else lines
