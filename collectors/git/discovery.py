"""Finds the repositories below some folders, and keeps the answer until something changes."""

from __future__ import annotations

import logging
import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from collectors.collector import Unavailable
from collectors.git.folders import MARKS_OF_A_CACHE, SKIPPED_BELOW_HOME, SKIPPED_NAMES, network_mounts
from collectors.git.repository import Repository, locate

logger = logging.getLogger(__name__)

BARE = frozenset({"HEAD", "objects", "refs"})
MAX_FOLDERS = 200_000
MAX_DEPTH = 32
MAX_SECONDS = 30.0
MAX_WATCHED = 1_000
WATCHED_DEPTH = 2


@dataclass(kw_only=True)
class Discovery:
    """Repositories below `folders`, at any depth a person uses.

    The whole walk is repeated every `refresh` seconds at most, less often where it takes long. In
    between only the folders near the top and those that hold a repository are looked at, by the time
    of their last change: a new clone beside the others is seen at the next call.
    """

    folders: tuple[Path, ...]
    refresh: float = 600.0
    clock: Callable[[], float] = time.monotonic
    _found: dict[str, Repository] = field(default_factory=dict, init=False)
    _watched: dict[str, tuple[int, frozenset[str]]] = field(default_factory=dict, init=False)
    _avoided: frozenset[str] = field(default=frozenset(), init=False)
    _next_walk: float = field(default=float("-inf"), init=False)

    def find(self) -> list[Repository]:
        """The repositories, by path; worktrees of one repository are one."""
        if self.clock() >= self._next_walk:
            self._look_everywhere()
        else:
            self._look_where_something_changed()
        by_common: dict[Path, Repository] = {}
        for folder, repository in sorted(self._found.items()):
            if repository.common not in by_common or folder == str(repository.root):
                by_common[repository.common] = repository
        return sorted(by_common.values(), key=lambda repository: repository.root)

    def _look_everywhere(self) -> None:
        began = self.clock()
        self._found, self._watched = {}, {}
        below_home = {
            os.path.join(folder, *path.split("/")) for folder in self.folders for path in SKIPPED_BELOW_HOME
        }
        self._avoided = network_mounts() | below_home
        seen = self._walk([(str(folder), 0) for folder in self.folders])
        self._next_walk = self.clock() + max(self.refresh, 200 * (self.clock() - began))
        logger.debug("%d repositories in %d folders", len(self._found), seen)

    def _look_where_something_changed(self) -> None:
        self._found = {folder: found for folder, found in self._found.items() if _still_there(folder)}
        fresh: list[tuple[str, int]] = []
        for folder, (then, before) in list(self._watched.items()):
            if _last_change(folder) != then:
                children = self._enter(folder, watch=True)
                fresh += [(child, WATCHED_DEPTH) for child in children if child not in before]
        self._walk(fresh)

    def _walk(self, tops: list[tuple[str, int]]) -> int:
        """Breadth first, so that a walk that is cut short has seen what lies near the top."""
        deadline = self.clock() + MAX_SECONDS
        waiting = deque(tops)
        seen = 0
        while waiting:
            if seen >= MAX_FOLDERS or self.clock() > deadline:
                logger.warning("The search for repositories ended after %d folders", seen)
                break
            folder, depth = waiting.popleft()
            seen += 1
            children = self._enter(folder, watch=depth <= WATCHED_DEPTH)
            if depth < MAX_DEPTH:
                waiting.extend((child, depth + 1) for child in children)
        return seen

    def _enter(self, folder: str, *, watch: bool) -> list[str]:
        """Look into one folder: keep the repository that it is, return the folders worth a look."""
        watch = watch or folder in self._watched
        last_change = _last_change(folder) if watch else 0
        names, below = _contents(folder)
        if names & MARKS_OF_A_CACHE:
            return []
        is_bare = names >= BARE and ".git" not in names
        if is_bare or ".git" in names:
            self._keep(folder, is_bare=is_bare)
        children = [] if is_bare else self._worth_a_look(folder, below)
        if watch:
            self._watch(folder, last_change, children)
        return children

    def _keep(self, folder: str, *, is_bare: bool) -> None:
        path = Path(folder)
        try:
            self._found[folder] = locate(path)
        except Unavailable:
            git_dir = path if is_bare else path / ".git"
            if not git_dir.is_dir() or not any((git_dir / name).exists() for name in BARE):
                return
            # Damaged: its place says so when its turn comes.
            self._found[folder] = Repository(root=path, common=git_dir.resolve())
        parent = str(path.parent)
        if parent not in self._watched and any(path.is_relative_to(top) for top in self.folders):
            children = self._worth_a_look(parent, _contents(parent)[1])
            self._watch(parent, _last_change(parent), children)

    def _watch(self, folder: str, last_change: int, children: list[str]) -> None:
        if len(self._watched) < MAX_WATCHED or folder in self._watched:
            self._watched[folder] = (last_change, frozenset(children))

    def _worth_a_look(self, folder: str, names: list[str]) -> list[str]:
        paths = [os.path.join(folder, name) for name in names if name not in SKIPPED_NAMES and name != ".git"]
        return [path for path in paths if path not in self._avoided]


def _contents(folder: str) -> tuple[set[str], list[str]]:
    """All names in this folder, and those that are folders themselves; links are not followed."""
    names: set[str] = set()
    below: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names.add(entry.name)
                if entry.is_dir(follow_symlinks=False):
                    below.append(entry.name)
    except OSError:
        logger.debug("A folder could not be read")
    return names, below


def _still_there(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, ".git")) or all(
        os.path.exists(os.path.join(folder, name)) for name in BARE
    )


def _last_change(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return -1
