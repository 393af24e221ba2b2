"""The lines that a commit changed, kept only where that is switched on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.git import diffs
from collectors.git.collector import Git
from collectors.git.command import GitFailed, git_begin
from tests.collectors.git.workshop import Workshop, introduce, read_all


@pytest.fixture(autouse=True)
def known_to_git(home: Path) -> None:
    introduce(home)


@pytest.fixture
def repo(home: Path) -> Workshop:
    return Workshop(home / "src" / "billing-api")


def diff_of_last(home: Path, repo: Workshop) -> str:
    _, events, _ = read_all(Git(home=home, diffs=True), repo.path)
    return str(events[-1].details.get("diff", ""))


def commit_file(repo: Workshop, name: str, content: bytes, message: str = "Change") -> str:
    (repo.path / name).parent.mkdir(parents=True, exist_ok=True)
    (repo.path / name).write_bytes(content)
    repo.git("add", "--force", "--", name)
    repo.clock += 60
    repo.git("commit", "--quiet", "-m", message)
    return repo.git("rev-parse", "HEAD")


def test_changed_lines_are_told_where_switched_on_and_nowhere_else(home: Path, repo: Workshop) -> None:
    commit_file(repo, "billing/retry.py", b"one\ntwo\nthree\nfour\n")
    commit_file(repo, "billing/retry.py", b"one\n2\nthree\nfour\n")

    _, without, _ = read_all(Git(home=home), repo.path)

    assert "diff" not in without[-1].details
    assert diff_of_last(home, repo) == "\n".join(
        [
            "--- a/billing/retry.py",
            "+++ b/billing/retry.py",
            "@@ -1,3 +1,3 @@",
            " one",
            "-two",
            "+2",
            " three",
        ]
    )


def test_switching_it_on_reads_the_past_again_with_its_lines(home: Path, repo: Workshop) -> None:
    commit_file(repo, "a", b"one\n")
    _, _, cursor = read_all(Git(home=home), repo.path)

    _, again, cursor = read_all(Git(home=home, diffs=True), repo.path, cursor)
    _, nothing, _ = read_all(Git(home=home, diffs=True), repo.path, cursor)

    assert ["+one" in event.details["diff"] for event in again] == [True]
    assert nothing == []


def test_binary_files_and_files_of_keys_are_left_out(home: Path, repo: Workshop) -> None:
    for name, content in {
        "logo.png": b"\x89PNG\0\0\1\2",
        ".env": b"TOKEN_A=hidden\n",
        "deploy/prod.pem": b"hidden\n",
        "config/secrets.yml": b"hidden: 1\n",
        "told.txt": b"told\n",
    }.items():
        (repo.path / name).parent.mkdir(parents=True, exist_ok=True)
        (repo.path / name).write_bytes(content)
    repo.git("add", "--force", ".")
    commit_file(repo, "more.txt", b"more\n")

    diff = diff_of_last(home, repo)

    assert "+told" in diff
    assert "+more" in diff
    assert "hidden" not in diff
    assert "logo" not in diff


def test_a_merge_has_no_lines_of_its_own_and_a_rename_none_at_all(home: Path, repo: Workshop) -> None:
    commit_file(repo, "a", b"one\n")
    repo.git("checkout", "--quiet", "-b", "side")
    commit_file(repo, "b", b"two\n")
    repo.git("checkout", "--quiet", "main")
    commit_file(repo, "c", b"three\n")
    repo.clock += 60
    repo.git("merge", "--quiet", "--no-edit", "side")

    repo.git("mv", "a", "z")
    repo.clock += 60
    repo.git("commit", "--quiet", "-m", "Rename")

    _, events, _ = read_all(Git(home=home, diffs=True), repo.path)

    assert "diff" not in events[-1].details
    assert "diff" not in next(event for event in events if event.details.get("merge")).details


def test_a_huge_change_is_cut_and_read_no_further(home: Path, repo: Workshop) -> None:
    commit = commit_file(repo, "generated.txt", b"".join(b"line %d\n" % n for n in range(100_000)))
    commit_file(repo, "min.js", b"x" * 1_000_000 + b"\n")
    began = time.process_time()

    first, second = diffs.read_diff(repo.path, commit), diff_of_last(home, repo)

    assert len(first) <= diffs.MOST_OF_A_FILE
    assert first.endswith(diffs.CUT)
    assert "+line 100\n" in first
    assert len(second) < 1_000
    assert time.process_time() - began < 5


def test_one_large_file_leaves_room_for_the_others(home: Path, repo: Workshop) -> None:
    for name in "abcdef":
        (repo.path / name).write_text(f"{name}\n" + "filler\n" * 2_000)
    repo.git("add", ".")
    commit_file(repo, "last", b"last\n")

    diff = diff_of_last(home, repo)

    assert len(diff) <= diffs.MOST_KEPT
    assert "+a\n" in diff
    assert "+b\n" in diff


def test_nothing_that_a_repository_names_is_run_for_its_lines(home: Path, repo: Workshop) -> None:
    trap = home / "trap"
    program = home / "program"
    program.write_text(f"#!/bin/sh\ntouch {trap}\ncat\n")
    program.chmod(0o755)
    repo.git("config", "diff.external", str(program))
    repo.git("config", "diff.odd.command", str(program))
    repo.git("config", "diff.odd.textconv", str(program))
    (repo.path / ".gitattributes").write_text("* diff=odd\n")
    repo.git("add", ".")
    commit_file(repo, "a", b"one\n")
    trap.unlink(missing_ok=True)

    diff = diff_of_last(home, repo)

    assert "+one" in diff
    assert not trap.exists()


def test_a_commit_that_is_gone_has_no_lines(home: Path, repo: Workshop) -> None:
    commit_file(repo, "a", b"one\n")

    assert diffs.read_diff(repo.path, "0" * 40) == ""
    with pytest.raises(GitFailed):
        git_begin(repo.path, "diff-tree", "0" * 40, most=100, timeout=5)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=400) | st.lists(st.sampled_from(
    ["diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "+b", " c", "Binary files a/x and b/x differ", ""]
)).map("\n".join))  # fmt: skip
def test_any_output_is_read_as_far_as_it_makes_sense(output: str) -> None:
    for file in diffs._files(output):
        assert len(file) <= diffs.MOST_OF_A_FILE
        assert file.startswith("--- ")
