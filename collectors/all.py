"""Every source in one tuple."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from collectors.browser.chromium import Chromium
from collectors.browser.firefox import Firefox
from collectors.browser.safari import Safari
from collectors.collector import Collector, LiveCollector
from collectors.files.collector import RecentFiles
from collectors.git.collector import Git
from collectors.idle.collector import IdleCollector
from collectors.idle.desktops import media
from collectors.idle.presence import Presence
from collectors.shell.atuin import Atuin
from collectors.shell.bash import Bash
from collectors.shell.fish import Fish
from collectors.shell.nushell import Nushell
from collectors.shell.powershell import PowerShell
from collectors.shell.spool import ShellHook
from collectors.shell.zsh import Zsh
from collectors.window.collector import WindowCollector
from collectors.window.editors import Editor
from collectors.window.meetings import Meeting
from collectors.window.private import BeginsPrivate


def sources(
    *,
    device: str,
    home: Path,
    spool: Path,
    copies: Path,
    idle: timedelta,
    app_names: Mapping[str, str],
    editors: Sequence[Editor],
    meetings: Sequence[Meeting] = (),
    begins_private: BeginsPrivate = lambda title, app: False,
    films_count: bool = False,
    git_folders: Sequence[Path] = (),
    git_all_authors: bool = False,
    git_diffs: bool = False,
    off: Collection[str] = (),
) -> tuple[Collector | LiveCollector, ...]:
    """All sources but those that are switched off, in the order in which they are asked.

    `spool` is where the shell hooks write, `copies` a private folder for copies of browser databases. The hooks come
    before the histories: what they told exactly, an undated history line then only repeats.
    """
    presence = Presence()
    every: tuple[Collector | LiveCollector, ...] = (
        WindowCollector(
            device,
            presence=presence,
            app_names=app_names,
            editors=editors,
            meetings=meetings,
            begins_private=begins_private,
        ),
        IdleCollector(presence=presence, threshold=idle, media=media() if films_count else None),
        ShellHook(spool=spool),
        Atuin(copies=copies / "atuin", spool=spool),
        Zsh(spool=spool),
        Bash(spool=spool),
        Fish(spool=spool),
        Nushell(copies=copies / "nushell", spool=spool),
        PowerShell(spool=spool),
        Firefox(home=home, copies=copies / "firefox"),
        Chromium(home=home, copies=copies / "chromium"),
        Safari(home=home, copies=copies / "safari"),
        RecentFiles(home=home, copies=copies / "files"),
        Git(home=home, folders=tuple(git_folders), all_authors=git_all_authors, diffs=git_diffs),
    )
    return tuple(source for source in every if source.source not in off)
