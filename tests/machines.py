"""Machines that share a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from desktop_memory.memory import Memory
from desktop_memory.settings import Privacy
from desktop_memory.sharing.sharing import Sharing
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over

PASSPHRASE = "correct horse battery staple"


@dataclass
class Machine:
    clock: FakeClock
    store: Store
    memory: Memory
    sharing: Sharing
    folder: Path

    @property
    def texts(self) -> list[str]:
        return sorted(found.text or found.title for found in self.store.all_events())

    def see(self, minutes: float, text: str, **more: object) -> None:
        self.memory.remember([event(minutes, text=text, **more)])


def machine(root: Path, folder: Path, privacy: Privacy | None = None) -> Machine:
    clock = FakeClock(at(1_000))
    store = Store.open(root, clock=clock)
    memory = memory_over(store, clock, privacy=privacy)
    folder.mkdir(exist_ok=True)
    return Machine(clock, store, memory, Sharing(memory, store, clock), folder)
