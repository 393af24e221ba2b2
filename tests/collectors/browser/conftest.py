"""The two families, with a folder of their own for copies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.browser.chromium import Chromium
from collectors.browser.firefox import Firefox
from tests.collectors.browser.histories import ChromiumHistory, FirefoxHistory


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    return tmp_path / "memory" / "copies"


@pytest.fixture
def chromium(home: Path, copies: Path) -> Iterator[Chromium]:
    source = Chromium(home=home, copies=copies)
    yield source
    source.close()


@pytest.fixture
def firefox(home: Path, copies: Path) -> Iterator[Firefox]:
    source = Firefox(home=home, copies=copies)
    yield source
    source.close()


@pytest.fixture
def chromium_history(home: Path) -> Iterator[ChromiumHistory]:
    history = ChromiumHistory(home / ".config/google-chrome/Default/History")
    yield history
    history.close()


@pytest.fixture
def firefox_history(home: Path) -> Iterator[FirefoxHistory]:
    history = FirefoxHistory(home / ".mozilla/firefox/ab12.default-release/places.sqlite")
    yield history
    history.close()
