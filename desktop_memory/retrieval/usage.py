"""What the user came back to: opened, copied or pinned, never merely found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from desktop_memory.store import usage
from desktop_memory.store.store import Store


class Usage:
    """Counts uses and tells them to search as long as it is `on`. Thread-safe."""

    def __init__(self, store: Store, *, on: bool = True) -> None:
        self._store = store
        self.on = on

    def note(self, events: Sequence[int]) -> None:
        """Count one use of each of these events."""
        if self.on and events:
            with self._store.transaction() as connection:
                usage.note(connection, events, self._store.clock())

    def of(self, events: Iterable[int]) -> dict[int, usage.Used]:
        """How often, and when last, each was used; nothing while it is off."""
        return usage.of(self._store.read(), events) if self.on else {}

    def forget(self) -> int:
        """Forget all uses; of how many events."""
        with self._store.transaction() as connection:
            return usage.forget(connection)
