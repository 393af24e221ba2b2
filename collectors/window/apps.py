"""What a person calls a program, from the class or id that its window has."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

_REVERSE_DOMAIN = re.compile(r"^(?:[a-z][\w-]*\.){2,}", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(?:exe|bin|desktop|app)$", re.IGNORECASE)


def load(path: Path) -> Mapping[str, str]:
    """The names of programs whose class tells too little, by class in small letters."""
    names: Mapping[str, str] = tomllib.loads(path.read_text(encoding="utf-8"))["names"]
    return names


def readable(app_id: str, names: Mapping[str, str], own_name: str = "") -> str:
    """A name for people: "org.gnome.Nautilus" → "Nautilus", "firefox-esr" → "Firefox" (by `names`).

    `own_name` is what the desktop calls the program, if it does.
    """
    short = _REVERSE_DOMAIN.sub("", _SUFFIX.sub("", app_id))
    known = names.get(app_id.casefold()) or names.get(short.casefold()) or own_name
    if known:
        return known
    if short.islower():
        words = re.split(r"[-_ ]+", short)
        return " ".join(word[:1].upper() + word[1:] for word in words if word)
    return short
