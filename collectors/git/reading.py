"""Reads some listed commits and makes their events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from collectors.event import Event
from collectors.git.commits import Commit, commits_between, read_commits, read_forebears, read_headers
from collectors.git.diffs import read_diff
from collectors.git.events import event, rows, same_second
from collectors.git.people import Authors
from collectors.git.reflog import Diary, tip_before
from collectors.git.repository import Repository

LONGEST_CHAIN = 50
MOST_REBASED = 200


def read_events(
    repository: Repository,
    first: str,
    chosen: Sequence[tuple[str, str]],
    diary: Diary,
    who: Authors,
    *,
    diffs: bool = False,
) -> tuple[list[Event], Counter[str]]:
    """The events of these (commit, branch), oldest first, and what was skipped by reason.

    With `diffs` each event holds the lines that its commit changed.
    """
    skipped: Counter[str] = Counter()
    commits, failed = read_commits(repository.root, [commit for commit, _ in chosen])
    if failed:
        skipped["commit that cannot be read"] = failed
    wanted = {commit.id: commit for commit in commits if (commit.name, commit.email) in who}
    chains = {id: _replaced_by(commit, diary) for id, commit in wanted.items()}
    settled = {id: _before_conflict(repository, commit, diary) for id, commit in wanted.items()}
    known = wanted | _still_readable(repository, [*chains.values(), *settled.values()])
    known |= _row_before(repository, known)
    row = rows(known)
    events: list[Event] = []
    for id, branch in reversed(chosen):
        if (commit := wanted.get(id)) is None:
            continue
        made = event(
            commit,
            repository,
            first,
            branch=diary.branches.get(id) or branch,
            row=row,
            replaced=(*_certain(commit, chains[id], known), *settled[id]),
            known=known,
            with_author=who.everybody,
            diff=read_diff(repository.root, id) if diffs else "",
        )
        if made is None:
            skipped["commit without a usable date"] += 1
        else:
            events.append(made)
    return sorted(events, key=lambda made: made.start), skipped


def _replaced_by(commit: Commit, diary: Diary) -> list[str]:
    """The commits whose place this one took, the latest first, as far as the reflog tells."""
    chain: list[str] = []
    old = diary.replaced.get(commit.id)
    while old is not None and old not in chain and len(chain) < LONGEST_CHAIN:
        chain.append(old)
        old = diary.replaced.get(old)
    return chain


def _certain(commit: Commit, chain: Sequence[str], known: dict[str, Commit]) -> list[str]:
    """The chain up to where a reflog line meant a new commit upon the old one instead of one in its place."""
    certain: list[str] = []
    newer: Commit | None = commit
    for old in chain:
        if newer is None or old in newer.parents:
            break
        certain.append(old)
        newer = known.get(old)
    return certain


def _before_conflict(repository: Repository, commit: Commit, diary: Diary) -> list[str]:
    """What this commit was before a rebase in which its conflict had to be settled by hand.

    The rebase keeps author and author's date, whatever became of its files and message.
    """
    if commit.id not in diary.settled:
        return []
    tip, branch = diary.settled[commit.id]
    if not (before := tip_before(repository, tip, branch)):
        return []
    olds = read_headers(repository.root, commits_between(repository.root, tip, before, MOST_REBASED))
    found = [old.id for old in olds.values() if same_second(old, commit)]
    return found if len(found) == 1 else []


def _still_readable(repository: Repository, chains: Iterable[Sequence[str]]) -> dict[str, Commit]:
    olds = sorted({old for chain in chains for old in chain})
    there = read_headers(repository.root, olds)
    return {commit.id: commit for commit in read_commits(repository.root, sorted(there))[0]}


def _row_before(repository: Repository, known: dict[str, Commit]) -> dict[str, Commit]:
    """Parents of the same author and second that are not among these commits; scripts commit that fast."""
    children = {commit.parents[0]: commit for commit in known.values() if commit.parents}
    outside = read_headers(repository.root, sorted(parent for parent in children if parent not in known))
    close = sorted(id for id, parent in outside.items() if same_second(parent, children[id]))
    if not close:
        return {}
    return {commit.id: commit for commit in read_forebears(repository.root, close) if commit.id not in known}
