"""A report as Markdown, CSV or JSON. No score, no ranking."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from desktop_memory.context import moments
from desktop_memory.context.report import Call, Document, Report, note_of
from desktop_memory.model import Pin, Remembered, Spoken

FORMATS = ("markdown", "csv", "json")
NO_PROJECT = "no project"


def written(report: Report, format: str = "markdown") -> str:
    """The report in one of FORMATS: quarter hours in Markdown, exact in the others."""
    return {"markdown": _markdown, "csv": _csv, "json": _json}[format](report)


def quarter_hours(seconds: float) -> str:
    """2.25: hours to the next quarter, nothing for less than half of one."""
    quarters = round(seconds / 900)
    return f"{quarters / 4:g}" if quarters else ""


def _markdown(report: Report) -> str:
    return "\n".join(line.text for line in spoken(report)) + "\n"


def spoken(report: Report) -> list[Spoken]:
    """The report's lines in Markdown, each with the records and projects that it tells of."""
    lines = [Spoken(text=f"# {_title(report)}"), _EMPTY]
    if report.hours:
        lines += _table(report)
    else:
        lines.append(Spoken(text="Nothing was recorded."))
    missing = quarter_hours(sum(report.unrecorded.values()))
    if missing:
        told = f"Not recorded between the first and the last record of a day: {missing} h."
        lines += [_EMPTY, Spoken(text=told)]
    lines += _section("Calls", (_call_line(report, call) for call in report.calls))
    lines += _section("Commits", (_of_event(event, _commit_line(report, event)) for event in report.commits))
    lines += _section("Documents", map(_document_line, report.documents))
    lines += _section(
        "Decisions", (_of_event(event, _decision_line(report, event)) for event in report.decisions)
    )
    lines += _section("Open goals", (_goal_line(report, goal) for goal in report.goals))
    lines += _section("Worth a goal?", report.suggestions)
    return lines


_EMPTY = Spoken(text="")


def _title(report: Report) -> str:
    first, last = _day(report.since), _day(report.until)
    return f"{first} {report.since.year}" if first == last else f"{first} – {last} {report.until.year}"


def _table(report: Report) -> list[Spoken]:
    days = [day for day in report.days() if any(day in hours for hours in report.hours.values())]
    lines = [
        Spoken(text=f"| Hours | {' | '.join(map(_day, days))} | Total |"),
        Spoken(text=f"| :--- | {' | '.join('---:' for _ in days)} | ---: |"),
    ]
    for project, hours in report.hours.items():
        cells = [quarter_hours(hours.get(day, 0.0)) for day in days]
        row = _row(project or NO_PROJECT, [*cells, quarter_hours(sum(hours.values()))])
        lines.append(Spoken(text=row, projects=_named(project)))
    totals = [sum(hours.get(day, 0.0) for hours in report.hours.values()) for day in days]
    row = _row("Total", [*map(quarter_hours, totals), quarter_hours(sum(totals))])
    return [*lines, Spoken(text=row, projects=tuple(filter(None, report.hours)))]


def _row(name: str, cells: Iterable[str]) -> str:
    return f"| {name.replace('|', '/')} | {' | '.join(cells)} |"


def _section(title: str, lines: Iterable[Spoken]) -> list[Spoken]:
    found = [replace(line, text=f"- {line.text}") for line in lines]
    return [_EMPTY, Spoken(text=f"## {title}"), *found] if found else []


def _named(project: str) -> tuple[str, ...]:
    return (project,) if project else ()


def _of_event(event: Remembered, text: str) -> Spoken:
    return Spoken(text=text, events=(event.id,), projects=_named(event.project))


def _call_line(report: Report, call: Call) -> Spoken:
    when = f"{moments.short_day(call.start, report.zone)} {moments.clock(call.start, report.zone)}"
    text = f'{when} "{call.name}" · {call.app} ({moments.stretch(call.seconds)})'
    return Spoken(text=text, projects=_named(call.project))


def _document_line(document: Document) -> Spoken:
    text = f"{document.name} ({moments.stretch(document.seconds)})"
    return Spoken(text=text, projects=document.projects)


def _commit_line(report: Report, event: Remembered) -> str:
    short = str(event.details.get("hash", ""))[:7]
    title = " ".join(event.title.split("\n")[0].split())
    where = f" · {event.project}" if event.project else ""
    return " ".join(f'{moments.short_day(event.start, report.zone)} {short} "{title}"{where}'.split())


def _decision_line(report: Report, event: Remembered) -> str:
    return f'{moments.short_day(event.start, report.zone)} "{note_of(event)}"'


def _goal_line(report: Report, goal: Pin) -> Spoken:
    due = f" (due {moments.short_day(goal.due, report.zone)})" if goal.due else ""
    where = f" · {goal.project}" if goal.project else ""
    return Spoken(text=f"{' '.join(goal.text.split())}{due}{where}", projects=_named(goal.project))


def _day(day: date) -> str:
    return moments.of_date(day)


def _csv(report: Report) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("date", "project", "seconds", "hours"))
    for day in report.days():
        for project, hours in report.hours.items():
            if seconds := hours.get(day):
                writer.writerow(
                    (day.isoformat(), _harmless(project), f"{seconds:.3f}", f"{seconds / 3600:.4f}")
                )
    return out.getvalue()


def _harmless(cell: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] in "=+-@\t" and cell else cell


def _json(report: Report) -> str:
    zone = report.zone
    whole = {
        "schema": 1,
        "since": report.since.isoformat(),
        "until": report.until.isoformat(),
        "hours": [
            {"project": project, "date": day.isoformat(), "seconds": round(seconds, 3)}
            for project, hours in report.hours.items()
            for day, seconds in sorted(hours.items())
        ],
        "calls": [
            {
                "start": c.start.astimezone(zone).isoformat(),
                "name": c.name,
                "app": c.app,
                "seconds": round(c.seconds),
            }
            for c in report.calls
        ],
        "commits": [
            {"event": e.id, "hash": e.details.get("hash", ""), "title": e.title, "project": e.project}
            for e in report.commits
        ],
        "documents": [{"name": d.name, "seconds": round(d.seconds)} for d in report.documents],
        "decisions": [{"event": e.id, "text": note_of(e)} for e in report.decisions],
        "goals": [{"pin": g.id, "text": g.text, "project": g.project} for g in report.goals],
        "suggestions": [line.text for line in report.suggestions],
        "unrecorded": [{"date": d.isoformat(), "seconds": round(s)} for d, s in report.unrecorded.items()],
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
