"""A chat's block of updates as a diff against the pins: tolerant of what stands around it, never of what it means."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from desktop_memory.context.updates import ASKED, LONGEST_ANSWER, MOST, Updates, find_block, read_updates
from desktop_memory.errors import UsageError
from desktop_memory.model import Pin

CREATED = datetime(2026, 8, 1, tzinfo=UTC)
PINS = [
    Pin(id=1, kind="goal", text="Retention schedule to Nordwind AG", created=CREATED, project="Nordwind AG"),
    Pin(id=2, kind="note", text="8th percentile,  60 s window", created=CREATED),
    Pin(id=3, kind="goal", text="An old goal", created=CREATED, status="done"),
]


def read(block: Any, **more: Any) -> Updates:
    return read_updates(block, PINS, ZoneInfo("Europe/Berlin"), **more)


@pytest.mark.parametrize(
    "answer",
    [
        '{"additions": ["Call Ana"]}',
        'Sure! Here it is:\n\n```json\n{"additions": ["Call Ana"],\n "removals": []}\n```\nAnything else? {smile}',
        '{"summary": "x", "additions": [{"text": "Call Ana",},],}',
        'First try: {"additions": ["Wrong"]} - corrected:\n{ "additions" : ["Call Ana"] }',
        '{"additions": ["Wrong" {"additions": ["Call Ana"]}',
    ],
)
def test_a_block_is_found_whatever_stands_around_it(answer):
    (update,) = read(find_block(answer)).updates

    assert (update.what, update.text, update.kind, update.problem) == ("add", "Call Ana", "note", "")


@pytest.mark.parametrize(
    "answer", ["", "Nothing to keep.", ASKED, '{"notes": []}', '{"additions": [', "{" * 90_000]
)
def test_no_block_is_an_error_that_shows_what_one_looks_like(answer):
    with pytest.raises(UsageError, match="no block of updates") as caught:
        find_block(answer)

    assert "additions" in caught.value.advice


def test_an_endless_answer_is_refused():
    with pytest.raises(UsageError, match="too long"):
        find_block("x" * (LONGEST_ANSWER + 1))


def test_pins_are_named_by_number_or_by_their_exact_text_and_not_by_a_part_of_it():
    updates = read(
        {"removals": [2, "1", "8TH percentile, 60 s window", "percentile", 99, "An old goal"]}
    ).updates

    assert [(u.pin, bool(u.problem)) for u in updates] == [
        (2, False), (1, False), (None, True), (None, True), (None, True),
    ]  # fmt: skip


def test_a_pin_is_known_by_the_name_that_the_chat_saw():
    shown = lambda text: text.replace("Nordwind AG", "Client A")  # noqa: E731

    (update,) = read({"done": ["Retention schedule to Client A"]}, shown=shown).updates

    assert (update.what, update.pin, update.before) == ("done", 1, "Retention schedule to Nordwind AG")


def test_a_change_keeps_what_it_does_not_name():
    (update,) = read({"changes": [{"id": 1, "due": "2026-08-20"}]}).updates

    assert (update.text, update.kind, update.project) == (PINS[0].text, "goal", "Nordwind AG")
    assert update.due == datetime(2026, 8, 19, 22, tzinfo=UTC)


def test_what_cannot_be_taken_says_why():
    updates = read(
        {
            "additions": [
                "x" * 281,
                " \u200b".strip("\u200b"),
                {"kind": "goal"},
                "retention schedule to nordwind ag",
            ],
            "changes": [{"id": 1}, {"pin": "nobody"}],
        }
    ).updates

    assert [update.problem for update in updates] == [
        "it is longer than 280 characters", "it says nothing", "it says nothing", "it is pinned already",
        "it says so already", "no pin has this number or says exactly this",
    ]  # fmt: skip


def test_nothing_is_taken_twice():
    updates = read({"additions": ["Call Ana", "call  ana"], "done": [1], "removals": [1]}).updates

    assert [(update.what, update.pin) for update in updates] == [("add", None), ("done", 1)]


def test_untidy_values_warn_and_leave_the_rest_standing():
    found = read(
        {"additions": [{"text": "Call Ana", "kind": "wish", "due": "tomorrow", "project": 7}], "removals": 2.5,
         "summary": ["no text"]}
    )  # fmt: skip

    assert [(update.text, update.kind, update.due) for update in found.updates] == [
        ("Call Ana", "note", None)
    ]
    assert len(found.warnings) == 3
    assert found.summary == ""


def test_no_more_than_can_be_looked_through():
    found = read({"additions": [f"note {n}" for n in range(500)]})

    assert len(found.updates) == MOST
    assert "500" in found.warnings[0]


def test_control_characters_and_lines_cannot_come_in():
    (update,) = read({"additions": ["Call\nAna\x1b[2J \ud800 tomorrow"]}).updates

    assert update.text == "Call Ana [2J \ufffd tomorrow"


def test_garbage_never_raises_anything_but_a_usage_error():
    dice = random.Random(3)
    pieces = [
        '{"additions": ',
        "[",
        "]",
        "}",
        '"x"',
        "1",
        "null",
        '{"text": ',
        ",",
        "\n",
        "```",
        "🦉",
        '"removals": ',
    ]

    def value(depth: int) -> Any:
        return dice.choice([None, True, 1, -(10**30), 0.5, "x", "", [], {}, *([[value(depth - 1)], {"text": value(depth - 1), "id": value(depth - 1), "due": value(depth - 1), "kind": value(depth - 1)}] if depth else [])])  # fmt: skip  # noqa: E501

    for _ in range(300):
        text = "".join(dice.choices(pieces, k=dice.randrange(1, 30)))
        block = {name: [value(2), value(2)] for name in ("additions", "done", "removals", "changes")}
        read(block)
        read(json.loads(json.dumps(block)))
        try:
            read(find_block(text))
        except UsageError:
            continue
