"""Each verdict with all that it tells, and which facts are the same."""

from __future__ import annotations

import pytest

from desktop_memory.context.check import Finding, check, match_of
from desktop_memory.context.evidence import evidence
from desktop_memory.model import Source

SOURCES = [
    Source(n=1, event=11, text="09:41 ran git rebase main, exit 0"),
    Source(n=2, event=12, text="09:49 ran pytest tests/test_retry.py, exit 0, 14 s"),
    Source(n=3, event=13, text='09:55 page "Freeze and tick: controlling time in tests" · readthedocs.io'),
    Source(n=4, event=14, text="10:02 committed Cap the backoff at 30 s to retry.py"),
    Source(n=5, event=15, text="10:05 committed Cap the backoff at 30 s to retry.py again"),
    Source(n=6, event=16, text="10:06 committed Cap the backoff at 30 s to retry.py deployed"),
]


def found(answer: str) -> Finding:
    (finding,) = check(answer, SOURCES).findings
    return finding


def test_what_was_checked_keeps_its_tag():
    assert check("", SOURCES).tag == ""
    assert check("", SOURCES, "ctx-0001").tag == "ctx-0001"


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("You rebased main with git [1].", Finding(claim="You rebased main with git.", cited=(1,),
                                                   verdict="supported", share=1.0)),
        ("You rebased main with git [9, 1].", Finding(claim="You rebased main with git.", cited=(9, 1),
                                                      verdict="bad reference", differs=("[9]",))),
        ("You rebased main with git [2].", Finding(claim="You rebased main with git.", cited=(2,),
                                                   verdict="wrong citation", better=(1,), share=0.0)),
        ("The pytest run of tests/test_retry.py took 99 s [2].",
         Finding(claim="The pytest run of tests/test_retry.py took 99 s.", cited=(2,), verdict="mismatch",
                 differs=("99 s",), share=pytest.approx(6 / 8))),
        ("The zebra ate 12 cakes [3].", Finding(claim="The zebra ate 12 cakes.", cited=(3,), verdict="unsupported",
                                               differs=("12",), share=0.0)),
        ("Committed the backoff cap of 30 s to retry.py.",
         Finding(claim="Committed the backoff cap of 30 s to retry.py.", cited=(), verdict="missing citation",
                 better=(4, 5), share=1.0)),
        ("Controlling elephants zealously in zoos [3].",
         Finding(claim="Controlling elephants zealously in zoos.", cited=(3,), verdict="unsupported", share=0.25)),
        ("Controlling tests zealously [3].",
         Finding(claim="Controlling tests zealously.", cited=(3,), verdict="supported", share=pytest.approx(2 / 3))),
        ("Controlling tests zealously in zoos [3].",
         Finding(claim="Controlling tests zealously in zoos.", cited=(3,), verdict="weak", share=0.5)),
        ("Committed the backoff cap of 30 s to retry.py from main [1].",
         Finding(claim="Committed the backoff cap of 30 s to retry.py from main.", cited=(1,),
                 verdict="wrong citation", better=(4, 5), share=0.1)),
        ("Committed the backoff cap of 31 s to retry.py [1].",
         Finding(claim="Committed the backoff cap of 31 s to retry.py.", cited=(1,), verdict="unsupported",
                 differs=("31 s", "retry.py"), share=0.0)),
        ("Elephants committed zebras 30 s [1].",
         Finding(claim="Elephants committed zebras 30 s.", cited=(1,), verdict="wrong citation", better=(4, 5))),
        ("Elephants committed zebras 30 s.",
         Finding(claim="Elephants committed zebras 30 s.", cited=(), verdict="missing citation", better=(4, 5),
                 share=0.6)),
        ("Committed the backoff cap of 30 s to retry.py deployed.",
         Finding(claim="Committed the backoff cap of 30 s to retry.py deployed.", cited=(),
                 verdict="missing citation", better=(6, 4), share=1.0)),
        ("Backoff 30 s.",
         Finding(claim="Backoff 30 s.", cited=(), verdict="missing citation", better=(4, 5), share=1.0)),
        ("The git rebase of main failed [1].",
         Finding(claim="The git rebase of main failed.", cited=(1,), verdict="mismatch",
                 differs=("passed/failed",), share=1.0)),
    ],
)  # fmt: skip
def test_a_finding_tells_all_of_it(answer: str, wanted: Finding):
    assert found(answer) == wanted


def test_the_better_records_are_the_two_that_fit_best():
    finding = found("Committed the backoff cap of 30 s to retry.py deployed [1].")
    assert finding.verdict == "wrong citation"
    assert finding.better == (6, 4)


def test_a_claim_over_several_records_may_order_them():
    told = "You ran pytest before git rebase main"
    sources = [
        Source(n=1, event=1, text="09:41 ran git rebase main after lunch"),
        Source(n=2, event=2, text="09:49 ran pytest after lunch"),
    ]
    assert [f.verdict for f in check(f"{told} [1, 2].", sources).findings] == ["supported"]
    (alone,) = check("You ran git rebase main before lunch [1].", sources).findings
    assert (alone.verdict, alone.differs) == ("mismatch", ("before/after",))


def test_other_opposites_hold_over_several_records_too():
    sources = [
        Source(n=1, event=1, text="09:41 ran pytest tests/test_retry.py, exit 1"),
        Source(n=2, event=2, text="09:49 ran pytest tests/test_more.py"),
    ]
    (finding,) = check("The pytest runs of test_retry.py and test_more.py passed [1, 2].", sources).findings
    assert finding.verdict == "mismatch"


def test_a_claim_without_a_number_matters_by_what_it_tells():
    assert check("Then Zoltan rebased main with git.", SOURCES).findings == ()
    assert check("Then you rebased Main with git.", SOURCES).findings == ()
    assert check("Committed the backoff cap of 31 s to retry.py.", SOURCES).findings == ()
    assert check("12", SOURCES).findings == ()


def test_a_claim_of_nothing_is_none_and_each_verdict_is_counted():
    checked = check("You [1]. You rebased main [1]. You rebased main [9]. You rebased git [1].", SOURCES)
    assert checked.counts == {"bad reference": 1, "supported": 2}
    assert len(checked.findings) == 3


@pytest.mark.parametrize(
    ("claim", "source", "same"),
    [
        ("it took 14 s", "took 14 s", True),
        ("it took 14 s", "took 14 min", False),
        ("it took 14", "took 14 min", True),
        ("it took 14 s", "took 14", True),
        ("it took 14 s", "took 15 s", False),
        ("it took 14 s", "took 15 min", False),
        ("it grew by 41 lines", "changed +41 -9 lines", True),
        ("it lost 9 lines", "changed +41 -9 lines", True),
        ("it lost -9 lines", "changed 9 lines", True),
        ("it lost 19 lines", "changed +41 -9 lines", False),
        ("pull request 497", "merged pr#497", True),
        ("pull request 497", "merged pr#0497", True),
        ("pull request 497", "merged 497-fix_it", True),
        ("pull request 497", "merged pr:497x", True),
        ("pull request 49", "merged pr#497", False),
        ("pull request 7", "merged v7.12.3x", True),
        ("pull request 12", "merged v7.12.3x", True),
        ("pull request 3", "merged v7.12.3x", True),
        ("pull request 0", "merged v7.00.3x", True),
        ("pull request 10", "merged v7.10.3x", True),
        ("pull request 497 kb", "merged pr#497", False),
    ],
)
def test_a_number_is_the_same_with_its_unit_or_bare(claim: str, source: str, same: bool):
    missing = match_of(evidence(claim), evidence(source)).missing
    assert (missing == ()) is same, missing


def test_several_records_are_read_as_one():
    """Words, facts and times of all of them, whichever comes last."""
    for cited in ("[1, 2]", "[2, 1]"):
        (finding,) = check(
            f"At 09:41 rebased main, at 09:49 pytest of test_retry.py passed {cited}.", SOURCES
        ).findings
        assert finding.verdict == "supported", cited


def test_what_is_missing_is_told_once_what_counts_most_first():
    claim = evidence('today Zoltan read 12 pages of "freeze the tick" to Wilma')
    missing = match_of(claim, evidence("slept")).missing
    assert missing == ("12", '"freeze the tick"', "Zoltan", "Wilma")


@pytest.mark.parametrize(
    ("quoted", "source", "there"),
    [
        ("controlling time in tests", 'page "Controlling time in tests"', True),
        ("controlling clocks in tests", "page about tests controlling clocks", True),
        ("controlling time in tests", "page about control of time", False),
        ("one two six ten up", "one two six ten", True),
        ("zebra", "page about horses", False),
        ("a b c d", "nothing", True),
        ("big fat cat", "nothing", False),
        ("alpha beta gamma delta epsilon", "alpha beta gamma delta", True),
        ("limit 3000 raised", "page limit 3000 raised", True),
        ("limit 3000 raised", "page limit 300 raised", False),
        ("checks passed", "all checks passed", True),
        ("checks passed", "all checks failed", False),
    ],
)
def test_a_quotation_is_there_when_four_of_five_of_its_words_are(quoted: str, source: str, there: bool):
    missing = match_of(evidence(f'you read "{quoted}"'), evidence(source)).missing
    assert (f'"{quoted}"' not in missing) is there, missing


@pytest.mark.parametrize(
    ("claim", "source", "missing"),
    [
        ("you called Zoltan", "called zoltan", ()),
        ("you called Zoltan", 'page "to zoltan" at 12 s', ()),
        ("you called Zoltan", "slept 12 s", ("Zoltan",)),
        ("you saw Requests Merged", "requests merged", ()),
        ("you asked db1.example.com", "curl db1.example.com:8080", ()),
        ("you used myFunc", 'page "how myfunc works"', ()),
        ("at 09:41 it moved", "09:41 it moved", ()),
        ("at 09:41 it moved", "09:41 it moved to 10:05", ("09:41",)),
        ("at 09:41 it moved", "10:05 it moved", ("09:41",)),
    ],
)
def test_names_and_times_are_there_however_they_are_written(
    claim: str, source: str, missing: tuple[str, ...]
):
    assert match_of(evidence(claim), evidence(source)).missing == missing


@pytest.mark.parametrize(
    ("claim", "source", "contradicts"),
    [
        ("pytest failed", "ran pytest, exit 0", ("passed/failed",)),
        ("pytest passed", "ran pytest, exit 1", ("passed/failed",)),
        ("pytest passed", "ran pytest, exit 0", ()),
        ("pytest failed, then passed", "ran pytest, exit 0", ()),
        ("pytest failed, then passed", "ran pytest, exit 1", ()),
    ],
)
def test_either_side_contradicts_the_other_and_both_none(
    claim: str, source: str, contradicts: tuple[str, ...]
):
    assert match_of(evidence(claim), evidence(source)).contradicts == contradicts


def test_a_claim_of_nothing_has_nothing_in_common():
    assert match_of(evidence("you"), evidence("ran git")).share == 0.0
