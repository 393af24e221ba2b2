"""Turns commits into events that stay the same when a commit is amended, rebased or read from a clone.

A commit happened when it was written (the author's date): a rebase or an amendment keeps that, so
the day shows each piece of work once, when it was done. Its identity is the repository's first
commit and its hash. More names let Memory see that it knows a commit already:

- the hash alone: a shallow clone does not know the repository's first commit;
- author, author's date, subject and files, which a rebase or a cherry-pick keeps; commits of one
  second that follow each other are told apart by their number in that row;
- the same without the files, which a settled conflict changes, for a commit that is alone in its second;
- the Change-Id that Gerrit's hook writes into the message;
- what it replaced according to the reflog: an amended commit, or one that took in a fixup.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from collectors.event import Event, identity, moment
from collectors.git.commits import Commit
from collectors.git.repository import Repository

CHANGE_ID = re.compile(r"^Change-Id: (I[0-9a-f]{8,40})\s*$", re.MULTILINE)
MAX_FILES = 100
DAY = 86_400

Likeness = tuple[str, int, str, str]


@dataclass(kw_only=True)
class Rows:
    """Where each commit stands in the row of commits of its author and second, one the parent of the next."""

    place: dict[str, int] = field(default_factory=dict)
    among_equals: dict[str, int] = field(default_factory=dict)
    not_alone: set[str] = field(default_factory=set)


@dataclass(kw_only=True, slots=True)
class _Row:
    last: str = ""
    length: int = 0
    seen: Counter[Likeness] = field(default_factory=Counter)


def rows(commits: Mapping[str, Commit]) -> Rows:
    """Count through these commits along their first parents."""
    found = Rows()
    running: dict[str, _Row] = {}
    for commit in commits.values():
        waiting: list[Commit] = []
        above: Commit | None = commit
        while above is not None and above.id not in running:
            waiting.append(above)
            parent = commits.get(above.parents[0]) if above.parents else None
            above = parent if parent is not None and same_second(parent, above) else None
        for waiter in reversed(waiting):
            parent = commits.get(waiter.parents[0]) if waiter.parents else None
            row = running[parent.id] if parent is not None and same_second(parent, waiter) else _Row()
            if parent is not None and row.last and row.last != parent.id:
                row = _Row(
                    length=found.place[parent.id] + 1, seen=row.seen.copy()
                )  # another child has the row
            _append(waiter, row, found)
            running[waiter.id] = row
    return found


def _append(commit: Commit, row: _Row, found: Rows) -> None:
    alike = likeness(commit)
    if row.length:
        found.not_alone.update((commit.id, *commit.parents[:1]))
    found.place[commit.id] = row.length
    found.among_equals[commit.id] = row.seen[alike]
    row.seen[alike] += 1
    row.length += 1
    row.last = commit.id


def same_second(one: Commit, other: Commit) -> bool:
    return one.authored == other.authored and one.email.casefold() == other.email.casefold()


def likeness(commit: Commit) -> Likeness:
    """What a commit keeps when it is rebased."""
    files = hashlib.sha256("\0".join(sorted(commit.files)).encode("utf-8", "replace")).hexdigest()[:16]
    return (commit.email.casefold(), commit.authored, commit.subject, files)


def commit_identity(first: str, commit: str) -> str:
    return identity("commit", first, commit)


def other_names(first: str, commit: Commit, row: Rows) -> tuple[str, ...]:
    """The identities under which this very commit may be known, beside its own."""
    names = [
        identity("commit", None, commit.id),
        identity("commit like", first, *likeness(commit), row.among_equals[commit.id]),
    ]
    if commit.id not in row.not_alone:
        names.append(identity("commit of", first, commit.email.casefold(), commit.authored, commit.subject))
    if change := CHANGE_ID.findall(commit.message):
        names.append(identity("change", first, change[-1]))
    return tuple(names)


def event(
    commit: Commit,
    repository: Repository,
    first: str,
    *,
    branch: str,
    row: Rows,
    replaced: Iterable[str] = (),
    known: Mapping[str, Commit],
    with_author: bool = False,
    diff: str = "",
) -> Event | None:
    """The event of this commit, or None when no calendar knows its date.

    `replaced` are the commits whose place it took; those that can still be read are in `known`.
    """
    if (start := _start(commit, row.place[commit.id])) is None:
        return None
    aliases = list(other_names(first, commit, row))
    for old in replaced:
        aliases += [commit_identity(first, old), identity("commit", None, old)]
        aliases += other_names(first, known[old], row) if old in known else ()
    own = commit_identity(first, commit.id)
    return Event(
        identity=own,
        kind="git_commit",
        start=start,
        title=commit.subject,
        text=commit.message,
        project=repository.name,
        repo=first,
        branch=branch,
        files=commit.files[:MAX_FILES],
        source="git",
        utc_offset=commit.offset,
        aliases=tuple(dict.fromkeys(alias for alias in aliases if alias != own)),
        details=_details(commit, repository, with_author=with_author, diff=diff),
    )


def _start(commit: Commit, place: int) -> datetime | None:
    """The author's date; the committer's where the author's lies after it or is no date at all."""
    seconds = commit.authored
    if seconds <= 0 or seconds > commit.committed + DAY:
        seconds = commit.committed
    try:
        return moment(seconds * 1_000_000 + min(place, 999_999))
    except OverflowError:
        return None


def _details(commit: Commit, repository: Repository, *, with_author: bool, diff: str) -> Mapping[str, Any]:
    details: dict[str, Any] = {"hash": commit.id, "cwd": str(repository.root)}
    if commit.insertions is not None:
        details |= {"insertions": commit.insertions, "deletions": commit.deletions}
    if len(commit.parents) > 1:
        details |= {"merge": True, "parents": list(commit.parents)}
    if len(commit.files) > MAX_FILES:
        details["files"] = len(commit.files)
    if commit.committed != commit.authored and 0 < commit.committed < 253_402_300_800:
        details["committed"] = datetime.fromtimestamp(commit.committed, UTC).isoformat()
    if with_author:
        details["author"] = commit.name
    if diff:
        details["diff"] = diff
    return details
