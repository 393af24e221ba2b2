"""The keyrings of a session."""

from __future__ import annotations

from tests.keyrings import cheap, file_keyring, no_keyring

__all__ = ["cheap", "file_keyring", "no_keyring"]
