"""What the settings say of search counts from the next reload on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from desktop_memory import settings
from desktop_memory.assembly import SETTINGS_FILE, assemble
from desktop_memory.model import Query

NO_SECOND_LOOK = "The hits were not looked at a second time: the model for it is not ready."


def test_usage_and_the_second_look_follow_the_settings(tmp_path: Path):
    parts = assemble(tmp_path, owner=False)
    try:
        note = parts.memory.note("the retry budget")
        parts.memory.used([note.id])
        before = parts.memory.search(Query(text="retry"))
        chosen = settings.Settings()
        fresh = replace(chosen, memory=replace(chosen.memory, usage=False, second_look=True))
        settings.save(fresh, tmp_path / SETTINGS_FILE)

        parts.reload()
        after = parts.memory.search(Query(text="retry"))
    finally:
        parts.close()

    assert (before.hits[0].usage > 0, NO_SECOND_LOOK in before.warnings) == (True, False)
    assert (after.hits[0].usage > 0, NO_SECOND_LOOK in after.warnings) == (False, True)
