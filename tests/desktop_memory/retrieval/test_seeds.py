"""A question names things: by their names, by an alias, or by what a name means."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_memory.model import Hit
from desktop_memory.pipeline.coalesce import embedding_text
from desktop_memory.retrieval.seeds import Seeds
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event

SEEN = (
    event(1, kind="window", title="retry.py", app="VS Code", project="billing-api", files=("src/retry.py",)),
    event(
        2, kind="browser", title="Locks", url="https://www.postgresql.org/docs", domain="www.postgresql.org"
    ),
    event(3, kind="window", title="plan", app="Word", project="Nordwind AG"),
    event(4, text="make", project="thesis ch3"),
)


class Means:
    """A lane that knows what one name means."""

    def __init__(self, name: str) -> None:
        self.name = name

    def nearness(self, text, names):
        return [0.9 if name == self.name else 0.1 for name in names]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=FakeClock(at(60)))
    opened.record([Incoming(event=one, body=embedding_text(one)) for one in SEEN])
    yield opened
    opened.close()


def named(store: Store, text: str, *, lane=None, hubs=frozenset(), aliases=None) -> list[tuple[str, str]]:
    hits = [Hit(event=one, score=1.0) for one in store.events([1, 2, 3, 4])]
    seeds = Seeds(store, lane, hubs=lambda: hubs, aliases=lambda: aliases or {})
    return [(entity.kind, entity.name) for entity in seeds.named(text, hits)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what broke in Billing-API?", [("project", "billing-api")]),
        ("the thesis ch3 build", [("project", "thesis ch3")]),
        ("locks on postgresql.org", [("domain", "www.postgresql.org")]),
        ("who changed retry.py", [("file", "src/retry.py")]),
        ("VS Code", [("app", "VS Code")]),
        ("billing", []),
        ("", []),
    ],
)
def test_a_whole_name_is_found_in_the_question_and_no_part_of_one(store, text, expected):
    assert named(store, text) == expected


def test_the_name_that_others_see_leads_to_the_real_one(store):
    found = named(store, "the call with Client A", aliases={"Nordwind AG": "Client A"})

    assert found == [("project", "Nordwind AG")]


def test_a_name_that_means_what_is_asked_follows_those_that_are_named(store):
    found = named(store, "invoices and thesis ch3", lane=Means("billing-api"))

    assert found == [("project", "thesis ch3"), ("project", "billing-api")]


def test_a_pasted_page_is_looked_through_at_its_beginning_only(store):
    page = "lorem ipsum " * 50_000

    assert named(store, f"thesis ch3 {page}") == [("project", "thesis ch3")]
    assert named(store, f"{page} thesis ch3") == []


def test_files_are_told_apart_by_their_names_alone(store):
    assert named(store, "invoices", lane=Means("retry.py")) == []


def test_what_stands_in_most_sessions_leads_nowhere(store):
    entity = store.entity("app", "VS Code")

    assert named(store, "VS Code", hubs=frozenset([entity.id])) == []


def test_without_a_model_names_alone_count(store):
    class NoModel:
        def nearness(self, text, names):
            return None

    assert named(store, "invoices", lane=NoModel()) == []
