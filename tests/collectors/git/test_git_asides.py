"""Checkouts, stashes and staged changes."""

from __future__ import annotations

import os
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from collectors.git.collector import Git
from tests.collectors.git.workshop import NOON, Workshop, introduce, place, read_all, settle, titles


@pytest.fixture
def repo(home: Path) -> Workshop:
    introduce(home)
    repo = Workshop(home / "project")
    repo.commit("Start")
    return repo


def test_switching_to_a_branch_is_told_with_where_from_and_when(home: Path, repo: Workshop) -> None:
    repo.git("checkout", "--quiet", "-b", "fix/LED-731", at=NOON + 600)
    repo.git("switch", "--quiet", "main", at=NOON + 660)

    _, events, cursor = read_all(Git(home=home), repo.path, kind="git_checkout")

    assert [(event.title, event.branch) for event in events] == [
        ("checkout fix/LED-731", "fix/LED-731"),
        ("checkout main", "main"),
    ]
    assert events[0].start == datetime.fromtimestamp(NOON + 600, UTC)
    assert events[0].details == {"from": "main", "to": "fix/LED-731", "cwd": str(repo.path)}
    assert (events[0].project, events[0].utc_offset) == ("project", 120)

    repo.git("checkout", "--quiet", "fix/LED-731", at=NOON + 9_000)
    _, later, _ = read_all(Git(home=home), repo.path, cursor, kind="git_checkout")
    assert later[-1].start == datetime.fromtimestamp(NOON + 9_000, UTC)


def test_commits_looked_at_by_their_id_are_not_told(home: Path, repo: Workshop) -> None:
    first = repo.git("rev-parse", "HEAD")
    repo.commit("Next")
    for target in (first, first[:8], "HEAD~0", "--detach"):
        repo.git("checkout", "--quiet", target)

    _, events, _ = read_all(Git(home=home), repo.path, kind="git_checkout")

    assert events == []


def test_the_same_switch_twice_in_a_second_is_told_twice(home: Path, repo: Workshop) -> None:
    repo.git("branch", "side")
    for branch in ("side", "main", "side", "main"):
        repo.git("checkout", "--quiet", branch, at=NOON + 600)

    _, events, _ = read_all(Git(home=home), repo.path, kind="git_checkout")

    assert len({event.identity for event in events}) == 4


def test_switches_within_a_second_keep_the_order_of_the_reflog(home: Path, repo: Workshop) -> None:
    for branch in ("z", "b", "a"):
        repo.git("checkout", "--quiet", "-b", branch, at=NOON + 600)

    _, events, _ = read_all(Git(home=home), repo.path, kind="git_checkout")

    assert [(event.branch, event.start.microsecond) for event in events] == [("z", 0), ("b", 1), ("a", 2)]


def test_a_switch_in_a_worktree_names_that_worktree(home: Path, repo: Workshop) -> None:
    repo.git("worktree", "add", "--quiet", str(home / "linked"), "-b", "fix")
    Workshop(home / "linked", init=False).git("checkout", "--quiet", "-b", "other")

    _, events, _ = read_all(Git(home=home), repo.path, kind="git_checkout")

    assert [event.details["cwd"] for event in events] == [str(home / "linked")]


def test_a_stash_tells_its_words_branch_and_files(home: Path, repo: Workshop) -> None:
    (repo.path / "notes.txt").write_text("half done\n")
    repo.git("stash", "push", "--quiet", "-m", "before the release", at=NOON + 600)
    source = Git(home=home)

    _, (named,), cursor = read_all(source, repo.path, kind="git_stash")
    (repo.path / "notes.txt").write_text("something else\n")
    repo.git("stash", "--quiet", at=NOON + 9_000)
    _, (*_, unnamed), _ = read_all(source, repo.path, cursor, kind="git_stash")

    assert (named.title, named.branch, named.files) == ("before the release", "main", ("notes.txt",))
    assert named.start == datetime.fromtimestamp(NOON + 600, UTC)
    assert unnamed.title.endswith("Start")
    assert unnamed.branch == "main"


def test_staged_changes_are_told_once_and_again_when_they_change(home: Path, repo: Workshop) -> None:
    source = Git(home=home)
    (repo.path / "a.py").write_text("a")
    repo.git("add", "a.py")

    _, first, cursor = read_all(source, repo.path, kind="git_staged")
    _, same, cursor = read_all(source, repo.path, cursor, kind="git_staged")
    (repo.path / "b.py").write_text("b")
    repo.git("add", "b.py")
    _, more, cursor = read_all(source, repo.path, cursor, kind="git_staged")
    repo.git("commit", "--quiet", "-m", "Both")
    _, none, _ = read_all(source, repo.path, cursor, kind="git_staged")

    assert [event.files for event in first] == [("a.py",)]
    assert [event.files for event in more] == [("a.py", "b.py")]
    assert (same, none) == ([], [])
    assert (first[0].title, first[0].branch, first[0].details) == ("staged", "main", {"cwd": str(repo.path)})


def test_what_a_merge_left_staged_is_not_mine(home: Path, repo: Workshop) -> None:
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit("Side", file="side")
    repo.git("checkout", "--quiet", "main")
    repo.commit("Main", file="main")
    repo.git("merge", "--quiet", "--no-ff", "--no-commit", "side")

    _, events, _ = read_all(Git(home=home), repo.path, kind="git_staged")

    assert events == []


def test_staging_is_noticed_by_a_source_at_rest(home: Path, repo: Workshop) -> None:
    settle(home)
    source = Git(home=home)
    _, _, cursor = read_all(source, repo.path)
    (repo.path / "a.py").write_text("a")
    repo.git("add", "a.py")

    _, events, _ = read_all(source, repo.path, cursor, kind="git_staged")

    assert [event.files for event in events] == [("a.py",)]


def test_a_worktree_whose_folder_was_deleted_stops_nothing(home: Path, repo: Workshop) -> None:
    repo.git("worktree", "add", "--quiet", str(home / "linked"), "-b", "fix")
    (home / "linked" / "a.py").write_text("a")
    Workshop(home / "linked", init=False).git("add", "a.py")
    shutil.rmtree(home / "linked")

    _, events, _ = read_all(Git(home=home), repo.path)

    assert titles(events) == ["Start"]


def test_a_moved_repository_tells_the_same_identities(home: Path, repo: Workshop) -> None:
    repo.git("checkout", "--quiet", "-b", "side")
    (repo.path / "notes.txt").write_text("half done\n")
    repo.git("stash", "--quiet")
    (repo.path / "a.py").write_text("a")
    repo.git("add", "a.py")
    kinds = ("git_commit", "git_checkout", "git_stash", "git_staged")
    before = {event.identity for kind in kinds for event in read_all(Git(home=home), repo.path, kind=kind)[1]}
    shutil.move(repo.path, home / "elsewhere")

    after = {
        event.identity
        for kind in kinds
        for event in read_all(Git(home=home), home / "elsewhere", kind=kind)[1]
    }

    assert len(before) == 4
    assert after == before


def test_a_reflog_of_any_bytes_is_read_as_far_as_it_makes_sense(home: Path, repo: Workshop) -> None:
    repo.git("checkout", "--quiet", "-b", "side")
    log = repo.path / ".git" / "logs" / "HEAD"
    whole = log.read_bytes()
    log.write_bytes(os.urandom(3_000) + b"\n" + whole + b"half a line 0000" + os.urandom(100))

    _, events, _ = read_all(Git(home=home), repo.path, kind="git_checkout")

    assert titles(events) == ["checkout side"]


def test_a_clock_that_was_ahead_for_a_while_hides_no_checkout_later(
    home: Path, repo: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five hours ahead, then set right."""
    ahead = int(time.time()) + 5 * 3_600
    repo.commit("one")
    repo.git("checkout", "--quiet", "-b", "ahead", at=ahead)
    monkeypatch.setattr(time, "time", lambda: float(ahead))
    first = Git(home=home).collect(place(repo.path), None)
    monkeypatch.undo()
    repo.git("checkout", "--quiet", "-b", "right", at=int(time.time()))

    then = Git(home=home).collect(place(repo.path), first.cursor)

    assert "checkout right" in [event.title for event in then.events]
    assert then.cursor["moved"] <= time.time()
