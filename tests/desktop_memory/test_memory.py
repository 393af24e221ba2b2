"""The one door: through the gate and in, asked and answered, forgotten for good."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from collectors.event import Gap
from desktop_memory.errors import UsageError
from desktop_memory.ipc.remote import MEMORY_METHODS
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.records import event_record
from desktop_memory.settings import Privacy
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(at(30))


@pytest.fixture
def store(tmp_path: Path, clock: FakeClock) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def memory(store: Store, clock: FakeClock) -> Memory:
    return memory_over(store, clock)


def test_what_is_told_again_unchanged_is_not_looked_at_again(store, memory, monkeypatch):
    told = [event(1, text="make test"), event(2, kind="browser", title="A page", url="https://example.org/")]
    memory.remember(told)
    written: list[int] = []
    monkeypatch.setattr(store, "record", _counted(store.record, written))

    again = memory.remember([*told, event(3, text="ls")])
    late = memory.remember([replace(told[1], title="A page whose title came late")])

    assert (again.read, again.new, again.known) == (3, 1, 2)
    assert late.known == 1
    assert written == [1, 1]
    assert store.events([2])[0].title == "A page whose title came late"


def _counted(record: Callable[..., Counter[str]], written: list[int]) -> Callable[..., Counter[str]]:
    def counted(incoming: Sequence[Incoming], *more: Any, **named: Any) -> Counter[str]:
        written.append(len(incoming))
        return record(incoming, *more, **named)

    return counted


def test_what_a_rule_kept_out_comes_in_when_the_rule_is_gone_and_it_is_told_again(store, memory):
    slack = event(3, kind="window", title="general", app="Slack")
    memory._parts.gate.take(Privacy(exclude_apps=("Slack",)))
    assert memory.remember([slack]).dropped == 1
    memory._parts.gate.take(Privacy())

    assert memory.remember([slack]).new == 1


def test_nothing_is_stored_that_a_rule_forbids(store, clock):
    memory = memory_over(
        store, clock, privacy=Privacy(exclude_domains=("example.org",), exclude_apps=("Slack",))
    )

    receipt = memory.remember(
        [
            event(1, kind="browser", title="a", url="https://sub.example.org/x", domain="sub.example.org"),
            event(
                2,
                kind="browser",
                title="b",
                url="https://example.org.evil.test/",
                domain="example.org.evil.test",
            ),
            event(3, kind="window", title="general", app="Slack"),
            event(4, kind="window", title="Vault", app="KeePassXC"),
            event(5, kind="window", title="x", app="Firefox", private=True),
        ]
    )

    assert (receipt.read, receipt.new, receipt.dropped) == (5, 1, 4)
    assert [e.title for e in store.between(None, None)] == ["b"]
    assert sum(memory.stats().dropped.values()) == 4


def test_secrets_are_masked_before_the_first_write(memory, store):
    secret = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"

    receipt = memory.remember([event(1, text=f"STRIPE_KEY={secret} python -m billing.replay")])

    assert receipt.masked == 1
    assert "[redacted:key]" in store.event(1).text
    for file in store.path.parent.iterdir():
        assert secret.encode() not in file.read_bytes()


def test_working_memory_is_the_last_minutes_oldest_first_with_repeats_as_one_line(memory):
    memory.remember([event(1, text="old"), event(20, text="make", details={"exit": 2}), event(21, text="ls"),
                     event(22, text="make  test"), event(23, text="make test")])  # fmt: skip

    found = memory.now(15)

    assert [line.line for line in found.lines] == [
        "[10:20] terminal: make (exit 2)",
        "[10:21] terminal: ls",
        "[10:23] terminal: make test ×2",
    ]
    assert (found.until - found.since) == timedelta(minutes=15)


def test_a_window_that_was_opened_before_and_is_still_in_front_belongs_to_now(memory):
    memory.remember([event(0, until=29, kind="window", title="thesis.tex", app="Overleaf")])

    assert [line.line for line in memory.now(15).lines] == ["[10:00] window: Overleaf — thesis.tex"]


def test_more_lines_than_asked_are_counted_and_the_newest_kept(memory):
    memory.remember([event(16 + n / 10, text=f"echo {n}") for n in range(30)])

    found = memory.now(15, limit=5)

    assert [line.event.text for line in found.lines] == [f"echo {n}" for n in range(25, 30)]
    assert found.more == 25


def test_a_time_phrase_filters_and_can_be_switched_off(memory):
    memory.remember([event(-24 * 60, text="deploy staging"), event(1, text="deploy prod")])

    result = memory.search(Query(text="deploy yesterday"))

    assert [hit.event.text for hit in result.hits] == ["deploy staging"]
    assert result.filters["phrase"] == "yesterday"
    assert len(memory.search(Query(text="deploy yesterday", phrases=False)).hits) == 2


def test_before_and_after_a_moment(memory):
    memory.remember([event(n, text=f"step {n}") for n in range(6)])

    found = memory.around(at(2.2), count=2)

    assert found.anchor.text == "step 2"
    assert [e.text for e in found.before] == ["step 1", "step 0"]
    assert [e.text for e in found.after] == ["step 3", "step 4"]
    with pytest.raises(UsageError):
        memory.around(at(1), direction="sideways")


def test_what_touched_a_file_comes_in_pages(memory):
    memory.remember([event(n, text=f"edit {n}", files=("a/b.py",)) for n in range(5)])

    first = memory.connected("file", "a/./b.py", limit=3)
    second = memory.connected("file", "a/b.py", limit=3, before=first.next)

    assert [e.text for e in (*first.events, *second.events)] == [f"edit {n}" for n in (4, 3, 2, 1, 0)]
    assert second.next is None
    assert memory.connected("file", "b.py").entity is None


def test_forgetting_the_last_minutes_is_not_undone_by_reading_again(memory, store):
    events = [event(n) for n in range(30)]
    memory.remember(events)

    preview = memory.preview_forget(Query(since=at(20)))
    done = memory.forget(Query(since=at(20)))
    again = memory.remember(events)

    assert (preview.batch, preview.events, preview.first) == (None, 10, at(20))
    assert (done.events, again.new) == (10, 0)
    assert store.count() == 20


def test_an_export_comes_back_without_doubling_and_into_another_memory_whole(memory, store, tmp_path, clock):
    memory.remember(
        [
            event(1, text="日本語 😀", details={"exit": 1, "cwd": "/x"}),
            event(
                2, until=3, kind="browser", title="t", url="https://e.org/#a", domain="e.org", files=("f",)
            ),
        ]
    )
    lines = [json.dumps(event_record(e)) for e in store.all_events()]

    assert memory.import_lines(lines).new == 0
    other_store = Store.open(tmp_path / "other", clock=clock)
    other = memory_over(other_store, clock)
    assert other.import_lines(lines).new == 2
    assert other.import_lines(lines).new == 0
    for one, two in zip(store.all_events(), other_store.all_events(), strict=True):
        first, second = event_record(one), event_record(two)
        for name in ("id", "key", "device"):
            first.pop(name), second.pop(name)
        assert first == second
    other_store.close()


@pytest.mark.parametrize(
    ("url", "site"),
    [("https://www.docs.example/a?b", "docs.example"), ("https://[::1", ""), ("", ""), ("file:///tmp/x", "")],
)
def test_a_line_that_names_the_address_alone_has_its_site(memory, url, site):
    line = {"kind": "browser", "start": at(5).isoformat(), "title": "Locks", "url": url}
    memory.import_lines([json.dumps(line)])

    assert [one.event.domain for one in memory.search(Query(text="locks")).hits] == [site]


def test_lines_that_cannot_be_events_are_counted_by_reason(memory):
    receipt = memory.import_lines(
        [
            "not json",
            "[]",
            '{"kind": "nonsense", "start": "2026-01-01T00:00:00Z", "title": "x"}',
            '{"kind": "note", "start": "yesterday", "title": "x"}',
            '{"kind": "note", "start": "2026-01-01T00:00:00", "title": "x"}',
            '{"kind": "note", "start": "2026-01-01T00:00:00Z"}',
            '{"kind": "note", "start": "2026-01-01T00:00:00Z", "title": "good", "mood": "fine"}',
            "",
        ]
    )

    assert receipt.new == 1
    assert sum(receipt.skipped.values()) == 6
    assert memory.search(Query(text="good")).hits[0].event.details["mood"] == "fine"


def test_a_note_is_there_at_once_and_pins_head_the_list(memory):
    note = memory.note("8th percentile looks right")
    goal = memory.pin("goal", "Chapter 3 to Ana")

    assert memory.search(Query(text="percentile")).hits[0].event.id == note.id
    assert memory.pins() == [goal]
    memory.set_pin_status(goal.id, "done")
    assert memory.pins() == []
    assert [pin.status for pin in memory.pins("")] == ["done"]
    with pytest.raises(UsageError):
        memory.pin("goal", "x" * 281)
    with pytest.raises(UsageError):
        memory.note("  ")


@pytest.mark.parametrize(
    ("text", "title", "kind"),
    [
        ("goal: Chapter 3 to Ana", "Chapter 3 to Ana", "goal"),
        ("Decision:ten years", "ten years", "decision"),
        ("todo: call the DPO", "call the DPO", "goal"),
        ("goals are overrated", "goals are overrated", None),
    ],
)
def test_a_note_with_a_prefix_is_pinned_too(memory, text, title, kind):
    note = memory.note(text, project="thesis")

    assert note.title == title
    assert [(pin.kind, pin.text, pin.event, pin.project) for pin in memory.pins()] == (
        [(kind, title, note.id, "thesis")] if kind else []
    )


def test_whoever_listens_is_told_of_news_and_only_of_news(memory):
    told = []
    memory.changed.append(lambda: told.append(1))

    memory.remember([event(1)])
    memory.remember([event(1)])
    memory.remember([Gap(start=at(1), end=at(2), reason="locked")])

    assert len(told) == 2


def test_the_day_is_counted_from_local_midnight(store, clock):
    memory = memory_over(store, clock)
    memory.remember([event(-11 * 60), event(-9 * 60), event(1)])

    assert memory.stats().today == 2


def test_every_method_offered_to_others_is_one_of_memorys():
    for name in MEMORY_METHODS:
        assert callable(getattr(Memory, name)), name


def test_words_forget_what_holds_all_of_them_after_a_preview(memory):
    memory.remember([event(1, text="book Zanzibar flight"), event(2, text="book a table")])

    preview = memory.preview_forget(Query(text="Zanzibar book"))
    assert [e.text for e in preview.newest] == ["book Zanzibar flight"]
    assert memory.forget(Query(text="Zanzibar book")).events == 1

    assert memory.forget(Query(text="zanzibar")).events == 0
    for nothing in ("", "  ", "!!!"):
        with pytest.raises(UsageError):
            memory.forget(Query(text=nothing))


def test_it_is_told_where_secrets_were_masked_and_never_which(memory):
    secret = "ghp_" + "Z" * 36
    memory.remember(
        [
            event(1, text=f"export GITHUB_TOKEN={secret}", source="bash"),
            event(2, kind="git_commit", title=f"use {secret}", source="git"),
        ]
    )

    found = memory.masked()

    assert {(one.source, one.kind) for one in found} == {("bash", "terminal"), ("git", "git_commit")}
    assert sum(one.count for one in found) == sum(memory.stats().masked.values()) == 2
    assert "ZZZ" not in repr(found)


def test_a_record_of_no_year_there_is_costs_only_itself(memory):
    told = [
        {"kind": "note", "start": start, "title": "x"}
        for start in ("9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00", "2026-08-13T10:00:00Z")
    ]

    receipt = memory.import_lines([json.dumps(record) for record in told])

    assert (receipt.new, receipt.skipped) == (1, {"unreadable start": 2})
