"""Files that may not be read, for root as well, who may read everything."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

NOBODY = 65_534


@contextlib.contextmanager
def unreadable(path: Path, *, handed_over: Path | None = None) -> Iterator[None]:
    """Nobody may read the file within; root becomes nobody, who may write in the folder that is `handed_over`."""
    mode = path.stat().st_mode
    path.chmod(0)
    root = os.geteuid() == 0
    if root:
        ways = [*path.parents[:-1]]
        if handed_over is not None:
            handed_over.mkdir(parents=True, exist_ok=True)
            os.chown(handed_over, NOBODY, NOBODY)
            ways += handed_over.parents[:-1]
        for folder in ways:
            folder.chmod(folder.stat().st_mode | 0o055)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        path.chmod(mode)
