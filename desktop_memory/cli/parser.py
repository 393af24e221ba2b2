"""The command line: every command with its options, and what happens to errors."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from desktop_memory import __version__
from desktop_memory.cli import (
    ask,
    backup,
    context,
    control,
    encrypt,
    gnome,
    graph,
    house,
    keep,
    look_back,
    mcp,
    model,
    project,
    share,
    transfer,
)
from desktop_memory.cli.output import print_error
from desktop_memory.errors import KnownError, UsageError, no_name

BUG = 70
CANCELLED = 130
LARGEST = 2**53


def run(arguments: Sequence[str]) -> int:
    """Run one command; its exit code. A person never sees a traceback, the log does."""
    as_json = "--json" in arguments
    given = argparse.Namespace()
    try:
        given = build().parse_args(arguments or ["--help"])
        code = int(encrypt.unlocked(given) or 0)
        sys.stdout.flush()
        return code
    except KnownError as error:
        return _told(error, as_json)
    except KeyboardInterrupt:
        print("\ncancelled", file=sys.stderr)
        return CANCELLED
    except BrokenPipeError:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        known = no_name(error)
        return _bug(error, given, as_json) if known is None else _told(known, as_json)


def _told(error: KnownError, as_json: bool) -> int:
    print_error(error, as_json)
    return error.exit_code


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, like every other error; takes no number that no store could hold."""

    def __init__(self, *positional: Any, **named: Any) -> None:
        super().__init__(*positional, **named)
        self.register("type", int, _whole)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Of a command that there is not, name the one that was meant, not all that there are."""
        if not isinstance(action, argparse._SubParsersAction) or value in action.choices:
            super()._check_value(action, value)
            return
        import difflib

        meant = difflib.get_close_matches(value, action.choices, n=1)
        raise UsageError(
            f"There is no {f'{self.prog} {value}'[:60]!r}.",
            f"Did you mean `{self.prog} {meant[0]}`?" if meant else f"See `{self.prog} --help`.",
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}.", f"See `{self.prog} --help`.")


def _whole(text: str) -> int:
    try:
        number = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no whole number") from error
    if abs(number) > LARGEST:
        raise argparse.ArgumentTypeError(f"{text[:40]} is too large a number")
    return number


def build() -> argparse.ArgumentParser:
    """The parser of the whole command."""
    parser = _Parser(
        prog="desktop-memory",
        description="Remembers what you did on this computer and gives it back. Nothing leaves the machine.",
        epilog="Start with: desktop-memory run. Short form of the command: dmem.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("--home", metavar="FOLDER", help="the data folder (or DESKTOP_MEMORY_HOME)")
    parser.set_defaults(parse=parser.parse_args)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--home", metavar="FOLDER", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    common.add_argument("--passphrase-file", metavar="FILE", help=argparse.SUPPRESS)
    common.add_argument("--json", action="store_true", help="print one JSON object")
    for group in (
        house,
        ask,
        context,
        look_back,
        keep,
        project,
        control,
        transfer,
        backup,
        share,
        encrypt,
        model,
        graph,
        mcp,
        gnome,
    ):
        group.add(commands, common)
    return parser


def _bug(error: Exception, given: argparse.Namespace, as_json: bool) -> int:
    import logging

    from desktop_memory import logs
    from desktop_memory.cli.session import folder_of
    from desktop_memory.pipeline.redact import redact_text

    folder = folder_of(given)
    logs.start(folder, redact_text)
    logging.getLogger(__name__).error("a command met a bug", exc_info=error)
    told = KnownError(
        f"This is a bug ({type(error).__name__}).",
        f"Its traceback is in {folder / logs.FILE_NAME}; please report it.",
    )
    print_error(told, as_json)
    return BUG
