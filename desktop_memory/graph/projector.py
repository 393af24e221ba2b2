"""Brings the graph up to what the store holds: links what arrived, or makes all of it anew where that is better."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from desktop_memory.errors import KnownError
from desktop_memory.graph.engine import EngineError, NoRoom, give_back_memory
from desktop_memory.graph.follow import Follower
from desktop_memory.graph.graph import Graph, GraphNotReady
from desktop_memory.graph.link import Inconsistent, Linker
from desktop_memory.graph.rebuild import Progress, build
from desktop_memory.graph.schema import Cursor
from desktop_memory.graph.store import Snapshot, Store
from desktop_memory.graph.walk import counts

logger = logging.getLogger(__name__)

FAR_BEHIND = 5_000
MOST_DELETES = 100
"""More nodes deleted from a file that was imported can cost the edges of others."""

_ARRIVAL_SECONDS = 0.0025
_EDIT_SECONDS = 0.006
_ANEW_SECONDS = 0.3
_ANEW_SECONDS_AN_EVENT = 0.000_012
_SETTLE_SECONDS = 0.5
_HUBS_SECONDS = 600.0
_MOST_FAILURES = 3
_FORGET_WAITS = 5.0
_STEPS_TO_TRIM = 500


class Projector:
    """One thread at a time works; the others wait. Everything it does can be done again."""

    def __init__(self, store: Store, graph: Graph) -> None:
        self._store = store
        self._graph = graph
        self._lock = threading.Lock()
        self._linker = Linker()
        self._must = ""
        self._failures = 0
        self._steps = 0
        self._hubs_at: float | None = None
        self._progress: tuple[int, int] | None = None

    def catch_up(self, stop: threading.Event) -> bool:
        """Do one step; True while there is more to do. Raises KnownError when the graph cannot be written."""
        with self._lock:
            if self._graph.state == "closed" or not self._graph.possible or stop.is_set():
                return False
            if self._graph.state == "missing" and self._graph.has_file:
                self._graph.reopen()
            with self._store.snapshot() as now:
                reason = self._why_anew(now)
                if not reason:
                    return self._follow(now, stop)
                arrived, seconds = now.last_arrival(), _seconds_anew(now)
            if seconds > 2 * _SETTLE_SECONDS and self._still_importing(arrived, stop):
                return False
            logger.info("the graph is made anew: %s", reason)
            return self._rebuild(None, stop.is_set)

    def rebuild(
        self, progress: Progress | None = None, cancelled: Callable[[], bool] = lambda: False
    ) -> bool:
        """Make the graph anew; False when cancelled: then the old one is still there."""
        with self._lock:
            return self._rebuild(progress, cancelled)

    def forget(self, ids: Sequence[int]) -> int:
        """Take forgotten events out at once; how many there were.

        While a long step is under way they are left to the next one, which comes right behind it.
        """
        nodes = [id_ for id_ in ids if id_ <= self._graph.cursor.event]
        if not nodes or not self._lock.acquire(timeout=_FORGET_WAITS):
            return len(nodes)
        try:
            return self._forget(nodes)
        finally:
            self._lock.release()

    def _forget(self, nodes: Sequence[int]) -> int:
        if self._graph.state != "ready":
            return 0
        if self._graph.cursor.deletes + len(nodes) > MOST_DELETES:
            self._graph.drop("many events were forgotten")
            return len(nodes)
        try:
            return self._follower().remove(nodes)
        except (EngineError, Inconsistent):
            logger.exception("forgotten events could not be taken out of the graph")
            self._graph.drop("events were forgotten")
            return len(nodes)

    @property
    def followed(self) -> int | None:
        """Up to which change it needs none of them any more; None: it is made anew from what there is."""
        return self._graph.cursor.change if self._graph.possible else None

    def state(self) -> Mapping[str, object]:
        """For the status page."""
        with self._store.snapshot() as now:
            behind = max(0, now.last_arrival() - self._graph.cursor.event)
        done, total = self._progress or (0, 0)
        return {
            "state": self._graph.state,
            "behind": behind,
            "progress": f"{done * 100 // total} %" if total else "",
            "reason": self._graph.why,
        }

    def counts(self) -> Mapping[str, int] | None:
        """How many nodes and edges of each sort the graph holds; None while it cannot say."""
        try:
            return counts(self._graph)
        except GraphNotReady:
            return None

    # linking

    def _follower(self) -> Follower:
        def moved(cursor: Cursor) -> None:
            self._graph.cursor = cursor

        return Follower(self._graph.engine, self._graph.cursor, self._linker, moved)

    def _follow(self, now: Snapshot, stop: threading.Event) -> bool:
        self._find_hubs(now)
        try:
            follower = self._follower()
            if self._graph.cursor.deletes + follower.gone(now) > MOST_DELETES:
                self._must = "many events were forgotten"
                return True
            more = follower.step(now, stop)
            if not more and self._today() > self._graph.cursor.day + 1:
                follower.take_days(now, self._today())
        except NoRoom as error:
            raise KnownError(
                "The disk is nearly full: the graph waits.",
                "Free some space; until then the store answers in its place.",
            ) from error
        except Inconsistent as error:
            logger.warning("the graph is not what the store says: %s", error)
            self._linker.forget_known()
            self._must = "it was not what the store says"
            return True
        except EngineError:
            logger.exception("a step of the graph failed")
            self._failed()
            return True
        self._failures = 0
        self._steps += 1
        if self._steps % _STEPS_TO_TRIM == 0:
            give_back_memory()
        return more

    def _failed(self) -> None:
        """Whatever the reason: go on from what the file holds, and in the end make the graph anew."""
        self._linker.forget_known()
        self._failures += 1
        try:
            self._graph.find_cursor()
        except EngineError:
            self._failures = _MOST_FAILURES
        if self._failures >= _MOST_FAILURES:
            self._must = "it could not be written"

    def _find_hubs(self, now: Snapshot) -> None:
        if self._hubs_at is None or time.monotonic() - self._hubs_at > _HUBS_SECONDS:
            self._graph.hubs = now.hubs()
            self._hubs_at = time.monotonic()

    def _today(self) -> int:
        return int(self._store.clock().timestamp()) // 86_400

    # making it anew

    def _why_anew(self, now: Snapshot) -> str:
        """Why linking will not do; empty when it will."""
        cursor = self._graph.cursor
        if self._graph.state != "ready":
            return self._graph.why or "it is missing"
        if self._must:
            return self._must
        if cursor.event > now.last_arrival() or cursor.change > now.last_change():
            return "it is ahead of the store"
        if cursor.mark and now.mark(cursor.event) not in (None, cursor.mark):
            return "it belongs to another store"
        arrivals, changes = now.last_arrival() - cursor.event, now.last_change() - cursor.change
        if max(arrivals, changes) > FAR_BEHIND:
            return "it is far behind"
        if not now.has_changes(cursor.change):
            return "it is older than what the store still tells of changes"
        if max(arrivals * _ARRIVAL_SECONDS, changes * _EDIT_SECONDS) > max(1.0, _seconds_anew(now)):
            return "linking would take longer"
        return ""

    def _still_importing(self, arrived: int, stop: threading.Event) -> bool:
        """Whether events pour in now: what was begun would be far behind again at its end."""
        if stop.wait(_SETTLE_SECONDS):
            return True
        with self._store.snapshot() as now:
            return now.last_arrival() - arrived > FAR_BEHIND // 10

    def _rebuild(self, progress: Progress | None, cancelled: Callable[[], bool]) -> bool:
        started = time.monotonic()

        def tell(done: int, total: int) -> None:
            self._progress = (done, total)
            if progress is not None:
                progress(done, total)

        self._linker.forget_known()
        try:
            with self._store.snapshot() as now:
                today = self._today()
                built = self._graph.replace(lambda path: build(path, now, today, tell, cancelled))
        except (EngineError, OSError) as error:
            logger.warning("the graph could not be made anew: %s", type(error).__name__)
            raise KnownError(
                "The graph could not be made anew.",
                "Free some space; until then the store answers in its place.",
            ) from error
        finally:
            self._progress = None
        if built:
            self._must, self._failures, self._hubs_at = "", 0, None
            logger.info("the graph was made anew in %.1f s", time.monotonic() - started)
        return built


def _seconds_anew(now: Snapshot) -> float:
    return _ANEW_SECONDS + now.last_arrival() * _ANEW_SECONDS_AN_EVENT
