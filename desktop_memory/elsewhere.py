"""The app that runs in another process, asked over its socket."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from desktop_memory.engine import Progress
from desktop_memory.ipc.remote import RemoteApp, RemoteMemory
from desktop_memory.memory import Memory
from desktop_memory.receipts import Merged, Receipt

if TYPE_CHECKING:
    from desktop_memory.transfer.backup import Progress as TransferProgress

_LOOK_SECONDS = 0.3


class AppElsewhere:
    """The running app in the place of an App: the same methods, done in its process."""

    def __init__(self, folder: Path) -> None:
        self.memory = cast(Memory, RemoteMemory(folder))
        self._app = RemoteApp(folder)

    def collect(self, source: str = "", progress: Progress | None = None) -> Receipt:
        return self._read(progress, self._app.collect, source)

    def import_history(self, name: str, progress: Progress | None = None) -> Receipt:
        return self._read(progress, self._app.import_history, name)

    def _read(self, progress: Progress | None, read: Callable[[str], object], what: str) -> Receipt:
        def look() -> None:
            if progress is not None:
                for place in self._app.status()["reading"]:
                    so_far = Receipt(read=place["read"], new=place["new"])
                    progress(place["place"], so_far, place["share"])

        return cast(Receipt, until_done(lambda: read(what), look, self._app.cancel_reading))

    def merge(self, other: str, progress: TransferProgress | None = None) -> Merged:
        return cast(Merged, self._app.merge(other))

    def share_on(self, folder: str, passphrase: str = "", plain: bool = False) -> None:
        self._app.share_on(folder, passphrase, plain)

    def share_off(self) -> None:
        self._app.share_off()

    def share_state(self) -> dict[str, Any] | None:
        return cast("dict[str, Any] | None", self._app.share_state())

    def share_now(self, progress: TransferProgress | None = None) -> dict[str, Any]:
        def look() -> None:
            if progress is None or not (state := self._app.share_state()) or not state["doing"]:
                return
            if progress(state["doing"], state["share"]):
                self._app.cancel_sharing()

        return cast("dict[str, Any]", until_done(self._app.share_now, look, self._app.cancel_sharing))

    def share_remove(self, device: str) -> None:
        self._app.share_remove(device)

    def rebuild(self, what: str = "graph", progress: Callable[[str], None] | None = None) -> bool:
        def look() -> None:
            if progress is not None:
                progress(str(self.memory.stats().graph.get("progress", "")))

        return bool(until_done(lambda: self._app.rebuild(what), look, self._app.cancel_rebuild))

    def reload(self) -> None:
        self._app.reload()


def until_done(work: Callable[[], object], look: Callable[[], None], cancel: Callable[[], None]) -> object:
    """What the work gives; meanwhile look how far it has come, and cancel it when this command is interrupted."""
    with ThreadPoolExecutor(1, thread_name_prefix="Thread-asking") as asking:
        working = asking.submit(work)
        try:
            while not wait([working], timeout=_LOOK_SECONDS).done:
                look()
        except KeyboardInterrupt:
            cancel()
            raise
    return working.result()
