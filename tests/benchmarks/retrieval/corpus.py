"""Six weeks of ten people's work, invented, and what they later ask for.

`events/*.tsv`, one project a file: when (UTC), kind, place (app, domain or branch), words, extra (a commit's files,
a command's exit code). `queries/*.tsv`: kind, question, and by project and time the events that
answer it: one, but all that carry it for an identifier. The tuning half is there to try things on, the test half is
only measured.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from collectors.event import Event, identity

FOLDER = Path(__file__).parent
NOW = datetime(2026, 8, 14, 22, 0, tzinfo=UTC)  # a Friday
KINDS = ("paraphrase", "identifier", "mixed", "time")
HALVES = ("tuning", "test")


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question, its kind, and the identities of the events that answer it."""

    kind: str
    text: str
    answers: tuple[str, ...]


def events() -> list[Event]:
    """All projects' events, in the order they happened."""
    found = [event for file in sorted((FOLDER / "events").glob("*.tsv")) for event in _events_of(file)]
    return sorted(found, key=lambda event: (event.start, event.identity))


def asked(half: str) -> list[Asked]:
    """The questions of a half."""
    return [
        Asked(kind=row["kind"], text=row["question"], answers=tuple(map(_named, row["answers"].split("; "))))
        for row in _rows(FOLDER / "queries" / f"{half}.tsv")
    ]


def nonsense(half: str) -> list[str]:
    """Letters at random: nothing answers them."""
    return [row["question"] for row in _rows(FOLDER / "queries" / "nonsense.tsv") if row["half"] == half]


def _events_of(file: Path) -> Iterator[Event]:
    for row in _rows(file):
        start = datetime.fromisoformat(row["when"]).replace(tzinfo=UTC)
        yield Event(
            identity=_identity(file.stem, row["when"]),
            start=start,
            source="benchmark",
            utc_offset=0,
            **_told(file.stem, row, start),
        )


def _told(project: str, row: dict[str, str], start: datetime) -> dict[str, Any]:
    """What a collector of this kind would have told; only a browser does not know the project."""
    kind, place, words, extra = row["kind"], row["place"], row["words"], row["extra"]
    told: dict[str, Any] = {"kind": kind}
    if kind == "browser":
        return told | {"title": words, "domain": place, "url": f"https://{place}/", "app": "Firefox"}
    told["project"] = project
    if kind == "window":
        told |= {"title": words, "app": place, "end": start + timedelta(minutes=3)}
    elif kind == "terminal":
        told |= {"text": words, "branch": place, "details": {"exit": int(extra or 0)}}
    elif kind == "git_commit":
        told |= {"title": words, "text": words, "branch": place, "files": tuple(extra.split())}
    else:
        told |= {"title": words}
    return told


def _named(answer: str) -> str:
    project, when = answer.split(" ", 1)
    return _identity(project, when)


def _identity(project: str, when: str) -> str:
    return identity("benchmark", project, when)


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
