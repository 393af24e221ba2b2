"""Whether a file may still be read, told without reading it: taking its permissions away changes no time of it."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def check_readable(path: Path) -> None:
    """Raises PermissionError where this process may not read what is there."""
    mine = os.access in os.supports_effective_ids
    if not os.access(path, os.R_OK, effective_ids=mine) and os.path.exists(path):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
