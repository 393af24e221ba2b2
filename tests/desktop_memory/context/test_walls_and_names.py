"""Nothing of a walled project crosses an outlet unasked, and no name that has an alias crosses any."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_memory.context.build import build_context
from desktop_memory.context.contexts import Contexts
from desktop_memory.context.did_i import did_i
from desktop_memory.context.sources import Neighbour
from desktop_memory.model import ContextRequest, CopiedContext, Pin, Remembered
from desktop_memory.scopes import Scope
from tests.examples import ListSources, at, goal

WALLED, OPEN = "zebra-merger", "horse"
SECRET = "zebra"
NAME, ALIAS = "Nordwind AG", "Client A"

pytestmark = pytest.mark.nightly
checked = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
kinds = st.sampled_from(["window", "terminal", "browser", "git_commit", "note", "file"])
moments = st.lists(
    st.tuples(st.integers(0, 9 * 60), kinds, st.booleans(), st.sampled_from([None, 5, 900])),
    min_size=1,
    max_size=14,
)
requests = st.builds(
    ContextRequest,
    query=st.sampled_from(
        ["", "", "plan", f"{SECRET} plan", "what was I doing when I opened the plan", "yesterday", "todo"]
    ),
    event_id=st.sampled_from([None, None, 1, 4]),
    session_id=st.sampled_from([None, None, 1, 4]),
    this_session=st.booleans(),
    minutes=st.sampled_from([None, 30, 600]),
    project=st.sampled_from(["", "", OPEN]),
    top_k=st.sampled_from([1, 5, 50]),
    include_topics=st.booleans(),
    budget_tokens=st.sampled_from([None, 300, 16_000]),
    format=st.sampled_from(["markdown", "xml", "json", "text"]),
    view=st.sampled_from(["auto", "timeline", "tasks", "neighbourhood", "profile"]),
    redaction=st.sampled_from(["strict", "relaxed"]),
    opened_by_hand=st.booleans(),
)


def _add(
    sources: ListSources, minute: int, kind: Any, seconds: int | None, project: str, word: str
) -> Remembered:
    start = at(13, f"{8 + minute // 60:02}:{minute % 60:02}")
    return sources.add(
        kind, start, seconds, title=f"{word} plan of {NAME}", text=f"cat {word} plan {NAME}", project=project,
        app="Word" if kind == "window" else "", branch=word, files=(f"/home/lena/{word}/{word}.docx",),
        url=f"https://{word}.example/plan", domain=f"{word}.example", details={"exit": 1, "query": f"{word} plan"},
    )  # fmt: skip


def sources_of(found: list[tuple[int, Any, bool, int | None]]) -> ListSources:
    """Open events stand around each walled one, so that the walled project is never in front."""
    sources = ListSources(at(13, "17:05"))
    sources.walls = frozenset({WALLED.title()})
    sources.names = {NAME: ALIAS}
    _add(sources, 0, "terminal", 5, OPEN, OPEN)
    sources.add("window", at(13, "16:58"), app="Files", title=f"{WALLED.title()} plan - Files", project=OPEN)
    sources.add(
        "git_commit", at(13, "16:59"), title=f"plan like {WALLED}", project=OPEN, branch=f"x/{WALLED}"
    )
    for minute, kind, walled, seconds in found:
        _add(sources, minute, kind, seconds, OPEN, OPEN)
        _add(sources, minute, kind, seconds, OPEN, OPEN)
        if walled:
            hidden = _add(sources, minute, kind, seconds, WALLED, SECRET)
            sources.linked[1] = [Neighbour(event=hidden, why="same project")]
    sources.all_pins = [
        goal(f"plan with {NAME}", OPEN, at(14, "10:00")),
        Pin(id=2, kind="goal", text=f"the {SECRET} goal", project=WALLED, created=at(1, "08:00")),
        Pin(id=3, kind="note", text=f"a {SECRET} note", project=WALLED, created=at(1, "08:00")),
    ]
    return sources


def everything(copied: CopiedContext, request: ContextRequest) -> str:
    """All that a copy holds but the user's own words, which may say anything."""
    told = [
        copied.text,
        copied.title,
        *(source.text for source in copied.sources),
        *(line.text for line in copied.lines),
    ]
    return "\n".join(told).replace(request.query, "") if request.query else "\n".join(told)


@given(moments, requests)
@checked
def test_nothing_behind_a_wall_is_copied(found: Any, request: ContextRequest) -> None:
    sources = sources_of(found)
    copied = build_context(request, sources)

    hidden = {event.id for event in sources.events if event.project == WALLED}
    if request.event_id not in hidden or not request.opened_by_hand:
        assert (
            SECRET
            not in everything(copied, replace(request, query=" ".join(request.query.split()))).casefold()
        )
        assert not hidden & {source.event for source in copied.sources}


@given(moments, requests)
@checked
def test_what_was_held_back_is_let_in_on_request_and_counted_until_then(
    found: Any, request: ContextRequest
) -> None:
    sources = sources_of(found)
    request = replace(
        request, query="", event_id=None, session_id=None, this_session=False, minutes=600, project=""
    )
    copied = build_context(request, sources)

    held = {one.project: one.events for one in copied.held_back}
    hidden = [event for event in sources.events if event.project == WALLED]
    assert held == ({WALLED: len(hidden)} if hidden else {})
    assert build_context(replace(request, let_in=(WALLED,)), sources).held_back == ()


@given(moments, requests)
@checked
def test_no_name_that_has_an_alias_is_told(found: Any, request: ContextRequest) -> None:
    sources = sources_of(found)
    copied = build_context(replace(request, let_in=(WALLED,)), sources)

    assert NAME not in everything(copied, request)


@given(moments)
@checked
def test_did_i_knows_nothing_behind_a_wall(found: Any) -> None:
    sources = sources_of(found)
    answer = did_i(f"I wrote the {SECRET} plan in {SECRET}.docx", sources)

    assert all(trace.event.project != WALLED for trace in answer.traces)
    assert all(SECRET not in trace.text for trace in answer.traces)


def test_the_owner_is_told_whether_the_log_confirms_it_behind_a_wall_too() -> None:
    asked = Contexts(sources_of([(30, "terminal", True, 5)]))

    told = [asked.did_i(f"cat {SECRET} plan {NAME}", scope).traces for scope in (None, Scope())]

    assert [WALLED in [trace.event.project for trace in traces] for traces in told] == [True, False]


def test_a_walled_project_that_is_asked_for_is_told() -> None:
    """The property above would hold of an empty copy, too."""
    sources = sources_of([(30, "terminal", True, 5)])

    assert SECRET in build_context(ContextRequest(minutes=600, project=WALLED), sources).text
    assert ALIAS in json.dumps(build_context(ContextRequest(minutes=600), sources).text)


@pytest.mark.parametrize("format_", ["markdown", "xml", "json", "text"])
def test_the_session_before_tells_nothing_of_a_walled_project(format_: Any) -> None:
    sources = sources_of([])
    _add(sources, 10, "git_commit", None, WALLED, SECRET)
    _add(sources, 12, "window", 1_500, WALLED, SECRET)
    for minute in (13, 14, 15, 16):
        _add(sources, minute, "window", 60, OPEN, OPEN)
    for minute in (200, 230):
        _add(sources, minute, "window", 1_700, OPEN, OPEN)

    copied = build_context(ContextRequest(session_id=sources.events[-1].id, format=format_), sources)

    assert "Before this" in copied.text
    assert SECRET not in copied.text
