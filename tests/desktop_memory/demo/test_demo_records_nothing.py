"""The demo shows a made-up person: nothing of this computer may come among it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from collectors.all import sources
from desktop_memory import demo


def test_every_source_of_this_computer_is_off_in_the_demo(home: Path):
    left = sources(
        device="d",
        home=home,
        spool=home / "spool",
        copies=home / "copies",
        idle=timedelta(seconds=180),
        app_names={},
        editors=(),
        off=demo.settings().sources.off,
    )

    assert [source.source for source in left] == []
