"""A key with its modifiers, as people write it: "Ctrl+Alt+Z"."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_memory.errors import KnownError

_MODIFIERS = {
    "ctrl": "Ctrl", "control": "Ctrl", "strg": "Ctrl",
    "alt": "Alt", "option": "Alt", "opt": "Alt",
    "shift": "Shift",
    "super": "Super", "meta": "Super", "win": "Super", "windows": "Super", "cmd": "Super", "command": "Super",
}  # fmt: skip
_KEYS = {
    "space": "Space", "tab": "Tab", "return": "Return", "enter": "Return", "esc": "Escape", "escape": "Escape",
    "backspace": "Backspace", "delete": "Delete", "del": "Delete", "insert": "Insert", "ins": "Insert",
    "home": "Home", "end": "End", "pageup": "PageUp", "pgup": "PageUp", "pagedown": "PageDown",
    "pgdown": "PageDown", "up": "Up", "down": "Down", "left": "Left", "right": "Right",
    "print": "Print", "printscreen": "Print", "pause": "Pause", "menu": "Menu", "plus": "+",
}  # fmt: skip
_FUNCTION = {f"f{number}": f"F{number}" for number in range(1, 25)}
_ALONE = {"Print", "Pause", "Menu", *_FUNCTION.values()}
"""Keys that nobody types with: they need no modifier."""
_ORDER = ("Ctrl", "Alt", "Shift", "Super")

_FORM = 'Write it like "Ctrl+Alt+Z" or "Super+Space".'


@dataclass(frozen=True, slots=True)
class Chord:
    """`modifiers` are of Ctrl, Alt, Shift and Super; `key` is one character or a name such as "Space"."""

    modifiers: frozenset[str]
    key: str

    def __str__(self) -> str:
        return "+".join([name for name in _ORDER if name in self.modifiers] + [self.key])


def parse(text: str) -> Chord:
    """The chord that this text names. Raises KnownError when it names none, or one that is needed for typing."""
    *before, last = _parts(text)
    modifiers = []
    for part in before:
        if part.lower() not in _MODIFIERS:
            raise KnownError(f"{part!r} is not a modifier key.", _FORM)
        modifiers.append(_MODIFIERS[part.lower()])
    chord = Chord(frozenset(modifiers), _key(last))
    if chord.modifiers <= {"Shift"} and chord.key not in _ALONE:
        raise KnownError(f"{chord} is needed for typing.", "Add Ctrl, Alt or Super.")
    return chord


def _parts(text: str) -> list[str]:
    text = text.strip()
    if text.endswith("++"):  # the plus key itself
        return [*_parts(text[:-2]), "+"]
    parts = [part.strip() for part in text.split("+")]
    if not all(parts):
        raise KnownError(f"{text!r} is not a key.", _FORM)
    return parts


def _key(name: str) -> str:
    known = _KEYS.get(name.lower()) or _FUNCTION.get(name.lower())
    if known:
        return known
    if len(name) == 1 and name.isprintable():
        return name.upper() if len(name.upper()) == 1 else name
    if name.lower() in _MODIFIERS:
        raise KnownError("A modifier alone cannot be taken.", _FORM)
    raise KnownError(f"There is no key {name!r}.", _FORM)
