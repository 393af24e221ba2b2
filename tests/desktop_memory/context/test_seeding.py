"""A question brings in notes, the things it names, and what was pinned from an event it found."""

from __future__ import annotations

from dataclasses import replace

from desktop_memory.context.build import build
from desktop_memory.context.draft import plain
from desktop_memory.context.seeding import notes_for
from desktop_memory.context.select import select
from desktop_memory.model import ContextRequest, Entity, Hit, Query, SearchResult
from tests.examples import ListSources, at, goal

NOW = at(13, "09:56")


class Told(ListSources):
    """Sources whose search gives these hits, notes only when notes are asked for."""

    told: tuple[Hit, ...] = ()

    def search(self, query: Query) -> SearchResult:
        hits = [hit for hit in self.told if not query.kinds or hit.event.kind in query.kinds]
        return SearchResult(mode="hybrid", filters={}, hits=tuple(hits[: query.limit]))


def sources_with_notes(coverage: float, relevance: float) -> Told:
    sources = Told(NOW)
    page = sources.add("browser", at(12, "10:00"), title="Retry budgets", domain="x.org")
    note = sources.add("note", at(3, "10:00"), text="Three tries are enough", project="billing-api")
    sources.told = (
        Hit(event=page, score=1.0),
        Hit(event=note, score=0.1, coverage=coverage, relevance=relevance),
    )
    return sources


def test_a_note_that_says_something_of_it_stands_beside_the_best_hits():
    request = ContextRequest(query="retry budget", top_k=1)

    for coverage, relevance, told in ((0.6, 0.0, 2), (0.0, 0.4, 2), (0.3, 0.2, 1)):
        chosen = select(request, sources_with_notes(coverage, relevance))
        assert [hit.event.kind for hit in chosen.hits] == ["browser", "note"][:told]


def test_no_more_than_three_notes_none_behind_a_wall_and_none_that_was_not_asked_for():
    sources = Told(NOW)
    notes = [sources.add("note", at(3, "10:00"), text=f"retry {n}", project="secret") for n in range(6)]
    sources.told = tuple(Hit(event=note, score=0.5, coverage=1.0) for note in notes)
    request, query = ContextRequest(query="retry"), Query(text="retry")

    assert len(notes_for(query, [], request, sources, frozenset())) == 3
    assert notes_for(query, [], request, sources, frozenset(["secret"])) == []
    assert notes_for(query, [], replace(request, kinds=("browser",)), sources, frozenset()) == []


def test_the_newest_events_of_what_is_named_say_of_what():
    sources = sources_with_notes(0.0, 0.0)
    sources.entities = [Entity(id=1, kind="project", name="thesis")]
    commits = [sources.add("git_commit", at(day, "15:00"), title="x", project="thesis") for day in (9, 10)]
    request = ContextRequest(query="retry in thesis", top_k=1)

    chosen = select(request, sources)

    assert [(one.event.id, one.why) for one in chosen.neighbours if one.event in commits] == [
        (commits[1].id, "about thesis"),
        (commits[0].id, "about thesis"),
    ]
    assert select(replace(request, hop_depth=0), sources).neighbours == tuple(
        one for one in chosen.neighbours if one.why == "same session"
    )


def test_what_was_pinned_from_a_found_event_comes_along_though_it_is_another_projects():
    sources = sources_with_notes(1.0, 0.5)
    note = sources.told[1].event
    sources.all_pins = [
        replace(goal("ship the thesis", "elsewhere", None), event=note.id),
        goal("paint the house", "home", None),
    ]

    facts = build(ContextRequest(query="retry budget", project="billing-api"), sources).facts

    assert [plain(fact.text) for fact in facts if fact.label == "Goal"] == ["ship the thesis"]


def test_a_name_alone_is_answered_by_what_stands_around_it():
    sources = sources_with_notes(0.0, 0.0)
    sources.entities = [Entity(id=1, kind="project", name="thesis")]
    sources.add("git_commit", at(10, "15:00"), title="x", project="thesis")

    alone = build(ContextRequest(query="thesis", top_k=1), sources)
    more = build(ContextRequest(query="retry in thesis", top_k=1), sources)

    assert [section.title for section in alone.sections] == ["Chosen", "About thesis"]
    assert more.sections[0].title == "Relevant"
