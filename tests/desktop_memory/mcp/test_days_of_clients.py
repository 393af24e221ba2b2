"""What an AI client calls today is the person's own day, in zones with odd offsets and over a change of clocks."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from tests.running import COMMAND, environment, run

DAYS = (
    # zone, now, just before today began, just after it
    ("Asia/Kathmandu", "2026-08-13T10:00:00+00:00", "2026-08-12T18:14:00+00:00", "2026-08-12T18:16:00+00:00"),
    # On 4 October 2026 the clocks of Lord Howe go from 02:00 to 02:30: tomorrow begins half an hour earlier.
    ("Australia/Lord_Howe", "2026-10-05T03:00:00+00:00", "2026-10-04T12:59:00+00:00", "2026-10-04T13:01:00+00:00"),
)  # fmt: skip


@pytest.mark.parametrize(("zone", "now", "before", "after"), DAYS)
def test_today_begins_at_the_persons_own_midnight(home: Path, zone: str, now: str, before: str, after: str):
    lines = [
        json.dumps({"kind": "note", "title": f"plan {name}", "start": start})
        for name, start in (("before", before), ("after", after))
    ]
    run(home, "import", "-", "--json", stdin="\n".join(lines))
    server = StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], "mcp"],
        env=environment(home, DESKTOP_MEMORY_NOW=now, TZ=zone),
        cwd=str(home),
    )

    async def talk() -> list[list[str]]:
        async with Client(server) as client:
            answers = [
                await client.call_tool("search_activity", asked)
                for asked in ({"query": "plan today"}, {"query": "plan yesterday"}, {"since": "today"})
            ]
            return [
                [e["line"].partition("note: ")[2] for e in a.structured_content["events"]] for a in answers
            ]

    assert anyio.run(talk) == [["plan after"], ["plan before"], ["plan after"]]
