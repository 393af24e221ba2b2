"""A real repository for a project of the demo: what was finished is on main, the last branch is ahead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import git

from collectors.event import Event
from desktop_memory.demo.weave import ZONE

_SOMEONE = git.Actor("Lena", "lena@example.org")
_MAIN = "main"


def make(folder: Path, repo: str, events: Sequence[Event]) -> None:
    """Lay the repository `repo` into this folder as it stands after these events.

    Each commit adds its subject to its files; what was edited after the last commit is left uncommitted.
    """
    commits = [event for event in events if event.kind == "git_commit" and event.repo == repo]
    if not commits:
        return
    with git.Repo.init(folder, initial_branch=_MAIN) as tree:
        last_branch = commits[-1].branch or _MAIN
        _commit(tree, commits[0], message="Begin", files=("README.md",))
        for event in commits:
            if event.branch == last_branch != _MAIN and tree.active_branch.name != last_branch:
                tree.create_head(last_branch).checkout()
            _commit(tree, event, message=event.title, files=event.files)
        for name in _edited_since(commits[-1], events):
            _add_line(folder / name, "unfinished")


def _commit(tree: git.Repo, event: Event, *, message: str, files: Sequence[str]) -> None:
    for name in files:
        _add_line(Path(tree.working_dir) / name, message)
    tree.index.add(list(files))
    when = f"{int(event.start.timestamp())} {event.start.astimezone(ZONE):%z}"
    tree.index.commit(message, author=_SOMEONE, committer=_SOMEONE, author_date=when, commit_date=when)


def _edited_since(commit: Event, events: Sequence[Event]) -> list[str]:
    """What was open in an editor after this commit, once each."""
    edited = (
        event.files
        for event in events
        if event.kind == "window" and event.project == commit.project and event.start > commit.start
    )
    return list(dict.fromkeys(name for files in edited for name in files))


def _add_line(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{text}\n")
