"""Chooses the parts and puts them together."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_memory import clock, logs, permissions, settings
from desktop_memory.assembly import SETTINGS_FILE, Assembly, assemble
from desktop_memory.desktop import shell_hook
from desktop_memory.desktop.power import burden
from desktop_memory.engine import Engine, Progress
from desktop_memory.errors import Damaged, KnownError, UsageError, sentences
from desktop_memory.ipc.remote import APP_METHODS, MEMORY_METHODS
from desktop_memory.ipc.server import Server
from desktop_memory.owner import OwnerLock
from desktop_memory.pace import Pace
from desktop_memory.pipeline.redact import redact_text
from desktop_memory.receipts import Merged, Receipt
from desktop_memory.sharing.sharing import Sharing
from desktop_memory.standstill import Part, Standstill
from desktop_memory.status import status
from desktop_memory.store.whole import Cancelled
from desktop_memory.vault import in_memory
from desktop_memory.vault.settling import settle
from desktop_memory.watched import describe, sources_of
from desktop_memory.workers import Worker, take_short_turns

if TYPE_CHECKING:
    from desktop_memory.transfer.backup import Progress as TransferProgress

logger = logging.getLogger(__name__)

COMMAND_INDEX_SECONDS = 20.0
_SHARE_SECONDS = 120.0
_PROBE_SECONDS = 5.0
REBUILT = ("graph", "vectors", "words", "all")


class App:
    """Owns a data folder: collects, keeps the projections up to date and answers others. Made by `open`."""

    def __init__(self, folder: Path, lock: OwnerLock, parts: Assembly) -> None:
        self.folder = folder
        self.memory = parts.memory
        self.parts = parts
        self.on_show: Callable[[str], None] = _no_window
        self.on_quit: Callable[[], None] = lambda: None
        self.on_copy: Callable[[str], bool] = lambda text: False
        self._lock = lock
        self._stopped = threading.Event()
        self._running = False
        self._rebuilding = threading.Lock()
        self._cancelled = threading.Event()
        self._standstill: Standstill | None = None
        self.engine = Engine(
            parts.memory,
            parts.store,
            sources_of(parts),
            poll_seconds=parts.settings.sources.poll_seconds,
            clock=clock.clock,
        )
        self.engine.off = frozenset(parts.settings.sources.off)
        self._projector = Worker("projector", self._project)
        self._indexer = Worker("indexer", self._index)
        self._pace = Pace(burden, wanted=lambda: self.parts.settings.memory.yields)
        self._judging_pace = Pace(burden, wanted=lambda: self.parts.settings.memory.yields)
        self._regrouper = Worker("projects", lambda stop: self.memory.follow_projects(stop.is_set))
        self._judge = Worker("rules", self._judge_stored)
        self.sharing = Sharing(parts.memory, parts.store, clock.clock)
        self._sharer = Worker("sharing", self._share, every=_SHARE_SECONDS)
        self._prober = Worker("prober", self._probe, every=_PROBE_SECONDS, retry=_PROBE_SECONDS)
        self._server = Server(
            folder,
            {"memory": (parts.memory, frozenset(MEMORY_METHODS)), "app": (self, frozenset(APP_METHODS))},
        )

    @classmethod
    def open(cls, folder: Path) -> App:
        """Take the folder. Raises BusyError when another process has it, StoreError when it cannot be used."""
        os.umask(0o077)  # Kuzu and others create files on their own: those too are for their owner alone
        logs.start(folder, redact_text)
        lock = OwnerLock(folder)
        lock.acquire()
        try:
            settle(folder, held=True)
            if opened := permissions.mend(folder):
                logger.warning("%d files or folders were open to others; no more", opened)
            return cls(folder, lock, _assembled(folder))
        except BaseException:
            lock.release()
            raise

    def start(self, *, record: bool = True) -> None:
        """Record, project, index and answer, each on a thread of its own; a demo records nothing."""
        self._running = True
        take_short_turns()
        self._server.start()
        self._projector.start()
        self._indexer.start()
        self._regrouper.start()
        self._judge.start()
        self._prober.start()
        self.memory.changed += [
            self._projector.wake,
            self._indexer.wake,
            self._regrouper.wake,
            self._judge.wake,
        ]
        if record:
            shell_hook.refresh(self.folder)
            self.engine.start()
            self._sharer.start()
        self._standstill = Standstill(parts=self._parts_at_work(record=record))

    def wait(self) -> None:
        """Until `quit` is called."""
        while not self._stopped.wait(timeout=3_600):
            pass

    def close(self) -> None:
        """Stop everything in the order in which nothing is lost; closing twice is harmless."""
        if self._running:
            self._running = False
            self._standstill = None
            self._prober.stop()
            self.engine.stop()
            self._sharer.stop()
            self._server.close()
            self._indexer.stop()
            self._regrouper.stop()
            self._judge.stop()
            self._projector.stop()
        self.parts.close()
        self._lock.release()

    # what others may ask of the app

    def status(self) -> dict[str, Any]:
        """How recording fares, in the CLI's shape."""
        problems = self.problems()
        live, reading = self.engine.live(), self.engine.readings.current()
        told = status(self.memory, running=self._running, problems=problems, live=live, reading=reading)
        if self._pace.slowed:
            told["vectors"]["slower"] = self._pace.slowed
        return told

    def problems(self) -> dict[str, str]:
        """What keeps a part from its work, each with what to do; known at once, whatever hangs."""
        writing = self.parts.store.writing.trouble
        told = {
            "store": self._prober.problem
            or ("" if writing is None else sentences(writing.problem, writing.advice)),
            "graph": self._projector.problem,
            "vectors": self._indexer.problem,
            "projects": self._regrouper.problem,
            "rules": self._judge.problem,
            "sharing": self._sharer.problem,
        }
        still = {} if self._standstill is None else self._standstill.found()
        return {name: problem for name, problem in {**told, **still}.items() if problem}

    def pause(self, duration: timedelta | None = None) -> None:
        self.memory.pause(None if duration is None else clock.clock() + duration)
        self.engine.wake()

    def resume(self) -> None:
        self.memory.resume()
        self.engine.wake()

    def collect(self, source: str = "", progress: Progress | None = None) -> Receipt:
        """Read every source now."""
        if source and source not in self.engine.names():
            raise UsageError(f"There is no source {source!r}.", f"Sources: {', '.join(self.engine.names())}.")
        receipt = self.engine.collect(source, progress)
        if not self._running:
            self.catch_up()
        return receipt

    def import_history(self, name: str, progress: Progress | None = None) -> Receipt:
        """Read a history from another machine, or another program's export. Reading it twice adds nothing."""
        from desktop_memory.importing import take_in

        copies, readings = in_memory.copies(self.folder), self.engine.readings
        receipt = take_in(self.memory, Path(name), copies, describe(), readings, progress)
        if not self._running:
            self.catch_up()
        return receipt

    def cancel_reading(self) -> None:
        """End an import, or the first reading of histories; what was read so far is kept."""
        self.engine.readings.cancel()

    def merge(self, other: str, progress: TransferProgress | None = None) -> Merged:
        """Take in another memory: a backup, or the data folder of another machine."""
        from desktop_memory.transfer.merge import merge

        merged = merge(
            self.memory, self.parts.store, self.folder, Path(other), progress or (lambda what, share: False)
        )
        if not self._running:
            self.catch_up()
        return merged

    def share_on(self, folder: str, passphrase: str = "", plain: bool = False) -> None:
        """Share with the user's other machines through a folder."""
        self.sharing.on(Path(folder), passphrase, plain=plain)
        self._sharer.wake()

    def share_off(self) -> None:
        self.sharing.off()
        self._sharer.wake()

    def share_state(self) -> dict[str, Any] | None:
        """With which folder and devices; None when nothing is shared."""
        found = self.sharing.state()
        return None if found is None else {**found, "problem": self._sharer.problem}

    def share_now(self, progress: TransferProgress | None = None) -> dict[str, Any]:
        """Read and write what is new, now. Cancelled, what was done stays, and the next time goes on from there."""
        turn = self.sharing.turn(progress or (lambda what, share: self._stopped.is_set()))
        if turn.cancelled:
            raise Cancelled
        if not self._running:
            self.catch_up()
        return {
            "written": turn.written,
            "new": turn.read.new,
            "known": turn.read.known,
            "dropped": turn.read.dropped,
            "skipped": dict(turn.read.skipped),
            "forgotten": turn.forgotten,
            "waiting": turn.waiting,
        }

    def cancel_sharing(self) -> None:
        """End the exchange with the folder that is under way; the next one goes on from there."""
        self.sharing.cancel()

    def share_remove(self, device: str) -> None:
        """Take a device that is no more out of the shared folder."""
        self.sharing.remove(device)

    def rebuild(self, what: str = "graph", progress: Callable[[str], None] | None = None) -> bool:
        """Make a derived part anew from the store; False when it was cancelled: then the old one is still there."""
        if what not in REBUILT:
            raise UsageError(f"{what!r} cannot be rebuilt.", f"Name one of {', '.join(REBUILT)}.")
        with self._rebuilding:
            if what in ("words", "all"):
                self.parts.store.rebuild_words()
            if what in ("graph", "all") and self.parts.projector is not None:
                self._cancelled.clear()
                if not self.parts.projector.rebuild(_in_percent(progress), self._cancelled.is_set):
                    return False
            if what in ("vectors", "all") and self.parts.models is not None:
                self.parts.models.rebuild()
        if self._running:
            self._indexer.wake()
        else:
            self.catch_up()
        return True

    def cancel_rebuild(self) -> None:
        """End a rebuild of the graph that is under way."""
        self._cancelled.set()

    def reload(self) -> None:
        """Read the settings again; rules act from now on."""
        self.parts.reload()
        self.engine.off = frozenset(self.parts.settings.sources.off)
        self.engine.wake()
        self._indexer.wake()
        self._judge.wake()

    def privacy(self) -> dict[str, Any]:
        """The privacy settings as they are in the file now, for who cannot read it there."""
        return asdict(settings.load(self.folder / SETTINGS_FILE).privacy)

    def show(self, what: str = "window") -> None:
        """Raise the window or the search."""
        self.on_show(what)

    def copy(self, text: str) -> bool:
        """Put a text on the desktop's clipboard; False where the app has none (it records without a window)."""
        return self.on_copy(text)

    def quit(self) -> None:
        self._stopped.set()
        self.on_quit()

    def catch_up(self, seconds: float = COMMAND_INDEX_SECONDS) -> None:
        """For a command that owns the stores: finish the graph, and index for so long."""
        stop = threading.Event()
        while self._project(stop):
            pass
        enough = threading.Timer(seconds, stop.set)
        enough.start()
        try:
            while not stop.is_set() and self._index_some(stop):
                pass
        except KnownError:
            logger.warning("indexing waits: the model is not available")
        finally:
            enough.cancel()
            enough.join()

    # inside

    def _parts_at_work(self, *, record: bool) -> dict[str, Part]:
        parts: dict[str, Part] = {
            "graph": self._projector,
            "vectors": self._indexer,
            "projects": self._regrouper,
            "rules": self._judge,
            "store": self._prober,
        }
        return {**parts, "engine": self.engine, "sharing": self._sharer} if record else parts

    def _probe(self, stop: threading.Event) -> bool:
        self.parts.store.probe()
        return False

    def _project(self, stop: threading.Event) -> bool:
        projector = self.parts.projector
        more = projector is not None and projector.catch_up(stop)
        if not more:
            self.parts.store.drop_changes(None if projector is None else projector.followed)
        return more

    def _share(self, stop: threading.Event) -> bool:
        self.sharing.turn(lambda what, share: stop.is_set())
        return False

    def _judge_stored(self, stop: threading.Event) -> bool:
        return self._judging_pace.step(lambda stop: self.memory.follow_rules(stop.is_set), stop)

    def _index(self, stop: threading.Event) -> bool:
        return self._pace.step(self._index_some, stop)

    def _index_some(self, stop: threading.Event) -> bool:
        return self.parts.models is not None and self.parts.models.catch_up(stop)


def _in_percent(progress: Callable[[str], None] | None) -> Callable[[int, int], None] | None:
    if progress is None:
        return None
    return lambda done, total: progress(f"{done * 100 // max(1, total)} %")


def _assembled(folder: Path) -> Assembly:
    """The parts; of a memory that is damaged, what can be saved of it."""
    from desktop_memory.transfer.rescue import rescue, rescue_if_needed

    idle_gap = timedelta(seconds=settings.load(folder / SETTINGS_FILE).memory.session_gap_seconds)
    rescue_if_needed(folder, clock.clock(), idle_gap)
    try:
        return assemble(folder, owner=True)
    except Damaged:
        rescue(folder, clock.clock(), idle_gap)
        return assemble(folder, owner=True)


def _no_window(what: str) -> None:
    raise KnownError(
        "The app records without a window.", "Quit it and start `desktop-memory run` on the desktop."
    )
