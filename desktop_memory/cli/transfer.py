"""Commands that move whole memories: import, export."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from desktop_memory.cli.control import print_receipt
from desktop_memory.counting import counted
from desktop_memory.errors import KnownError

_CHUNK = 2_000
_LONGEST_LINE = 16 * 1024 * 1024


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    import_ = commands.add_parser(
        "import",
        parents=[common],
        help="read events from JSON Lines, or a shell's history from another machine",
    )
    import_.add_argument("file", metavar="FILE", help="- for standard input")
    import_.set_defaults(run=_import)

    export = commands.add_parser("export", parents=[common], help="write all events as JSON Lines")
    export.add_argument("file", nargs="?", default="-", metavar="FILE", help="left out: standard output")
    export.set_defaults(run=_export)


def _import(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned
    from desktop_memory.model import Receipt

    total = Receipt()
    if arguments.file != "-" and not _is_json_lines(arguments.file):
        with owned(arguments) as app:
            print_receipt(app.import_history(str(Path(arguments.file).absolute())), arguments.json)
        return
    with owned(arguments) as app, _reading(arguments.file) as file:
        for lines in _chunks(file):
            total += app.memory.import_lines(lines)
            if sys.stderr.isatty():
                print(f"\r\033[K{total.read:,} read, {total.new:,} new", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    print_receipt(total, arguments.json)


def _is_json_lines(name: str) -> bool:
    """Whether the first thing in the file is an object: an export, and no shell's history."""
    with _reading(name) as file:
        return file.read(65_536).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"")


def _export(arguments: argparse.Namespace) -> None:
    from desktop_memory.app import reader
    from desktop_memory.cli.session import folder_of
    from desktop_memory.records import event_record

    count = 0
    with reader(folder_of(arguments)) as store, _writing(arguments.file) as file:
        for event in store.all_events():
            file.write(json.dumps(event_record(event), ensure_ascii=False, default=str) + "\n")
            count += 1
    if arguments.file != "-":
        print(f"{counted(count, 'event')} written to {arguments.file}.", file=sys.stderr)


def _chunks(file: IO[bytes]) -> Iterator[list[str]]:
    """Lines by the thousand; one that is too long is cut, and will be counted as no record."""
    lines: list[str] = []
    while raw := file.readline(_LONGEST_LINE):
        lines.append(raw.decode("utf-8", "replace"))
        if len(lines) == _CHUNK:
            yield lines
            lines = []
    if lines:
        yield lines


@contextmanager
def _reading(name: str) -> Iterator[IO[bytes]]:
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        file = open(name, "rb")
    except OSError as error:
        raise KnownError(
            f"{name} cannot be read: {error.strerror}.", "Check the name and its permissions."
        ) from error
    with file:
        yield file


@contextmanager
def _writing(name: str) -> Iterator[IO[str]]:
    """A private file that is in place only once it is complete; or standard output."""
    if name == "-":
        with open(sys.stdout.fileno(), "w", encoding="utf-8", errors="replace", closefd=False) as out:
            yield out
        return
    part = f"{name}.part"
    try:
        file = open(
            os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
            "w",
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise KnownError(f"{name} cannot be written: {error.strerror}.", "Choose another place.") from error
    try:
        with file:
            yield file
        os.replace(part, name)
    except OSError as error:
        with suppress(OSError):
            os.unlink(part)
        raise KnownError(f"{name} cannot be written: {error.strerror}.", "Choose another place.") from error
