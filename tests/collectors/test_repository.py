"""Which repository a folder belongs to."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from collectors import repository
from collectors.repository import enclosing


@pytest.fixture(autouse=True)
def look_anew() -> None:
    repository.forget()


def git(*arguments: str | Path, at: Path) -> None:
    subprocess.run(
        [
            "git",
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "-c",
            "protocol.file.allow=always",
            *map(str, arguments),
        ],
        cwd=at,
        check=True,
        capture_output=True,
    )


@pytest.fixture
def made(home: Path) -> Path:
    root = home / "work" / "billing-api"
    (root / "src" / "deep").mkdir(parents=True)
    git("init", "-q", at=root)
    git("commit", "-q", "--allow-empty", "-m", "first", at=root)
    return root


def named(path: Path) -> tuple[str, Path] | None:
    found = enclosing(path)
    return (found.name, found.root) if found else None


def test_a_folder_belongs_to_the_nearest_repository_around_it(made: Path):
    inner = made / "vendor" / "inner"
    inner.mkdir(parents=True)
    git("init", "-q", at=inner)

    assert named(made / "src" / "deep") == ("billing-api", made)
    assert named(made) == ("billing-api", made)
    assert named(inner / "gone" / "folder") == ("inner", inner)
    assert named(made.parent) is None


def test_a_worktree_has_the_name_of_its_repository(made: Path, home: Path):
    git("worktree", "add", "-q", home / "elsewhere" / "fix-731", at=made)

    assert named(home / "elsewhere" / "fix-731") == ("billing-api", home / "elsewhere" / "fix-731")


def test_a_submodule_has_its_own_name(made: Path, home: Path):
    library = home / "library"
    library.mkdir()
    git("init", "-q", at=library)
    git("commit", "-q", "--allow-empty", "-m", "first", at=library)
    git("submodule", "add", "-q", library, "libs/maths", at=made)

    assert named(made / "libs" / "maths") == ("maths", made / "libs" / "maths")


def test_a_bare_repository_is_one_too(made: Path, home: Path):
    git("clone", "-q", "--bare", made, home / "served.git", at=home)

    assert named(home / "served.git" / "hooks") == ("served", home / "served.git")


def test_an_empty_git_folder_is_none(home: Path):
    (home / "no" / ".git").mkdir(parents=True)

    assert named(home / "no") is None


def test_odd_paths_belong_to_nothing():
    for path in ("relative/path", "", "/a\0b", "/nowhere/at/all"):
        assert enclosing(path) is None


def test_a_network_mount_is_not_asked(made: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(repository, "_remote_mounts", lambda: (str(made.parent),))
    monkeypatch.setattr(repository, "_remote", (0.0, ()))
    monkeypatch.setattr(repository, "_at", lambda folder: pytest.fail("it was asked"))

    assert enclosing(made / "src") is None
    monkeypatch.setattr(repository, "_remote", (0.0, ()))


def test_a_second_look_asks_nothing(made: Path, monkeypatch: pytest.MonkeyPatch):
    first = enclosing(made / "src" / "deep")
    monkeypatch.setattr(repository, "_at", lambda folder: pytest.fail("it was asked"))

    assert enclosing(made / "src" / "deep") == enclosing(made / "src") == first
