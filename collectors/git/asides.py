"""What happens around commits: branches switched to, work put aside, changes staged."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from collectors.event import Event, identity, moment
from collectors.git.command import GitFailed, git
from collectors.git.events import MAX_FILES
from collectors.git.position import Position
from collectors.git.reflog import Move, checkout_of, current_branch, is_commit_name, read_moves
from collectors.git.repository import Repository

# The clock may have been set back a little between two lines of a reflog.
OVERLAP_SECONDS = 3_600
TIMEOUT = 10.0
# While one of these is there, what is staged is git's doing.
UNDER_WAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")


def read_asides(repository: Repository, then: Position) -> tuple[list[Event], Position]:
    """Checkouts, stashes and staged changes since then, and where to go on."""
    now = int(time.time())
    # A cursor from a time to come is damaged, or the clock was ahead for a while: all is told again.
    since = then.moved - OVERLAP_SECONDS if then.moved <= now else 0
    told = [*_checkouts(repository, then.first, since), *_stashes(repository, then.first, since)]
    newest = max((int(event.start.timestamp()) for event in told), default=then.moved)
    staged: dict[str, str] = {}
    for git_dir in repository.git_dirs():
        mark, event = _staged(repository, then.first, git_dir)
        staged[git_dir.name] = mark
        if event is not None and mark != then.staged.get(git_dir.name, ""):
            told.append(event)
    return told, replace(then, moved=min(max(newest, then.moved), now), staged=staged)


def _checkouts(repository: Repository, first: str, since: int) -> Iterator[Event]:
    """Branches switched to. A commit checked out by its id is a look around, or a bisection at work."""
    among_equals: Counter[tuple[int, str, str]] = Counter()
    for git_dir in repository.git_dirs():
        within: Counter[int] = Counter()
        for move in read_moves(git_dir / "logs" / "HEAD"):
            within[move.at] += 1
            if move.at < since or (names := checkout_of(move)) is None or is_commit_name(names[1]):
                continue
            place = among_equals[(move.at, *names)]
            among_equals[(move.at, *names)] += 1
            yield Event(
                identity=identity("checkout", first, move.at, *names, place),
                kind="git_checkout",
                start=moment(move.at * 1_000_000 + within[move.at] - 1),
                title=f"checkout {names[1]}",
                project=repository.name,
                repo=first,
                branch=names[1],
                source="git",
                utc_offset=move.offset,
                details={"from": names[0], "to": names[1], "cwd": str(repository.worktree(git_dir))},
            )


def _stashes(repository: Repository, first: str, since: int) -> Iterator[Event]:
    """Work put aside and not taken back yet."""
    for move in read_moves(repository.common / "logs" / "refs" / "stash"):
        if move.at >= since:
            branch, _, words = move.message.partition(": ")
            yield Event(
                identity=identity("stash", first, move.new),
                kind="git_stash",
                start=moment(move.at * 1_000_000),
                title=words or move.message,
                project=repository.name,
                repo=first,
                branch=branch.removeprefix("WIP on ").removeprefix("On "),
                files=_stashed_files(repository, move),
                source="git",
                utc_offset=move.offset,
                details={"hash": move.new, "cwd": str(repository.root)},
            )


def _stashed_files(repository: Repository, move: Move) -> tuple[str, ...]:
    arguments = ("diff-tree", "-r", "-z", "--name-only", "--no-renames", f"{move.new}^1", move.new, "--")
    try:
        output = git(repository.root, *arguments, timeout=TIMEOUT)
    except GitFailed:
        return ()
    return tuple(name for name in output.decode("utf-8", "replace").split("\0") if name)[:MAX_FILES]


def _staged(repository: Repository, first: str, git_dir: Path) -> tuple[str, Event | None]:
    """A mark of what is staged in this worktree ("" for nothing) and the event of it."""
    worktree = repository.worktree(git_dir)
    try:
        at = (git_dir / "index").stat().st_mtime_ns // 1_000
        if (
            worktree == git_dir
            or not worktree.is_dir()
            or any((git_dir / sign).exists() for sign in UNDER_WAY)
        ):
            return "", None
        output = git(
            worktree, "diff-index", "--cached", "--raw", "-z", "--no-renames", "HEAD", "--", timeout=TIMEOUT
        )
    except (GitFailed, OSError):
        return "", None
    files = tuple(output.decode("utf-8", "replace").split("\0")[1::2])
    if not files:
        return "", None
    mark = hashlib.sha256(output).hexdigest()[:24]
    event = Event(
        identity=identity("staged", first, mark),
        kind="git_staged",
        start=moment(at),
        title="staged",
        project=repository.name,
        repo=first,
        branch=current_branch(git_dir),
        files=files[:MAX_FILES],
        source="git",
        details={"cwd": str(worktree)},
    )
    return mark, event
