"""What a client proposes to pin: what reaches the user, and what the client is told of the rest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_memory.settings import Privacy
from tests.asked import Asked, opened


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    with opened(tmp_path, Privacy()) as found:
        yield found


def test_proposed_changes_reach_the_user_as_a_diff(asked):
    pin = asked.memory.pin("goal", "Ship it")
    asked.told(
        "propose_notes",
        changes=[{"id": pin.id, "due": "2026-08-20"}],
        done=["Ship it"],
        removals=[],
        summary="s",
    )

    (proposal,) = asked.memory.proposals()

    assert [(update.what, update.pin) for update in proposal.updates.updates] == [("change", pin.id)]


def test_what_is_not_taken_of_a_proposal_is_told_with_the_reason(asked):
    asked.memory.pin("goal", "Ship it")

    result = asked.call(
        "propose_notes",
        additions=[
            {"text": "Keep me", "due": "2026-08-20"},
            {"text": "Late", "due": "20/8"},
            {"text": "Ship it"},
            {"text": "keep  me"},
        ],
        changes=[{"id": 99, "text": "x"}],
        done=["never pinned"],
    )

    why = {one["named"]: one["why"] for one in result.structured_content["not_taken"]}
    assert set(why) == {"Late", "Ship it", "keep me", "x", "never pinned"}
    assert "2026-08-20" in why["Late"]
    assert why["x"] == why["never pinned"] == "no pin has this number or says exactly this"
    (proposal,) = asked.memory.proposals()
    assert [(one.what, one.text, one.problem) for one in proposal.updates.updates] == [("add", "Keep me", "")]
    assert "Nothing was queued" in asked.error("propose_notes", removals=["7"])
    assert len(asked.memory.proposals()) == 1


def test_whether_a_walled_project_has_such_a_pin_is_not_told(tmp_path):
    with opened(tmp_path, Privacy(walled_projects=("zebra",))) as found:
        found.memory.pin("note", "buy them", "zebra")

        result = found.call("propose_notes", additions=[{"text": "buy them"}])

    assert result.structured_content["not_taken"] == []
