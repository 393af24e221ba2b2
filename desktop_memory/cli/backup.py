"""Commands about whole memories: backup, restore, merge."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from desktop_memory.cli.control import print_receipt, receipt_fields
from desktop_memory.cli.output import print_json, say, show, show_share
from desktop_memory.counting import counted


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    backup = commands.add_parser(
        "backup", parents=[common], help="copy the memory and its settings into one file, while recording goes on"
    )  # fmt: skip
    backup.add_argument("file", nargs="?", default="", metavar="FILE", help="left out: a dated name, here")
    backup.set_defaults(run=_backup)

    restore = commands.add_parser("restore", parents=[common], help="put a backup in the memory's place")
    restore.add_argument("file", metavar="FILE")
    restore.add_argument("--replace", action="store_true", help="where a memory is already; it is kept aside")
    restore.set_defaults(run=_restore)

    merge = commands.add_parser(
        "merge", parents=[common], help="take in another machine's memory; what both remember stays one"
    )  # fmt: skip
    merge.add_argument("other", metavar="BACKUP|FOLDER", help="a backup, or another data folder")
    merge.set_defaults(run=_merge)


def _backup(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import folder_of, opened
    from desktop_memory.clock import clock, zone
    from desktop_memory.transfer.backup import make, name_for

    now = clock().astimezone(zone())
    target = Path(arguments.file or name_for(now)).absolute()
    if target.is_dir():
        target /= name_for(now)
    manifest = make(folder_of(arguments), target, now, show_share)
    with opened(arguments) as memory:
        memory.note_backup(str(target), manifest.last)
    show("")
    if arguments.json:
        print_json({"file": str(target), "events": manifest.events, "bytes": target.stat().st_size})
    else:
        size = f"{target.stat().st_size / 1e6:,.1f} MB"
        say(f"{counted(manifest.events, 'event is', 'events are')} in {target} ({size}).")


def _restore(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import folder_of
    from desktop_memory.clock import clock, zone
    from desktop_memory.transfer.restore import restore

    folder = folder_of(arguments)
    now = clock().astimezone(zone())
    file = Path(arguments.file).absolute()
    manifest, aside = restore(folder, file, now, show_share, replace=arguments.replace)
    show("")
    if arguments.json:
        print_json(
            {"events": manifest.events, "made": manifest.made, "aside": None if aside is None else str(aside)}
        )
        return
    say(
        f"{counted(manifest.events, 'event')} of {manifest.made[:16].replace('T', ' ')} came back to {folder}."
    )
    if aside is not None:
        say(f"What was there is in {aside}; delete it when you no longer need it.")


def _merge(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned

    with owned(arguments) as app:
        merged = app.merge(str(Path(arguments.other).absolute()), show_share)
    show("")
    if arguments.json:
        fields = receipt_fields(merged.receipt)
        fields |= {"pins": merged.pins, "projects": merged.projects, "forgotten": merged.forgotten}
        print_json(fields)
        return
    print_receipt(merged.receipt, as_json=False)
    if merged.pins:
        say(f"{counted(merged.pins, 'goal or note', 'goals and notes')} taken over.")
    if merged.projects:
        say(
            f"{counted(merged.projects, 'decision')} about projects taken over: desktop-memory project changes."
        )
    if merged.forgotten:
        say(f"{counted(merged.forgotten, 'event')} forgotten here, as the other memory had been told.")
