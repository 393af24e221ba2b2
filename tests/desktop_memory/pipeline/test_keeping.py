"""How long what is kept, as the settings say it."""

from __future__ import annotations

import pytest

from desktop_memory.errors import KnownError
from desktop_memory.pipeline.keeping import Limit, limits


def test_lines_become_limits() -> None:
    assert limits(["browser = 90 days", " ALL=2.5 GB ", "terminal = 2 years", "window = 200 MB", ""]) == (
        Limit("browser", days=90),
        Limit("all", bytes=2_500_000_000),
        Limit("terminal", days=730),
        Limit("window", bytes=200_000_000),
    )


@pytest.mark.parametrize(
    "line", ["browser", "browser = many days", "pages = 3 days", "all = 0 days", "all = 0 GB", "all = -1 days",
             "all = 5 minutes", "= 3 days", "all = 3"],
)  # fmt: skip
def test_what_cannot_be_meant_is_said(line: str) -> None:
    with pytest.raises(KnownError, match="how long"):
        limits([line])
