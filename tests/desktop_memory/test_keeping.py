"""What the user keeps through the door: copies that were made, lines struck out, what chats would pin."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_memory import settings
from desktop_memory.assembly import SETTINGS_FILE, assemble
from desktop_memory.errors import KnownError, UsageError
from desktop_memory.ipc.codec import decode, encode
from desktop_memory.memory import Memory
from desktop_memory.model import ContextRequest, Query
from desktop_memory.settings import Privacy, Settings
from tests.factories import NOON, at, event

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A quarter of an hour on an open project and on a walled one."""
    monkeypatch.setenv("DESKTOP_MEMORY_NOW", at(15).isoformat())
    monkeypatch.setenv("TZ", "UTC")
    privacy = Privacy(walled_projects=("nordwind",), aliases=("Nordwind AG = Client A",))
    settings.save(Settings(privacy=privacy), tmp_path / SETTINGS_FILE)
    parts = assemble(tmp_path, owner=False)
    parts.memory.remember(
        [
            event(1, text="make build", project="open"),
            event(2, text="make test", project="open", details={"exit": 1}),
            event(3, text="make test", project="open", details={"exit": 1}),
            event(4, text="make release", project="open"),
            event(5, text="nano offer.txt", project="nordwind"),
        ]
    )
    yield parts.memory
    parts.close()


def test_a_copy_is_listed_and_read_again_with_its_sources(memory):
    preview = memory.context(ContextRequest(), save=False)
    copied = memory.context(ContextRequest())
    memory.context(ContextRequest(query="make"), client="claude-code")

    theirs, ours = memory.copies()

    assert (ours.tag, ours.title, ours.tokens, ours.records, ours.client) == (
        copied.tag, copied.title, copied.tokens, len(copied.sources), "",
    )  # fmt: skip
    assert ours.title.startswith("Last 15 minutes · open · Thu 13 Aug 2026")
    assert (theirs.client, theirs.sources) == ("claude-code", ())
    assert preview.tag == copied.tag
    assert memory.copied(copied.tag).sources == copied.sources
    assert memory.copied().tag == theirs.tag
    assert memory.copied("ctx-none") is None
    assert [copy.tag for copy in memory.copies(limit=1)] == [theirs.tag]


def test_what_is_forgotten_is_gone_from_the_copies_and_their_titles(memory):
    memory.context(ContextRequest(event_id=4, query="make"))
    memory.forget(Query(), [4])

    copy = memory.copied()

    assert copy.title == ""
    assert [source.text for source in copy.sources if source.event == 4] == [""]
    assert all(source.text for source in copy.sources if source.event != 4)


def test_since_the_last_copy_counts_the_users_own_alone(memory):
    memory.context(ContextRequest(), client="claude-code")

    assert "no earlier copy" in memory.context(ContextRequest(since_last_copy=True), save=False).text


def test_a_preview_names_what_was_held_back_and_the_text_does_not(memory):
    copied = memory.context(ContextRequest(), save=False)

    assert [(held.project, held.events) for held in copied.held_back] == [("nordwind", 1)]
    assert "nordwind" not in copied.text
    assert "offer" not in copied.text
    assert memory.context(ContextRequest(project="nordwind"), save=False).held_back == ()


@pytest.mark.parametrize(
    "request_", [ContextRequest(), ContextRequest(query="make"), ContextRequest(this_session=True)]
)
@pytest.mark.parametrize("format_", ["markdown", "xml", "json", "text"])
def test_a_line_that_is_struck_out_is_told_nowhere(memory, request_, format_):
    memory.pin("goal", "Ship the release", "open")
    request_ = replace(request_, format=format_)
    whole = memory.context(request_, save=False)
    failing = next(line for line in whole.lines if line.key.startswith("event:") and "make test" in line.text)
    goal = next(line for line in whole.lines if line.key.startswith("pin:"))

    left = memory.context(replace(request_, without=(failing.key, goal.key)), save=False)

    assert "make test" in whole.text
    assert "Ship the release" in whole.text
    assert "make test" not in left.text
    assert "Ship the release" not in left.text
    assert "make build" in left.text
    assert [source.n for source in left.sources] == list(range(1, len(left.sources) + 1))
    assert {line.key for line in left.lines} < {line.key for line in whole.lines}


def test_an_event_chosen_and_struck_out_is_not_in_the_heading_either(memory):
    copied = memory.context(ContextRequest(event_id=4, without=("event:4",)), save=False)

    assert "make release" not in copied.text
    assert copied.title.startswith("Context around a record")


@pytest.mark.parametrize(
    "keys", [("event:x", "event:", "nonsense", "pin:999", "event:-1", "event:99999999999999999")]
)
def test_keys_of_no_line_strike_nothing(memory, keys):
    assert memory.context(ContextRequest(without=keys), save=False).sources


def test_a_context_asks_for_updates_only_on_request_and_outside_its_budget(memory):
    plain = memory.context(ContextRequest(question="What next?"), save=False)
    asked = memory.context(ContextRequest(question="What next?", ask_updates=True), save=False)

    assert "additions" not in plain.text
    assert asked.tokens == plain.tokens
    assert asked.text.index("End of ctx-") < asked.text.index("What next?") < asked.text.index('"additions"')


def test_updates_are_taken_together_and_undone_together(memory):
    goal = memory.pin("goal", "Nordwind AG: offer", "nordwind", due=NOON)
    note = memory.pin("note", "Use tabs")
    before = memory.pins("")
    block = {
        "additions": [{"kind": "decision", "text": f"Use {TOKEN}"}],
        "done": ["Client A: offer"],
        "changes": [{"id": note.id, "text": "Use spaces"}],
    }
    answer = f"Done. {json.dumps(block)}"
    found = decode(encode(memory.read_updates(answer)))
    told = []
    memory.changed.append(lambda: told.append(1))

    batch = memory.apply_updates(found.updates)

    now = {pin.id: pin for pin in memory.pins("")}
    assert now[goal.id].status == "done"
    assert now[note.id].text == "Use spaces"
    assert [pin.text for pin in now.values() if pin.kind == "decision"] == ["Use [redacted:token]"]
    assert memory.undo_updates(batch) == 3
    assert memory.pins("") == before
    assert len(told) == 2
    with pytest.raises(KnownError, match="undone any more"):
        memory.undo_updates(batch)


def test_a_pin_that_is_gone_meanwhile_keeps_all_of_them_from_being_taken(memory):
    note = memory.pin("note", "Use tabs")
    found = memory.read_updates('{"additions": ["Call Ana"], "removals": ["Use tabs"]}')
    memory.unpin(note.id)

    with pytest.raises(UsageError, match="gone"):
        memory.apply_updates(found.updates)

    assert memory.pins("") == []


def test_nothing_ticked_takes_nothing(memory):
    with pytest.raises(UsageError, match="nothing to take"):
        memory.apply_updates(memory.read_updates('{"removals": ["nothing"]}').updates)


def test_undoing_ends_after_ten_minutes_and_keeps_no_removed_text(memory, monkeypatch):
    memory.pin("note", "Use tabs")
    memory.apply_updates(memory.read_updates('{"removals": ["Use tabs"]}').updates)
    monkeypatch.setenv("DESKTOP_MEMORY_NOW", at(26).isoformat())
    memory.purge_forgotten()

    with pytest.raises(KnownError):
        memory.undo_updates()


def test_a_proposal_waits_is_taken_in_part_and_waits_again_after_undo(memory):
    id_ = memory.propose(
        "claude-code", json.dumps({"additions": ["Call Ana", f"key {TOKEN}"], "summary": "from a chat"})
    )
    (proposal,) = decode(encode(memory.proposals()))

    assert (proposal.client, proposal.state, proposal.updates.summary) == (
        "claude-code",
        "waiting",
        "from a chat",
    )
    assert proposal.updates.updates[1].text == "key [redacted:token]"

    batch = memory.apply_updates(proposal.updates.updates[:1], proposal=id_)

    assert [pin.text for pin in memory.pins()] == ["Call Ana"]
    assert memory.proposals() == []
    with pytest.raises(UsageError, match="No proposal"):
        memory.apply_updates(proposal.updates.updates[:1], proposal=id_)
    assert [pin.text for pin in memory.pins()] == ["Call Ana"]
    memory.undo_updates(batch)
    assert [waiting.id for waiting in memory.proposals()] == [id_]
    memory.drop_proposal(id_)
    assert [row.state for row in memory.proposals("")] == ["dropped"]
    with pytest.raises(UsageError):
        memory.drop_proposal(id_)


@pytest.mark.parametrize("body", ["", "[]", '{"nothing": 1}', '{"additions": [' + '"x",' * 20_000 + '"x"]}'])
def test_what_is_no_proposal_is_refused(memory, body):
    with pytest.raises(UsageError):
        memory.propose("x", body)


def test_one_client_cannot_pile_up_proposals(memory):
    for _ in range(50):
        memory.propose("eager", '{"additions": ["x"]}')

    with pytest.raises(UsageError, match="wait for the user"):
        memory.propose("eager", '{"additions": ["x"]}')
    assert memory.propose("other", '{"additions": ["x"]}')


def test_the_graphs_figures_come_from_the_store_while_there_is_no_graph(memory):
    stats = decode(encode(memory.graph_stats()))

    assert (stats.by, stats.state) == ("store", "closed")
    assert stats.counts["Event"] == 5
    assert stats.counts["PREVIOUS"] == 4


def test_pins_stand_in_the_order_given(memory):
    one, _, three = (memory.pin("goal", text) for text in ("one", "two", "three"))

    memory.order_pins([three.id, 999, one.id])

    assert [pin.text for pin in memory.pins()] == ["three", "two", "one"]
    memory.order_pins([])
    assert [pin.text for pin in memory.pins()] == ["three", "two", "one"]


def test_answers_without_a_graph_say_so_where_one_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("DESKTOP_MEMORY_NOW", at(15).isoformat())
    parts = assemble(tmp_path, owner=True)
    parts.memory.remember([event(1, text="make build", project="p")])
    missing = parts.memory.around(at(1))
    sessions = parts.memory.without_graph()
    copied = parts.memory.context(ContextRequest(query="make"), save=False)
    assert parts.projector is not None
    parts.projector.rebuild()

    assert "the graph is not ready (it was not made yet)" in missing.warnings[0]
    assert missing.anchor is not None
    assert sessions == missing.warnings
    assert "the graph is not ready" in copied.warnings[-1]
    assert parts.memory.around(at(1)).warnings == parts.memory.without_graph() == ()
    assert parts.memory.connected("project", "p").warnings == ()
    parts.close()
