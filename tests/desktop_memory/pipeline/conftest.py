"""Each test finds what is remembered between texts empty: no answer is one that an earlier test was given."""

from __future__ import annotations

import sys

import pytest


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith("desktop_memory.pipeline."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear") and value.cache_parameters()["maxsize"] is not None:
                    value.cache_clear()
