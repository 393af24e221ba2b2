"""Commits that were written anew are known again, and those that no branch holds are told too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collectors.git.collector import Git
from collectors.git.position import position
from tests.collectors.git.workshop import NOON, Book, Workshop, introduce, place, read_all, titles


@pytest.fixture(autouse=True)
def known_to_git(home: Path) -> None:
    introduce(home)


@pytest.fixture
def repo(home: Path) -> Workshop:
    return Workshop(home / "src" / "billing-api")


def with_conflict(repo: Workshop) -> None:
    """Two commits on a branch, the first of which cannot go onto what the main branch has become."""
    repo.commit("Start")
    repo.git("checkout", "--quiet", "-b", "feature")
    repo.commit("Side")
    repo.commit("After", file="after.txt")
    repo.git("checkout", "--quiet", "main")
    repo.commit("Meanwhile")


def settle_conflict(repo: Workshop, *command: str, message: str = "") -> None:
    with pytest.raises(AssertionError, match=r"conflict|Failed to merge"):
        repo.git(*command, at=NOON + 9_000)
    (repo.path / "notes.txt").write_text("settled\n")
    (repo.path / "more.txt").write_text("and more\n")
    repo.git("add", ".")
    editor = {"GIT_EDITOR": f"sed -i '1s/.*/{message}/'"} if message else {}
    repo.git(command[0], "--continue", at=NOON + 9_001, **editor)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("rebase", "main", "feature"), ""),
        (("rebase", "main", "feature"), "Another name"),
        (("rebase", "--apply", "main", "feature"), ""),
    ],
)
def test_a_rebase_whose_conflict_took_other_files_doubles_nothing(
    home: Path, repo: Workshop, command: tuple[str, ...], message: str
) -> None:
    with_conflict(repo)
    source, book = Git(home=home), Book()
    _, events, cursor = read_all(source, repo.path)
    book.take(events)

    settle_conflict(repo, *command, message=message)
    _, events, _ = read_all(source, repo.path, cursor)
    book.take(events)

    assert sorted(titles(book.events)) == sorted(["Start", message or "Side", "After", "Meanwhile"])
    settled = next(event for event in book.events if event.title == (message or "Side"))
    assert settled.files == ("more.txt", "notes.txt")
    assert settled.branch == "feature"


def test_a_cherry_pick_whose_conflict_took_other_files_is_one_piece_of_work(
    home: Path, repo: Workshop
) -> None:
    with_conflict(repo)
    book = Book()

    settle_conflict(repo, "cherry-pick", "feature~1")
    _, events, _ = read_all(Git(home=home), repo.path)
    book.take(events)

    assert sorted(titles(events)) == ["After", "Meanwhile", "Side", "Side", "Start"]
    assert sorted(titles(book.events)) == ["After", "Meanwhile", "Side", "Start"]


def test_a_rebase_that_was_given_up_tells_nothing_new(home: Path, repo: Workshop) -> None:
    with_conflict(repo)
    source = Git(home=home)
    _, _, cursor = read_all(source, repo.path)
    with pytest.raises(AssertionError, match="conflict"):
        repo.git("rebase", "main", "feature", at=NOON + 9_000)
    repo.git("rebase", "--abort")

    _, events, _ = read_all(source, repo.path, cursor)

    assert events == []


def test_nothing_of_a_rebase_is_told_before_it_is_over(home: Path, repo: Workshop) -> None:
    with_conflict(repo)
    repo.git("checkout", "--quiet", "feature")
    source = Git(home=home)
    _, _, cursor = read_all(source, repo.path)
    repo.git("rebase", "--quiet", "-i", "HEAD~2", GIT_SEQUENCE_EDITOR="sed -i '1s/pick/edit/'")
    repo.commit("Between")

    _, during, cursor = read_all(source, repo.path, cursor)
    repo.git("rebase", "--continue")
    _, after, _ = read_all(source, repo.path, cursor)

    assert titles(during) == []
    assert "Between" in titles(after)


def test_a_change_id_keeps_commits_together_whatever_else_became_of_them(home: Path, repo: Workshop) -> None:
    repo.commit("Start")
    change = "Change-Id: I0123456789abcdef0123456789abcdef01234567"
    repo.commit(f"First try\n\n{change}")
    source, book = Git(home=home), Book()
    _, events, cursor = read_all(source, repo.path)
    book.take(events)
    repo.git("checkout", "--quiet", "-b", "second", "HEAD~1")
    repo.commit(f"Second try\n\n{change}", file="other.txt")

    _, events, _ = read_all(source, repo.path, cursor)
    book.take(events)

    assert titles(book.events) == ["Start", "Second try"]


def test_two_commits_of_one_name_in_one_second_stay_two(home: Path, repo: Workshop) -> None:
    repo.commit("Save", file="one", at=NOON)
    repo.commit("Save", file="two", at=NOON)
    book = Book()

    _, events, _ = read_all(Git(home=home), repo.path)
    book.take(events)

    assert titles(book.events) == ["Save", "Save"]


def test_commits_that_no_branch_holds_are_told_without_a_branch(home: Path, repo: Workshop) -> None:
    repo.commit("One")
    repo.git("checkout", "--quiet", "--detach")
    repo.commit("Loose")
    source = Git(home=home)
    _, told, cursor = read_all(source, repo.path)
    repo.git("branch", "kept")
    repo.git("checkout", "--quiet", "main")
    repo.commit("Two")

    _, later, _ = read_all(source, repo.path, json.loads(json.dumps(cursor)))

    assert [(event.title, event.branch) for event in told] == [("One", "main"), ("Loose", "")]
    assert titles(later) == ["Two"]


def test_a_loose_commit_is_told_although_head_has_left_it_and_as_it_was_at_last(
    home: Path, repo: Workshop
) -> None:
    repo.commit("One")
    repo.git("checkout", "--quiet", "--detach")
    repo.commit("Losse")
    repo.git("commit", "--quiet", "--amend", "-m", "Loose")
    repo.git("checkout", "--quiet", "main")

    _, events, _ = read_all(Git(home=home), repo.path)

    assert titles(events) == ["One", "Loose"]


def test_a_loose_commit_that_git_has_thrown_away_stops_nothing(home: Path, repo: Workshop) -> None:
    repo.commit("One")
    repo.git("checkout", "--quiet", "--detach")
    loose = repo.commit("Loose")
    repo.git("checkout", "--quiet", "main")
    (repo.path / ".git" / "objects" / loose[:2] / loose[2:]).unlink()

    _, events, cursor = read_all(Git(home=home), repo.path)

    assert titles(events) == ["One"]
    assert position(cursor).reading is None


def test_commits_in_a_submodule_are_told_though_it_has_no_branch_checked_out(
    home: Path, repo: Workshop
) -> None:
    library = Workshop(home / "elsewhere" / "library")
    library.commit("Library")
    repo.commit("Start")
    allowed = ("-c", "protocol.file.allow=always")
    repo.git(*allowed, "submodule", "--quiet", "add", str(library.path), "vendor/library")
    repo.git("commit", "--quiet", "-m", "Add the library")
    inside = Workshop(repo.path / "vendor" / "library", init=False)
    inside.git("checkout", "--quiet", "--detach")
    inside.commit("Fix it here")
    source = Git(home=home)
    assert place(inside.path) in list(source.places())

    _, events, _ = read_all(source, inside.path)

    assert titles(events) == ["Library", "Fix it here"]
