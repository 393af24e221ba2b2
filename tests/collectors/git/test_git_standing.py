"""Where a working tree stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.git.standing import Standing, standing
from tests.collectors.git.workshop import Workshop, introduce


@pytest.fixture
def repo(home: Path) -> Workshop:
    introduce(home)
    repo = Workshop(home / "project")
    repo.commit("Start")
    return repo


def test_a_branch_is_measured_against_the_one_it_grew_from(repo: Workshop) -> None:
    repo.git("checkout", "--quiet", "-b", "fix/LED-731")
    repo.commit("One", file="one")
    repo.commit("Two", file="two")
    repo.git("checkout", "--quiet", "main")
    repo.commit("Meanwhile", file="other")
    repo.git("checkout", "--quiet", "fix/LED-731")
    (repo.path / "one").write_text("changed")
    (repo.path / "new.py").write_text("new")

    assert standing(repo.path) == Standing(
        branch="fix/LED-731", base="main", ahead=2, behind=1, uncommitted=("one", "new.py")
    )


def test_the_main_branch_is_measured_against_what_it_follows(home: Path, repo: Workshop) -> None:
    clone = Workshop(home / "clone", init=False)
    repo.git("clone", "--quiet", str(repo.path), str(clone.path))
    clone.commit("Unpushed")

    assert standing(clone.path) == Standing(branch="main", base="origin/main", ahead=1)


def test_a_folder_inside_answers_for_its_repository(repo: Workshop) -> None:
    inside = repo.path / "deep" / "down"
    inside.mkdir(parents=True)

    assert standing(inside) == Standing(branch="main")


def test_at_most_five_names_changed_ones_first(repo: Workshop) -> None:
    for name in "abcdef":
        (repo.path / name).write_text("new")
    (repo.path / "notes.txt").write_text("changed")

    stands = standing(repo.path)

    assert stands is not None
    assert stands.uncommitted == ("notes.txt", "a", "b", "c", "d")
    assert stands.more == 2


def test_renamed_conflicting_and_odd_names_are_told(repo: Workshop) -> None:
    repo.git("mv", "notes.txt", "über uns\n.txt")

    stands = standing(repo.path)

    assert stands is not None
    assert set(stands.uncommitted) == {"notes.txt", "über uns\n.txt"}


def test_a_detached_head_has_no_branch(repo: Workshop) -> None:
    repo.git("checkout", "--quiet", "--detach")

    assert standing(repo.path) == Standing()


def test_an_empty_repository_and_none_at_all(home: Path) -> None:
    introduce(home)
    empty = Workshop(home / "empty")

    assert standing(empty.path) == Standing()
    assert standing(home) is None
    assert standing(home / "missing") is None
