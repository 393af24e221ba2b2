"""What is loaded before the tray icon is there: Qt, and little of ours."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "numpy", "apsw", "kuzu", "fastembed", "jeepney", "desktop_memory.asking", "desktop_memory.store",
    "desktop_memory.context", "desktop_memory.retrieval", "desktop_memory.ipc.codec", "desktop_memory.ui.stay",
)  # fmt: skip


def test_the_icon_waits_for_no_store_and_no_model() -> None:
    code = "import sys, desktop_memory.ui.run; print(*sys.modules)"

    loaded = subprocess.run(
        (sys.executable, "-c", code), capture_output=True, text=True, check=True, timeout=60
    )

    assert [name for name in HEAVY if name in loaded.stdout.split()] == []
