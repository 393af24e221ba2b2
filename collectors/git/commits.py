"""Reads commits with their message and changed files, many at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from collectors.git.command import GitFailed, git

FIELDS = ("%H", "%P", "%an", "%ae", "%ad", "%cd", "%s", "%B")
FORMAT = "".join(f"{field}%x00" for field in FIELDS)
READING = (
    "--no-walk=unsorted",
    "--stdin",
    "-z",
    "--date=raw",
    "--encoding=UTF-8",
    "--no-color",
    "--no-notes",
)
COUNTED = re.compile(r"(?s)\n?(\d+|-)\t(\d+|-)\t(.*)")
NAMED = re.compile(r"\n?:\d{6} \d{6} ")
# How much is asked of each commit; the next one is tried where an object is missing or it takes too long.
DEPTHS = (
    ("--numstat", "-M", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none"),
    ("--raw", "--no-renames", "--no-ext-diff", "--ignore-submodules=none"),
    ("--no-patch",),
)
READING_TIMEOUT = 60.0
LONGEST_MESSAGE = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Commit:
    """A commit as git tells it. Times are seconds since 1970, offsets minutes.

    `insertions` is None where the files' content could not be read.
    """

    id: str
    parents: tuple[str, ...]
    name: str
    email: str
    authored: int
    offset: int
    committed: int
    subject: str
    message: str
    files: tuple[str, ...] = ()
    insertions: int | None = None
    deletions: int | None = None


def read_commits(root: Path, ids: Sequence[str], *, depth: int = 0) -> tuple[list[Commit], int]:
    """These commits in the order asked, and how many of them could not be read.

    `depth` 0 counts changed lines, 1 only names the files (for a clone that lacks their content), 2 neither.
    """
    if not ids:
        return [], 0
    try:
        output = git(
            root, "log", *READING, f"--format={FORMAT}", *DEPTHS[depth], lines=ids, timeout=READING_TIMEOUT
        )
    except GitFailed:
        if len(ids) > 1:
            half = len(ids) // 2
            first, failed = read_commits(root, ids[:half], depth=depth)
            second, failed_too = read_commits(root, ids[half:], depth=depth)
            return first + second, failed + failed_too
        if depth + 1 < len(DEPTHS):
            return read_commits(root, ids, depth=depth + 1)
        return [], 1
    commits = list(_parsed(output))
    return commits, len(ids) - len(commits)


def read_headers(root: Path, ids: Sequence[str]) -> dict[str, Commit]:
    """The same commits without their files; those that are gone are left out."""
    if not ids:
        return {}
    arguments = ("log", *READING, "--ignore-missing", f"--format={FORMAT}", "--no-patch")
    try:
        output = git(root, *arguments, lines=ids, timeout=READING_TIMEOUT)
    except GitFailed:
        return {}
    return {commit.id: commit for commit in _parsed(output)}


def read_forebears(root: Path, ids: Sequence[str], limit: int = 1000) -> list[Commit]:
    """The commits before these along first parents, these included."""
    try:
        output = git(root, "rev-list", "--first-parent", f"--max-count={limit}", "--stdin", lines=ids)
    except GitFailed:
        return []
    return read_commits(root, output.decode().split())[0]


def commits_between(root: Path, before: str, after: str, limit: int) -> list[str]:
    """The newest commits that `after` has and `before` has not."""
    try:
        output = git(root, "rev-list", f"--max-count={limit}", "--stdin", lines=[after, f"^{before}"])
    except GitFailed:
        return []
    return output.decode().split()


def _parsed(output: bytes) -> Iterator[Commit]:
    parts = [_text(part) for part in output.split(b"\0")]
    at = 0
    while at + len(FIELDS) < len(parts):
        header = parts[at : at + len(FIELDS)]
        changes, at = _changes(parts, at + len(FIELDS) + 1)
        if (commit := _commit(header, changes)) is not None:
            yield commit


@dataclass(kw_only=True, slots=True)
class _Changes:
    files: list[str]
    insertions: int | None = None
    deletions: int | None = None


def _changes(parts: list[str], at: int) -> tuple[_Changes, int]:
    """The files from `parts[at]` on, and where they end. A renamed file is named as it is called now."""
    changes = _Changes(files=[])
    while at < len(parts):
        if counted := COUNTED.fullmatch(parts[at]):
            inserted, deleted, path = counted.groups()
            changes.insertions = (changes.insertions or 0) + (0 if inserted == "-" else int(inserted))
            changes.deletions = (changes.deletions or 0) + (0 if deleted == "-" else int(deleted))
            if not path:
                path = parts[at + 2]
                at += 2
            at += 1
        elif NAMED.match(parts[at]):
            path = parts[at + 1]
            at += 2
        else:
            break
        changes.files.append(path)
    return changes, at


def _commit(header: list[str], changes: _Changes) -> Commit | None:
    id, parents, name, email, authored, committed, subject, message = header
    if (written := _time(authored)) is None or (made := _time(committed)) is None:
        return None
    return Commit(
        id=id,
        parents=tuple(parents.split()),
        name=name,
        email=email,
        authored=written[0],
        offset=written[1],
        committed=made[0],
        subject=subject,
        message=message.strip("\n")[:LONGEST_MESSAGE],
        files=tuple(changes.files),
        insertions=changes.insertions,
        deletions=changes.deletions,
    )


def _time(raw: str) -> tuple[int, int] | None:
    """Seconds and the offset in minutes of "1700000000 +0200"; an offset that no place has counts as none."""
    seconds, _, zone = raw.partition(" ")
    if not seconds.lstrip("-").isdigit():
        return None
    if not re.fullmatch(r"[+-]\d{4}", zone):
        return int(seconds), 0
    minutes = int(zone[1:3]) * 60 + int(zone[3:5])
    return int(seconds), (-minutes if zone[0] == "-" else minutes) if minutes <= 14 * 60 else 0


def _text(raw: bytes) -> str:
    """UTF-8, or what else an old editor may have written; no bytes are lost."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
