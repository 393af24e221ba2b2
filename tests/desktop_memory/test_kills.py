"""kill -9 within every work on a memory: the next start finds all that was committed, and nothing half done.

KILLS=200 takes more of them; `python -m tests.killing` says which.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.running import ROOT

TRIALS = int(os.environ.get("KILLS", "13"))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="works are forked")
def test_kills_within_every_work_leave_a_whole_memory() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.killing", "--trials", str(TRIALS)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{TRIALS} trials" in done.stdout
