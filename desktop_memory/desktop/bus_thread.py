"""A connection to the session bus with a thread of its own, which hears what comes and does what is asked."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from collectors.bus import Bus, Message
from collectors.collector import Unavailable
from collectors.wake import Waker
from desktop_memory.desktop.errands import Errands

logger = logging.getLogger(__name__)


class BusThread:
    """To be built upon: `_hear` takes each message, `_leave` ends what was begun. Both run on the thread."""

    def __init__(self, bus: Bus, name: str) -> None:
        self._bus = bus
        self._closing = False
        self._waker = Waker()
        self._errands = Errands(self._waker.wake)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def close(self) -> None:
        self._closing = True
        self._waker.wake()
        self._thread.join(timeout=5)

    def _ask(self, do: Callable[[], None]) -> None:
        """Have the thread do this, and wait for it. Raises KnownError."""
        self._errands.ask(do, self._thread)

    def _hear(self, message: Message) -> None:
        raise NotImplementedError

    def _leave(self) -> None:
        raise NotImplementedError

    def _run(self) -> None:
        try:
            while not self._closing:
                self._errands.serve()
                for message in self._bus.heard():
                    self._hear(message)
                self._waker.wait(None, self._bus)
            self._leave()
        except Unavailable:
            logger.info("the message bus went away, and with it the %s", self._thread.name)
        except Exception:
            logger.exception("the %s stopped", self._thread.name)
        finally:
            self._bus.close()
            self._waker.close()
