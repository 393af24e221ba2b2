"""The hotkey on X11: XGrabKey, which sees this key alone and says when another program has it.

See https://www.x.org/releases/X11R7.7/doc/libX11/libX11/libX11.html#Keyboard_Grabbing.
"""

from __future__ import annotations

import itertools
import logging
import os
import threading

from Xlib import XK, X, error
from Xlib.display import Display

from collectors import x11
from collectors.collector import Unavailable
from collectors.wake import Waker
from desktop_memory.desktop.errands import Errands
from desktop_memory.desktop.hotkey.backend import Pressed
from desktop_memory.desktop.hotkey.chord import Chord
from desktop_memory.errors import KnownError

logger = logging.getLogger(__name__)

_REPEAT_MS = 15
"""A press this soon after a release is the keyboard's own repeating."""

Grab = tuple[int, int]
"""Key code and modifier mask."""


def connect(pressed: Pressed) -> X11:
    """Raises Unavailable without an X server, and under Wayland, where it sees keys of X11 programs only."""
    if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
        raise Unavailable("In a Wayland session keys do not come through X11.")
    return X11(x11.connect(), pressed)


class X11:
    """A connection and a thread of its own: python-xlib's connections are for one thread."""

    name = "X11"

    def __init__(self, display: Display, pressed: Pressed) -> None:
        self._display = display
        self._root = display.screen().root
        self._pressed = pressed
        self._chord: Chord | None = None
        self._held: set[Grab] = set()
        self._released = -_REPEAT_MS
        self._closing = False
        self._waker = Waker()
        self._errands = Errands(self._waker.wake)
        self._thread = threading.Thread(target=self._run, name="hotkey", daemon=True)
        self._thread.start()

    def bind(self, chord: Chord) -> None:
        self._errands.ask(lambda: self._take(chord), self._thread)

    def unbind(self) -> None:
        self._errands.ask(lambda: self._take(None), self._thread)

    def close(self) -> None:
        self._closing = True
        self._waker.wake()
        self._thread.join(timeout=5)

    # on the thread

    def _run(self) -> None:
        try:
            with x11.alive():
                while not self._closing:
                    self._errands.serve()
                    self._hear()
                    self._display.flush()
                    self._waker.wait(None, self._display)
        except Unavailable:
            logger.info("the X server went away, and the hotkey with it")
        except Exception:
            logger.exception("the hotkey stopped")
        finally:
            x11.close(self._display)
            self._waker.close()

    def _hear(self) -> None:
        while self._display.pending_events():
            event = self._display.next_event()
            if event.type == X.KeyRelease:
                self._released = event.time
            elif event.type == X.KeyPress and event.time - self._released > _REPEAT_MS:
                self._call()
            elif event.type == X.MappingNotify:
                self._display.refresh_keyboard_mapping(event)
                self._take_again()

    def _call(self) -> None:
        try:
            self._pressed()
        except Exception:
            logger.exception("what the hotkey starts failed")

    def _take_again(self) -> None:
        """The keyboard's layout changed: the key may be another one now."""
        try:
            self._take(self._chord)
        except KnownError as why:
            logger.warning("the hotkey is lost with the new layout: %s", why.problem)

    def _take(self, chord: Chord | None) -> None:
        """Hold the grabs of this chord and no others; on failure those held before."""
        wanted = _grabs(self._display, chord) if chord is not None else set()
        fresh = wanted - self._held
        taken = [error.CatchError(error.BadAccess) for _ in fresh]
        for (code, mask), catch in zip(fresh, taken, strict=True):
            self._root.grab_key(code, mask, False, X.GrabModeAsync, X.GrabModeAsync, onerror=catch)
        self._display.sync()
        if any(catch.get_error() for catch in taken):
            self._give_back(fresh)
            raise KnownError(
                f"Another program has {chord}.", "Choose another key in Settings, or free it in that program."
            )
        self._give_back(self._held - wanted)
        self._held, self._chord = wanted, chord

    def _give_back(self, grabs: set[Grab]) -> None:
        for code, mask in grabs:
            self._root.ungrab_key(code, mask, onerror=error.CatchError(error.BadAccess))
        self._display.sync()


def _grabs(display: Display, chord: Chord) -> set[Grab]:
    """The chord with every combination of the locks (Caps, Num, Scroll): they count as modifiers."""
    code, shifted = _key(display, chord)
    mask = X.ShiftMask if shifted or "Shift" in chord.modifiers else 0
    if "Ctrl" in chord.modifiers:
        mask |= X.ControlMask
    if "Alt" in chord.modifiers:
        mask |= _modifier(display, "Alt_L", "Alt_R", "Meta_L") or X.Mod1Mask
    if "Super" in chord.modifiers:
        mask |= _modifier(display, "Super_L", "Super_R") or X.Mod4Mask
    locks = [X.LockMask, _modifier(display, "Num_Lock"), _modifier(display, "Scroll_Lock")]
    # Scroll Lock shares a modifier with others on some layouts.
    locks = [lock for lock in locks if lock and not lock & mask]
    masks = {mask}
    for count in range(1, len(locks) + 1):
        masks |= {mask | _together(some) for some in itertools.combinations(locks, count)}
    return {(code, each) for each in masks}


def _together(masks: tuple[int, ...]) -> int:
    whole = 0
    for mask in masks:
        whole |= mask
    return whole


_KEYSYMS = {
    "Space": "space", "Tab": "Tab", "Return": "Return", "Escape": "Escape", "Backspace": "BackSpace",
    "Delete": "Delete", "Insert": "Insert", "Home": "Home", "End": "End", "PageUp": "Prior",
    "PageDown": "Next", "Up": "Up", "Down": "Down", "Left": "Left", "Right": "Right", "Print": "Print",
    "Pause": "Pause", "Menu": "Menu",
}  # fmt: skip
_US_KEYS = {10: "1234567890", 24: "QWERTYUIOP", 38: "ASDFGHJKL", 52: "ZXCVBNM"}
"""Where letters are on a keyboard that has no Latin ones: key codes of the first key of each row."""


def _key(display: Display, chord: Chord) -> tuple[int, bool]:
    """The key code that has this key in the present layout, and whether it needs Shift."""
    found = sorted(
        (index, code) for keysym in _keysyms(chord.key) for code, index in display.keysym_to_keycodes(keysym)
    )
    for index, code in found:
        if index % 2 == 0:
            return code, False
    for _, code in found:
        return code, True
    for first, row in _US_KEYS.items():
        if chord.key in row:
            return first + row.index(chord.key), False
    raise KnownError(f"This keyboard has no key {chord.key!r}.", "Choose another key in Settings.")


def _keysyms(key: str) -> list[int]:
    """Characters have their Latin-1 or Unicode number; the others a name of their own."""
    if len(key) == 1:
        numbers = {ord(key), ord(key.lower()[0])}
        return sorted({n if n < 0x100 else 0x0100_0000 | n for n in numbers} | _named(key.lower()))
    return sorted(_named(_KEYSYMS.get(key, key)))


def _named(name: str) -> set[int]:
    keysym = XK.string_to_keysym(name)
    return {keysym} if keysym != X.NoSymbol else set()


def _modifier(display: Display, *names: str) -> int:
    """The mask of the modifier that one of these keys sets; 0 when none does."""
    codes = {code for name in names for code, _ in display.keysym_to_keycodes(XK.string_to_keysym(name))}
    for bit, members in enumerate(display.get_modifier_mapping()):
        if codes & {code for code in members if code}:
            return 1 << bit
    return 0
