"""`share`: one memory on several machines of one person, through a folder that a synchroniser carries."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from desktop_memory.cli.asked import secret
from desktop_memory.cli.output import print_json, say, show, show_share
from desktop_memory.errors import UsageError


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    share = commands.add_parser(
        "share", parents=[common], help="remember together with your other machines, through a shared folder"
    )
    actions = share.add_subparsers(title="actions", metavar="ACTION", required=True)

    on = actions.add_parser(
        "on", parents=[common], help="share; the passphrase is asked for, or read from a pipe"
    )
    on.add_argument("folder", metavar="FOLDER", help="one that Syncthing, Dropbox or a network share carries")
    on.add_argument(
        "--plain", action="store_true", help="write it unencrypted: whoever reads the folder reads it"
    )
    on.set_defaults(run=_on)

    for name, told, run in (
        ("status", "with which folder and devices", _status),
        ("now", "write and read what is new; the app does so every two minutes", _now),
        ("off", "share no more; what came stays, what is in the folder stays there", _off),
    ):
        actions.add_parser(name, parents=[common], help=told).set_defaults(run=run)
    remove = actions.add_parser("remove", parents=[common], help="take out a device that is no more")
    remove.add_argument("device", metavar="DEVICE", help="as `share status` names it")
    remove.set_defaults(run=_remove)


def _on(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned
    from desktop_memory.sharing.folder import look

    folder = Path(arguments.folder).absolute()
    known = look(folder)
    plain = arguments.plain if known is None else not known
    passphrase = "" if plain else _passphrase(twice=known is None)
    with owned(arguments) as app:
        app.share_on(str(folder), passphrase, plain)
        state = app.share_state()
        done = app.share_now(_show)
    show("")
    if arguments.json:
        print_json({**(state or {}), **done})
        return
    say(f"Shared with {folder}{', unencrypted' if plain else ''}.")
    if any(done[what] for what in ("new", "written", "forgotten", "waiting")):
        _say_done(done)  # where the app runs, it may have been first


def _status(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned

    with owned(arguments) as app:
        state = app.share_state()
    if arguments.json:
        print_json({"sharing": state})
    elif state is None:
        say("Nothing is shared. Begin with: desktop-memory share on FOLDER")
    else:
        say(f"Shared with {state['folder']}, {'encrypted' if state['encrypted'] else 'unencrypted'}.")
        for device in state["devices"]:
            say(f"  {device}{'  (this one)' if device == state['device'] else ''}")
        if state["problem"]:
            say(state["problem"])


def _now(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned

    with owned(arguments) as app:
        done = app.share_now(_show)
    show("")
    if arguments.json:
        print_json(done)
    else:
        _say_done(done)


def _off(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned

    with owned(arguments) as app:
        app.share_off()
    if arguments.json:
        print_json({"sharing": None})
    else:
        say("Nothing is shared any more. Delete the folder's content yourself if it must go.")


def _remove(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned

    with owned(arguments) as app:
        app.share_remove(arguments.device)
    if arguments.json:
        print_json({"removed": arguments.device})
    else:
        say("Its segments are out of the folder. What was read of them stays here.")


def _show(what: str, share: float) -> bool:
    return show_share(f"{what} the folder", share)


def _say_done(done: dict[str, Any]) -> None:
    say(f"{done['new']:,} new from others, {done['written']:,} written for them.")
    if done["forgotten"]:
        say(f"{done['forgotten']:,} forgotten here, as another device was told.")
    if done["waiting"]:
        say(f"{done['waiting']:,} segments have not arrived whole yet.")


def _passphrase(*, twice: bool) -> str:
    """Typed, or the first line of a pipe."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    text = secret("Passphrase of the shared folder: ").strip()
    if twice and secret("Once more: ").strip() != text:
        raise UsageError("The two differ.", "Try again.")
    return text
