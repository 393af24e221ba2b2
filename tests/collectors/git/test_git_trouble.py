"""Repositories that cannot be read, or that would like to run something."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from collectors.collector import Unavailable
from collectors.git.collector import Git
from collectors.git.command import GitFailed, git
from collectors.git.standing import standing
from tests.collectors.git.workshop import Workshop, introduce, place, read_all, titles


@pytest.fixture(autouse=True)
def known_to_git(home: Path) -> None:
    introduce(home)


@pytest.fixture
def repo(home: Path) -> Workshop:
    return Workshop(home / "project")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_repository_of_another_user_is_named_with_the_remedy(home: Path, repo: Workshop) -> None:
    repo.commit("One")
    for folder, _, files in os.walk(repo.path):
        for name in (*files, ""):
            os.chown(os.path.join(folder, name), 65534, 65534)

    with pytest.raises(Unavailable) as caught:
        Git(home=home).collect(place(repo.path), None)

    assert str(repo.path) in caught.value.problem
    assert "dubious ownership" in caught.value.problem
    assert caught.value.advice == f"If you trust it: git config --global --add safe.directory {repo.path}"
    assert [found.name for found in Git(home=home).places()] == [str(repo.path)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_trust_given_in_the_environment_counts(
    home: Path, repo: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("One")
    for folder, _, files in os.walk(repo.path):
        for name in (*files, ""):
            os.chown(os.path.join(folder, name), 65534, 65534)
    for name, value in (("COUNT", "1"), ("KEY_0", "safe.directory"), ("VALUE_0", str(repo.path))):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)

    _, events, _ = read_all(Git(home=home), repo.path)

    assert titles(events) == ["One"]


def test_an_empty_repository_is_fine_and_gives_nothing(home: Path, repo: Workshop) -> None:
    batches, events, cursor = read_all(Git(home=home), repo.path)
    repo.commit("First")
    _, later, _ = read_all(Git(home=home), repo.path, cursor)

    assert (events, batches[0].skipped) == ([], {})
    assert titles(later) == ["First"]


def test_a_bare_repository_is_read(home: Path, repo: Workshop) -> None:
    repo.commit("One")
    repo.git("clone", "--quiet", "--bare", str(repo.path), str(home / "mirror.git"))
    shutil.rmtree(repo.path)
    source = Git(home=home)

    found = [found.name for found in source.places()]
    _, events, _ = read_all(source, home / "mirror.git")

    assert found == [str(home / "mirror.git")]
    assert [(event.title, event.project) for event in events] == [("One", "mirror")]


@pytest.mark.parametrize("missing", ["HEAD", "objects", "refs"])
def test_a_broken_git_folder_is_a_place_that_says_so(home: Path, repo: Workshop, missing: str) -> None:
    Workshop(home)  # the repository around it must not answer in its place
    repo.commit("One")
    broken = repo.path / ".git" / missing
    shutil.rmtree(broken) if broken.is_dir() else broken.unlink()
    source = Git(home=home)

    assert str(repo.path) in [found.name for found in source.places()]
    with pytest.raises(Unavailable) as caught:
        source.collect(place(repo.path), None)

    assert str(repo.path) in caught.value.problem


def test_a_config_that_is_garbage_is_a_clear_message(home: Path, repo: Workshop) -> None:
    repo.commit("One")
    (repo.path / ".git" / "config").write_bytes(b"[core\nrepositoryformatversion = \xff\x00")
    source = Git(home=home)

    assert [found.name for found in source.places()] == [str(repo.path)]
    with pytest.raises(Unavailable):
        source.collect(place(repo.path), None)


def test_history_behind_a_missing_commit_is_counted_and_the_rest_is_read(home: Path, repo: Workshop) -> None:
    repo.commit("Old")
    lost = repo.commit("Lost")
    repo.commit("Newer")
    repo.commit("Newest")
    stored = repo.path / ".git" / "objects" / lost[:2] / lost[2:]
    stored.rename(home / "lost")

    batches, events, cursor = read_all(Git(home=home), repo.path)
    (home / "lost").rename(stored)
    repo.commit("After the repair")
    _, mended, _ = read_all(Git(home=home), repo.path, cursor)

    assert titles(events) == ["Newest"]  # git itself gives up at the child of what is missing
    assert batches[0].skipped["history behind a missing or damaged commit"] == 1
    assert titles(mended) == ["Old", "Lost", "Newer", "Newest", "After the repair"]


def test_a_commit_whose_files_are_damaged_keeps_its_message(home: Path, repo: Workshop) -> None:
    repo.commit("One", file="one")
    repo.commit("Two", file="two")
    repo.commit("Three", file="three")
    blob = repo.git("rev-parse", "HEAD~1:two")
    stored = repo.path / ".git" / "objects" / blob[:2] / blob[2:]
    stored.chmod(0o600)
    stored.write_bytes(b"garbage")

    _, events, _ = read_all(Git(home=home), repo.path)

    assert titles(events) == ["One", "Two", "Three"]
    assert [event.files for event in events] == [("one",), ("two",), ("three",)]
    assert ["insertions" in event.details for event in events] == [True, False, True]


def test_a_partial_clone_is_read_without_fetching_what_it_lacks(home: Path, repo: Workshop) -> None:
    repo.commit("One", file="one")
    repo.commit("Two", file="two")
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = home / "partial"
    repo.git("clone", "--quiet", "--no-checkout", "--filter=blob:none", f"file://{repo.path}", str(clone))
    trap = home / "trap"
    Workshop(clone, init=False).git("config", "remote.origin.uploadpack", f"touch {trap}; git-upload-pack")

    _, events, _ = read_all(Git(home=home), clone)

    assert titles(events) == ["One", "Two"]
    assert events[1].files == ("two",)
    assert not trap.exists()


def test_nothing_that_a_repository_names_is_run(home: Path, repo: Workshop) -> None:
    trap = home / "trap"
    repo.commit("One")
    signed = repo.git("cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n\n", 1
    )
    repo.git(
        "update-ref", "HEAD", repo.git("hash-object", "-t", "commit", "-w", "--stdin", given=signed.encode())
    )
    (repo.path / ".gitattributes").write_text("* filter=evil diff=evil\n")
    (repo.path / "notes.txt").write_text("Owe\n")  # as long as before: git must look inside to tell
    run = home / "run"
    run.write_text(f"#!/bin/sh\ntouch {trap}\ncat\n")
    run.chmod(0o755)
    for key, value in {
        **dict.fromkeys(
            ("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "diff.external"), run
        ),
        **dict.fromkeys(("filter.evil.clean", "filter.evil.process", "diff.evil.textconv"), run),
        **dict.fromkeys(("diff.evil.command", "gpg.program", "core.alternateRefsCommand"), run),
        "filter.evil.required": "true",
        "log.showSignature": "true",
        "core.hooksPath": str(home / "hooks"),
    }.items():
        with (repo.path / ".git" / "config").open("a") as config:
            section, _, name = key.rpartition(".")
            head, _, sub = section.partition(".")
            config.write(f'[{head}{f" {chr(34)}{sub}{chr(34)}" if sub else ""}]\n\t{name} = "{value}"\n')
    (home / "hooks").mkdir()
    shutil.copy(run, home / "hooks" / "post-index-change")

    _, events, _ = read_all(Git(home=home), repo.path)
    stands = standing(repo.path)

    assert titles(events) == ["One"]
    assert stands is not None
    assert set(stands.uncommitted) == {"notes.txt", ".gitattributes"}
    assert not trap.exists()


def test_variables_of_another_repository_do_not_lead_astray(
    home: Path, repo: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("Here")
    other = Workshop(home / "other")
    other.commit("There")
    for name, value in (
        ("GIT_DIR", other.path / ".git"),
        ("GIT_WORK_TREE", other.path),
        ("GIT_INDEX_FILE", "x"),
    ):
        monkeypatch.setenv(name, str(value))

    _, events, _ = read_all(Git(home=home), repo.path)

    assert titles(events) == ["Here"]


def test_reading_changes_nothing_in_the_repository(home: Path, repo: Workshop) -> None:
    repo.commit("One")
    (repo.path / "notes.txt").write_text("changed\n")
    before = {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(repo.path.rglob("*"))}

    read_all(Git(home=home), repo.path)
    standing(repo.path)

    assert {
        path: (path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(repo.path.rglob("*"))
    } == before


def test_a_git_that_hangs_is_ended(home: Path, repo: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = home / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nsleep 60 &\nwait\n")
    (slow / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow}:{os.environ['PATH']}")

    began = time.monotonic()
    with pytest.raises(GitFailed, match="longer than"):
        git(repo.path, "status", timeout=0.3)

    assert time.monotonic() - began < 4


def test_without_git_the_source_says_what_to_install(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(home))

    with pytest.raises(Unavailable, match="not installed") as caught:
        Git(home=home).places()

    assert "Install git" in caught.value.advice


def test_a_repository_that_was_removed_is_unavailable(home: Path, repo: Workshop) -> None:
    repo.commit("One")
    source = Git(home=home)
    list(source.places())
    shutil.rmtree(repo.path)

    with pytest.raises(Unavailable):
        source.collect(place(repo.path), None)
    assert list(source.places()) == []
