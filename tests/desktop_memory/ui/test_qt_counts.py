"""Qt's binding must not eat what belongs to Python."""

from __future__ import annotations

import sys

from PySide6.QtCore import QRectF


def test_void_calls_do_not_drop_references_to_none() -> None:
    """PySide6 6.12.0 drops one a call on Python below 3.12, and the process dies after some thousand."""
    rect = QRectF()
    before = sys.getrefcount(None)

    for _ in range(1000):
        rect.setX(0)

    assert abs(sys.getrefcount(None) - before) < 50
