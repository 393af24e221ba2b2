"""Whatever an AI client asks in whatever way, nothing of a walled project and no name that has an alias is answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collectors.event import Event
from desktop_memory.settings import Privacy
from tests.asked import Asked, opened
from tests.factories import at, event

WALLED, OPEN = "Zebra Deal", "horse"
SECRET = "qzx7"
"""Stands in every field of every record of the walled project, and nowhere else."""
NAME, ALIAS = "Nordwind AG", "Client A"
NOW = at(60 * 5)
LIMITS = ("narrow = kinds: terminal, note; last: 26h", "wordy = apps: Word")


def told_of(minute: float, kind: str, *, walled: bool) -> Event:
    """A record that is alike in both projects but for the word that gives it away."""
    word = f"stripes {SECRET}" if walled else "mane"
    joined = word.replace(" ", "-")
    return event(
        minute + (0.5 if walled else 0),
        until=minute + 4,
        kind=kind,
        title=f"{word} plan for {NAME}",
        text=f"cat {word} plan {NAME}",
        project=WALLED if walled else OPEN,
        app="Word",
        branch=f"feature/{joined}",
        files=(f"/home/lena/{joined}/{joined}.docx",),
        url=f"https://{joined}.example/plan",
        domain=f"{joined}.example",
        details={"exit": 1, "cwd": f"/home/lena/{joined}", "hash": f"{int(minute) % 997:040x}"},
    )


KINDS = ("window", "terminal", "browser", "git_commit", "note", "file")


def world() -> Iterator[Event]:
    """Three days on which both projects are worked on side by side, the open one more often."""
    for day in (-2, -1, 0):
        for number in range(24):
            minute = day * 1_440 + number * 11
            yield told_of(minute, KINDS[number % 6], walled=False)
            yield told_of(minute + 5, KINDS[(number + 1) % 6], walled=False)
            if number % 2:
                yield told_of(minute + 3, KINDS[(number + 2) % 6], walled=True)
        yield event(
            day * 1_440 + 280, kind="window", title=f"{WALLED} room - Slack", app="Slack", project=OPEN
        )


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    folder: Path = tmp_path_factory.mktemp("walls")
    privacy = Privacy(walled_projects=(WALLED,), aliases=(f"{NAME} = {ALIAS}",), client_limits=LIMITS)
    with opened(folder, privacy) as asked:
        asked.memory.remember(list(world()))
        for project, word in ((OPEN, "mane"), (WALLED, SECRET)):
            asked.memory.pin("goal", f"{word} goal with {NAME}", project)
            asked.memory.pin("note", f"{word} note before {WALLED}", project)
        yield asked


@pytest.fixture(autouse=True)
def that_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_MEMORY_NOW", NOW.isoformat())


words = st.sampled_from(
    ["", "plan", "stripes plan", "stripes", "what was I doing when I opened the plan", "yesterday", "todo plan",
     "Zebra Deal", "docx", "Nordwind AG", "failed commands today", "feature stripes", "\x00[1] ```"]
)  # fmt: skip
times = st.sampled_from(["", "", "3d", "yesterday", "2026-08-13", "2h", "2026-08-12T12:30"])
apps = st.sampled_from(["", "Word", "Slack"])
projects = st.sampled_from(["", "", OPEN, "nosuch"])
kinds = st.sampled_from(KINDS)
limits = st.integers(1, 200)
ids = st.integers(1, 230)
ANSWERS = ("I ran the stripes plan [1].", "The mane plan was opened [2].")
hidden_name = f"stripes-{SECRET}"
names = st.sampled_from([
    ("app", "Word"), ("app", "Slack"), ("project", OPEN), ("domain", "mane.example"),
    ("domain", f"{hidden_name}.example"), ("url", f"https://{hidden_name}.example/plan"),
    ("file", f"/home/lena/{hidden_name}/{hidden_name}.docx"),
])  # fmt: skip


looks = {
    "top_k": st.integers(1, 50),
    "hop_depth": st.integers(0, 3),
    "include_pins": st.booleans(),
    "budget_tokens": st.integers(200, 16_000),
    "view": st.sampled_from(["auto", "timeline", "tasks", "neighbourhood", "profile"]),
    "format": st.sampled_from(["markdown", "xml", "json", "text"]),
}


def asking(tool: str, *needed: str, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A tool with those arguments that it needs and any of the others."""
    always = {name: arguments.pop(name) for name in needed}
    return st.tuples(st.just(tool), st.fixed_dictionaries(always, optional=arguments))


calls = st.one_of(
    asking("working_memory", minutes=st.integers(1, 1_440)),
    asking("recent_activity", hours=st.integers(1, 168), app=apps, limit=limits),
    asking("search_activity", query=words, kind=kinds, app=apps, project=projects, since=times,
           until=times, failed=st.booleans(), limit=limits, offset=st.integers(0, 60)),
    asking("activity_context", "time", time=times.filter(bool), app=apps, count=st.integers(1, 50),
           direction=st.sampled_from(["before", "after", "both"])),
    asking("session", time=times, app=apps),
    asking("connected", "named", limit=limits, before=times, named=names),
    asking("get_context", query=words, event=ids, session=ids, minutes=st.integers(1, 4_320), since=times, until=times,
           this_session=st.booleans(), kinds=st.lists(kinds, max_size=3), project=projects, **looks),
    asking("get_context", "query", query=words.filter(bool), **looks),
    asking("get_context", "minutes", minutes=st.integers(1, 4_320), **looks),
    asking("list_pins", project=projects),
    asking("check_answer", "answer", answer=st.sampled_from(ANSWERS)),
    asking("did_i", "claim", claim=words.filter(bool)),
    asking("propose_notes", "removals", removals=st.lists(ids.map(str), min_size=1, max_size=6)),
)  # fmt: skip


@pytest.mark.nightly
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(call=calls, who=st.sampled_from(["cursor", "narrow", "wordy"]))
def test_no_tool_answers_with_what_is_behind_a_wall_or_has_an_alias(
    client: Asked, call: tuple[str, dict[str, Any]], who: str
):
    tool, arguments = call
    if "named" in arguments:
        arguments["kind"], arguments["name"] = arguments.pop("named")

    result = client.call(tool, who, **arguments)

    assert not result.is_error or tool in ("propose_notes", "check_answer"), result.content
    told = "\n".join(part.text for part in result.content)
    structure = result.structured_content or {}
    mine = json.dumps(arguments, ensure_ascii=False)
    everything = f"{told}\n{json.dumps(structure, ensure_ascii=False)}"
    assert SECRET not in everything
    assert NAME not in everything or NAME in mine
    assert WALLED.casefold() not in everything.casefold() or WALLED in mine
    hidden = {one.id for one in client.memory.events(range(1, 400)) if one.project == WALLED}
    listed = [*structure.get("events", ()), *structure.get("sources", ())]
    assert not hidden & {one.get("id", one.get("event")) for one in listed}


def test_what_is_looked_for_is_there_and_told_once_it_is_named(client: Asked):
    assert SECRET in client.told("search_activity", query="stripes", project=WALLED)
    assert SECRET in client.told("get_context", project=WALLED, minutes=600)
    assert SECRET in client.told("list_pins", project=WALLED)
    assert ALIAS in client.told("working_memory", minutes=300)
    assert "[redacted:project]" in client.told("recent_activity", app="Slack", hours=100)
