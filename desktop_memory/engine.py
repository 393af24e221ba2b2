"""Asks each collector when its turn comes, keeps the live ones watching, and knows how each fares."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any, Protocol

from collectors.collector import Batch, Collector, Cursor, LiveCollector, Place, Unavailable
from collectors.event import Event, Gap
from desktop_memory.courtesy import give_way
from desktop_memory.errors import KnownError, LogHeld, sentences
from desktop_memory.memory import Memory
from desktop_memory.readings import Readings
from desktop_memory.receipts import Receipt

logger = logging.getLogger(__name__)

_RESTART_LIVE_SECONDS = 30.0
_STOPPED_SECONDS = 120.0
"""A wait that lasts so much longer than it was asked for: the process was stopped, and recorded nothing."""

Progress = Callable[[str, Receipt, float | None], None]
"""Told of a place what came of it so far, and how much of it that is (0 to 1, where it can be known)."""


class Places(Protocol):
    """What the engine notes about places in the store."""

    def place_failed(self, source: str, name: str, state: str, advice: str) -> None: ...
    def place_works(self, source: str, name: str) -> None: ...
    def places_found(self, source: str, names: Collection[str]) -> None: ...
    def retry_at(self, source: str, name: str) -> datetime | None: ...
    def expect_short_log(self) -> None: ...


class Engine:
    """One thread for sources that are asked, one for each that watches. Starting and stopping lose nothing."""

    def __init__(
        self,
        memory: Memory,
        places: Places,
        collectors: Iterable[Collector | LiveCollector],
        *,
        poll_seconds: float,
        clock: Callable[[], datetime],
    ) -> None:
        self._memory = memory
        self._places = places
        all_ = list(collectors)
        self._asked = [c for c in all_ if isinstance(c, Collector)]
        self._live = [_Watch(c, self._take, self._live_failed) for c in all_ if isinstance(c, LiveCollector)]
        self.off: frozenset[str] = frozenset()
        """Sources that are switched off; may be replaced at any time, then `wake`."""
        self.readings = Readings()
        self._working: dict[tuple[str, str], str] = {}
        self._quiet: set[tuple[str, str]] = set()
        self._retired: object = None
        self._poll_seconds = poll_seconds
        self._clock = clock
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._at_work = False
        self._sign = time.monotonic()
        self._asking = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def start(self) -> None:
        self._memory.note_start()
        self._thread.start()

    def stop(self) -> None:
        """Close what is open and wait until all threads are gone."""
        self._stop.set()
        self._wake.set()
        for watch in self._live:
            watch.stop()
        if self._thread.is_alive():
            self._thread.join(timeout=20)
        self._memory.note_alive()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    @property
    def since(self) -> float | None:
        """When (monotonic) its turn last got on; None between two turns."""
        return self._sign if self._at_work else None

    def wake(self) -> None:
        """Look at everything now: after a pause, a settings change, or by request."""
        self._wake.set()

    def names(self) -> list[str]:
        """The sources that can be asked."""
        return [collector.source for collector in self._asked]

    def live(self) -> dict[str, dict[str, Any]]:
        """The sources that watch: whether they do, by which backend, and why not."""
        return {watch.source: watch.state() for watch in self._live if watch.source not in self.off}

    def collect(self, source: str = "", progress: Progress | None = None) -> Receipt:
        """Ask every source (or one) until nothing is new; what came of it."""
        total = Receipt()
        self.readings.want()
        for collector in self._asked:
            if collector.source != source if source else collector.source in self.off:
                continue
            total += self._ask(collector, progress, patient=False)
            if self._stop.is_set() or self.readings.cancelled:
                break
        self._memory.note_read(self._take_quiet())
        return total

    # the engine's thread

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._gets_on()
                self._at_work = True
                self._turn()
            except KnownError as error:
                logger.warning("a turn ended early: %s", type(error).__name__)
            except Exception:
                logger.exception("the engine met a bug; it goes on")
            self._at_work = False
            self._rest(self._next_turn())

    def _turn(self) -> None:
        self._memory.purge_forgotten()
        self._retire_daily()
        self._memory.follow_schedule()
        pause = self._memory.paused()
        for watch in self._live:
            if watch.watching:
                self._places.place_works(watch.source, "")
            watch.stop() if pause or watch.source in self.off else watch.start()
        if pause:
            return
        for collector in self._asked:
            if self._gets_on():
                return
            if collector.source not in self.off:
                self._ask(collector, None, patient=True)
        self._memory.note_alive(self._take_quiet())

    def _retire_daily(self) -> None:
        """Let go of what is no longer kept, once a day and at once when that was changed."""
        due = (self._clock().date(), self._memory.limits)
        if due != self._retired:
            with suppress(LogHeld):  # the next turn tries again
                self._memory.retire(self._gets_on)
                self._retired = due

    def _next_turn(self) -> float:
        pause, rest = self._memory.paused(), self._memory.follow_schedule()
        if pause is None and rest is not None:
            return max(0.1, min(self._poll_seconds, (rest - self._clock()).total_seconds()))
        if pause is None:
            return self._poll_seconds
        if pause.until is None:
            return 3_600.0
        return max(0.1, min(3_600.0, (pause.until - self._clock()).total_seconds()))

    def _rest(self, seconds: float) -> None:
        """Until the next turn. What passed unseen meanwhile, without the machine asleep, was not recorded."""
        begun, since = time.monotonic(), self._clock()
        self._wake.wait(seconds)
        self._wake.clear()
        now = self._clock()
        if time.monotonic() - begun - seconds > _STOPPED_SECONDS and now > since:
            try:
                self._memory.remember([Gap(start=since, end=now, reason="not running")])
            except KnownError:
                logger.warning("the time in which the app was stopped could not be stored")

    def _gets_on(self) -> bool:
        """A sign of life; whether to stop."""
        self._sign = time.monotonic()
        return self._stop.is_set()

    # sources that are asked

    def _ask(self, collector: Collector, progress: Progress | None, *, patient: bool) -> Receipt:
        total = Receipt()
        try:
            places = list(collector.places())
        except Unavailable as error:
            self._failed(collector.source, "", "unavailable", error)
            return total
        except Exception:
            logger.exception("%s could not look for its places", collector.source)
            self._failed(collector.source, "", "failing", None)
            return total
        self._found(collector.source, places)
        for place in places:
            if self._gets_on():
                break
            if not self._waits(place, patient):
                total += self._ask_place(collector, place, progress)
        return total

    def _found(self, source: str, places: Iterable[Place]) -> None:
        """Places that are gone are said to be, and read as new ones should they come back."""
        names = {place.name for place in places}
        self._working = {at: told for at, told in self._working.items() if at[0] != source or at[1] in names}
        try:
            self._places.places_found(source, names)
        except KnownError:
            logger.warning("the places of %s could not be stored", source)

    def _waits(self, place: Place, patient: bool) -> bool:
        """Whether a place is not asked now: it failed lately, or its first reading was ended early."""
        if self.readings.cancelled and self.readings.rests(
            place, begun=self._memory.cursor(place) is not None
        ):
            return True
        retry_at = self._places.retry_at(place.source, place.name) if patient else None
        return retry_at is not None and retry_at > self._clock()

    def _ask_place(self, collector: Collector, place: Place, progress: Progress | None) -> Receipt:
        with self._asking:  # the engine's own turn and one by request never read a place at once
            return self._read_place(collector, place, progress)

    def _read_place(self, collector: Collector, place: Place, progress: Progress | None) -> Receipt:
        total = Receipt()
        try:
            more = True
            while more and not (self._gets_on() or self.readings.rests(place, begun=True)):
                cursor = self._memory.cursor(place)
                give_way()
                batch = self._next(collector, place, cursor)
                if batch.more:  # a history: what is seen now is stored whatever the log's length
                    self._places.expect_short_log()
                if self._is_quiet(place, cursor, batch):
                    self._quiet.add((place.source, place.name))
                    break
                if batch.checkout is not None:
                    self._memory.learn(batch.checkout)
                receipt = self._memory.remember(
                    (*batch.events, *batch.gaps), place=place, cursor=batch.cursor, skipped=batch.skipped
                )
                total += receipt
                self._working[place.source, place.name] = place.advice
                more = batch.more and batch.cursor != cursor  # else it would be asked for ever
                if more:
                    self.readings.note(place, total, batch.share)
                if progress is not None:
                    progress(place.name, total, batch.share)
        except Unavailable as error:
            self._failed(place.source, place.name, "unavailable", error)
        except KnownError as error:
            self._failed(place.source, place.name, "failing", Unavailable(error.problem, error.advice))
        except Exception:
            logger.exception("%s failed at one of its places", collector.source)
            self._failed(place.source, place.name, "failing", None)
        finally:
            self.readings.done(place)
        return total

    @staticmethod
    def _next(collector: Collector, place: Place, cursor: Cursor | None) -> Batch:
        """What is new. A source that cannot go on from its cursor reads anew, which tells nothing twice."""
        try:
            return collector.collect(place, cursor)
        except (Unavailable, KnownError):
            raise
        except Exception:
            if cursor is None:
                raise
            logger.exception("%s cannot go on where it stopped at one of its places", collector.source)
            return collector.collect(place, None)

    def _is_quiet(self, place: Place, cursor: Cursor | None, batch: Batch) -> bool:
        """Nothing is new at a place that works as before: not worth a transaction of its own."""
        told = batch.events or batch.gaps or batch.skipped or batch.more or batch.checkout
        as_before = self._working.get((place.source, place.name)) == place.advice
        return not told and as_before and batch.cursor == cursor

    def _take_quiet(self) -> list[tuple[str, str]]:
        """The places that had nothing new, to be written down in one go."""
        quiet, self._quiet = self._quiet, set()
        return sorted(quiet)

    def _failed(self, source: str, name: str, state: str, error: Unavailable | None) -> None:
        self._working.pop((source, name), None)
        advice = "It met a bug; the log in the data folder tells more." if error is None else _told(error)
        try:
            self._places.place_failed(source, name, state, advice)
        except KnownError:
            logger.warning("the state of %s could not be stored", source)

    # sources that watch

    def _take(self, seen: Event | Gap) -> None:
        self._memory.remember([seen])

    def _live_failed(self, source: str, error: Exception) -> None:
        if isinstance(error, Unavailable):
            self._failed(source, "", "unavailable", error)
        else:
            self._failed(source, "", "failing", None)


class _Watch:
    """One live source on a thread of its own, started again after a failure."""

    def __init__(
        self,
        collector: LiveCollector,
        take: Callable[[Event | Gap], None],
        failed: Callable[[str, Exception], None],
    ) -> None:
        self._collector = collector
        self._take = take
        self._failed = failed
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._not_before = 0.0
        self._problem = ""
        self.source = collector.source

    @property
    def watching(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def state(self) -> dict[str, Any]:
        watching = self.watching
        return {
            "watching": watching,
            "backend": getattr(self._collector, "backend", ""),
            "tried": dict(getattr(self._collector, "tried", {})),
            "advice": str(getattr(self._collector, "advice", "")) if watching else self._problem,
        }

    def start(self) -> None:
        if (self._thread is not None and self._thread.is_alive()) or time.monotonic() < self._not_before:
            return
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(self._stop,), name=f"live {self._collector.source}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=10)
            self._thread = None

    def _run(self, stop: threading.Event) -> None:
        try:
            self._collector.watch(self._guarded, stop)
            if not stop.is_set():
                raise Unavailable("It ended by itself.", "It is started again within a minute.")
        except Unavailable as error:
            logger.info("%s cannot watch", self._collector.source)
            self._problem = _told(error)
            self._failed(self._collector.source, error)
        except Exception as error:
            logger.exception("%s stopped watching", self._collector.source)
            self._problem = f"It met a bug ({type(error).__name__}); the log tells more."
            self._failed(self._collector.source, error)
        self._not_before = time.monotonic() + _RESTART_LIVE_SECONDS

    def _guarded(self, seen: Event | Gap) -> None:
        """A full disk loses this one event, not the watch: the span is told again."""
        try:
            self._take(seen)
        except KnownError as error:
            logger.warning("an event could not be stored: %s", type(error).__name__)


def _told(error: Unavailable) -> str:
    return sentences(error.problem, error.advice)
