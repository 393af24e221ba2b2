"""Commands that hand over or keep something: context, resume, note, pin."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from desktop_memory.cli.output import print_json, print_warnings, say, write
from desktop_memory.errors import KnownError, UsageError

FORMATS = ("markdown", "xml", "json", "text")
PIN_KINDS = ("goal", "note", "decision", "preference", "fact")


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    context = commands.add_parser("context", parents=[common], help="a block to paste into an AI chat")
    context.add_argument("query", nargs="*", metavar="QUERY", help="left out: the last minutes")
    context.add_argument("--event", type=int, metavar="ID", help="around this event")
    context.add_argument("--minutes", type=int, help="the last minutes (15)")
    context.add_argument("--session", action="store_true", help="the session that runs now")
    context.add_argument("--project", default="", help="of this project only")
    context.add_argument("--since", default="", help="14:30, yesterday, 2h")
    context.add_argument("--until", default="")
    context.add_argument("--budget", type=int, metavar="TOKENS", help="at most this many tokens")
    context.add_argument("--top-k", type=int, default=5, help="the best hits to take (5)")
    context.add_argument("--hops", type=int, default=1, help="how far to follow what is connected (1)")
    context.add_argument("--no-pins", action="store_true", help="leave goals and notes out")
    context.add_argument("--question", default="", help="put a question after the context")
    context.add_argument("--since-last-copy", action="store_true", help="only what came after the last copy")
    context.add_argument("--relaxed", action="store_true", help="mask secrets only, keep paths and names")
    context.add_argument("--format", choices=FORMATS, default="markdown")
    context.add_argument("--copy", action="store_true", help="put it on the clipboard")
    context.set_defaults(run=_context)

    check = commands.add_parser(
        "check", parents=[common], help="check an AI's answer against what you copied"
    )
    check.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="the answer; left out: standard input"
    )
    check.add_argument(
        "--tag", default="", help="the copy it answers (ctx-…); left out: named in it, or the last"
    )
    check.set_defaults(run=_check)

    did_i = commands.add_parser("did-i", parents=[common], help="whether the log confirms something")
    did_i.add_argument("claim", nargs="+", metavar="CLAIM")
    did_i.set_defaults(run=_did_i)

    report = commands.add_parser("report", parents=[common], help="a week, a month or other days by project")
    span = report.add_mutually_exclusive_group()
    span.add_argument("--week", action="store_true", help="this week, from Monday (the default)")
    span.add_argument("--month", action="store_true", help="this month")
    report.add_argument("--since", default="", help="2026-08-01, yesterday")
    report.add_argument("--until", default="", help="the last day; left out: today")
    report.add_argument("--project", default="")
    report.add_argument("--format", choices=("markdown", "csv", "json"), default="markdown")
    report.set_defaults(run=_report)

    resume = commands.add_parser("resume", parents=[common], help="where I left off")
    resume.add_argument("--project", default="")
    resume.set_defaults(run=_resume)

    note = commands.add_parser("note", parents=[common], help="remember a thought")
    note.add_argument("text", nargs="+", metavar="TEXT")
    note.add_argument("--project", default="")
    note.set_defaults(run=_note)

    pin = commands.add_parser("pin", parents=[common], help="goals and notes that head every context")
    pin.add_argument("text", nargs="*", metavar="TEXT", help="left out: list them")
    pin.add_argument("--kind", choices=PIN_KINDS, default="goal")
    pin.add_argument("--project", default="")
    pin.add_argument("--due", default="", help="2026-08-14")
    done = pin.add_mutually_exclusive_group()
    done.add_argument("--done", type=int, metavar="ID")
    done.add_argument("--remove", type=int, metavar="ID")
    pin.set_defaults(run=_pin)


def _context(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import folder_of, opened
    from desktop_memory.clock import clock, zone
    from desktop_memory.model import ContextRequest
    from desktop_memory.moments import parse_time

    now, here = clock(), zone()
    request = ContextRequest(
        query=" ".join(arguments.query),
        event_id=arguments.event,
        this_session=arguments.session,
        minutes=arguments.minutes,
        since=parse_time(arguments.since, now, here) if arguments.since else None,
        until=parse_time(arguments.until, now, here) if arguments.until else None,
        project=arguments.project,
        top_k=arguments.top_k,
        hop_depth=arguments.hops,
        include_pins=not arguments.no_pins,
        budget_tokens=arguments.budget,
        since_last_copy=arguments.since_last_copy,
        question=arguments.question,
        format=arguments.format,
        redaction="relaxed" if arguments.relaxed else "strict",
    )
    with opened(arguments) as memory:
        copied = memory.context(request)
    if arguments.copy and copied.sources:
        _copy(copied.text, folder_of(arguments))
    if arguments.json:
        print_json(
            {
                "tag": copied.tag, "format": copied.format, "text": copied.text, "tokens": copied.tokens,
                "sources": [{"n": s.n, "event": s.event, "text": s.text} for s in copied.sources],
                "masked": dict(copied.masked), "left_out": copied.left_out,
            },
            copied.warnings,
        )  # fmt: skip
        return
    print_warnings(copied.warnings)
    if not arguments.copy:
        write(copied.text if copied.text.endswith("\n") else copied.text + "\n")
    elif copied.sources:
        masked = sum(copied.masked.values())
        say(
            f"Copied {len(copied.sources)} records, about {copied.tokens} tokens, {masked} masked ({copied.tag})."
        )
    else:
        raise KnownError(
            "There is nothing to copy: nothing was recorded there.", "The clipboard was left as it was."
        )


def _check(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened

    answer = _read_answer(arguments.file)
    with opened(arguments) as memory:
        checked = memory.check(answer, arguments.tag)
    if arguments.json:
        findings = [
            {"claim": f.claim, "cited": list(f.cited), "verdict": f.verdict, "differs": list(f.differs),
             "better": list(f.better)}
            for f in checked.findings
        ]  # fmt: skip
        print_json({"tag": checked.tag, "findings": findings, "counts": dict(checked.counts)})
        return
    for finding in checked.findings:
        differs = f" ({', '.join(finding.differs)})" if finding.differs else ""
        better = f", rather {''.join(f'[{n}]' for n in finding.better)}" if finding.better else ""
        say(f"{finding.verdict:>16}{differs}{better}  {finding.claim}")
    counts = ", ".join(f"{count} {verdict}" for verdict, count in checked.counts.items())
    say(f"Against {checked.tag}: {counts or 'no claim to check'}.")


def _read_answer(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise KnownError(
            f"{name} cannot be read: {error.strerror}.", "Check the name and its permissions."
        ) from error


def _did_i(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened
    from desktop_memory.records import event_record

    with opened(arguments) as memory:
        found = memory.did_i(" ".join(arguments.claim))
    if arguments.json:
        traces = [
            {"event": event_record(t.event), "text": t.text, "share": t.share, "differs": list(t.differs)}
            for t in found.traces
        ]
        print_json({"answer": found.answer, "sentence": found.sentence, "traces": traces})
    else:
        say(found.sentence)


def _copy(text: str, folder: Path) -> None:
    """By the running app's clipboard, else by what the desktop or the terminal offers."""
    from desktop_memory.app import running
    from desktop_memory.desktop.clipboard import copy
    from desktop_memory.ipc.remote import RemoteApp

    if not (running(folder) and RemoteApp(folder).copy(text)):
        copy(text)


def _report(arguments: argparse.Namespace) -> None:
    from datetime import timedelta

    from desktop_memory.cli.session import opened
    from desktop_memory.clock import clock, zone
    from desktop_memory.moments import parse_time

    now, here = clock(), zone()
    today = now.astimezone(here).date()
    until = parse_time(arguments.until, now, here).astimezone(here).date() if arguments.until else today
    since = today.replace(day=1) if arguments.month else today - timedelta(days=today.weekday())
    if arguments.since:
        since = parse_time(arguments.since, now, here).astimezone(here).date()
    with opened(arguments) as memory:
        text = memory.report(since, until, arguments.project, "json" if arguments.json else arguments.format)
    if arguments.json:
        print_json({"report": json.loads(text)})
    else:
        write(text if text.endswith("\n") else text + "\n")


def _resume(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened
    from desktop_memory.cli.words import event_line
    from desktop_memory.records import event_record

    with opened(arguments) as memory:
        found = memory.standing(arguments.project)
    if arguments.json:
        shape = None
        if found is not None:
            shape = {
                "project": found.project, "branch": found.branch, "base": found.base, "ahead": found.ahead,
                "uncommitted": list(found.uncommitted), "last_file": found.last_file,
                "failing": None if found.failing is None else event_record(found.failing),
                "failing_streak": found.failing_streak,
                "pages": [event_record(page) for page in found.pages],
                "last_note": None if found.last_note is None else event_record(found.last_note),
                "last": None if found.last is None else event_record(found.last),
            }  # fmt: skip
        print_json({"standing": shape})
        return
    if found is None:
        say("No project was worked on in the last two weeks.")
        return
    say(f"{found.project}, where I left off")
    if found.branch:
        ahead = f", {found.ahead} ahead of {found.base}" if found.ahead else ""
        say(f"  branch       {found.branch}{ahead}")
    if found.uncommitted:
        say(f"  uncommitted  {', '.join(found.uncommitted)}")
    if found.failing is not None:
        times = f" ×{found.failing_streak}" if found.failing_streak > 1 else ""
        say(f"  failing      {found.failing.text.splitlines()[0]}{times}")
    if found.last_file:
        say(f"  last file    {found.last_file}")
    for page in found.pages[:2]:
        say(f"  page         {page.title}")
    if found.last_note is not None:
        say(f"  note         {found.last_note.title}")
    if found.last is not None:
        say(f"  last         {event_line(found.last, dated=True)}")


def _note(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened
    from desktop_memory.records import event_record

    with opened(arguments) as memory:
        event = memory.note(" ".join(arguments.text), arguments.project)
    if arguments.json:
        print_json({"event": event_record(event)})
    else:
        say(f"Noted: {event.title}")


def _pin(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened
    from desktop_memory.clock import clock, zone
    from desktop_memory.moments import parse_time

    with opened(arguments) as memory:
        if arguments.text:
            due = parse_time(arguments.due, clock(), zone()) if arguments.due else None
            memory.pin(arguments.kind, " ".join(arguments.text), arguments.project, due)
        for id_ in (arguments.done, arguments.remove):
            if id_ is not None and id_ not in {pin.id for pin in memory.pins("")}:
                raise UsageError(f"There is no pin {id_}.", "`desktop-memory pin` lists them.")
        if arguments.done is not None:
            memory.set_pin_status(arguments.done, "done")
        if arguments.remove is not None:
            memory.unpin(arguments.remove)
        pins = memory.pins()
    if arguments.json:
        print_json(
            {
                "pins": [
                    {"id": p.id, "kind": p.kind, "text": p.text, "project": p.project, "status": p.status,
                     "due": None if p.due is None else p.due.astimezone().isoformat()}
                    for p in pins
                ]
            }
        )  # fmt: skip
        return
    for p in pins:
        when = "" if p.due is None else f" (due {p.due.astimezone(zone()):%a %d %b})"
        say(f"{p.id:>4}  {p.kind:<10} {p.text}{when}")
    if not pins:
        say('No pins. Add one: pin "Chapter 3 methods to Ana" --due 2026-08-20')
