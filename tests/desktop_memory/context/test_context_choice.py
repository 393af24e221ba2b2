"""What is chosen, folded and said, case by case."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from collectors.event import Gap
from desktop_memory.context.build import build_context
from desktop_memory.context.describe import site
from desktop_memory.context.fold import fold
from desktop_memory.context.moments import ago, due, offset, span, stretch
from desktop_memory.context.select import select
from desktop_memory.context.sources import Neighbour, Topic
from desktop_memory.context.views import view_of
from desktop_memory.context.window_title import subject
from desktop_memory.model import ContextRequest, CopiedContext, Standing
from tests.examples import BERLIN, ListSources, at, calcium, goal, last_minutes, retention


def lines_of(copied: CopiedContext) -> list[str]:
    return [line for line in copied.text.splitlines() if line.startswith("- ")]


def one_line(**fields: object) -> str:
    """The line of a single event at 09:50."""
    sources = ListSources(at(13, "09:56"))
    kind = fields.pop("kind")
    sources.add(kind, at(13, "09:50"), fields.pop("seconds", None), **fields)  # type: ignore[arg-type]
    return lines_of(build_context(ContextRequest(), sources))[0].removeprefix("- 09:50 [1] ")


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"kind": "terminal", "text": "make", "details": {"exit": 2}}, "ran `make`, exit 2"),
        ({"kind": "terminal", "text": "make\nall", "seconds": 95}, "ran `make ⏎ all`, 2 min"),
        ({"kind": "terminal", "text": "printf `date`"}, "ran `` printf `date` ``"),
        ({"kind": "terminal", "text": "ls nowhere", "details": {"exit": 2}}, "ran `ls nowhere`, exit 2"),
        ({"kind": "browser", "title": "A", "domain": "www.x.org", "seconds": 40}, 'page "A" · x.org (40 s)'),
        ({"kind": "browser", "title": "A", "url": "https://x.org/a"}, 'page "A"'),
        (
            {"kind": "window", "app": "Code", "title": "a.py - p - Visual Studio Code", "seconds": 60},
            "VS Code: a.py (1 min)",
        ),
        (
            {"kind": "window", "app": "Zoom", "title": "Zoom Meeting", "seconds": 300},
            'call: "Zoom Meeting" · Zoom (5 min)',
        ),
        (
            {"kind": "window", "app": "Slack", "title": "general - Slack", "seconds": 120},
            'Slack: "general" (2 min)',
        ),
        ({"kind": "git_commit", "title": "Fix", "details": {"hash": "abcdef123"}}, 'commit abcdef1 "Fix"'),
        ({"kind": "git_stash", "title": "wip", "files": ("a", "b")}, 'stashed "wip" · a, b'),
        ({"kind": "note", "text": 'say "hi"'}, "my note: \"say 'hi'\""),
        ({"kind": "note", "text": "x", "details": {"pin": "decision"}}, 'my decision: "x"'),
        ({"kind": "file", "title": "a.pdf", "files": ("/home/lena/a.pdf",)}, "file a.pdf"),
        (
            {"kind": "file", "title": "a.zip", "domain": "x.org", "details": {"downloaded": True}},
            "downloaded a.zip from x.org",
        ),
        ({"kind": "other", "app": "Calendar", "title": "Stand-up"}, 'Calendar: "Stand-up"'),
        ({"kind": "screen", "text": "Whiteboard"}, 'screen: "Whiteboard"'),
    ],
)
def test_each_kind_is_said_in_its_own_words(fields: dict[str, object], line: str):
    assert one_line(**fields) == line


@pytest.mark.parametrize(
    ("title", "app", "shown", "is_file"),
    [
        ("retry.py - billing-api - Visual Studio Code", "VS Code", "retry.py", True),
        ("● retry.py - billing-api - Visual Studio Code", "VS Code", "retry.py", True),
        ("plan.docx - Nordwind AG - Word", "Word", "plan.docx", True),
        ("Ch. 3 methods - Zotero", "Zotero", "Ch. 3 methods", False),
        ("(3) Inbox - Mozilla Thunderbird", "Thunderbird", "Inbox", False),
        ("A – B – C", "Unknown", "A – B – C", False),
        ("example.com", "Firefox", "example.com", False),
        ("Makefile", "vim", "Makefile", True),
        ("Slack", "Slack", "", False),
    ],
)
def test_a_title_is_told_without_what_the_program_adds(title: str, app: str, shown: str, is_file: bool):
    event = ListSources(at(13, "10:00")).add("window", at(13, "09:00"), 60, app=app, title=title)

    assert (subject(event).text, subject(event).is_file) == (shown, is_file)


def test_an_empty_quarter_of_an_hour_gives_the_last_active_one_and_says_so():
    sources = last_minutes()
    sources._now = at(13, "12:30")

    copied = build_context(ContextRequest(), sources)

    assert "Nothing was recorded in the last 15 minutes; these are the last ones before." in copied.text
    assert "09:55 [" in copied.text


def test_a_session_that_has_only_begun_takes_in_the_one_before():
    sources = ListSources(at(13, "10:05"))
    sources.add("terminal", at(13, "09:10"), 600, text="make old", project="p")
    sources.add("terminal", at(13, "10:00"), 60, text="make new", project="p")

    copied = build_context(ContextRequest(this_session=True), sources)

    assert "This session has only begun; the one before is taken in." in copied.text
    assert len(lines_of(copied)) == 2


def test_a_young_session_of_another_project_stays_alone():
    sources = ListSources(at(13, "10:05"))
    sources.add("terminal", at(13, "09:10"), 600, text="make old", project="other")
    sources.add("terminal", at(13, "10:00"), 60, text="make new", project="p")

    assert len(lines_of(build_context(ContextRequest(this_session=True), sources))) == 1


def test_unknown_ids_and_numbers_out_of_range_warn_and_never_fail():
    request = ContextRequest(event_id=999, top_k=0, hop_depth=9, budget_tokens=5, minutes=0)

    copied = build_context(request, last_minutes())

    assert copied.text
    assert len([w for w in copied.warnings if "between" in w]) == 4
    assert "There is no event 999; told instead: last minute." in copied.warnings
    assert (
        "There is no session 999; told instead: last 15 minutes."
        in build_context(ContextRequest(session_id=999), last_minutes()).warnings
    )


def test_no_hit_gives_the_most_recent_records_marked_as_such():
    sources = last_minutes()
    sources.hits = []

    copied = build_context(ContextRequest(query="zebra crossing"), sources)

    assert 'Nothing was found for "zebra crossing"; these are the most recent records.' in copied.text
    assert copied.sources


def test_zero_hops_ask_the_graph_nothing():
    sources = calcium()
    sources.neighbours = None  # type: ignore[assignment, method-assign]

    copied = build_context(ContextRequest(query="calcium", hop_depth=0), sources)

    assert "Overleaf" not in copied.text


def test_a_page_seen_again_by_chance_of_its_site_is_no_neighbour():
    sources = calcium()
    found = sources.hits[0] if sources.hits else None
    assert found is not None
    other = sources.add("browser", at(6, "10:00"), 3000, title="Unrelated preprint", domain="biorxiv.org")
    sources.linked[found.id] = [Neighbour(event=other, why="same site")]

    assert "Unrelated" not in build_context(ContextRequest(query="calcium"), sources).text


def test_the_event_chosen_by_hand_comes_first():
    sources = calcium()
    commit = next(e for e in sources.events if e.kind == "git_commit")

    copied = build_context(ContextRequest(event_id=commit.id), sources)

    assert 'Context around "percentile F0, 60 s window"' in copied.text
    assert copied.sources[0].event == commit.id
    assert "## Chosen" in copied.text
    assert "## Same session" in copied.text


def test_a_time_phrase_alone_gives_the_stretch_by_sessions():
    sources = retention()

    copied = build_context(ContextRequest(query="what did I do today"), sources)

    assert "## Thu 13 Aug, 13:04" in copied.text
    assert "retention-schedule-v1" not in copied.text


@pytest.mark.parametrize(
    "asked", ["when I wrote", "what was I doing when somebody read", "where were we at as he noted"]
)
def test_what_was_done_when_something_happened_is_the_stretch_around_it(asked: str):
    sources = ListSources(at(13, "18:00"))
    sources.add("note", at(12, "09:00"), text="the alarm, another day")
    best = sources.add("note", at(13, "09:00"), text="the alarm")
    sources.add("note", at(13, "09:05"), text="what was done then")
    sources.hits = [best, sources.events[0]]

    chosen = select(ContextRequest(query=f"{asked} alarm"), sources)

    assert [hit.event.text for hit in chosen.hits] == ["the alarm", "what was done then"]


def test_a_stretch_without_records_parts_two_sittings():
    sources = ListSources(at(13, "18:00"))
    sources.add("note", at(13, "09:00"), text="first sitting")
    sources.add("note", at(13, "10:00"), text="second sitting")
    sources.recorded_gaps.append(Gap(start=at(13, "09:00"), end=at(13, "10:00"), reason="idle"))

    copied = build_context(ContextRequest(query="what did I do today"), sources)

    assert [line for line in copied.text.splitlines() if line.startswith(("#", "- "))][1:] == [
        "## Thu 13 Aug, 09:00",
        '- 09:00 [1] my note: "first sitting"',
        "- 09:00–10:00 not recorded",
        "## Thu 13 Aug, 10:00",
        '- 10:00 [2] my note: "second sitting"',
    ]


def test_a_page_found_by_two_of_its_titles_is_told_once():
    sources = ListSources(at(13, "18:00"))
    page = {"url": "https://x.org/LED-731", "domain": "x.org"}
    sources.hits = [
        sources.add("browser", at(13, "09:00"), 60, title="LED-731 twice - Jira", **page),
        sources.add("browser", at(13, "11:00"), 60, title="LED-731 twice", **page),
        sources.add("browser", at(12, "11:00"), 60, title="LED-731", **page),
    ]

    copied = build_context(ContextRequest(query="charged twice"), sources)

    assert len(lines_of(copied)) == len(copied.sources) == 1


def test_a_time_phrase_narrows_a_search():
    sources = calcium()
    sources.hits, sources.weaker = None, 0

    chosen = select(ContextRequest(query="robust on 5 Aug"), sources)

    assert {hit.event.start.astimezone(BERLIN).day for hit in chosen.hits} == {5}
    assert chosen.chip


def test_since_the_last_copy_begins_there():
    sources = last_minutes()
    sources.copied_until = at(13, "09:51")

    copied = build_context(ContextRequest(since_last_copy=True), sources)

    assert copied.text.startswith("# Since the last copy · billing-api · Thu 13 Aug 2026, 09:51–09:56")
    assert "git rebase" not in copied.text


def test_gaps_are_said_plainly_without_their_reason():
    sources = ListSources(at(13, "10:00"))
    sources.add("note", at(13, "09:50"), title="before")
    sources.add("note", at(13, "09:58"), title="after")
    sources.recorded_gaps = [
        Gap(start=at(13, "09:52"), end=at(13, "09:54"), reason="locked"),
        Gap(start=at(13, "09:54"), end=at(13, "09:57"), reason="paused"),
    ]

    text = build_context(ContextRequest(), sources).text

    assert "- 09:52–09:57 not recorded" in text
    assert "paused" not in text


def test_a_busy_stretch_keeps_what_weighs_most_and_says_what_was_left_out():
    sources = ListSources(at(13, "10:00"))
    for minute in range(60):
        sources.add(
            "terminal",
            at(13, "09:45") + timedelta(seconds=12 * minute),
            1,
            text=f"python step_{minute}.py --all",
        )
    sources.add("terminal", at(13, "09:46:01"), 1, text="make check", details={"exit": 1})
    sources.add("note", at(13, "09:47:01"), title="the step that matters")

    copied = build_context(ContextRequest(), sources)

    assert "the step that matters" in copied.text
    assert "make check" in copied.text
    assert copied.left_out == 62 - len(copied.sources) > 10
    assert f"{copied.left_out} left out." in copied.text
    assert copied.tokens <= 600


def test_a_walled_project_is_told_only_when_asked_for_or_in_front():
    sources = ListSources(at(13, "10:00"))
    sources.walls = frozenset({"Secret"})
    sources.add("terminal", at(13, "09:50"), 1, text="make wall", project="secret")
    for minute in (51, 52, 53):
        sources.add("terminal", at(13, f"09:{minute}"), 1, text=f"make {minute}", project="open")

    assert "make wall" not in build_context(ContextRequest(), sources).text
    assert "make wall" not in build_context(ContextRequest(query="make"), sources).text
    assert "make wall" in build_context(ContextRequest(project="secret"), sources).text
    assert sum(select(ContextRequest(), sources).held_back.values()) == 1


def test_a_wall_is_opened_for_one_copy_by_its_name():
    sources = ListSources(at(13, "10:00"))
    sources.walls = frozenset({"Secret", "Other"})
    sources.add("terminal", at(13, "09:49"), 1, text="make other", project="other")
    sources.add("terminal", at(13, "09:50"), 1, text="make wall", project="secret")
    for minute in (51, 52, 53):
        sources.add("terminal", at(13, f"09:{minute}"), 1, text=f"make {minute}", project="open")

    for request in (ContextRequest(let_in=("SECRET",)), ContextRequest(query="make", let_in=("secret",))):
        copied = build_context(request, sources)
        assert "make wall" in copied.text
        assert "make other" not in copied.text
        assert [held.project for held in copied.held_back] == ["other"]


def test_names_are_replaced_whole_words_and_in_any_case():
    sources = ListSources(at(13, "10:00"))
    sources.names = {"Nordwind AG": "Client A", "Ana": "B."}
    sources.add("note", at(13, "09:50"), title="nordwind ag wrote; Ana too, not Anabel")

    copied = build_context(ContextRequest(), sources)

    assert '"Client A wrote; B. too, not Anabel"' in copied.text
    assert copied.masked == {"name replaced": 2}
    assert "Names replaced: 2." in copied.text


def test_goals_of_the_project_in_front_by_due_date_and_at_most_ten():
    sources = last_minutes()
    sources.all_pins = [
        goal(f"goal {n}", "billing-api", at(14, "12:00") + timedelta(days=20 - n), n) for n in range(1, 15)
    ]

    copied = build_context(ContextRequest(budget_tokens=4000), sources)

    goals = [line for line in copied.text.splitlines() if line.startswith("**Goal**")]
    assert len(goals) == 10
    assert goals[0].startswith("**Goal** goal 14 (due")
    assert "**Goal**" not in build_context(ContextRequest(include_pins=False), sources).text


def test_a_failing_command_of_days_ago_is_not_said_to_fail_now():
    sources = last_minutes()
    old = sources.add("terminal", at(10, "09:00"), 1, text="make old", details={"exit": 1})
    sources.stands = Standing(project="billing-api", branch="main", failing=old, failing_streak=1)

    text = build_context(ContextRequest(), sources).text

    assert "**Failing**" not in text
    assert "**Stands at** branch main\n" in text


def test_topics_stand_in_xml_and_json_only():
    sources = last_minutes()
    sources.found_topics = [Topic(name="retries"), Topic(name="locks"), Topic(name="c"), Topic(name="d")]

    xml = build_context(ContextRequest(format="xml"), sources).text

    assert "<topics>\n<topic>retries</topic>" in xml
    assert "<topic>d</topic>" not in xml
    assert "<topics>" not in build_context(ContextRequest(format="xml", include_topics=False), sources).text
    assert "retries" not in build_context(ContextRequest(), sources).text


def test_the_question_stands_behind_untouched():
    question = "Why does [8] fail? <b>&</b>"

    copied = build_context(ContextRequest(question=question), last_minutes())

    assert copied.text.endswith(f"End of {copied.tag}.\n\n\n{question}\n")


def test_a_taken_tag_is_made_longer():
    sources = last_minutes()
    tag = build_context(ContextRequest(), sources).tag
    sources.taken = {tag}

    assert build_context(ContextRequest(), sources).tag.startswith(tag)
    assert len(build_context(ContextRequest(), sources).tag) > len(tag)


def test_every_view_keeps_every_numbered_source():
    request = ContextRequest(query="when I found the calcium baseline paper", budget_tokens=4000)

    told = {
        view: {
            s.event for s in build_context(ContextRequest(query=request.query, view=view), calcium()).sources
        }  # type: ignore[arg-type]
        for view in ("auto", "timeline", "tasks", "neighbourhood", "profile")
    }

    assert len(told["auto"]) == 9
    assert all(events == told["auto"] for events in told.values())


def test_browser_windows_lend_their_time_to_the_visit_and_go():
    sources = ListSources(at(13, "10:00"))
    sources.add("browser", at(13, "09:50"), None, title="A page", domain="x.org", url="https://x.org/a")
    sources.add("window", at(13, "09:50:01"), 60, app="Firefox", title="A page — Mozilla Firefox")
    sources.add("window", at(13, "09:53"), 60, app="Firefox", title="A page — Mozilla Firefox")
    sources.add("window", at(13, "09:55"), 60, app="Firefox", title="Unvisited — Mozilla Firefox")

    lines = lines_of(build_context(ContextRequest(), sources))

    assert lines == ['- 09:50 [1] page "A page" · x.org (2 min)', '- 09:55 [2] Firefox: "Unvisited" (1 min)']


def test_repeats_are_one_and_what_is_trivial_only_counted():
    sources = ListSources(at(13, "10:00"))
    for second in range(0, 50, 10):
        sources.add("terminal", at(13, f"09:50:{second:02d}"), 1, text="make", details={"exit": 0})
    for text in ("ls", "cd x && git status", "ls | head"):
        sources.add("terminal", at(13, "09:52"), 1, text=text, details={"exit": 0})

    items, trivia = fold(sources.overlapping(at(13, "09:00"), at(13, "10:00")))

    assert [len(item.events) for item in items] == [5]
    assert trivia.count == 3


def test_times_are_written_out():
    assert stretch(39.6) == "40 s"
    assert stretch(59.9) == "1 min"
    assert stretch(8_460) == "2 h 21 min"
    assert stretch(7_200) == "2 h"
    assert span(at(12, "23:50"), at(13, "00:10"), BERLIN) == "Wed 12 Aug 2026, 23:50 – Thu 13 Aug 2026, 00:10"
    assert offset(at(13, "12:00"), BERLIN) == "(UTC+02:00)"
    assert ago(at(4, "23:59"), at(13, "00:01"), BERLIN) == "9 days ago"
    assert due(at(14, "10:00"), at(13, "23:00"), BERLIN) == "due tomorrow, Fri 14 Aug"
    assert due(at(10, "10:00"), at(13, "23:00"), BERLIN) == "was due Mon 10 Aug"


def test_a_customers_name_before_a_providers_is_left_out():
    assert site("ledgerline.atlassian.net") == "atlassian.net"
    assert site("www.postgresql.org") == "postgresql.org"
    assert site("scholar.google.com") == "scholar.google.com"


@pytest.mark.parametrize(
    ("query", "view"),
    [
        ("retry today", "timeline"),
        ("what was I doing this morning", "timeline"),
        ("before the stand-up", "timeline"),
        ("what happened after the merge", "timeline"),
        ("todo", "tasks"),
        ("what's next", "tasks"),
        ("my goals for August", "tasks"),
        ("when I found the paper", "profile"),
        ("nextcloud afterburner", "profile"),
        ("", "profile"),
    ],
)
def test_the_question_chooses_the_view(query, view):
    sources = last_minutes()
    request = ContextRequest(query=query)

    assert view_of(request, select(request, sources), sources) == view
    assert view_of(replace(request, view="tasks"), select(request, sources), sources) == "tasks"


def test_a_stretch_that_a_question_names_tells_its_day():
    sources = last_minutes()
    text = build_context(ContextRequest(query="what was I doing this morning"), sources).text

    assert "## Thu 13 Aug, 09:4" in text


def test_tasks_stand_first_and_gaps_have_no_reason_of_their_own():
    sources = last_minutes()
    sources.all_pins = [goal("Ship it", "", at(14, "10:00"))]
    tasks = build_context(ContextRequest(query="todo retry"), sources).text
    sources.recorded_gaps = [Gap(start=at(13, "09:55"), end=at(13, "10:30"), reason="idle")]
    around = build_context(ContextRequest(event_id=1), sources).text

    assert tasks.index("**Goal**") < tasks.index("**Best match**")
    assert "## Not recorded" not in around


def test_what_has_no_project_counts_to_the_one_it_stood_beside():
    sources = ListSources(at(13, "10:20"))
    sources.add("browser", at(13, "09:50"), 30, title="Locks before", app="Firefox")
    sources.add("terminal", at(13, "09:55"), 1, text="make one", project="one")
    sources.add("browser", at(13, "09:56"), 30, title="Locks after", app="Firefox")
    sources.add("browser", at(13, "10:01"), 30, title="Figures before", app="Firefox")
    sources.add("terminal", at(13, "10:02"), 1, text="make two", project="two")
    sources.add("browser", at(13, "10:15"), 30, title="News of the day", app="Firefox")

    one = build_context(ContextRequest(project="one", minutes=60), sources).text
    two = build_context(ContextRequest(project="two", minutes=60), sources).text

    assert "Locks before" in one
    assert "Locks after" in one
    assert "make one" in one
    assert not [word for word in ("Figures", "make two", "News") if word in one]
    assert "Figures before" in two
    assert "make two" in two
    assert not [word for word in ("Locks", "make one", "News") if word in two]


def test_a_project_that_nothing_belongs_to_is_said_and_told_by_nothing_else():
    sources = ListSources(at(13, "10:20"))
    sources.add("browser", at(13, "10:15"), 30, title="News of the day", app="Firefox")

    copied = build_context(ContextRequest(project="nosuch"), sources)

    assert copied.sources == ()
    assert copied.warnings == ("Nothing is recorded of a project nosuch.",)


def test_a_question_and_a_session_since_the_last_copy_tell_nothing_from_before_it():
    sources = ListSources(at(13, "10:20"))
    sources.add("terminal", at(13, "10:00"), 1, text="make old")
    sources.add("terminal", at(13, "10:05"), 1, text="make new")
    sources.copied_until = at(13, "10:02")

    for request in (
        ContextRequest(query="make", since_last_copy=True),
        ContextRequest(this_session=True, since_last_copy=True),
        ContextRequest(since_last_copy=True),
    ):
        told = build_context(request, sources).text
        assert "make new" in told
        assert "make old" not in told

    sources.copied_until = at(13, "10:20")
    assert "no earlier copy" not in build_context(ContextRequest(since_last_copy=True), sources).text
    assert "make" not in build_context(ContextRequest(this_session=True, since_last_copy=True), sources).text
