from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_memory.store.store import Store
from tests.factories import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(tmp_path: Path, clock: FakeClock) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=clock)
    yield opened
    opened.close()
