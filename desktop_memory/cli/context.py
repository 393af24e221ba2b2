"""Commands about what is handed to an AI chat: context, copies."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_memory.cli.output import print_json, print_warnings, say, write
from desktop_memory.counting import counted
from desktop_memory.errors import KnownError

if TYPE_CHECKING:
    from desktop_memory.model import ContextRequest, CopiedContext
    from desktop_memory.store.copies import SavedCopy

FORMATS = ("markdown", "xml", "json", "text")
VIEWS = ("auto", "timeline", "tasks", "neighbourhood", "profile")


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    context = commands.add_parser("context", parents=[common], help="a block to paste into an AI chat")
    context.add_argument("query", nargs="*", metavar="QUERY", help="left out: the last minutes")
    _add_what(context)
    _add_how(context)
    context.set_defaults(run=_context)

    copies = commands.add_parser("copies", parents=[common], help="what was copied lately, or one copy whole")
    copies.add_argument("tag", nargs="?", default="", metavar="TAG", help="ctx-…; left out: list them")
    copies.add_argument("--limit", type=int, default=20, help="at most this many (20)")
    copies.add_argument("--before", default="", help="older than this time (the next page)")
    copies.set_defaults(run=_copies)


def _add_what(context: argparse.ArgumentParser) -> None:
    what = context.add_argument_group("what it is about")
    what.add_argument("--event", type=int, metavar="ID", help="around this event")
    what.add_argument("--minutes", type=int, help="the last minutes (15)")
    what.add_argument(
        "--session", nargs="?", type=int, const=0, metavar="ID", help="the session that runs, or that of this event"
    )  # fmt: skip
    what.add_argument("--since-last-copy", action="store_true", help="only what came after the last copy")
    what.add_argument("--since", default="", help="14:30, yesterday, 2h")
    what.add_argument("--until", default="")
    what.add_argument("--kind", action="append", default=[], help="window, terminal, browser … (repeatable)")
    project = what.add_mutually_exclusive_group()
    project.add_argument("--project", default="", help="of this project only")
    project.add_argument("--here", action="store_true", help="of the project of this folder only")
    what.add_argument("--top-k", type=int, default=5, help="the best hits to take (5)")
    what.add_argument("--hops", type=int, default=1, help="how far to follow what is connected (1)")
    what.add_argument("--max-neighbors", type=int, default=12, help="what stands beside them, at most (12)")
    what.add_argument("--fanout", type=int, default=15, help="how many one step may find (15)")
    what.add_argument("--no-pins", action="store_true", help="leave goals and notes out")
    what.add_argument("--no-topics", action="store_true", help="leave topics out (XML and JSON name them)")
    what.add_argument(
        "--without", action="append", default=[], metavar="KEY", help="leave this line out (--json has the keys)"
    )  # fmt: skip


def _add_how(context: argparse.ArgumentParser) -> None:
    how = context.add_argument_group("how it reads")
    how.add_argument("--view", choices=VIEWS, default="auto", help="how lines are grouped (auto)")
    how.add_argument("--format", choices=FORMATS, default="markdown")
    how.add_argument("--budget", type=int, metavar="TOKENS", help="at most this many tokens")
    how.add_argument("--relaxed", action="store_true", help="mask secrets only, keep paths and names")
    how.add_argument("--question", default="", help="put a question after the context")
    how.add_argument(
        "--ask-updates", action="store_true", help="ask the chat to end with what should be pinned (see: updates)"
    )  # fmt: skip
    how.add_argument("--copy", action="store_true", help="put it on the clipboard")


def _context(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.ask import in_this_folder
    from desktop_memory.cli.session import folder_of, opened

    request = _request(arguments)
    with opened(arguments) as memory:
        request = in_this_folder(request, arguments, memory)
        copied = memory.context(request)
    if arguments.copy and copied.sources:
        _copy(copied.text, folder_of(arguments))
    if arguments.json:
        print_json(_record(copied), copied.warnings)
        return
    print_warnings([*copied.warnings, *_held_back(copied)])
    if not arguments.copy:
        write(copied.text if copied.text.endswith("\n") else copied.text + "\n")
    elif copied.sources:
        masked = sum(copied.masked.values())
        told = f"{counted(len(copied.sources), 'record')}, about {counted(copied.tokens, 'token')}"
        say(f"Copied {told}, {masked:,} masked ({copied.tag}).")
    else:
        raise KnownError(
            "There is nothing to copy: nothing worth telling was recorded there.",
            "The clipboard was left as it was.",
        )


def _request(arguments: argparse.Namespace) -> ContextRequest:
    """The request that these options make."""
    from desktop_memory.cli.ask import kinds_of, project_here
    from desktop_memory.clock import clock, zone
    from desktop_memory.model import ContextRequest
    from desktop_memory.moments import parse_time

    now, here = clock(), zone()
    return ContextRequest(
        query=" ".join(arguments.query),
        event_id=arguments.event,
        session_id=arguments.session or None,
        this_session=arguments.session == 0,
        minutes=arguments.minutes,
        since=parse_time(arguments.since, now, here) if arguments.since else None,
        until=parse_time(arguments.until, now, here) if arguments.until else None,
        kinds=kinds_of(arguments.kind),
        project=project_here() if arguments.here else arguments.project,
        top_k=arguments.top_k,
        hop_depth=arguments.hops,
        max_neighbors=arguments.max_neighbors,
        fanout=arguments.fanout,
        include_pins=not arguments.no_pins,
        include_topics=not arguments.no_topics,
        budget_tokens=arguments.budget,
        since_last_copy=arguments.since_last_copy,
        question=arguments.question,
        ask_updates=arguments.ask_updates,
        without=tuple(arguments.without),
        format=arguments.format,
        view=arguments.view,
        redaction="relaxed" if arguments.relaxed else "strict",
    )


def _held_back(copied: CopiedContext) -> list[str]:
    return [
        f"{counted(held.events, 'event')} of {held.project} held back: it is walled; ask with --project."
        for held in copied.held_back
    ]


def _record(copied: CopiedContext) -> dict[str, Any]:
    return {
        "tag": copied.tag, "format": copied.format, "title": copied.title, "text": copied.text,
        "tokens": copied.tokens,
        "sources": [{"n": s.n, "event": s.event, "text": s.text} for s in copied.sources],
        "lines": [{"key": line.key, "text": line.text} for line in copied.lines],
        "masked": dict(copied.masked), "left_out": copied.left_out,
        "held_back": [{"project": held.project, "events": held.events} for held in copied.held_back],
    }  # fmt: skip


def _copy(text: str, folder: Path) -> None:
    """By the running app's clipboard, else by what the desktop or the terminal offers."""
    from desktop_memory.desktop.clipboard import copy
    from desktop_memory.ipc.remote import RemoteApp
    from desktop_memory.reach import running

    if not (running(folder) and RemoteApp(folder).copy(text)):
        copy(text)


def _copies(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened
    from desktop_memory.clock import clock, zone
    from desktop_memory.moments import parse_time

    before = parse_time(arguments.before, clock(), zone()) if arguments.before else None
    with opened(arguments) as memory:
        if arguments.tag:
            copy = memory.copied(arguments.tag)
            if copy is None:
                raise KnownError(f"There is no copy {arguments.tag}.", "`desktop-memory copies` lists them.")
            _print_copy(copy, as_json=arguments.json)
            return
        found = memory.copies(arguments.limit, before)
    if arguments.json:
        print_json({"copies": [_copy_record(copy) for copy in found]})
        return
    for copy in found:
        say(_copy_line(copy))
    if not found:
        say("Nothing was copied yet." if before is None else "Nothing was copied before that.")


def _print_copy(copy: SavedCopy, *, as_json: bool) -> None:
    if as_json:
        sources = [{"n": s.n, "event": s.event, "text": s.text or None} for s in copy.sources]
        print_json({"copy": {**_copy_record(copy), "sources": sources}})
        return
    say(_copy_line(copy))
    for source in copy.sources:
        say(f"[{source.n}] {source.text or 'forgotten since'}")


def _copy_line(copy: SavedCopy) -> str:
    from desktop_memory.clock import zone

    whom = f" · for {copy.client}" if copy.client else ""
    title = copy.title or "(its title is gone with what was forgotten)"
    size = f"{counted(copy.records, 'record')}, {counted(copy.tokens, 'token')}"
    return f"{copy.at.astimezone(zone()):%Y-%m-%d %H:%M}  {copy.tag}  {title} · {size}{whom}"


def _copy_record(copy: SavedCopy) -> dict[str, Any]:
    from desktop_memory.clock import zone

    return {
        "tag": copy.tag, "at": copy.at.astimezone(zone()).isoformat(), "title": copy.title, "format": copy.format,
        "tokens": copy.tokens, "records": copy.records, "client": copy.client,
    }  # fmt: skip
