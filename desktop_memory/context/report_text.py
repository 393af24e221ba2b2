"""A report as Markdown, CSV or JSON. No score, no ranking."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from desktop_memory.context import moments
from desktop_memory.context.report import Call, Document, Report, Suggestion, note_of
from desktop_memory.context.report_wording import ENGLISH, Wording, in_quarters
from desktop_memory.model import Pin, Remembered, Spoken

FORMATS = ("markdown", "csv", "json")


def written(report: Report, format: str = "markdown", wording: Wording = ENGLISH) -> str:
    """The report in one of FORMATS: quarter hours in Markdown, exact in the others, which no `wording` changes."""
    if format == "markdown":
        return "\n".join(line.text for line in spoken(report, wording)) + "\n"
    return {"csv": _csv, "json": _json}[format](report)


def spoken(report: Report, wording: Wording = ENGLISH) -> list[Spoken]:
    """The report's lines in Markdown, each with the records and projects that it tells of."""
    return _Lines(report, wording).all()


class _Lines:
    """What is told, part by part."""

    def __init__(self, report: Report, wording: Wording) -> None:
        self._report, self._words = report, wording

    def all(self) -> list[Spoken]:
        report, words = self._report, self._words
        lines = [Spoken(text=f"# {self._title()}"), _EMPTY]
        lines += self._table() if report.hours else [Spoken(text=words.nothing)]
        if missing := words.quarter_hours(sum(report.unrecorded.values())):
            lines += [_EMPTY, Spoken(text=words.unrecorded.format(hours=missing))]
        for title, found in (
            (words.calls, map(self._call, report.calls)),
            (words.commits, map(self._commit, report.commits)),
            (words.documents, map(self._document, report.documents)),
            (words.decisions, map(self._decision, report.decisions)),
            (words.goals, map(self._goal, report.goals)),
            (words.suggestions, (suggested(one, words) for one in report.suggestions)),
        ):
            lines += _section(title, found)
        return lines

    def _title(self) -> str:
        report, day = self._report, self._words.day
        first, last = day(report.since), day(report.until)
        return f"{first} {report.since.year}" if first == last else f"{first} – {last} {report.until.year}"

    def _table(self) -> list[Spoken]:
        report, words = self._report, self._words
        days = [day for day in report.days() if any(day in hours for hours in report.hours.values())]
        lines = [
            Spoken(text=f"| {words.hours} | {' | '.join(map(words.day, days))} | {words.total} |"),
            Spoken(text=f"| :--- | {' | '.join('---:' for _ in days)} | ---: |"),
        ]
        rows = [[hours.get(day, 0.0) for day in days] for hours in report.hours.values()]
        for project, row in zip(report.hours, rows, strict=True):
            text = self._row(project or words.no_project, row)
            lines.append(Spoken(text=text, projects=_named(project)))
        columns = [*zip(*rows, strict=True)]
        totals = [*map(sum, columns)]
        every = tuple(filter(None, report.hours))
        lines.append(Spoken(text=self._row(words.total, totals), projects=every))
        figures: list[Sequence[float]] = [*rows, totals, *columns, [*map(sum, rows)]]
        if all(map(_adds_up, figures)):
            return lines
        return [*lines, _EMPTY, Spoken(text=words.rounded)]

    def _row(self, name: str, seconds: Sequence[float]) -> str:
        cells = map(self._words.quarter_hours, (*seconds, sum(seconds)))
        return f"| {name.replace('|', '/')} | {' | '.join(cells)} |"

    def _when(self, at: datetime) -> str:
        return self._words.local_day(at, self._report.zone)

    def _call(self, call: Call) -> Spoken:
        when = f"{self._when(call.start)} {self._words.clock(call.start, self._report.zone)}"
        lasted = moments.stretch(call.seconds)
        text = f"{when} {self._words.quote(call.name)} · {call.app} ({lasted})"
        return Spoken(text=text, projects=_named(call.project))

    def _commit(self, event: Remembered) -> Spoken:
        short = str(event.details.get("hash", ""))[:7]
        title = self._words.quote(" ".join(event.title.split("\n")[0].split()))
        text = f"{self._when(event.start)} {short} {title}{_where(event.project)}"
        return Spoken(text=" ".join(text.split()), events=(event.id,), projects=_named(event.project))

    def _document(self, document: Document) -> Spoken:
        text = f"{document.name} ({moments.stretch(document.seconds)})"
        return Spoken(text=text, projects=document.projects)

    def _decision(self, event: Remembered) -> Spoken:
        text = f"{self._when(event.start)} {self._words.quote(note_of(event))}"
        return Spoken(text=text, events=(event.id,), projects=_named(event.project))

    def _goal(self, goal: Pin) -> Spoken:
        due = f" ({self._words.due.format(day=self._when(goal.due))})" if goal.due else ""
        text = f"{' '.join(goal.text.split())}{due}{_where(goal.project)}"
        return Spoken(text=text, projects=_named(goal.project))


def suggested(found: Suggestion, wording: Wording = ENGLISH) -> Spoken:
    """billing-api: over 2 h on 4 days, and no goal"""
    text = (
        f"{found.project or wording.a_commit}: {wording.quote(found.commit)}"
        if found.commit
        else wording.no_goal.format(project=found.project, count=found.days)
    )
    return Spoken(text=text, events=found.events, projects=_named(found.project))


_EMPTY = Spoken(text="")


def _adds_up(seconds: Sequence[float]) -> bool:
    return sum(map(in_quarters, seconds)) == in_quarters(sum(seconds))


def _section(title: str, lines: Iterable[Spoken]) -> list[Spoken]:
    found = [replace(line, text=f"- {line.text}") for line in lines]
    return [_EMPTY, Spoken(text=f"## {title}"), *found] if found else []


def _named(project: str) -> tuple[str, ...]:
    return (project,) if project else ()


def _where(project: str) -> str:
    return f" · {project}" if project else ""


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
        "suggestions": [suggested(one).text for one in report.suggestions],
        "unrecorded": [{"date": d.isoformat(), "seconds": round(s)} for d, s in report.unrecorded.items()],
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
