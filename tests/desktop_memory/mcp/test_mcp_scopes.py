"""What a limited client may be told, in which zone, within which bounds: asked with the SDK's client in memory."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
import tzlocal
from mcp import Client

from desktop_memory import settings
from desktop_memory.assembly import SETTINGS_FILE
from desktop_memory.cli import main
from desktop_memory.errors import KnownError, UsageError
from desktop_memory.mcp import transports
from desktop_memory.mcp.server import build
from desktop_memory.mcp.transports import tools
from desktop_memory.model import ContextRequest
from desktop_memory.scopes import read_limit, scope_of
from desktop_memory.settings import Privacy, Settings
from tests.asked import Asked, opened
from tests.factories import NOON, at, event


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    monkeypatch.setenv("DESKTOP_MEMORY_NOW", at(15).isoformat())
    limits = ("cursor = kinds: terminal; last: 2h", "pages = apps: Firefox", "* = last: 1h")
    with opened(tmp_path, Privacy(client_limits=limits)) as found:
        found.memory.remember(
            [
                event(-60 * 30, text="make yesterday", project="p"),
                event(-90, text="make early", project="p"),
                event(2, text="make late", project="p", app="zsh"),
                event(
                    3,
                    kind="browser",
                    title="Page of today",
                    app="Firefox",
                    url="https://x.org/",
                    domain="x.org",
                ),
                event(4, kind="window", title="plan.docx - Word", app="Word", project="p"),
            ]
        )
        yield found


EVERYTHING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("working_memory", {"minutes": 1_440}),
    ("recent_activity", {"hours": 168}),
    ("search_activity", {"query": "make page plan today early yesterday"}),
    ("search_activity", {"since": "3d"}),
    ("search_activity", {"kind": "window"}),
    ("activity_context", {"time": "2026-08-13T10:03:00Z", "count": 50}),
    ("session", {}),
    ("connected", {"kind": "project", "name": "p"}),
    ("connected", {"kind": "app", "name": "Word"}),
    ("get_context", {"minutes": 1_440}),
    ("get_context", {"query": "make page plan"}),
    ("get_context", {"this_session": True}),
    ("get_context", {"event": 5}),
    ("get_context", {"since": "3d", "view": "timeline", "format": "json"}),
    ("did_i", {"claim": "I opened plan.docx and the page of today, and made early and yesterday"}),
)


@pytest.mark.parametrize(
    ("client", "hidden", "seen"),
    [
        ("cursor", ["Page of today", "plan.docx", "make yesterday"], ["make late", "make early"]),
        ("pages", ["plan.docx", "make"], ["Page of today"]),
        ("another", ["make early", "make yesterday"], ["make late", "Page of today", "plan.docx"]),
    ],
)
def test_no_tool_tells_a_client_what_is_outside_of_its_scope(asked, client, hidden, seen):
    told = [asked.told(name, client, **arguments) for name, arguments in EVERYTHING]

    recorded = "\n".join(told).replace("make page plan", "").replace("I opened plan.docx", "")
    for words in hidden:
        assert words not in recorded
    for words in seen:
        assert words in recorded


def test_no_tool_tells_of_a_walled_project_unless_it_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("DESKTOP_MEMORY_NOW", at(15).isoformat())
    privacy = Privacy(walled_projects=("zebra",), aliases=("Nordwind AG = Client A",))
    with opened(tmp_path, privacy) as found:
        for minute in range(4):
            found.memory.remember([event(minute, text=f"make part{minute} for Nordwind AG", project="open")])
        found.memory.remember(
            [
                event(4, text="make stripes", project="zebra"),
                event(5, kind="window", title="stripes.docx - Word", app="Word", project="zebra"),
            ]
        )
        found.memory.remember(
            [event(6, kind="window", title="Zebra plan - Files", app="Files", project="open")]
        )
        found.memory.pin("goal", "sell the stripes", "zebra")
        found.memory.pin("goal", "finish for Nordwind AG before zebra", "open")
        questions = [
            *EVERYTHING,
            ("search_activity", {"query": "stripes"}),
            ("connected", {"kind": "app", "name": "Word"}),
            ("connected", {"kind": "app", "name": "Files"}),
            ("get_context", {"event": 7, "format": "xml"}),
            ("list_pins", {}),
            ("list_pins", {"project": "open"}),
            ("get_context", {"query": "stripes", "view": "tasks"}),
            ("did_i", {"claim": "make stripes"}),
        ]
        told = "".join(found.told(name, **arguments) for name, arguments in questions)
        checked = found.told("check_answer", answer="You ran `make stripes` [1].")
        named = found.told("list_pins", project="zebra") + found.told("search_activity", project="zebra")

    told = (
        told.replace('Context for \\"stripes', "")
        .replace('Context for "stripes', "")
        .replace('for "stripes"', "")
    )
    assert "stripes" not in told.replace('for \\"stripes\\"', "")
    assert "Nordwind" not in told
    assert "zebra" not in told.casefold()
    assert "[redacted:project] plan" in told
    assert "Client A" in told
    assert '"supported"' not in checked.partition('"findings"')[2]
    assert "sell the stripes" in named
    assert "make stripes" in named


def test_a_renamed_and_merged_project_is_told_by_its_new_name_behind_its_old_wall(tmp_path, monkeypatch):
    monkeypatch.setenv("DESKTOP_MEMORY_NOW", at(15).isoformat())
    privacy = Privacy(walled_projects=("zebra",), aliases=("Nordwind AG = Client A",))
    with opened(tmp_path, privacy) as found:
        memory = found.memory
        memory.remember(
            [event(1, text="make stripes", project="zebra"), event(2, text="make x", project="herd")]
        )
        memory.remember(
            [event(3, text="make y", project="Nordwind AG"), event(4, text="make z", project="api")]
        )
        memory.pin("goal", "sell the stripes", "zebra")
        for old, new in (("zebra", "quagga"), ("api", "billing"), ("Nordwind AG", "north")):
            memory.rename_project(old, new)
        memory.merge_projects("quagga", "herd")
        while memory.follow_projects():
            pass

        told = "".join(found.told(name, **arguments) for name, arguments in EVERYTHING)
        pins = found.told("list_pins")
        named = found.told("search_activity", project="zebra")

    assert "stripes" not in told
    assert "quagga" not in told
    assert "make x" not in told
    assert "north" not in told
    assert "Client A" in told
    assert "billing" in told
    assert "stripes" not in pins
    assert "make stripes" in named
    assert "make x" in named


def test_a_limit_acts_at_once_and_one_that_cannot_be_read_closes_everything(asked):
    settings.save(
        Settings(privacy=Privacy(client_limits=("cursor = apps: Word",))), asked.folder / SETTINGS_FILE
    )
    assert "make late" not in asked.told("working_memory")

    settings.save(
        Settings(privacy=Privacy(client_limits=("cursor = sinds: x",))), asked.folder / SETTINGS_FILE
    )
    assert "cannot be read" in asked.error("working_memory")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "cursor",
        "= kinds: note",
        "x = kinds: thought",
        "x = last: soon",
        "x = apps:",
        "x = a: b; last: 1d",
    ],
)
def test_lines_that_are_no_limit(line):
    with pytest.raises(KnownError):
        read_limit(line)


def test_a_limit_reads_as_it_was_written():
    line = "Claude Desktop = kinds: terminal, note; apps: VS Code, zsh; last: 7d"

    assert str(read_limit(line)) == line
    assert scope_of("claude desktop", [line], NOON).since == NOON - timedelta(days=7)
    assert not scope_of("other", [line], NOON)


def test_limits_and_reads_on_the_command_line(home, capsys):
    assert main(["mcp", "limit", "cursor", "--kind", "terminal", "--last", "7d"]) == 0
    assert main(["mcp", "limit", "other", "--app", "a;b = c: d"]) == 1
    assert main(["mcp", "limit", "cursor", "--last", "soon"]) == 2
    capsys.readouterr()
    assert main(["mcp", "limits", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["limits"] == ["cursor = kinds: terminal; last: 7d"]
    assert main(["mcp", "limit", "cursor"]) == 0
    assert main(["mcp", "reads", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["reads"] == []


def test_what_each_client_was_told_is_listed_newest_first(asked):
    asked.told("working_memory")
    asked.told("list_pins", "pages")

    reads = [(read.client, read.tool, read.events) for read in asked.memory.client_reads()]

    assert reads == [("pages", "list_pins", 0), ("cursor", "working_memory", 1)]
    assert len(asked.memory.client_reads(client="pages")) == 1


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("activity_context", {"time": "99999999999999999w"}, "too long"),
        ("activity_context", {"time": "200000w"}, "all time"),
        ("activity_context", {"time": "bananas"}, "is no time"),
        ("activity_context", {"time": " "}, "missing"),
        ("activity_context", {"time": "10:00", "count": 51}, "50"),
        ("activity_context", {"time": "10:00", "direction": "up"}, "before"),
        ("working_memory", {"minutes": 0}, "0"),
        ("working_memory", {"minutes": "soon"}, "number"),
        ("recent_activity", {"hours": 169}, "168"),
        ("search_activity", {"limit": 201}, "200"),
        ("search_activity", {"offset": -1}, "0"),
        ("get_context", {"budget_tokens": 10}, "200"),
        ("get_context", {"view": "sideways"}, "timeline"),
        ("get_context", {"kinds": ["thought"]}, "no kind"),
        ("did_i", {"claim": ""}, "1"),
        ("check_answer", {"answer": "x [1].", "tag": "ctx-none"}, "no copy"),
        ("check_answer", {"answer": "x [1]."}, "Nothing was copied"),
        ("propose_notes", {"additions": [{"text": "x", "colour": "red"}]}, "colour"),
        ("propose_notes", {"additions": [{"text": "x" * 281}]}, "280"),
    ],
)
def test_questions_out_of_bounds_are_errors_that_say_what_was_expected(asked, name, arguments, says):
    assert says in asked.error(name, **arguments)


def test_a_client_checks_its_own_copies_and_not_the_users(asked):
    asked.memory.context(ContextRequest())

    assert "Nothing was copied" in asked.error("check_answer", answer="I ran make late [1].")
    asked.told("get_context", minutes=30)
    assert "supported" in asked.told("check_answer", answer="You ran `make late` [1].")


def test_there_are_no_resources_or_prompts_and_asking_for_them_is_no_error(asked):
    async def talk() -> tuple[int, int]:
        async with Client(build(tools(asked.memory, asked.folder, "x"))) as client:
            return len((await client.list_resources()).resources), len((await client.list_prompts()).prompts)

    assert anyio.run(talk) == (0, 0)


@pytest.mark.parametrize(
    ("zone", "now", "inside", "outside", "offset"),
    [
        # India is half an hour off, Nepal three quarters: the day begins at 18:30 and 18:15 UTC.
        ("Asia/Kolkata", "2026-08-13T10:00Z", "2026-08-12T18:30Z", "2026-08-12T18:29Z", "+05:30"),
        ("Asia/Kathmandu", "2026-08-13T10:00Z", "2026-08-12T18:15Z", "2026-08-12T18:14Z", "+05:45"),
        # The night in which the clocks go forward and back: the day has 23 and 25 hours.
        ("Europe/Berlin", "2026-03-29T20:00Z", "2026-03-28T23:00Z", "2026-03-28T22:59Z", "+01:00"),
        ("Europe/Berlin", "2026-10-25T20:00Z", "2026-10-24T22:00Z", "2026-10-24T21:59Z", "+02:00"),
        ("America/St_Johns", "2026-08-13T10:00Z", "2026-08-13T02:30Z", "2026-08-13T02:29Z", "-02:30"),
        # West and east of the date line it is another day at the same moment.
        ("Pacific/Kiritimati", "2026-08-13T10:00Z", "2026-08-13T10:00Z", "2026-08-13T09:59Z", "+14:00"),
        ("Pacific/Pago_Pago", "2026-08-13T10:00Z", "2026-08-12T11:00Z", "2026-08-12T10:59Z", "-11:00"),
    ],
)
def test_today_is_the_local_day_in_every_zone(tmp_path, monkeypatch, zone, now, inside, outside, offset):
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        patch.setenv("DESKTOP_MEMORY_NOW", now)
        time.tzset()
        tzlocal.reload_localzone()
        with opened(tmp_path, Privacy()) as found:
            found.memory.remember(
                [
                    event(text="echo inside", start=datetime.fromisoformat(inside)),
                    event(text="echo outside", start=datetime.fromisoformat(outside)),
                ]
            )
            told = [
                found.told("search_activity", since="today"),
                found.told("search_activity", query="echo today"),
            ]
    time.tzset()
    tzlocal.reload_localzone()

    for words in told:
        assert "echo inside" in words
        assert "echo outside" not in words
        assert offset in words


def test_a_port_that_cannot_be_used_is_said_in_one_line():
    with transports.listening(0) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(KnownError, match=f"Port {port} cannot be used"):
            transports.listening(port)
    with pytest.raises(UsageError, match="70000 is no port"):
        transports.listening(70_000)


def test_what_a_client_may_not_be_told_takes_no_place(asked):
    near = asked.call("activity_context", "cursor", time="2026-08-13T10:04:00Z", count=1).structured_content
    touched = asked.call("connected", "cursor", kind="project", name="p", limit=1).structured_content
    after = asked.call(
        "activity_context", "cursor", time="2026-08-13T08:00:00Z", direction="after"
    ).structured_content

    pages = [
        asked.call("search_activity", "cursor", query="make", limit=1, offset=offset).structured_content
        for offset in (0, 1)
    ]

    assert len({page["events"][0]["id"] for page in pages}) == 2
    assert pages[1]["next"] is None
    assert [event["line"][19:] for event in near["events"]] == ["terminal: make early", "terminal: make late"]
    assert near["anchor"] == near["events"][-1]["id"]
    assert [event["line"][19:] for event in touched["events"]] == ["terminal: make late"]
    assert touched["next"] is not None
    assert [event["line"][19:] for event in after["events"]] == [
        "terminal: make early",
        "terminal: make late",
    ]


def test_walled_hits_leave_their_places_to_others(tmp_path, monkeypatch):
    monkeypatch.setenv("DESKTOP_MEMORY_NOW", at(60).isoformat())
    with opened(tmp_path, Privacy(walled_projects=("zebra",))) as found:
        walled = [event(n, text=f"make release {n}", project="zebra") for n in range(20, 50)]
        found.memory.remember([event(1, text="make release of the first", project="open"), *walled])

        told = found.call("search_activity", query="make release", limit=2).structured_content

    assert [one["project"] for one in told["events"]] == ["open"]
    assert told["next"] is None


def test_a_limited_client_may_name_a_time_too(tmp_path, monkeypatch):
    monkeypatch.setenv("DESKTOP_MEMORY_NOW", at(15).isoformat())
    with opened(tmp_path, Privacy(client_limits=("cursor = last: 7d",))) as found:
        found.memory.remember([event(-60 * 24, text="make cake"), event(2, text="make tea")])

        told = found.told("search_activity", "cursor", query="make yesterday")

    assert "make cake" in told
    assert "make tea" not in told


@pytest.mark.parametrize("number", [-1, 0, 2**63, 2**70])
def test_numbers_that_no_record_has_are_said_not_tripped_over(asked, number):
    told = asked.told("get_context", "cursor", session=number) + asked.told(
        "get_context", "cursor", event=number
    )

    assert f"There is no session {number}" in told
    assert f"There is no event {number}" in told
