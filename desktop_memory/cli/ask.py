"""Commands that ask: now, recent, search, session, around, connected."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from desktop_memory.cli.output import print_json, print_warnings, say
from desktop_memory.counting import plural
from desktop_memory.errors import UsageError

if TYPE_CHECKING:
    from desktop_memory.memory import Memory
    from desktop_memory.model import Activity, ContextRequest, Kind, Query, Remembered, SearchResult

    Asked = TypeVar("Asked", Query, ContextRequest)

Commands = Any
Common = argparse.ArgumentParser


def add(commands: Commands, common: Common) -> None:
    now = commands.add_parser("now", parents=[common], help="working memory: the last minutes")
    now.add_argument("--minutes", type=float, default=15, help="how far back (15)")
    now.add_argument("--limit", type=int, default=200, help="at most this many lines (200)")
    now.set_defaults(run=_now)

    recent = commands.add_parser("recent", parents=[common], help="the last hours")
    recent.add_argument("--hours", type=float, default=3, help="how far back (3)")
    recent.add_argument("--app", default="", help="of this app only")
    recent.add_argument("--limit", type=int, default=200, help="at most this many lines (200)")
    recent.set_defaults(run=_recent)

    search = commands.add_parser("search", parents=[common], help="find by words and meaning")
    search.add_argument("query", nargs="*", metavar="QUERY", help="may be left out when a filter is given")
    add_filters(search)
    search.add_argument("--limit", type=int, default=20, help="at most this many hits (20)")
    search.add_argument("--offset", type=int, default=0, help="leave out that many hits")
    search.add_argument("--explain", action="store_true", help="say why each hit is there")
    search.add_argument("--sessions", action="store_true", help="put the hits of a session together")
    search.set_defaults(run=_search)

    session = commands.add_parser("session", parents=[common], help="the session now, or at a time")
    session.add_argument("--time", default="", help="14:30, yesterday 14:30, 2026-08-13T14:30, 2h")
    session.add_argument("--app", default="", help="the nearest one with this app")
    session.set_defaults(run=_session)

    around = commands.add_parser("around", parents=[common], help="what happened before and after a moment")
    around.add_argument("--time", required=True, help="14:30, yesterday 14:30, 2026-08-13T14:30, 2h")
    around.add_argument("--app", default="", help="the nearest event of this app")
    around.add_argument("--direction", choices=("before", "after", "both"), default="both")
    around.add_argument("--count", type=int, default=3, help="events on each side (3)")
    around.set_defaults(run=_around)

    connected = commands.add_parser(
        "connected", parents=[common], help="what touched a file, project, site or app"
    )
    which = connected.add_mutually_exclusive_group(required=True)
    for kind in ("file", "project", "url", "domain", "app"):
        which.add_argument(f"--{kind}", metavar="NAME")
    connected.add_argument("--limit", type=int, default=20, help="at most this many events (20)")
    connected.add_argument("--before", default="", help="older than this time (the next page)")
    connected.set_defaults(run=_connected)


def add_filters(parser: argparse.ArgumentParser) -> None:
    """The options that narrow down events."""
    parser.add_argument(
        "--kind", action="append", default=[], help="window, terminal, browser, git_commit, note …"
    )
    parser.add_argument("--app", default="")
    parser.add_argument("--project", default="")
    parser.add_argument("--domain", default="")
    parser.add_argument("--since", default="", help="14:30, yesterday, 2026-08-13, 2h")
    parser.add_argument("--until", default="", help="the same forms")
    parser.add_argument("--here", action="store_true", help="only the project of this folder")
    parser.add_argument("--failed", action="store_true", help="only commands that failed")


def kinds_of(given: Sequence[str]) -> tuple[Kind, ...]:
    """The kinds by their names. Raises UsageError for one that is none."""
    from desktop_memory.model import KINDS

    for name in given:
        if name not in KINDS:
            raise UsageError(f"{name!r} is no kind of event.", f"Kinds: {', '.join(KINDS)}.")
    return cast("tuple[Kind, ...]", tuple(given))


def query_of(arguments: argparse.Namespace, text: str = "") -> Query:
    """The query that these options make."""
    from desktop_memory.clock import clock, zone
    from desktop_memory.model import Query
    from desktop_memory.moments import parse_time

    now, here = clock(), zone()
    project = arguments.project
    if arguments.here:
        project = project_here()
    return Query(
        text=text,
        kinds=kinds_of(arguments.kind),
        app=arguments.app,
        project=project,
        domain=arguments.domain,
        since=parse_time(arguments.since, now, here) if arguments.since else None,
        until=parse_time(arguments.until, now, here) if arguments.until else None,
        failed=arguments.failed,
        limit=getattr(arguments, "limit", 20),
        offset=getattr(arguments, "offset", 0),
    )


def in_this_folder(asked: Asked, arguments: argparse.Namespace, memory: Memory) -> Asked:
    """With `--here` the project of this very folder, by the name that the memory has for it."""
    from dataclasses import replace

    if not arguments.here:
        return asked
    return replace(asked, project=memory.project_called(asked.project, str(Path.cwd())))


def project_here() -> str:
    """The project of the folder this command was called in. Raises UsageError outside of one."""
    from collectors.repository import enclosing

    found = enclosing(Path.cwd())
    if found is None:
        raise UsageError(
            "This folder belongs to no project.", "Go to one of its folders, or use --project NAME."
        )
    return found.name


def _now(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened

    with opened(arguments) as memory:
        _print_activity(
            arguments,
            memory.now(arguments.minutes, arguments.limit),
            f"Last {arguments.minutes:g} {plural(arguments.minutes, 'minute')}",
        )


def _recent(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened

    with opened(arguments) as memory:
        found = memory.recent(arguments.hours, arguments.app, arguments.limit)
        _print_activity(arguments, found, f"Last {arguments.hours:g} {plural(arguments.hours, 'hour')}")


def _print_activity(arguments: argparse.Namespace, found: Activity, heading: str) -> None:
    from desktop_memory.cli.words import window
    from desktop_memory.records import event_record

    if arguments.json:
        lines = [
            {"event": event_record(line.event), "count": line.count, "line": line.line}
            for line in found.lines
        ]
        print_json(
            {"since": found.since.astimezone().isoformat(), "until": found.until.astimezone().isoformat(),
             "lines": lines, "more": found.more}
        )  # fmt: skip
        return
    say(f"{heading} · {window(found.since, found.until)}")
    if found.more:
        say(f"({found.more} more before these)")
    for line in found.lines:
        say(line.line)
    if not found.lines:
        say("Nothing was recorded. `desktop-memory status` tells what is watched.")


def _search(arguments: argparse.Namespace) -> None:
    from dataclasses import replace

    from desktop_memory.cli.session import opened
    from desktop_memory.retrieval.search import filters_of

    query = replace(query_of(arguments, " ".join(arguments.query)), with_sessions=arguments.sessions)
    if not query.text.strip() and not filters_of(query):
        raise UsageError("Nothing to search for.", "Give words, or a filter such as --since 2h.")
    with opened(arguments) as memory:
        result = memory.search(in_this_folder(query, arguments, memory))
    if arguments.json:
        print_json(_search_record(result, explain=arguments.explain), result.warnings)
        return
    print_warnings(result.warnings)
    _print_hits(result, explain=arguments.explain)
    if not result.hits:
        say("Nothing found. Try other words, or a wider time.")
    if result.next is not None:
        say(f"More: --offset {result.next}")


def _search_record(result: SearchResult, *, explain: bool) -> dict[str, Any]:
    from desktop_memory.clock import clock, zone
    from desktop_memory.records import event_record, session_record
    from desktop_memory.retrieval.explain import reasons

    hits = [
        {"event": event_record(hit.event), "score": hit.score, "lanes": list(hit.lanes), "r": hit.relevance,
         "session": hit.event.session, **({"why": list(reasons(hit, clock(), zone()))} if explain else {})}
        for hit in result.hits
    ]  # fmt: skip
    filters = {
        name: value if not hasattr(value, "isoformat") else value.isoformat()
        for name, value in result.filters.items()
    }
    record = {"mode": result.mode, "filters": filters, "hits": hits, "next": result.next}
    if result.sessions:
        record["sessions"] = [session_record(session) for session in result.sessions]
    return record


def _print_hits(result: SearchResult, *, explain: bool) -> None:
    """Best first; where sessions are told, those of one session stand together, at its best hit."""
    from desktop_memory.cli.words import hit_line, session_heading

    left = list(result.hits)
    for session in result.sessions:
        say(session_heading(session))
        for hit in [hit for hit in left if hit.event.session == session.id]:
            say(hit_line(hit, explain=explain))
            left.remove(hit)
    if left and result.sessions:
        say("In no session")
    for hit in left:
        say(hit_line(hit, explain=explain))


def _session(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened
    from desktop_memory.cli.words import days, event_line, session_heading
    from desktop_memory.clock import clock, zone
    from desktop_memory.moments import parse_time
    from desktop_memory.records import event_record, session_record

    at = parse_time(arguments.time, clock(), zone()) if arguments.time else None
    with opened(arguments) as memory:
        found = memory.session(at, arguments.app)
        warnings = () if found is None else memory.without_graph()
    if arguments.json:
        shape = (
            None
            if found is None
            else {**session_record(found[0]), "events": [event_record(e) for e in found[1]]}
        )
        print_json({"session": shape}, warnings)
        return
    print_warnings(warnings)
    if found is None:
        say("No session there: nothing was recorded.")
    else:
        say(session_heading(found[0]))
        dated = len(days(found[1])) > 1
        for event in found[1]:
            say(event_line(event, dated=dated))


def _around(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened
    from desktop_memory.cli.words import days, event_line
    from desktop_memory.clock import clock, zone
    from desktop_memory.moments import parse_time
    from desktop_memory.records import event_record

    at = parse_time(arguments.time, clock(), zone())
    with opened(arguments) as memory:
        found = memory.around(at, arguments.app, arguments.direction, max(0, arguments.count))
    if arguments.json:
        print_json(
            {
                "anchor": None if found.anchor is None else event_record(found.anchor),
                "before": [event_record(event) for event in found.before],
                "after": [event_record(event) for event in found.after],
            },
            found.warnings,
        )
        return
    print_warnings(found.warnings)
    if found.anchor is None:
        say("Nothing was recorded yet.")
        return
    shown = [*reversed(found.before), found.anchor, *found.after]
    dated = days(shown) != {clock().astimezone(zone()).date()}
    for event in shown:
        say(f"{'→' if event is found.anchor else ' '} {event_line(event, dated=dated)}")


def _connected(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened
    from desktop_memory.cli.words import event_line
    from desktop_memory.clock import clock, zone
    from desktop_memory.moments import parse_time
    from desktop_memory.records import event_record

    kind = next(kind for kind in ("file", "project", "url", "domain", "app") if getattr(arguments, kind))
    before = parse_time(arguments.before, clock(), zone()) if arguments.before else None
    name: str = getattr(arguments, kind)
    with opened(arguments) as memory:
        found = memory.connected(kind, name, max(1, arguments.limit), before)
    if arguments.json:
        entity = None if found.entity is None else {"kind": found.entity.kind, "name": found.entity.name}
        next_ = None if found.next is None else found.next.isoformat()
        print_json(
            {"entity": entity, "events": [event_record(e) for e in found.events], "next": next_},
            found.warnings,
        )
        return
    print_warnings(found.warnings)
    lines: list[Remembered] = list(found.events)
    for event in lines:
        say(event_line(event, dated=True))
    if not lines:
        say(f"Nothing touched the {kind} {name!r}. Names must be whole: try `search`.")
    if found.next is not None:
        say(f"More: --before {found.next.isoformat()}")
