"""Where the files that come with the app are: icons, palettes, hooks, the model's tokenizer."""

from __future__ import annotations

from pathlib import Path

_INSTALLED = Path(__file__).parent / "resources"
_CHECKOUT = Path(__file__).parent.parent / "resources"


def resource(*parts: str) -> Path:
    """The path of a file under resources/, installed or in a checkout."""
    root = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
    return root.joinpath(*parts)
