"""What the app is doing, in a word: recording, paused, degraded or stopped, and the remedy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Literal

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_memory.errors import KnownError
from desktop_memory.model import Pause, PlaceStatus, Stats
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.notices import notice_of
from desktop_memory.ui.source_rows import source_word
from desktop_memory.ui.translated import translated
from desktop_memory.ui.words import clock_time, counted, local, number, short_day, tr

_NONE: Mapping[str, str] = MappingProxyType({})

Kind = Literal["recording", "paused", "degraded", "error"]
LOOK_AGAIN_MS = 30_000
PEEK_MS = 5_000
"""How often the parts of the app are asked whether they get on: that costs nothing and waits for nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class State:
    """`text` is the state line, `short` the popup's; `problem` and `advice` what stands in the way."""

    kind: Kind
    text: str
    short: str = ""
    problem: str = ""
    advice: str = ""


def state_of(
    stats: Stats,
    paused: Pause | None,
    places: Sequence[PlaceStatus],
    now: datetime,
    watching: Sequence[str] = (),
    problems: Mapping[str, str] = _NONE,
) -> State:
    """The state from what the memory tells. It is never "recording" when no source works, or nothing is stored.

    `watching` names the sources that watch now, also those that had nothing to tell yet; `problems` are the
    app's own, by part.
    """
    if paused is not None:
        until = _until(paused.until, now)
        return State(kind="paused", text=until, short=until)
    if "store" in problems:
        text = tr("Not recording: {why}").format(why=tr("nothing can be written"))
        return State(kind="error", text=text, short=text, problem=translated(problems["store"]))
    working = [place for place in places if place.state in ("ok", "waiting")]
    failing = [place for place in places if place.state == "failing"]
    first = next((place for place in (*failing, *places) if place.advice), None)
    problem = f"{source_word(first.source)}: {translated(first.advice)}" if first else ""
    today = tr("{count} today").format(count=number(stats.today)) if stats.today else tr("nothing yet today")
    if not working and not watching:
        why = tr("no source works") if places else tr("no source was looked at yet")
        text = tr("Not recording: {why}").format(why=why)
        kind: Kind = "error" if places else "degraded"
        return State(kind=kind, text=text, short=text, problem=problem, advice=tr("See Sources"))
    sources = counted(len({place.source for place in working} | set(watching)), tr("source"), tr("sources"))
    if failing:
        broken = counted(len(failing), tr("source fails"), tr("sources fail"))
        return State(
            kind="degraded",
            text=f"{tr('Recording')} · {broken}",
            short=f"{tr('recording')} · {broken}",
            problem=problem,
        )
    for part, why in problems.items():
        name = part_word(part)
        text = tr("{what} has a problem").format(what=name)
        return State(
            kind="degraded",
            text=f"{tr('Recording')} · {text}",
            short=f"{tr('recording')} · {text}",
            problem=f"{name}: {translated(why)}",
        )
    verb = tr("Recording") if stats.today else tr("Watching")
    return State(
        kind="recording", text=f"{verb} · {today}", short=f"{tr('recording')} · {sources}", problem=problem
    )


def part_word(part: str) -> str:
    """What a part of the app is called."""
    words = {
        "graph": tr("Connections"),
        "vectors": tr("Search by meaning"),
        "projects": tr("Projects"),
        "rules": tr("Privacy rules"),
        "sharing": tr("Sharing"),
        "engine": tr("Reading histories"),
    }
    return words.get(part, part)


def _until(until: datetime | None, now: datetime) -> str:
    if until is None:
        return tr("Paused until resumed")
    day = "" if local(until).date() == local(now).date() else f"{short_day(local(until).date())} "
    return tr("Paused until {time}").format(time=day + clock_time(until))


class StateKeeper(QObject):
    """Asks the memory now and then, and whenever it changed; `changed` carries a State that differs."""

    changed = Signal(object)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._own: KnownError | None = None
        self.state = State(kind="degraded", text=tr("Starting"), short=tr("starting"))
        self._timer = QTimer(self, interval=LOOK_AGAIN_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        self._problems: Mapping[str, str] = {}
        self._peeking = False
        self._peek_timer = QTimer(self, interval=PEEK_MS)
        self._peek_timer.timeout.connect(self._peek)
        self._peek_timer.start()
        desk.bridge.changed.connect(self.look)

    def add_problem(self, error: KnownError | None) -> None:
        """Something beside the sources that the person should know of; None: it is mended."""
        self._own = error
        self.look()

    def look(self) -> None:
        """Ask, without waiting."""
        memory, clock = self._desk.memory, self._desk.clock

        if self._desk.demo:
            text = tr("Demo · this computer is not recorded")
            self._become(State(kind="paused", text=text, short=tr("demo, not recording")))
            return

        app = self._desk.app

        problems = self._problems

        def ask() -> State:
            places = memory.places()
            watching: list[str] = []
            if not any(place.state in ("ok", "waiting") for place in places):  # as in a first start
                live = app.status().get("live", {})
                watching = [name for name, state in live.items() if state.get("watching")]
            return state_of(memory.stats(), memory.paused(), places, clock(), watching, problems)

        self._desk.background.run(ask, self._become, self._failed, owner=self, lane="state")

    def _peek(self) -> None:
        """Ask the parts whether they get on; look again when that changed."""
        if not (self._peeking or self._desk.demo):
            self._peeking = True
            ask = self._desk.app.problems
            self._desk.background.run(ask, self._take_problems, self._no_answer, owner=self)

    def _take_problems(self, found: Mapping[str, str]) -> None:
        self._peeking = False
        changed = found.keys() != self._problems.keys()
        self._problems = found
        if changed:
            self.look()

    def _no_answer(self, error: Exception) -> None:
        self._peeking = False
        self._failed(error)

    def _become(self, state: State) -> None:
        if self._own is not None and not state.problem:
            state = replace(state, problem=translated(f"{self._own.problem} {self._own.advice}".strip()))
        if state != self.state:
            self.state = state
            self.changed.emit(state)

    def _failed(self, error: Exception) -> None:
        notice = notice_of(error)
        self._become(
            State(
                kind="error", text=notice.text, short=notice.text, problem=notice.text, advice=notice.advice
            )
        )
