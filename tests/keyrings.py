"""Keyrings that a test's session has, and guessing a passphrase made cheap: what scrypt costs is measured elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backends.fail import Keyring as NoKeyring

from desktop_memory.vault import system_keyring, wrapping
from tests.file_keyring import FILE_VARIABLE, FileKeyring


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wrapping, "SCRYPT_COST", 1 << 10)


@pytest.fixture
def file_keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """This session's keyring is a file."""
    before = keyring.get_keyring()
    monkeypatch.setenv(system_keyring.CHOSEN_VARIABLE, "tests.file_keyring.FileKeyring")
    monkeypatch.setenv(FILE_VARIABLE, str(tmp_path / "keyring.json"))
    keyring.set_keyring(FileKeyring())
    yield tmp_path / "keyring.json"
    keyring.set_keyring(before)


@pytest.fixture
def no_keyring() -> Iterator[None]:
    """This session has no keyring."""
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())
    yield
    keyring.set_keyring(before)
