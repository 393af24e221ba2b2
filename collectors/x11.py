"""A connection to the X server for one thread, with its failures told as Unavailable."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator

from Xlib import error
from Xlib.display import Display

from collectors.collector import Unavailable

logger = logging.getLogger(__name__)


def connect() -> Display:
    """The X server that DISPLAY names. Raises Unavailable when there is none."""
    name = os.environ.get("DISPLAY", "")
    if not name:
        raise Unavailable("There is no X server: DISPLAY is not set.", "Start it from within the desktop.")
    try:
        # A bare number would be sought in the network as well.
        display = Display(f"unix{name}" if name.startswith(":") else name)
    except (error.DisplayError, error.ConnectionClosedError, error.XauthError, OSError, OverflowError) as why:
        raise Unavailable(f"The X server does not answer: {why}", "Check DISPLAY and XAUTHORITY.") from why
    display.set_error_handler(_note)
    return display


@contextlib.contextmanager
def alive() -> Iterator[None]:
    """Within the block, a lost connection is Unavailable."""
    try:
        yield
    except (error.ConnectionClosedError, OSError) as why:
        raise Unavailable("The X server went away.", "") from why


def close(display: Display) -> None:
    """Close the connection, whether or not the server still lives."""
    with contextlib.suppress(error.ConnectionClosedError, OSError):
        display.close()


def _note(failed: error.XError, request: object) -> None:
    """A window that is gone by the time we ask about it is no news."""
    logger.debug("X error %s", type(failed).__name__)
