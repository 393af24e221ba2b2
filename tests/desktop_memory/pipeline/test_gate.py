"""The gate: what it lets in, what it counts, and why it turned something away."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from desktop_memory.errors import KnownError
from desktop_memory.pipeline.gate import Gate
from desktop_memory.pipeline.privacy import Rules, judging
from desktop_memory.settings import Privacy
from tests.factories import NOON, event

SECRET = "export API_KEY=sk_live_4eC39HqLyjWDarjtT1zdp7dc"


def test_it_counts_what_it_turned_away_and_what_it_masked():
    gate = Gate(Privacy(exclude_apps=("Slack",)))

    away = gate.admit(event(0, app="Slack"))
    assert away.event is None
    assert away.why == "excluded app: Slack"
    assert away.masked == {}

    masked = gate.admit(event(0, text=SECRET))
    assert masked.event is not None
    assert "sk_live" not in masked.event.text
    assert masked.masked == {"key": 1}


def test_what_is_written_outside_an_event_is_masked_as_well():
    text, masked = Gate(Privacy()).mask(f"remember {SECRET}")
    assert "sk_live" not in text
    assert masked == {"key": 1}


def test_it_judges_by_the_settings_that_it_took_last():
    gate = Gate(Privacy())
    assert gate.limits == gate.rests == ()
    taken = Privacy(
        exclude_apps=("Slack",), keep=("browser = 90 days",), pause_schedule=("22:00-06:00", "12:00-13:00")
    )
    gate.take(taken)
    assert gate.privacy is taken
    assert [limit.days for limit in gate.limits] == [90]
    assert len(gate.rests) == 2
    assert gate.admit(event(0, app="Slack")).event is None


@pytest.mark.parametrize(
    ("privacy", "seen", "why"),
    [
        ({"exclude_hours": ("22:00-06:00",)}, {"start": NOON.replace(hour=23)}, "excluded hours"),
        ({"strict_private": True}, {"kind": "window", "app": "Firefox", "title": "A"},
         "a browser's window, which may be private"),
        ({"only_apps": ("Code",)}, {"app": "Slack"}, "not among what alone is recorded"),
        ({"exclude_titles": ("", "secret")}, {"title": "My secret"}, "excluded title: secret"),
        ({"exclude_commands": (" ", "^ssh")}, {"text": "ssh a"}, "excluded command: ^ssh"),
    ],
)  # fmt: skip
def test_it_says_why(privacy: dict[str, object], seen: dict[str, object], why: str):
    assert Rules.of(Privacy(**privacy)).judge(event(0, **seen)).why == why  # type: ignore[arg-type]


def test_what_alone_is_recorded_may_be_a_folder_of_the_home():
    rules = Rules.of(Privacy(only_paths=("~/work",)), home=Path("/home/ada"))
    assert rules.judge(event(0, details={"cwd": "/home/ada/work/x"})).keep
    assert not rules.judge(event(0, details={"cwd": "/home/ada/play"})).keep


def test_hours_are_not_asked_where_time_does_not_count():
    rules = Rules.of(Privacy(exclude_hours=("22:00-06:00",)))
    late = event(0, start=NOON.replace(hour=23))
    assert not rules.judge(late).keep
    assert rules.judge(late, timeless=True).keep


def test_an_end_at_the_very_moment_at_which_hours_begin_does_not_reach_into_them():
    rules = Rules.of(Privacy(exclude_hours=("22:00-06:00",)))
    until = NOON.replace(hour=22, minute=0, second=0)
    assert rules.judge(event(0, start=until - timedelta(hours=1), end=until, utc_offset=0)).keep
    assert not rules.judge(
        event(0, start=until - timedelta(hours=1), end=until + timedelta(microseconds=1), utc_offset=0)
    ).keep


def test_the_settings_that_judge_are_those_that_can_keep_an_event_out():
    told = judging(Privacy(exclude_apps=("Slack",), pause_schedule=("22:00-06:00",)))
    assert told["exclude_apps"] == ("Slack",)
    assert {"default_lists", "strict_private", "only_apps", "exclude_hours"} <= told.keys()
    assert not {"pause_schedule", "keep"} & told.keys()


@pytest.mark.parametrize("setting", ["exclude_titles", "exclude_commands"])
def test_a_pattern_that_cannot_be_read_is_named_with_what_to_do(setting: str):
    with pytest.raises(KnownError) as met:
        Gate(Privacy(**{setting: ("ok", "(")}))  # type: ignore[arg-type]
    assert f"privacy.{setting}" in met.value.problem
    assert met.value.advice == "Mend it in the settings; a dot or bracket meant as such needs a \\."
