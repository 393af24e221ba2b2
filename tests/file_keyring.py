"""A keyring in a file, for processes that tests start: PYTHON_KEYRING_BACKEND=tests.file_keyring.FileKeyring."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from keyring.backend import KeyringBackend

FILE_VARIABLE = "FILE_KEYRING"
"""Names the file. It may hold "slow": seconds that each question takes."""


class FileKeyring(KeyringBackend):
    priority = 1.0  # type: ignore[assignment]

    def get_password(self, service: str, username: str) -> str | None:
        held = self._held()
        time.sleep(float(held.get("slow", 0)))
        found = held.get(f"{service}/{username}")
        return None if found is None else str(found)

    def set_password(self, service: str, username: str, password: str) -> None:
        self._keep({**self._held(), f"{service}/{username}": password})

    def delete_password(self, service: str, username: str) -> None:
        held = self._held()
        del held[f"{service}/{username}"]
        self._keep(held)

    def _held(self) -> dict[str, Any]:
        path = Path(os.environ[FILE_VARIABLE])
        return json.loads(path.read_text()) if path.exists() else {}

    def _keep(self, held: dict[str, Any]) -> None:
        Path(os.environ[FILE_VARIABLE]).write_text(json.dumps(held))
