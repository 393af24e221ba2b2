"""Tooltips of what was recorded: shown as it is written, whatever markup a title or a name holds."""

from __future__ import annotations

from html import escape


def as_written(text: str) -> str:
    """The text for a tooltip, which Qt would take for markup where a title holds any."""
    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>" if "<" in text else text
