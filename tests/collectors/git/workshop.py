"""Real git repositories for tests, made by real git."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from collectors.collector import Batch, Cursor, Place
from collectors.event import Event
from collectors.git.collector import Git

ME = ("Ada Example", "ada@example.org")
NOON = 1_786_615_200  # 13 August 2026, 12:00 in Berlin


class Workshop:
    """A repository at `path`; each commit is made a minute after the one before unless `at` says when."""

    def __init__(self, path: Path, *, init: bool = True, bare: bool = False) -> None:
        self.path = path
        self.clock = NOON
        if init:
            path.mkdir(parents=True, exist_ok=True)
            self.git("init", "--quiet", "--initial-branch=main", *(["--bare"] if bare else []))

    def git(self, *arguments: str, at: int | None = None, given: bytes = b"", **environment: str) -> str:
        when = f"{self.clock if at is None else at} +0200"
        result = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={
                **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_AUTHOR_DATE": when,
                "GIT_COMMITTER_DATE": when,
                "GIT_EDITOR": "true",
                **environment,
            },
            input=given,
            capture_output=True,
            check=False,
        )
        assert result.returncode == 0, result.stderr.decode("utf-8", "replace")
        return result.stdout.decode("utf-8", "replace").strip()

    def commit(
        self, message: str, *, at: int | None = None, file: str = "notes.txt", **environment: str
    ) -> str:
        """Add a line to a file and commit it; its id."""
        if at is None:
            self.clock += 60
        with (self.path / file).open("a", encoding="utf-8") as notes:
            notes.write(f"{message}\n")
        self.git("add", "--", file)
        self.git("commit", "--quiet", "-m", message, at=at, **environment)
        return self.git("rev-parse", "HEAD")


def introduce(home: Path, name: str = ME[0], email: str = ME[1]) -> None:
    """Tell git who uses this home folder."""
    (home / ".gitconfig").write_text(f"[user]\n\tname = {name}\n\temail = {email}\n", encoding="utf-8")


def place(path: Path) -> Place:
    return Place(source="git", name=str(path))


def read_all(
    source: Git, path: Path, cursor: Cursor | None = None, *, kind: str = "git_commit"
) -> tuple[list[Batch], list[Event], Cursor]:
    """Turns at one repository until nothing is left: the batches, their events of one kind, where it stopped."""
    batches: list[Batch] = []
    while not batches or batches[-1].more:
        batches.append(source.collect(place(path), cursor))
        cursor = batches[-1].cursor
    assert cursor is not None
    return batches, [event for batch in batches for event in batch.events if event.kind == kind], cursor


def titles(events: list[Event]) -> list[str]:
    return [event.title for event in events]


class Book:
    """Keeps events as Memory does: known again by their identity or by any of their other names."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._by_name: dict[str, int] = {}

    def take(self, events: list[Event]) -> None:
        for event in events:
            names = (event.identity, *event.aliases)
            at = next((self._by_name[name] for name in names if name in self._by_name), None)
            if at is None:
                at = len(self.events)
                self.events.append(event)
            self.events[at] = event
            self._by_name.update({name: self._by_name.get(name, at) for name in names})


def settle(path: Path) -> None:
    """Make everything in the repository old enough for its state to be trusted."""
    long_ago = NOON
    for folder, _, files in os.walk(path):
        for name in (*files, ""):
            os.utime(os.path.join(folder, name), (long_ago, long_ago), follow_symlinks=False)


def environment_without(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in variables}
