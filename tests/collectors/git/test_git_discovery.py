"""Which repositories are found, how soon, and what is left alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from collectors.collector import Place
from collectors.git.collector import Git
from collectors.git.discovery import Discovery
from collectors.git.folders import network_mounts
from tests.collectors.git.workshop import Workshop, introduce, read_all, titles


@pytest.fixture(autouse=True)
def known_to_git(home: Path) -> None:
    introduce(home)


def found(source: Git, home: Path) -> list[str]:
    return [str(Path(place.name).relative_to(home)) for place in source.places()]


def test_repositories_are_found_at_any_depth_and_hidden_ones_too(home: Path) -> None:
    for path in (
        "a",
        "src/b",
        "src/clients/nordwind/2026/api/c",
        ".config/nvim",
        ".dotfiles",
        ".local/share/chezmoi",
    ):
        Workshop(home / path)

    assert found(Git(home=home), home) == sorted(
        ["a", "src/b", "src/clients/nordwind/2026/api/c", ".config/nvim", ".dotfiles", ".local/share/chezmoi"]
    )


def test_what_programs_fill_is_left_alone(home: Path) -> None:
    for path in (
        "p/node_modules/dep",
        ".cache/x",
        "p/.venv/src/y",
        ".local/share/Trash/files/z",
        "go/pkg/mod/m",
    ):
        Workshop(home / path)
    Workshop(home / "env" / "src" / "inside")
    (home / "env" / "pyvenv.cfg").touch()
    Workshop(home / "target" / "dep")
    (home / "target" / "CACHEDIR.TAG").touch()
    Workshop(home / "snapshots")
    (home / "link").symlink_to(home / "snapshots")

    assert found(Git(home=home), home) == ["snapshots"]


def test_a_home_that_is_a_repository_does_not_hide_those_inside(home: Path) -> None:
    Workshop(home)
    Workshop(home / "src" / "inner")

    assert found(Git(home=home), home) == [".", "src/inner"]


def test_worktrees_are_one_place_and_their_commits_are_read_there(home: Path) -> None:
    repo = Workshop(home / "project")
    repo.commit("One")
    repo.git("worktree", "add", "--quiet", str(home / "project-fix"), "-b", "fix")
    linked = Workshop(home / "project-fix", init=False)
    linked.clock = repo.clock
    linked.commit("In the worktree")
    source = Git(home=home)

    assert found(source, home) == ["project"]
    _, events, _ = read_all(source, repo.path)

    assert [(event.title, event.branch, event.project) for event in events] == [
        ("One", "main", "project"),
        ("In the worktree", "fix", "project"),
    ]


def test_worktrees_around_a_hidden_bare_repository_are_one_place(home: Path) -> None:
    origin = Workshop(home / "origin")
    origin.commit("One")
    (home / "project").mkdir()
    origin.git("clone", "--quiet", "--bare", str(origin.path), str(home / "project" / ".bare"))
    bare = Workshop(home / "project" / ".bare", init=False)
    bare.git("worktree", "add", "--quiet", str(home / "project" / "main"), "main")

    _, events, _ = read_all(Git(home=home), bare.path)
    assert [(event.title, event.project) for event in events] == [("One", "project")]
    assert found(Git(home=home), home) == ["origin", "project/.bare"]
    (home / "project" / ".git").write_text("gitdir: ./.bare\n")
    assert found(Git(home=home), home) == ["origin", "project"]


def test_a_submodule_is_a_place_of_its_own(home: Path) -> None:
    library = Workshop(home / "library")
    library.commit("In the library")
    app = Workshop(home / "app")
    app.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.path), "vendor/library"
    )
    app.git("commit", "--quiet", "-m", "Add the library")
    source = Git(home=home)

    assert found(source, home) == ["app", "app/vendor/library", "library"]
    _, events, _ = read_all(source, home / "app" / "vendor" / "library")
    assert titles(events) == ["In the library"]
    _, events, _ = read_all(source, home / "app")
    assert events[0].files == (".gitmodules", "vendor/library")


def test_a_pointer_to_a_repository_that_is_gone_is_no_place(home: Path) -> None:
    (home / "stale").mkdir()
    (home / "stale" / ".git").write_text("gitdir: /nowhere/at/all\n")
    (home / "empty" / ".git").mkdir(parents=True)

    assert found(Git(home=home), home) == []


def test_only_the_folders_asked_for_are_searched(home: Path) -> None:
    Workshop(home / "work" / "a")
    Workshop(home / "private" / "b")

    assert found(Git(home=home, folders=(home / "work",)), home) == ["work/a"]


def test_a_new_repository_is_seen_at_the_next_look_without_a_whole_walk(home: Path) -> None:
    Workshop(home / "src" / "old")
    (home / "src" / "plain").mkdir()
    deep = Workshop(home / "a" / "b" / "c" / "d" / "deep")
    discovery = Discovery(folders=(home,), clock=lambda: 0.0)
    discovery.find()
    for path in (
        home / "src" / "cloned",
        home / "src" / "plain",
        deep.path.parent / "beside",
        home / "x" / "y" / "z",
    ):
        Workshop(path)
        os.utime(path.parent)

    now = {str(repository.root.relative_to(home)) for repository in discovery.find()}

    assert now == {"a/b/c/d/deep", "a/b/c/d/beside", "src/old", "src/cloned", "src/plain", "x/y/z"}


def test_a_repository_deep_in_a_new_place_is_seen_by_the_next_whole_walk(home: Path) -> None:
    (home / "a" / "b" / "c" / "d" / "e").mkdir(parents=True)
    now = [0.0]
    discovery = Discovery(folders=(home,), clock=lambda: now[0])
    discovery.find()
    Workshop(home / "a" / "b" / "c" / "d" / "e" / "f")
    soon = discovery.find()
    now[0] = 601.0

    assert soon == []
    assert [repository.name for repository in discovery.find()] == ["f"]


def test_network_mounts_are_known_by_the_mount_table(tmp_path: Path) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(
        "36 35 98:0 / /home rw,noatime master:1 - ext4 /dev/sda rw\n"
        "37 36 0:50 / /home/ada/my\\040share rw - nfs4 server:/x rw\n"
        "38 36 0:51 / /home/ada/remote rw shared:5 - fuse.sshfs host:/ rw\n"
        "half a line\n"
    )

    assert network_mounts(table) == {"/home/ada/my share", "/home/ada/remote"}


def test_a_network_mount_is_not_entered(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Workshop(home / "here")
    Workshop(home / "remote" / "there")
    monkeypatch.setattr("collectors.git.discovery.network_mounts", lambda: frozenset({str(home / "remote")}))

    assert found(Git(home=home), home) == ["here"]


def test_places_know_their_source(home: Path) -> None:
    Workshop(home / "a")

    assert list(Git(home=home).places()) == [Place(source="git", name=str(home / "a"))]
