"""Commands that look back: check, did-i, report, resume."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from desktop_memory.cli.output import print_json, say, write
from desktop_memory.errors import KnownError


def add(commands: Any, common: argparse.ArgumentParser) -> None:
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


def _check(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened

    answer = read_answer(arguments.file)
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


def read_answer(name: str) -> str:
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
    from desktop_memory.pipeline.coalesce import command_line
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
        named = f"of the project {arguments.project!r} " if arguments.project else "of any project "
        say(f"Nothing {named}was recorded in the last two weeks.")
        return
    say(f"{found.project}, where I left off")
    if found.branch:
        ahead = f", {found.ahead} ahead of {found.base}" if found.ahead else ""
        say(f"  branch       {found.branch}{ahead}")
    if found.uncommitted:
        say(f"  uncommitted  {', '.join(found.uncommitted)}")
    if found.failing is not None:
        times = f" ×{found.failing_streak}" if found.failing_streak > 1 else ""
        say(f"  failing      {command_line(found.failing.text)}{times}")
    if found.last_file:
        say(f"  last file    {found.last_file}")
    for page in found.pages[:2]:
        say(f"  page         {page.title}")
    if found.last_note is not None:
        say(f"  note         {found.last_note.title}")
    if found.last is not None:
        say(f"  last         {event_line(found.last, dated=True)}")
