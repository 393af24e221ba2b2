"""An answer is checked claim by claim against what was copied."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_memory.context.check import check, tag_in
from desktop_memory.context.claims import claims_of
from desktop_memory.context.contexts import Contexts
from desktop_memory.context.did_i import did_i
from desktop_memory.errors import KnownError
from desktop_memory.model import Source
from tests.benchmarks.answer_check import TO_REACH, corpus, measure
from tests.examples import at, last_minutes, retention

SOURCES = [
    Source(n=1, event=11, text="09:41 ran git rebase main, exit 0"),
    Source(n=2, event=12, text="09:49 ran pytest tests/test_retry.py, exit 0, 14 s"),
    Source(n=3, event=13, text="09:54 ran pytest tests/test_retry.py -k backoff ×2, exit 1, 11 s"),
    Source(
        n=4, event=14, text='09:55 page "Freeze and tick: controlling time in tests" · readthedocs.io (40 s)'
    ),
]


def verdicts(answer: str) -> list[str]:
    return [finding.verdict for finding in check(answer, SOURCES).findings]


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("It passed [1].", (1,)),
        ("It passed [1,3].", (1, 3)),
        ("It passed [1, 3] and more [2].", (1, 3, 2)),
        ("It passed [2-4].", (2, 3, 4)),
        ("It passed [2–4].", (2, 3, 4)),
        ("It passed [^1].", (1,)),
        ("It passed 【2】.", (2,)),
        ("It passed 【2†source】.", (2,)),
        ("It passed. [1]", (1,)),
        ("It passed.[1][2]", (1, 2)),
        ("It passed [1] and [2].", (1, 2)),
        ("It passed `x[1]`.", ()),
        ("It passed \\[1\\].", ()),
        ("It passed [1](https://example.com).", ()),
        ("- [x] It passed", ()),
        ("- [ ] It passed [2]", (2,)),
    ],
)
def test_citations_are_read_in_every_form(text: str, cited: tuple[int, ...]):
    found = claims_of(text)

    assert len(found) == 1
    assert found[0].cited == cited


def test_code_footnotes_and_a_pasted_source_list_are_no_claims():
    answer = (
        "The tests passed [2].\n\n```python\nx[1] = y[3]  # failed\n```\n\n[^1]: nothing\n\n"
        "## Sources\n[1] ran git rebase main\n[2] ran pytest\n"
    )

    assert [claim.text for claim in claims_of(answer)] == ["The tests passed."]
    assert verdicts(answer) == ["supported"]


def test_sentences_are_split_but_not_at_abbreviations():
    answer = "You ran e.g. Pytest at 09:49 [2]. Then, approx. Five minutes later, it failed [3]."

    assert [claim.cited for claim in claims_of(answer)] == [(2,), (3,)]


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("それは通った [1]。次に失敗した [2]。", [("それは通った。", (1,)), ("次に失敗した。", (2,))]),
        ("それは通った。[1] 次に失敗した。【2】", [("それは通った。", (1,)), ("次に失敗した。", (2,))]),
        ("It passed [1]. 次に失敗した [2]！", [("It passed.", (1,)), ("次に失敗した！", (2,))]),
        ("It passed [1], then failed [2] .", [("It passed, then failed.", (1, 2))]),
    ],
)
def test_sentences_end_in_every_script_and_keep_their_citations(answer, claims):
    assert [(claim.text, claim.cited) for claim in claims_of(answer)] == claims


def test_each_verdict():
    assert verdicts("The retry tests passed in 14 seconds [2].") == ["supported"]
    assert verdicts("The retry tests took 15 seconds [2].") == ["mismatch"]
    assert verdicts("The rebase of main succeeded [4].") == ["wrong citation"]
    assert verdicts("The database was migrated overnight [1].") == ["unsupported"]
    assert verdicts("The tests in tests/test_retry.py ran 14 s and passed.") == ["missing citation"]
    assert verdicts("The rebase succeeded [9].") == ["bad reference"]


def test_a_finding_says_what_differs_and_what_would_fit():
    findings = check(
        "The retry tests took 15 seconds [2]. The rebase of main succeeded [4].", SOURCES
    ).findings

    assert findings[0].differs == ("15 seconds",)
    assert findings[1].better == (1,)


def test_advice_without_a_number_is_no_claim():
    assert verdicts("I suggest to look at the clock first. Good luck!") == []


def test_the_tag_names_the_context():
    assert tag_in("From ctx-7f3a: it passed") == "ctx-7f3a"
    assert tag_in("no tag") == ""


def test_written_claims_are_judged_as_a_reader_would():
    written = corpus()

    assert sum(len(claims) for _, claims in written.HELD_OUT) >= 80
    for kind, (count, right, flagged) in measure().items():
        assert (right if kind == "supported" else flagged) / count >= TO_REACH[kind]


@given(st.text(max_size=300))
@settings(deadline=None)
@pytest.mark.nightly
def test_any_text_can_be_checked(answer: str):
    assert check(answer, SOURCES) == check(answer, SOURCES)


def test_an_answer_is_checked_against_the_copy_it_names_or_the_last():
    sources = last_minutes()
    contexts = Contexts(sources)
    sources.copies = [("ctx-aaaa", SOURCES), ("ctx-bbbb", SOURCES[:1])]
    answer = "The retry tests passed in 14 seconds [2]."

    assert contexts.check(f"{answer} (ctx-aaaa)").counts == {"supported": 1}
    assert contexts.check(answer, "ctx-aaaa").counts == {"supported": 1}
    assert contexts.check(answer).counts == {"bad reference": 1}


def test_without_a_copy_there_is_nothing_to_check_against():
    contexts = Contexts(last_minutes())

    with pytest.raises(KnownError, match="Nothing was copied yet"):
        contexts.check("It passed [1].")
    with pytest.raises(KnownError, match="no copy ctx-dead"):
        contexts.check("It passed [1]. ctx-dead")


def test_did_i_finds_what_was_done():
    sources = last_minutes()

    found = did_i("I took the advisory lock in a commit", sources)

    assert found.answer == "confirmed"
    assert found.traces[0].event.kind == "git_commit"
    assert "commit 8c1f2ab" in found.sentence


def test_did_i_takes_a_direction_for_no_matter_of_its_own():
    assert did_i("rebase onto main", last_minutes()).answer == "confirmed"


def test_did_i_names_what_is_otherwise():
    found = did_i("the backoff pytest passed", last_minutes())

    assert found.answer == "related"
    assert found.traces[0].differs == ("passed/failed",)


def test_did_i_says_that_the_log_is_not_all():
    found = did_i("I called the dentist", last_minutes())

    assert found.answer == "nothing found"
    assert "in the log" in found.sentence


def test_did_i_looks_at_the_day_that_is_named():
    sources = retention()
    assert sources.now() == at(13, "15:33")

    assert did_i("retention-schedule-v1.docx today", sources).answer == "nothing found"
    assert did_i("retention-schedule-v1.docx on Tuesday", sources).answer == "confirmed"
