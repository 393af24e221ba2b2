"""The command that installs our extension for GNOME Shell."""

from __future__ import annotations

import argparse
from typing import Any

from desktop_memory.cli.output import print_json, say


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    gnome = commands.add_parser("gnome", parents=[common], help="let GNOME tell which window is in front")
    gnome.add_argument("action", choices=("install", "remove", "show"))
    gnome.set_defaults(run=_gnome)


def _gnome(arguments: argparse.Namespace) -> None:
    from desktop_memory.desktop import gnome_extension

    if arguments.action == "show":
        told = (
            f"{'Installed' if gnome_extension.installed() else 'Not installed'}: {gnome_extension.folder()}"
        )
    else:
        told = gnome_extension.install() if arguments.action == "install" else gnome_extension.remove()
    if arguments.json:
        where = str(gnome_extension.folder())
        print_json({"installed": gnome_extension.installed(), "path": where, "told": told})
    else:
        say(told)
