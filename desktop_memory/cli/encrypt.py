"""`encrypt`: keep the memory encrypted on the disk, or plain again; its keys."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_memory.cli.asked import answer, secret
from desktop_memory.cli.output import print_json, say, show, show_share
from desktop_memory.errors import BusyError, KnownError

if TYPE_CHECKING:
    from desktop_memory.encryption import Plan

_TRIES = 3


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    encrypt = commands.add_parser(
        "encrypt", parents=[common], help="keep the memory encrypted on the disk, or plain again"
    )
    actions = encrypt.add_subparsers(title="actions", metavar="ACTION", required=True)

    on = actions.add_parser("on", parents=[common], help="encrypt it; shows a recovery key, once")
    on.add_argument("--no-keyring", action="store_true", help="open it by a passphrase alone")
    on.add_argument("--yes", action="store_true", help="do not ask whether the recovery key was written down")
    on.set_defaults(run=_on)

    for name, told, run in (
        ("off", "make it plain again", _off),
        ("status", "whether it is encrypted, and what opens it", _status),
        ("recovery", "make another recovery key; the one before opens nothing any more", _recovery),
        ("passphrase", "let a passphrase open it too, or another one than before", _passphrase),
        ("unlock", "after a move: let this computer's keyring open it from now on", _unlock),
    ):
        action = actions.add_parser(name, parents=[common], help=told)
        action.set_defaults(run=run)


def _on(arguments: argparse.Namespace) -> None:
    from desktop_memory import encryption
    from desktop_memory.cli.session import folder_of

    folder = _quiet(folder_of(arguments))
    before = encryption.state(folder)
    if before.encrypted:
        raise KnownError("The memory is encrypted already.", "See `desktop-memory encrypt status`.")
    keyring = before.keyring and not arguments.no_keyring
    passphrase = _given()
    if not passphrase and not keyring:
        passphrase = _chosen()
    planned = encryption.plan(passphrase, keyring=keyring)
    try:
        if not arguments.json:
            _show(planned.recovery_key)
            if not arguments.yes and sys.stdin.isatty():
                _confirm(planned)
        encryption.turn_on(folder, planned, lambda share: show_share("encrypting", share))
    except BaseException:
        if not encryption.state(folder).encrypted:
            encryption.drop(planned)
        raise
    now = encryption.state(folder)
    if arguments.json:
        told = {"encrypted": True, "ways": list(now.ways), "plain_copies": list(now.plain_copies)}
        print_json({**told, "recovery_key": planned.recovery_key})
        return
    show("")
    say(f"The memory in {folder} is encrypted and was compared with what it was. {_opens(now.ways)}")
    _warn(now.plain_copies)


def _off(arguments: argparse.Namespace) -> None:
    from desktop_memory import encryption
    from desktop_memory.cli.session import folder_of

    folder = _quiet(folder_of(arguments))
    encryption.turn_off(folder, lambda share: show_share("decrypting", share))
    if arguments.json:
        print_json({"encrypted": False, "ways": []})
        return
    show("")
    say(f"The memory in {folder} is no longer encrypted.")


def _status(arguments: argparse.Namespace) -> None:
    from desktop_memory import encryption
    from desktop_memory.cli.session import folder_of

    found = encryption.state(folder_of(arguments))
    if arguments.json:
        print_json(
            {"encrypted": found.encrypted, "ways": list(found.ways), "keyring": found.keyring,
             "plain_copies": list(found.plain_copies)}
        )  # fmt: skip
    elif not found.encrypted:
        say("The memory is not encrypted: whoever reads this disk reads it. desktop-memory encrypt on")
    else:
        say(f"The memory is encrypted. {_opens(found.ways)}")
        _warn(found.plain_copies)


def _recovery(arguments: argparse.Namespace) -> None:
    from desktop_memory import encryption
    from desktop_memory.cli.session import folder_of

    fresh = encryption.new_recovery_key(folder_of(arguments))
    if arguments.json:
        print_json({"recovery_key": fresh})
    else:
        _show(fresh)
        say("The one before opens nothing any more, except in older backups.")


def _passphrase(arguments: argparse.Namespace) -> None:
    from desktop_memory import encryption
    from desktop_memory.cli.session import folder_of

    encryption.set_passphrase(folder_of(arguments), _chosen())
    if arguments.json:
        print_json({"ways": list(encryption.state(folder_of(arguments)).ways)})
    else:
        say("This passphrase opens the memory from now on.")


def _unlock(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import folder_of
    from desktop_memory.vault import unlocking

    folder = folder_of(arguments)
    if unlocking.key_of(folder) is None:
        raise KnownError("The memory is not encrypted.", "There is nothing to unlock.")
    kept = unlocking.keep_in_keyring(folder)
    if arguments.json:
        print_json({"keyring": kept})
    elif kept:
        say("This computer's keyring opens the memory from now on.")
    else:
        say("It opens. There is no keyring here to keep the key: it is asked for each time.")


def unlocked(arguments: argparse.Namespace) -> int | None:
    """Run a command; what is locked is asked for at a terminal, and the command run again."""
    import os

    from desktop_memory.vault import FILE_VARIABLE

    if name := getattr(arguments, "passphrase_file", None):
        os.environ[FILE_VARIABLE] = name
    for _ in range(_TRIES):
        try:
            return _run(arguments)
        except KnownError as error:
            if not _asked_for(error):
                raise
    return _run(arguments)


def _run(arguments: argparse.Namespace) -> int | None:
    code: int | None = arguments.run(arguments)
    return code


def _asked_for(error: KnownError) -> bool:
    """Whether a person at the terminal told what opens the memory."""
    from desktop_memory.vault.locked import Locked

    if not isinstance(error, Locked) or not sys.stdin.isatty():
        return False
    from desktop_memory.vault import unlocking

    text = secret(f"{error.problem} Passphrase or recovery key: ")
    try:
        unlocking.unlock(error.header, text)
    except Locked as wrong:
        say(wrong.problem)
    return True


def new_passphrase() -> str:
    """One that the environment or an option names, or else that is chosen at the terminal."""
    return _given() or _chosen()


def _given() -> str:
    """The passphrase that the environment or an option names; empty when none does."""
    import os

    from desktop_memory.vault import FILE_VARIABLE, PASSPHRASE_VARIABLE
    from desktop_memory.vault.unlocking import read_secret

    if text := os.environ.get(PASSPHRASE_VARIABLE, ""):
        return text
    name = os.environ.get(FILE_VARIABLE, "")
    return read_secret(Path(name)) if name else ""


def _chosen() -> str:
    """A new passphrase, typed twice, or the first line of what is piped in."""
    if not sys.stdin.isatty():
        text = sys.stdin.readline().strip()
        if not text:
            raise KnownError(
                "There is no keyring here, so a passphrase is needed.", "Give --passphrase-file."
            )
        return text
    for _ in range(_TRIES):
        text = secret("New passphrase: ")
        if secret("Once more: ") == text:
            return text
        say("They differ.")
    raise KnownError("No passphrase was chosen.", "Nothing was changed.")


def _show(recovery_key: str) -> None:
    say("Recovery key, shown only this once. Write it down and keep it away from this computer:\n")
    say(f"    {recovery_key}\n")
    say("It opens the memory when the keyring or the passphrase is lost, and on another computer.")


def _confirm(planned: Plan) -> None:
    last = planned.recovery_key[-4:]
    for _ in range(_TRIES):
        if answer("Type its last four letters: ").upper() == last:
            return
    raise KnownError("The recovery key was not confirmed.", "Nothing was changed.")


def _opens(ways: tuple[str, ...]) -> str:
    words = {
        "keyring": "this computer's keyring",
        "passphrase": "the passphrase",
        "recovery": "the recovery key",
    }
    return f"It opens by {', '.join(words[way] for way in ways)}."


def _warn(copies: tuple[str, ...]) -> None:
    if copies:
        say(
            f"Older copies here are not encrypted; delete them when you need them no more: {', '.join(copies)}"
        )


def _quiet(folder: Path) -> Path:
    from desktop_memory.reach import running

    if running(folder):
        raise BusyError(
            "The app is running.",
            "Use its Privacy page; or quit it first (tray → Quit, or systemctl --user stop desktop-memory).",
        )
    return folder
