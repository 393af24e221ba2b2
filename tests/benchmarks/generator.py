"""Years of someone's work for benchmarks: repeating as in life, with nights and weekends free.

`stream` keeps one offset all year; `years` has holidays and summer time, and covers sixteen
years in four million events.
The same seed gives the same events.
"""

from __future__ import annotations

import bisect
import hashlib
import itertools
import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from collectors.event import Event, Kind, identity, microseconds

START = datetime(2023, 7, 3, tzinfo=UTC)
EVENTS_A_DAY = 1_200
BUSY_DAY = 1_650
"""Aimed at on a day on which somebody works; its pauses leave three fifths of them."""
ZONE = ZoneInfo("Europe/Berlin")
FIRST_DAY = datetime(2016, 1, 4, 8, tzinfo=ZONE)
_FREE_DAYS = frozenset({(1, 1), (5, 1), (10, 3), (12, 24), (12, 25), (12, 26), (12, 31)})

_VOCABULARY = Path(__file__).parent / "words.toml"
_WORDS = {name: words.split() for name, words in tomllib.loads(_VOCABULARY.read_text()).items()}
_DOINGS, _PLACES = _WORDS["doings"], _WORDS["places"]
_THINGS = _WORDS["things"] + [f"{one}{other}" for other in _DOINGS for one in _WORDS["things"]]
_APPS = ("VS Code", "Firefox", "GNOME Terminal", "Slack", "Thunderbird", "Word", "Zotero", "Files")
_KINDS: dict[Kind, int] = {"window": 62, "terminal": 17, "browser": 17, "git_commit": 3, "note": 1}
_FRESH: dict[Kind, float] = {
    "window": 0.11,
    "terminal": 0.30,
    "browser": 0.55,
    "git_commit": 1.0,
    "note": 1.0,
}
"""How often an event says something that was not there before."""


def stream(count: int, seed: int = 7) -> Iterator[Event]:
    """So many events, oldest first."""
    return itertools.islice(_endless(Random(seed)), count)


def years(count: int, seed: int = 7, a_day: int = BUSY_DAY) -> Iterator[Event]:
    """So many events of a life with holidays, its clocks changed twice a year, oldest first."""
    return itertools.islice(_whole_years(Random(seed), a_day), count)


def is_free(day: datetime) -> bool:
    """Public holidays, two weeks in August and the days before New Year."""
    away = (day.month == 8 and day.day <= 14) or (day.month == 12 and day.day >= 27)
    return away or (day.month, day.day) in _FREE_DAYS


def _whole_years(rng: Random, a_day: int) -> Iterator[Event]:
    makers = _Makers(rng)
    kinds, weights = list(_KINDS), list(itertools.accumulate(_KINDS.values()))
    for day in itertools.count():
        morning = FIRST_DAY + timedelta(days=day)  # eight o'clock here, whatever the clocks did at night
        offset = morning.utcoffset()
        assert offset is not None
        if is_free(morning):
            continue
        for at in _moments(rng, morning.astimezone(UTC), a_day):
            kind = kinds[bisect.bisect_right(weights, rng.random() * weights[-1])]
            yield makers.make(kind, at, int(offset.total_seconds()) // 60)


def _endless(rng: Random) -> Iterator[Event]:
    makers = _Makers(rng)
    kinds, weights = list(_KINDS), list(itertools.accumulate(_KINDS.values()))
    for day in itertools.count():
        morning = START + timedelta(days=day, hours=6)
        for at in _moments(rng, morning):
            kind = kinds[bisect.bisect_right(weights, rng.random() * weights[-1])]
            yield makers.make(kind, at)


def _moments(rng: Random, morning: datetime, events: int = EVENTS_A_DAY) -> Iterator[datetime]:
    """When things happen on this day: hardly at weekends, never at night, with pauses that part sessions."""
    weekend = morning.weekday() >= 5
    left = rng.randint(20, 150) if weekend else int(rng.gauss(events, 150))
    at = morning + timedelta(minutes=rng.uniform(0, 240 if weekend else 40))
    while left > 0:
        for _ in range(min(left, rng.randint(40, 220))):
            yield at
            at += timedelta(seconds=rng.expovariate(1 / 28) + 1)
        left -= 220
        at += timedelta(minutes=rng.uniform(11, 60))


class _Makers:
    """Makes one event of a kind: as a rule something said before, the newer the likelier."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._makers: dict[Kind, Callable[[], dict[str, Any]]] = {
            "window": self._window,
            "terminal": self._terminal,
            "browser": self._browser,
            "git_commit": self._git_commit,
            "note": self._note,
        }
        self._said: dict[Kind, list[dict[str, Any]]] = {kind: [] for kind in self._makers}
        self._numbers = itertools.count(1)

    def make(self, kind: Kind, at: datetime, utc_offset: int = 120) -> Event:
        said = self._said[kind]
        if not said or self._rng.random() < _FRESH[kind]:
            fields = self._makers[kind]()
            said.append(fields)
        else:
            fields = said[-min(int(self._rng.paretovariate(0.6)), len(said))]
        start = at + timedelta(microseconds=self._rng.randrange(1_000_000))
        long = timedelta(seconds=min(self._rng.expovariate(1 / 25) + 1, 300))
        details = dict(fields.get("details", {}))
        if kind == "terminal":
            details["exit"] = int(self._rng.random() < 0.08)
        return Event(
            identity=identity("benchmark", kind, microseconds(start), next(self._numbers)),
            kind=kind,
            start=start,
            end=start + long if kind in ("window", "browser", "terminal") else None,
            utc_offset=utc_offset,
            **{**fields, "details": details},
        )

    def _words(self, least: int = 2, most: int = 5) -> str:
        return " ".join(self._thing() for _ in range(self._rng.randint(least, most)))

    def _thing(self) -> str:
        """A word: few come often, many seldom."""
        return _THINGS[int(8 * self._rng.paretovariate(0.4) - 8) % len(_THINGS)]

    def _file(self) -> str:
        return f"{self._thing()}/{self._thing()}_{self._rng.choice(_DOINGS)}{self._rng.randrange(40)}.py"

    def _project(self) -> str:
        return f"{self._thing()}-{self._rng.choice(('api', 'app', 'notes'))}"

    def _window(self) -> dict[str, Any]:
        app = self._rng.choice(_APPS)
        if app != "VS Code":
            return {"app": app, "title": f"{self._words().capitalize()} - {app}", "source": "window"}
        file, project = self._file(), self._project()
        return {
            "app": app,
            "title": f"{file.rpartition('/')[2]} - {project} - Visual Studio Code",
            "project": project,
            "files": (file,),
            "source": "window",
        }

    def _terminal(self) -> dict[str, Any]:
        project, file, doing = self._project(), self._file(), self._rng.choice(_DOINGS)
        command = self._rng.choice((f"pytest {file}", f"git diff {file}", f"python {file} --{doing}", "make"))
        return {
            "text": command,
            "project": project,
            "app": "zsh",
            "source": "zsh",
            "details": {"cwd": f"/home/a/{project}"},
        }

    def _browser(self) -> dict[str, Any]:
        domain, title = self._rng.choice(_PLACES), self._words(3, 7).capitalize()
        return {
            "title": f"{title} · {domain}",
            "url": f"https://{domain}/{title.replace(' ', '-').lower()}-{self._rng.randrange(1_000)}",
            "domain": domain,
            "app": "Firefox",
            "source": "firefox",
        }

    def _git_commit(self) -> dict[str, Any]:
        project, message = self._project(), f"{self._rng.choice(_DOINGS)} the {self._words(2, 6)}"
        return {
            "title": message,
            "text": message,
            "project": project,
            "repo": _digest(project),
            "branch": "main",
            "files": tuple(dict.fromkeys(self._file() for _ in range(self._rng.randint(1, 5)))),
            "source": "git",
            "details": {
                "hash": _digest(f"{project}{message}{next(self._numbers)}"),
                "insertions": self._rng.randrange(200),
                "deletions": self._rng.randrange(60),
            },
        }

    def _note(self) -> dict[str, Any]:
        return {"title": f"Remember: {self._words(4, 9)}", "source": "note"}


def _digest(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
