"""What is watched on this computer: every source, as the settings want it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from collectors.collector import Collector, LiveCollector
from desktop_memory.assembly import Assembly
from desktop_memory.resources import resource
from desktop_memory.vault import in_memory

if TYPE_CHECKING:
    from collectors.recognise import Describe


def describe() -> Describe:
    """What makes events of windows that another program saw."""
    from collectors.window import apps, editors
    from collectors.window.describer import Describer

    names, known = apps.load(resource("apps.toml")), editors.load(resource("editors.toml"))
    return Describer(app_names=names, editors=known).event


def sources_of(parts: Assembly) -> tuple[Collector | LiveCollector, ...]:
    """What is watched on this computer, and how, by the settings of a data folder."""
    from collectors.all import sources  # heavy, and only the owner collects
    from collectors.plugins import plugins
    from collectors.window import apps, editors, meetings
    from desktop_memory.pipeline.default_lists import begins_private

    wanted = parts.settings.sources
    ours = sources(
        device=parts.store.profile.device,
        home=Path.home(),
        spool=parts.folder / in_memory.SPOOL_FOLDER,
        copies=in_memory.copies(parts.folder),
        idle=timedelta(seconds=wanted.idle_seconds),
        app_names=apps.load(resource("apps.toml")),
        editors=editors.load(resource("editors.toml")),
        meetings=meetings.load(resource("meetings.toml")),
        begins_private=begins_private,
        films_count=wanted.films_count,
        git_folders=[Path(folder).expanduser() for folder in wanted.git_folders],
        git_all_authors=wanted.git_all_authors,
        git_diffs=wanted.git_diffs,
    )
    return (*ours, *plugins())
