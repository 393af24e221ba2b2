"""One repository: its main folder, where its objects are, and its worktrees."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from collectors.collector import Unavailable


@dataclass(frozen=True, kw_only=True, slots=True)
class Repository:
    """`root` is what it is known by: its main worktree, or itself when bare.

    `common` holds refs and objects and is the same for all worktrees.
    """

    root: Path
    common: Path

    @property
    def name(self) -> str:
        """What people call it: the name of its folder."""
        folder = (
            self.root.parent if self.root.name.startswith(".") and self.root == self.common else self.root
        )
        return folder.name.removesuffix(".git") or folder.name

    def git_dirs(self) -> tuple[Path, ...]:
        """The folders that have a HEAD of their own: the main one, then each linked worktree's."""
        try:
            with os.scandir(self.common / "worktrees") as entries:
                linked = sorted(Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False))
        except OSError:
            linked = []
        return (self.common, *linked)

    def worktree(self, git_dir: Path) -> Path:
        """The folder that is worked in with this HEAD; the main one's is the root, of a bare one itself."""
        if git_dir == self.common:
            return self.root
        try:
            return Path(
                (git_dir / "gitdir").read_text(encoding="utf-8", errors="surrogateescape").strip()
            ).parent
        except OSError:
            return self.root


def locate(folder: Path) -> Repository:
    """The repository that has its worktree, or itself, in this very folder.

    Raises Unavailable when there is none.
    """
    import git

    try:
        repo = git.Repo(folder, expand_vars=False)
    except (git.InvalidGitRepositoryError, git.NoSuchPathError, ValueError, OSError) as error:
        raise Unavailable(f"There is no readable git repository in {folder}.") from error
    except Exception as error:  # a config that GitPython cannot parse: MissingSectionHeaderError and others
        if type(error).__module__.split(".")[0] not in {"configparser", "git"}:
            raise
        raise Unavailable(f"The git config of {folder} cannot be read.", "Mend its config file.") from error
    try:
        own, common = _real(repo.git_dir), _real(repo.common_dir)
    finally:
        repo.close()
    return Repository(root=_root(folder, own, common), common=common)


def _root(folder: Path, own: Path, common: Path) -> Path:
    """Where the repository is at home; a linked worktree belongs to where its common folder is.

    A hidden folder (.git, or .bare with a .git file beside it) is at home in the folder around it.
    """
    if own == common and folder != common:
        return folder
    return common.parent if common.name.startswith(".") and (common.parent / ".git").exists() else common


def _real(path: str | os.PathLike[str]) -> Path:
    return Path(os.path.realpath(path))
