"""Safe start after damage: what can be read is saved into a new memory, and the damaged one is kept beside it."""

from __future__ import annotations

import dataclasses
import json
import logging
import os
import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from desktop_memory.assembly import GRAPH_FOLDER
from desktop_memory.errors import Damaged, StoreError
from desktop_memory.store import salvage, whole
from desktop_memory.store.connection import DAMAGE_MARK
from desktop_memory.store.store import FILE_NAME as STORE_FILE
from desktop_memory.transfer.workshop import keep_aside, workshop
from desktop_memory.vault import header as headers

logger = logging.getLogger(__name__)

FOLDERS = "damaged-*"
_REPORT = "report.json"
_LOG = f"{STORE_FILE}-wal"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rescued:
    """How many events are in the new memory, and how many are known to be lost; `kept` holds the damaged file."""

    at: str
    events: int
    lost: int
    tables: tuple[str, ...]
    kept: str


def rescue_if_needed(folder: Path, now: datetime, idle_gap: timedelta) -> Rescued | None:
    """Look at a memory in which somebody met damage; None where it is sound. Its owner calls this."""
    mark = folder / DAMAGE_MARK
    if not mark.exists():
        return None
    try:
        if (folder / STORE_FILE).exists():
            whole.check(folder / STORE_FILE)
        mark.unlink(missing_ok=True)
        return None
    except Damaged:
        return rescue(folder, now, idle_gap)


def rescue(folder: Path, now: datetime, idle_gap: timedelta) -> Rescued:
    """Save what can be read. The damaged file stays in place until the new one is whole. Its owner calls this.

    Raises StoreError when there is no room for two copies, or nothing could be saved.
    """
    path = folder / STORE_FILE
    if 2 * path.stat().st_size > shutil.disk_usage(folder).free:
        raise StoreError("The memory is damaged, and the disk has no room to save it.", "Free some space.")
    logger.warning("the memory is damaged: saving what can be read")
    with workshop(folder) as desk:
        there = [name for name in (STORE_FILE, _LOG) if (folder / name).exists()]
        for name in there:
            shutil.copyfile(folder / name, desk / name)
        fresh = desk / "fresh"
        fresh.mkdir(mode=0o700)
        for target in (desk, fresh):
            headers.carry(folder, target)
        gap_us = int(idle_gap.total_seconds() * 1_000_000)
        found = salvage.salvage(desk / STORE_FILE, fresh / STORE_FILE, gap_us)
        if not found.events:
            raise Damaged(
                "The memory's file is damaged, and nothing in it could be read.",
                "It was left as it is. Restore a backup, or move memory.sqlite away to begin anew.",
            )
        aside = keep_aside(folder, there, "damaged", now)
        rescued = Rescued(
            at=now.isoformat(),
            events=found.events,
            lost=found.lost,
            tables=tuple(found.unreadable),
            kept=aside.name,
        )
        (aside / _REPORT).write_text(json.dumps(dataclasses.asdict(rescued)), encoding="utf-8")
        for name in (_LOG, f"{STORE_FILE}-shm"):
            (folder / name).unlink(missing_ok=True)
        os.replace(fresh / STORE_FILE, path)
        headers.sync(folder)
    shutil.rmtree(folder / GRAPH_FOLDER, ignore_errors=True)
    (folder / DAMAGE_MARK).unlink(missing_ok=True)
    logger.warning("%d events were saved, at least %d are lost", rescued.events, rescued.lost)
    return rescued


def rescues(folder: Path) -> list[Rescued]:
    """What was saved before and is still kept beside, oldest first."""
    found = []
    for path in sorted(folder.glob(f"{FOLDERS}/{_REPORT}")):
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            found.append(Rescued(**{**told, "tables": tuple(told["tables"])}))
        except (OSError, ValueError, TypeError, KeyError):
            continue
    return found
