"""Commits: what is told of each, whose, once, in which order."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from collectors.event import identity
from collectors.git.collector import Git
from tests.collectors.git.workshop import NOON, Book, Workshop, introduce, place, read_all, settle, titles


@pytest.fixture(autouse=True)
def known_to_git(home: Path) -> None:
    introduce(home)


@pytest.fixture
def repo(home: Path) -> Workshop:
    return Workshop(home / "src" / "billing-api")


def test_a_commit_tells_its_message_files_lines_branch_and_project(home: Path, repo: Workshop) -> None:
    first = repo.commit("Start")
    (repo.path / "billing").mkdir()
    (repo.path / "billing" / "retry.py").write_text("one\ntwo\n")
    repo.git("add", ".")
    repo.git("checkout", "--quiet", "-b", "fix/LED-731")
    repo.clock += 60
    repo.git("commit", "--quiet", "-m", "LED-731 take a lock\n\nBecause a webhook\nmay come twice.")
    commit = repo.git("rev-parse", "HEAD")

    _, events, _ = read_all(Git(home=home), repo.path)

    told = events[-1]
    assert told.kind == "git_commit"
    assert told.identity == identity("commit", first, commit)
    assert told.title == "LED-731 take a lock"
    assert told.text == "LED-731 take a lock\n\nBecause a webhook\nmay come twice."
    assert told.files == ("billing/retry.py",)
    assert (told.project, told.branch, told.repo) == ("billing-api", "fix/LED-731", first)
    assert told.details["hash"] == commit
    assert (told.details["insertions"], told.details["deletions"]) == (2, 0)
    assert told.details["cwd"] == str(repo.path)
    assert told.start == datetime.fromtimestamp(NOON + 120, UTC)
    assert told.utc_offset == 120
    assert told.end is None


def test_the_cursor_is_plain_json_and_survives_it(home: Path, repo: Workshop) -> None:
    repo.commit("One")
    _, _, cursor = read_all(Git(home=home), repo.path)
    repo.commit("Two")

    _, events, _ = read_all(Git(home=home), repo.path, json.loads(json.dumps(cursor)))

    assert titles(events) == ["Two"]


def test_only_new_commits_of_all_branches_are_read_the_second_time(home: Path, repo: Workshop) -> None:
    repo.commit("One")
    source = Git(home=home)
    _, _, cursor = read_all(source, repo.path)
    repo.git("checkout", "--quiet", "-b", "feature")
    repo.commit("On feature")
    repo.git("checkout", "--quiet", "main")
    repo.commit("On main")

    _, events, cursor = read_all(source, repo.path, cursor)
    _, again, _ = read_all(source, repo.path, cursor)

    assert [(event.title, event.branch) for event in events] == [
        ("On feature", "feature"),
        ("On main", "main"),
    ]
    assert again == []


def test_commits_of_others_are_left_out_unless_asked_for(home: Path, repo: Workshop) -> None:
    repo.commit("Mine")
    repo.commit("Theirs", GIT_AUTHOR_NAME="Bob", GIT_AUTHOR_EMAIL="bob@example.org")
    _, mine, cursor = read_all(Git(home=home), repo.path)

    _, everybodys, _ = read_all(Git(home=home, all_authors=True), repo.path, cursor)

    assert titles(mine) == ["Mine"]
    assert titles(everybodys) == ["Mine", "Theirs"]
    assert everybodys[1].details["author"] == "Bob"


def test_my_commits_are_known_by_an_earlier_address_in_the_reflog_and_by_my_full_name(
    home: Path, repo: Workshop
) -> None:
    introduce(home, "Ada Example", "ada@old.example")
    repo.commit("From the old address")
    introduce(home, "Ada Example", "ada@new.example")
    repo.commit("Through the web", GIT_AUTHOR_EMAIL="123+ada@users.noreply.example")

    _, events, _ = read_all(Git(home=home), repo.path)

    assert titles(events) == ["From the old address", "Through the web"]


def test_without_any_identity_the_reflog_says_who_commits_here(home: Path, repo: Workshop) -> None:
    (home / ".gitconfig").unlink()
    who = {"NAME": "Eve", "EMAIL": "eve@example.org"}
    repo.commit(
        "Mine",
        **{f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()},
    )

    _, events, _ = read_all(Git(home=home), repo.path)

    assert titles(events) == ["Mine"]


def test_a_clone_by_nobody_gives_advice_and_its_past_once_a_name_is_set(home: Path, repo: Workshop) -> None:
    repo.commit("One")
    (home / ".gitconfig").unlink()
    clone = Workshop(home / "clone", init=False)
    repo.git("clone", "--quiet", str(repo.path), str(clone.path))
    source = Git(home=clone.path)
    _, nothing, cursor = read_all(source, clone.path)
    advice = [found.advice for found in source.places()]
    introduce(home)

    _, events, _ = read_all(source, clone.path, cursor)

    assert nothing == []
    assert "user.email" in advice[0]
    assert titles(events) == ["One"]


def test_an_amended_commit_is_known_again_whatever_was_changed(home: Path, repo: Workshop) -> None:
    repo.commit("Start")
    repo.commit("Fx typo")
    source, book = Git(home=home), Book()
    _, events, cursor = read_all(source, repo.path)
    book.take(events)
    (repo.path / "more.txt").write_text("more")
    repo.git("add", "more.txt")
    repo.git("commit", "--quiet", "--amend", "-m", "Fix a typo and more", at=NOON + 5_000)

    _, events, _ = read_all(source, repo.path, cursor)
    book.take(events)

    assert titles(book.events) == ["Start", "Fix a typo and more"]
    assert book.events[1].files == ("more.txt", "notes.txt")
    assert book.events[1].start == datetime.fromtimestamp(NOON + 120, UTC)


def test_rebased_commits_are_known_again(home: Path, repo: Workshop) -> None:
    repo.commit("Start")
    repo.git("checkout", "--quiet", "-b", "feature")
    repo.commit("One", file="one")
    repo.commit("Two", file="two")
    repo.git("checkout", "--quiet", "main")
    repo.commit("Meanwhile", file="other")
    source, book = Git(home=home), Book()
    _, events, cursor = read_all(source, repo.path)
    book.take(events)
    repo.git("rebase", "--quiet", "main", "feature", at=NOON + 9_000)

    _, events, _ = read_all(source, repo.path, cursor)
    book.take(events)

    assert sorted(titles(events)) == ["One", "Two"]
    assert {event.branch for event in events} == {"feature"}
    assert sorted(titles(book.events)) == ["Meanwhile", "One", "Start", "Two"]


def test_reworded_and_squashed_commits_are_known_again(home: Path, repo: Workshop) -> None:
    repo.commit("Start")
    for name in ("one", "two", "three"):
        repo.commit(f"Add {name}", file=name)
    source, book = Git(home=home), Book()
    _, events, cursor = read_all(source, repo.path)
    book.take(events)
    todo = "sed -i '1s/pick/reword/;2s/pick/fixup/'"
    repo.git(
        *("rebase", "--quiet", "--interactive", "HEAD~3"),
        at=NOON + 9_000,
        GIT_SEQUENCE_EDITOR=todo,
        GIT_EDITOR="sed -i 's/Add one/Add the first two/'",
    )

    _, events, _ = read_all(source, repo.path, cursor)
    book.take(events)

    assert titles(events) == ["Add the first two", "Add three"]
    assert sorted(titles(book.events)) == ["Add the first two", "Add three", "Add two", "Start"]


def test_a_commit_made_upon_another_in_a_rebase_does_not_take_its_place(home: Path, repo: Workshop) -> None:
    repo.commit("Start")
    repo.git("checkout", "--quiet", "-b", "feature")
    repo.commit("Side")
    repo.git("checkout", "--quiet", "main")
    repo.commit("Meanwhile")
    source, book = Git(home=home), Book()
    _, events, cursor = read_all(source, repo.path)
    book.take(events)
    with pytest.raises(AssertionError, match="conflict"):
        repo.git("rebase", "main", "feature", at=NOON + 9_000)
    for name in ("notes.txt", "more.txt"):
        (repo.path / name).write_text("settled\n")
    repo.git("add", ".")
    repo.git("rebase", "--continue", at=NOON + 9_001)

    _, events, _ = read_all(source, repo.path, cursor)
    book.take(events)

    assert "rebase (continue): Side" in (repo.path / ".git" / "logs" / "HEAD").read_text()
    assert titles(events) == ["Side"]
    assert "Meanwhile" in titles(book.events)


def test_equal_commits_of_one_second_stay_apart_and_in_order(home: Path, repo: Workshop) -> None:
    for _ in range(5):
        repo.commit("Same again", at=NOON)
    source, book = Git(home=home, batch=2), Book()

    batches, events, cursor = read_all(source, repo.path)
    book.take(events)
    repo.commit("Same again", at=NOON)
    _, later, _ = read_all(source, repo.path, cursor)
    book.take(later)

    assert [len(batch.events) for batch in batches] == [2, 2, 1]
    assert len(book.events) == 6
    by_hash = {event.details["hash"]: event.start for event in book.events}
    in_order = repo.git("rev-list", "--reverse", "HEAD").split()
    assert [by_hash[commit].microsecond for commit in in_order] == [0, 1, 2, 3, 4, 5]


def test_a_cherry_picked_commit_is_one_piece_of_work(home: Path, repo: Workshop) -> None:
    repo.commit("Start")
    repo.git("branch", "release")
    fix = repo.commit("Fix", file="fix")
    repo.git("checkout", "--quiet", "release")
    repo.git("cherry-pick", fix, at=NOON + 900)
    book = Book()

    _, events, _ = read_all(Git(home=home), repo.path)
    book.take(events)

    assert len(events) == 3
    assert sorted(titles(book.events)) == ["Fix", "Start"]


def test_a_merge_is_marked_and_names_no_files(home: Path, repo: Workshop) -> None:
    repo.commit("Start")
    repo.git("checkout", "--quiet", "-b", "feature")
    side = repo.commit("Side", file="side")
    repo.git("checkout", "--quiet", "main")
    main = repo.commit("Main", file="main")
    repo.clock += 60
    repo.git("merge", "--quiet", "--no-ff", "-m", "Merge feature", "feature")

    _, events, _ = read_all(Git(home=home), repo.path)

    merge = events[-1]
    assert merge.title == "Merge feature"
    assert merge.files == ()
    assert merge.details["merge"] is True
    assert merge.details["parents"] == [main, side]
    assert [(event.title, event.branch) for event in events[1:3]] == [("Side", "feature"), ("Main", "main")]


def test_a_long_history_comes_newest_first_and_oldest_first_within_a_batch(
    home: Path, repo: Workshop
) -> None:
    for number in range(7):
        repo.commit(f"{number}")

    batches, _, _ = read_all(Git(home=home, batch=3), repo.path)

    assert [titles(list(batch.events)) for batch in batches] == [["4", "5", "6"], ["1", "2", "3"], ["0"]]
    assert [batch.more for batch in batches] == [True, True, False]


def test_reading_goes_on_after_a_restart_and_takes_in_what_came_meanwhile(home: Path, repo: Workshop) -> None:
    for number in range(7):
        repo.commit(f"{number}")
    first = Git(home=home, batch=3).collect(place(repo.path), None)
    repo.commit("meanwhile")

    source = Git(home=home, batch=3)
    _, rest, cursor = read_all(source, repo.path, first.cursor)
    _, new, _ = read_all(source, repo.path, cursor)

    assert titles(list(first.events)) == ["4", "5", "6"]
    assert titles(rest) == ["1", "2", "3", "0"]
    assert titles(new) == ["meanwhile"]


def test_messages_in_other_encodings_lose_nothing(home: Path, repo: Workshop) -> None:
    tree = repo.git("hash-object", "-t", "tree", "-w", "--stdin")
    person = b"Ada Example <ada@example.org> %d +0200" % NOON
    header = b"tree %s\nauthor %s\ncommitter %s\n" % (tree.encode(), person, person)
    said = header + b"encoding ISO-8859-1\n\nGr\xfc\xdfe, declared\n"
    unsaid = header + b"\nGr\xfc\xdfe, undeclared \x1b[31m\n"
    for name, raw in (("said", said), ("unsaid", unsaid)):
        commit = repo.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", given=raw)
        repo.git("update-ref", f"refs/heads/{name}", commit)

    _, events, _ = read_all(Git(home=home), repo.path)

    assert sorted(titles(events)) == ["Grüße, declared", "Grüße, undeclared \x1b[31m"]


def test_file_names_may_hold_anything(home: Path, repo: Workshop) -> None:
    repo.commit("Start")
    for name in (b"tab\there", b"line\nbreak", b"\xffbytes", "日本語 😀".encode(), b'quo"te', b"0\t0\tfake"):
        Path(bytes(repo.path).decode(), name.decode("utf-8", "surrogateescape")).write_text("x\n")
    repo.git("mv", "notes.txt", "moved.txt")
    repo.git("add", ".")
    repo.clock += 60
    repo.git("commit", "--quiet", "-m", "Odd names")

    _, events, _ = read_all(Git(home=home), repo.path)

    assert set(events[-1].files) == {
        *("tab\there", "line\nbreak", "ÿbytes", "日本語 😀", 'quo"te', "0\t0\tfake", "moved.txt")
    }
    assert events[-1].details["insertions"] == 6


def test_dates_that_no_calendar_has_are_counted_and_odd_ones_mended(home: Path, repo: Workshop) -> None:
    tree = repo.git("hash-object", "-t", "tree", "-w", "--stdin")
    who = b"Ada Example <ada@example.org>"
    for name, authored, committed in (
        ("never", b"99999999999999 +0000", b"99999999999999 +0000"),
        ("future", b"4000000000 +0000", b"%d +0100" % NOON),
        ("zone", b"%d +9959" % NOON, b"%d +0000" % NOON),
    ):
        raw = b"tree %s\nauthor %s %s\ncommitter %s %s\n\n%s\n" % (
            *(tree.encode(), who, authored, who, committed, name.encode()),
        )
        commit = repo.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", given=raw)
        repo.git("update-ref", f"refs/heads/{name}", commit)

    batches, events, _ = read_all(Git(home=home), repo.path)

    assert {event.title: event.start.timestamp() for event in events} == {"future": NOON, "zone": NOON}
    assert {event.utc_offset for event in events} == {0}
    assert batches[0].skipped == {"commit without a usable date": 1}


def test_a_shallow_clone_and_the_whole_one_tell_the_same_commit(home: Path, repo: Workshop) -> None:
    for number in range(4):
        repo.commit(f"{number}")
    shallow = Workshop(home / "shallow", init=False)
    repo.git("clone", "--quiet", "--depth=2", f"file://{repo.path}", str(shallow.path))
    source, book = Git(home=home), Book()

    for path in (shallow.path, repo.path):
        _, events, _ = read_all(source, path)
        book.take(events)

    assert sorted(titles(book.events)) == ["0", "1", "2", "3"]


def test_a_shallow_clone_that_gets_its_past_tells_it(home: Path, repo: Workshop) -> None:
    for number in range(4):
        repo.commit(f"{number}")
    shallow = Workshop(home / "shallow", init=False)
    repo.git("clone", "--quiet", "--depth=2", f"file://{repo.path}", str(shallow.path))
    source, book = Git(home=home), Book()
    _, events, cursor = read_all(source, shallow.path)
    book.take(events)
    shallow.git("fetch", "--quiet", "--unshallow")

    _, events, _ = read_all(source, shallow.path, cursor)
    book.take(events)

    assert sorted(titles(book.events)) == ["0", "1", "2", "3"]


def test_two_clones_tell_the_same_identities(home: Path, repo: Workshop) -> None:
    repo.commit("Start")
    repo.git("checkout", "--quiet", "--orphan", "gh-pages")
    repo.commit("Pages")
    repo.git("checkout", "--quiet", "main")
    clone = Workshop(home / "elsewhere", init=False)
    repo.git("clone", "--quiet", str(repo.path), str(clone.path))

    identities = [
        {e.identity: e.title for e in read_all(Git(home=home), path)[1]} for path in (repo.path, clone.path)
    ]

    assert identities[1].items() <= identities[0].items()
    assert "Start" in identities[1].values()


def test_nothing_new_costs_no_git_at_all(home: Path, repo: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("One")
    settle(home)
    source = Git(home=home)
    _, _, cursor = read_all(source, repo.path)
    monkeypatch.setenv("PATH", "")

    quiet = source.collect(place(repo.path), cursor)

    assert quiet.events == ()
    assert quiet.cursor == cursor


@pytest.mark.parametrize("pack", [False, True])
def test_a_new_commit_is_noticed_in_loose_and_packed_refs(home: Path, repo: Workshop, pack: bool) -> None:
    repo.git("checkout", "--quiet", "-b", "feature/deep/down")
    repo.commit("One")
    settle(home)
    source = Git(home=home)
    _, _, cursor = read_all(source, repo.path)
    repo.commit("Two")
    if pack:
        repo.git("pack-refs", "--all")

    _, events, _ = read_all(source, repo.path, cursor)

    assert titles(events) == ["Two"]
    assert events[0].branch == "feature/deep/down"


def test_a_rewound_branch_and_tips_that_are_gone_do_not_stop_reading(home: Path, repo: Workshop) -> None:
    repo.commit("One")
    repo.commit("Gone")
    source = Git(home=home)
    _, _, cursor = read_all(source, repo.path)
    repo.git("reset", "--quiet", "--hard", "HEAD~1")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "--quiet", "--prune=now")
    repo.commit("Instead")

    _, events, _ = read_all(source, repo.path, cursor)

    assert "Instead" in titles(events)


def test_five_thousand_commits_are_read_each_once(home: Path, repo: Workshop) -> None:
    lines = []
    for number in range(5_000):
        message = f"Commit {number}"
        lines += [
            "commit refs/heads/main",
            f"mark :{number + 1}",
            f"committer Ada Example <ada@example.org> {NOON + number // 3} +0200",
            f"data {len(message)}\n{message}",
            *([f"from :{number}"] if number else []),
            f"M 100644 inline f{number % 50}\ndata {len(message)}\n{message}\n",
        ]
    repo.git("fast-import", "--quiet", given="\n".join(lines).encode())

    batches, events, _ = read_all(Git(home=home), repo.path)

    assert len(batches) == 13
    assert {event.title for event in events} == {f"Commit {number}" for number in range(5_000)}
    assert len({event.identity for event in events}) == 5_000
    in_order = sorted(events, key=lambda event: event.start)
    assert titles(in_order) == [f"Commit {number}" for number in range(5_000)]


def test_a_damaged_cursor_starts_again_from_the_beginning(home: Path, repo: Workshop) -> None:
    repo.commit("One")

    for cursor in ({}, {"first": 1}, {"first": "", "whose": "", "done": 3, "state": ""}, {"reading": "x"}):
        _, events, _ = read_all(Git(home=home), repo.path, cursor)
        assert titles(events) == ["One"]
