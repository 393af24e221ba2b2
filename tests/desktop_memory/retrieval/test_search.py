"""Search finds by words at once, by meaning when there is a model, and filters inside both lanes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.model_files import built_in
from desktop_memory.indexer import Indexer
from desktop_memory.model import Query
from desktop_memory.pipeline.coalesce import embedding_text
from desktop_memory.retrieval.meaning import VectorLane
from desktop_memory.retrieval.search import Search
from desktop_memory.retrieval.terms import match, terms
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event

EVENTS = (
    event(1, text="pytest tests/test_retry.py -k backoff", project="billing-api", details={"exit": 1}),
    event(2, kind="browser", title="LED-731 Duplicate charge after webhook retry", domain="atlassian.net"),
    event(3, kind="browser", title="LED-732 Invoice footer is cut off", domain="atlassian.net"),
    event(4, kind="browser", title="Explicit Locking – PostgreSQL 16", domain="postgresql.org"),
    event(5, kind="window", title="retry.py — billing-api", app="VS Code", files=("billing/retry.py",)),
    event(6, kind="note", title="8th percentile, 60 s window looks right for fish 12", project="thesis-ch3"),
    event(7, kind="window", title="冪等性キー_設計.md", app="VS Code"),
    event(8, text="git status", project="billing-api"),
    event(9, kind="browser", title="Best hiking trails in the Alps", domain="outdoor.example"),
    event(
        10,
        kind="git_commit",
        title="Réduire la latence",
        text="Réduire la latence\n\nhttps://x",
        files=("a.py",),
    ),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=FakeClock(at(60)))
    opened.record([Incoming(event=e, body=embedding_text(e)) for e in EVENTS])
    yield opened
    opened.close()


@pytest.fixture
def by_words(store: Store) -> Search:
    return Search(store, None, store.clock)


@pytest.fixture
def search(store: Store, tmp_path: Path) -> Iterator[Search]:
    import threading

    embedder = ChildEmbedder(built_in(), notes=tmp_path / "notes.json")
    Indexer(store, embedder).catch_up(threading.Event())
    yield Search(store, VectorLane(store, embedder), store.clock)
    embedder.close()


def titles(result) -> list[str]:
    return [hit.event.title or hit.event.text for hit in result.hits]


def test_without_a_model_words_still_find_and_it_says_so(by_words):
    result = by_words(Query(text="advisory locking"))

    assert result.mode == "text"
    assert titles(result) == ["Explicit Locking – PostgreSQL 16"]
    assert result.warnings != ()


def test_an_identifier_is_one_phrase(by_words):
    assert titles(by_words(Query(text="LED-731")))[0].startswith("LED-731")
    assert len(by_words(Query(text="LED-731")).hits) == 1


@pytest.mark.parametrize(
    "text",
    ['"', "'; DROP TABLE event; --", "NEAR(", "a* AND OR NOT", "col:umn", "\x00", "😀", "(((", "-", "*"],
)
def test_no_query_is_a_syntax_error(by_words, text):
    by_words(Query(text=text))
    by_words(Query(text=text, typing=True))


def test_a_seldom_word_is_found_behind_any_number_of_newer_common_ones(by_words, store, monkeypatch):
    later = [event(20 + n, kind="browser", title=f"Invoice {n}", domain="shop.example") for n in range(30)]
    store.record([Incoming(event=one, body=embedding_text(one)) for one in later])
    for module in ("desktop_memory.store.words", "desktop_memory.retrieval.search"):
        monkeypatch.setattr(f"{module}.NEWEST_MATCHES", 10)

    found = by_words(Query(text="invoice led-731"))

    assert found.hits[0].event.title.startswith("LED-731")
    assert any(hit.event.title == "Invoice 29" for hit in found.hits)


def test_while_typing_the_last_word_is_a_beginning(by_words):
    assert "Explicit Locking – PostgreSQL 16" in titles(by_words(Query(text="postg", typing=True)))
    assert by_words(Query(text="postg")).hits == ()


def test_one_letter_begins_no_search_through_half_of_the_memory(by_words):
    alone, second = (match(terms(text, typing=True)) for text in ("p", "postgresql l"))

    assert (alone, second) == ('"p"', '"postgresql"')
    assert match(terms("設", typing=True)) == '"設"*'
    assert "Explicit Locking – PostgreSQL 16" in titles(by_words(Query(text="postgresql l", typing=True)))


def test_a_script_without_spaces_is_found_by_its_beginning_and_its_parts(by_words):
    assert titles(by_words(Query(text="冪等性"))) == ["冪等性キー_設計.md"]
    assert titles(by_words(Query(text="設計"))) == ["冪等性キー_設計.md"]


def test_diacritics_do_not_matter(by_words):
    assert titles(by_words(Query(text="reduire"))) == ["Réduire la latence"]


def test_files_sites_and_projects_are_words_too(by_words):
    assert len(by_words(Query(text="postgresql.org")).hits) == 1
    assert "retry.py — billing-api" in titles(by_words(Query(text="billing/retry.py")))


def test_a_filter_alone_gives_the_newest_first(by_words):
    result = by_words(Query(project="billing-api", limit=1))

    assert titles(result) == ["git status"]
    assert result.next == 1
    assert titles(by_words(Query(project="billing-api", limit=1, offset=1))) == [
        "pytest tests/test_retry.py -k backoff"
    ]


def test_meaning_finds_what_shares_no_word(search):
    result = search(Query(text="customer billed twice for one purchase"))

    assert result.mode == "hybrid"
    assert titles(result)[0] == "LED-731 Duplicate charge after webhook retry"
    assert "meaning" in result.hits[0].lanes


def test_words_that_match_exactly_stay_on_top_of_meaning(search):
    assert titles(search(Query(text="LED-732")))[0].startswith("LED-732")


def test_filters_act_inside_the_meaning_lane(search):
    result = search(Query(text="duplicate charge", kinds=("note",)))

    assert {hit.event.kind for hit in result.hits} <= {"note"}
    assert all(hit.event.start >= at(4) for hit in search(Query(text="charge", since=at(4))).hits)


def test_every_hit_says_why_it_is_there(search):
    for hit in search(Query(text="retry of a webhook")).hits:
        assert hit.lanes
        assert hit.relevance is not None
        assert "text" in hit.lanes or hit.relevance >= 0.20


def test_an_event_without_a_vector_is_still_found_by_words(search, store):
    store.record([Incoming(event=event(20, text="kubectl rollout restart"), body="kubectl rollout restart")])

    assert "kubectl rollout restart" in titles(search(Query(text="rollout")))


def test_the_same_page_seen_again_is_one_hit(by_words, store):
    again = [
        event(30 + n, kind="browser", title="Explicit Locking – PostgreSQL 16", domain="postgresql.org")
        for n in range(5)
    ]
    store.record([Incoming(event=e, body=embedding_text(e)) for e in again])

    assert len(by_words(Query(text="explicit locking")).hits) == 1


def test_what_is_left_out_takes_no_place(store: Store, search: Search) -> None:
    """A hundred better matches of a project that may not be told leave the others' places free, in both lanes."""
    import threading

    many = [
        event(100 + n, text=f"pytest backoff retry {n}", project="Zebra", identity=f"z{n}")
        for n in range(120)
    ]
    store.record([Incoming(event=e, body=embedding_text(e)) for e in many])
    lane = search._meaning
    assert lane is not None
    Indexer(store, lane._embedder).catch_up(threading.Event())
    open_ = "pytest tests/test_retry.py -k backoff"

    for asked in (Query(text="pytest backoff retry"), Query(text="trying again after a failed test")):
        found = search(Query(text=asked.text, without=("zebra",), limit=5))
        assert open_ in [hit.event.text for hit in found.hits]
        assert {hit.event.project for hit in found.hits} & {"Zebra"} == set()
