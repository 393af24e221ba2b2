"""How a command reaches a memory: through the running app, or by standing in for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

from desktop_memory.app import App
from desktop_memory.assembly import assemble
from desktop_memory.elsewhere import AppElsewhere
from desktop_memory.embedding.priority import lower_this_thread
from desktop_memory.ipc.client import NotRunning, ask
from desktop_memory.ipc.codec import encode
from desktop_memory.ipc.remote import RemoteMemory
from desktop_memory.memory import Memory
from desktop_memory.store.store import Store


def running(folder: Path) -> bool:
    """Whether an app answers for this folder."""
    try:
        ask(folder, "memory", "newer", encode([[0], {}]), timeout=5.0)
    except NotRunning:
        return False
    return True


@contextmanager
def connect(folder: Path) -> Iterator[Memory]:
    """A Memory: the running app's, or one over the stores opened here."""
    if running(folder):
        yield cast(Memory, RemoteMemory(folder))
        return
    with beside(folder) as memory:
        yield memory


@contextmanager
def beside(folder: Path) -> Iterator[Memory]:
    """A Memory over the stores opened here, whoever else has them."""
    with closing(assemble(folder, owner=False)) as parts:
        yield parts.memory


@contextmanager
def own(folder: Path) -> Iterator[App]:
    """The running app, or the stores owned here as long as it takes. Raises BusyError.

    Whoever asks the memory meanwhile from another process goes first.
    """
    if running(folder):
        yield cast(App, AppElsewhere(folder))
        return
    lower_this_thread()
    with closing(App.open(folder)) as app:
        yield app


@contextmanager
def reader(folder: Path) -> Iterator[Store]:
    """The store alone, for reading large amounts of what the rules let be shown."""
    with closing(assemble(folder, owner=False)) as parts:
        yield parts.store
