"""Taking another memory into this one: a second machine's, or one from before a machine was set up anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from collectors.event import Gap
from desktop_memory import clock
from desktop_memory.errors import KnownError
from desktop_memory.memory import Memory
from desktop_memory.model import Pin
from desktop_memory.receipts import Merged, Receipt
from desktop_memory.store import exchange, whole
from desktop_memory.store.project_exchange import decisions_of
from desktop_memory.store.store import FILE_NAME as STORE_FILE
from desktop_memory.store.store import Store
from desktop_memory.store.whole import Cancelled
from desktop_memory.transfer.backup import Progress
from desktop_memory.transfer.restore import unpack
from desktop_memory.transfer.workshop import workshop


def merge(memory: Memory, store: Store, folder: Path, other: Path, progress: Progress) -> Merged:
    """Take in a backup or another data folder; neither is changed, and doing it twice adds nothing.

    What both remember stays one event. What was decided there about projects counts where nothing was here. Saved
    copies, settings and the names of topics stay where they are.
    Cancelled half way, what came so far is whole, and the next merge goes on. Raises KnownError.
    """
    with _other(folder, other, progress) as theirs:
        store.adopt([theirs.profile.secret, *theirs.profile.older])
        forgotten = memory.keep_out(exchange.barred_in(theirs.read()))
        projects = memory.take_decisions(decisions_of(theirs.read()))
        receipt = Receipt()
        total = max(1, theirs.count())
        for events in exchange.events_of(theirs.read()):
            if not memory.wait_for_room(partial(_waiting, progress, receipt.read / total)):
                raise Cancelled
            receipt += memory.absorb(events)
            if progress("merging", min(1.0, receipt.read / total)):
                raise Cancelled
        for device, gaps in exchange.gaps_of(theirs.read()):
            receipt += memory.absorb((), _ended(gaps), device)
        while memory.follow_projects():
            if progress("sorting by project", 1.0):
                raise Cancelled
        pins = _take_pins(memory, theirs)
        return Merged(receipt=receipt, pins=pins, forgotten=forgotten, projects=projects)


def _waiting(progress: Progress, share: float, waits: bool) -> bool:
    return waits and progress("waiting for a program that reads the memory", min(1.0, share))


@contextmanager
def _other(folder: Path, other: Path, progress: Progress) -> Iterator[Store]:
    """A copy of the other memory, brought to today's schema."""
    if other.is_dir() and other.resolve() == folder.resolve():
        raise KnownError("This is the memory itself.", "Name another one's folder, or a backup.")
    with workshop(folder) as desk:
        if other.is_dir():
            if not (other / STORE_FILE).exists():
                raise KnownError(f"There is no memory in {other}.", "Name a data folder, or a backup.")
            whole.copy(other / STORE_FILE, desk / STORE_FILE, lambda share: progress("copying", share))
            whole.check(desk / STORE_FILE)
        else:
            unpack(other, desk, progress)
        theirs = Store.open(desk, clock=clock.clock)
        try:
            yield theirs
        finally:
            theirs.close()


def _ended(gaps: list[Gap]) -> list[Gap]:
    """A gap that was still open when the other memory was copied says nothing about later."""
    return [gap for gap in gaps if gap.end is not None]


def _take_pins(memory: Memory, theirs: Store) -> int:
    """The other's goals and notes that are not here in the same words."""

    def words(pin: Pin) -> tuple[str, str]:
        return pin.kind, pin.text.casefold()

    here = {words(pin) for pin in memory.pins("")}
    fresh = [pin for pin in theirs.pins("") if words(pin) not in here]
    for pin in fresh:
        ours = memory.pin(pin.kind, pin.text, pin.project, pin.due)
        if pin.status != "active":
            memory.set_pin_status(ours.id, pin.status)
    return len(fresh)
