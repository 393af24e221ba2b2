"""Whether a film or music plays, as players tell on the session bus (MPRIS).

See https://specifications.freedesktop.org/mpris-spec/latest/.
"""

from __future__ import annotations

from collectors.bus import Bus, Refused
from collectors.collector import Unavailable

_PLAYERS = "org.mpris.MediaPlayer2."
_PATH = "/org/mpris/MediaPlayer2"


class Media:
    """Asks every player; connects when first asked, and again after the bus was lost."""

    def __init__(self) -> None:
        self._bus: Bus | None = None

    def plays(self) -> bool:
        """Whether any of them plays; False where there is no bus."""
        try:
            if self._bus is None:
                self._bus = Bus("session")
            return any(
                self._playing(self._bus, name) for name in self._bus.names() if name.startswith(_PLAYERS)
            )
        except Unavailable:
            self.close()
            return False

    def close(self) -> None:
        if self._bus is not None:
            self._bus.close()
            self._bus = None

    def _playing(self, bus: Bus, player: str) -> bool:
        try:
            return bool(bus.get(player, _PATH, f"{_PLAYERS}Player.PlaybackStatus") == "Playing")
        except Refused:
            return False
