"""What a screen reader calls the parts that we paint ourselves: Qt gives them a name, but no role."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

ROLES = {
    "TimelineView": QAccessible.Role.Chart,
    "HeatStrip": QAccessible.Role.Chart,
    "MakeupBar": QAccessible.Role.Chart,
    "FactLines": QAccessible.Role.StaticText,
    "Elided": QAccessible.Role.StaticText,
    "Foot": QAccessible.Role.StaticText,
}
"""By the names of their classes, which Qt asks for."""


@cache
def give_roles() -> None:
    """From now on they have them. Once is enough for all screens."""
    QAccessible.installFactory(_made)


def _made(name: str, part: QObject) -> QAccessibleInterface | None:
    role = ROLES.get(name)
    return QAccessibleWidget(part, role) if role is not None and isinstance(part, QWidget) else None
