"""The settings as their declarations tell them: what there is, of which kind, and what it means."""

from __future__ import annotations

import dataclasses
import typing
from dataclasses import dataclass
from typing import Any, Literal

from desktop_memory.settings import Settings
from desktop_memory.ui.words import tr

HOTKEYS = {"hotkey": "search", "copy_hotkey": "copy"}
"""The settings that hold keys, and what each is for."""
OPEN_CHOICES = ("model",)
"""Whose choices only a look at the disk tells."""
Kind = Literal["switch", "number", "choice", "text", "list", "hotkey"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Declared:
    """One setting: where it stands, what it means, its kind and its value."""

    section: str
    name: str
    help: str
    kind: Kind
    value: Any
    default: Any
    choices: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        return bool(self.value != self.default)


def declared(settings: Settings) -> list[Declared]:
    """Every setting, section by section, in the order in which it was declared."""
    found = []
    for section in dataclasses.fields(settings):
        mine = getattr(settings, section.name)
        hints = typing.get_type_hints(type(mine))
        for field in dataclasses.fields(mine):
            choices: tuple[str, ...] = (
                tuple(typing.get_args(hints[field.name])) if isinstance(field.default, str) else ()
            )
            found.append(
                Declared(
                    section=section.name, name=field.name, help=tr(str(field.metadata.get("help", field.name))),
                    kind=_kind(field.name, field.default, choices), value=getattr(mine, field.name),
                    default=field.default, choices=choices,
                )
            )  # fmt: skip
    return found


def changed(settings: Settings, section: str, name: str, value: Any) -> Settings:
    """The settings with one value changed."""
    mine = dataclasses.replace(getattr(settings, section), **{name: value})
    return dataclasses.replace(settings, **{section: mine})


def section_word(section: str) -> str:
    words = {
        "privacy": tr("Privacy"),
        "sources": tr("Sources"),
        "memory": tr("Memory"),
        "desktop": tr("Desktop"),
        "storage": tr("Storage"),
    }
    return words.get(section, section.capitalize())


def _kind(name: str, default: Any, choices: tuple[str, ...]) -> Kind:
    if name in HOTKEYS:
        return "hotkey"
    if isinstance(default, bool):
        return "switch"
    if isinstance(default, int):
        return "number"
    if isinstance(default, tuple):
        return "list"
    return "choice" if choices or name in OPEN_CHOICES else "text"
