"""Commands that move whole memories: import, export."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from desktop_memory.cli.control import print_receipt, reading_shown
from desktop_memory.cli.output import show
from desktop_memory.counting import counted
from desktop_memory.errors import KnownError, LogHeld, StoreError, UsageError, sentences
from desktop_memory.vault import is_sealed

if TYPE_CHECKING:
    from desktop_memory.memory import Memory
    from desktop_memory.receipts import Receipt
    from desktop_memory.vault.header import Header, Key

_CHUNK = 2_000
_LOOK_SECONDS = 1.0
_LONGEST_LINE = 16 * 1024 * 1024


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    import_ = commands.add_parser(
        "import",
        parents=[common],
        help="read events from JSON Lines, another machine's history, or another program's export",
    )
    import_.add_argument("file", metavar="FILE", help="- for standard input")
    import_.set_defaults(run=_import)

    export = commands.add_parser("export", parents=[common], help="write all events as JSON Lines")
    export.add_argument("file", nargs="?", default="-", metavar="FILE", help="left out: standard output")
    how = export.add_mutually_exclusive_group()
    how.add_argument(
        "--encrypt", action="store_true", help="encrypt the file; an encrypted memory's is anyway"
    )
    how.add_argument("--plain", action="store_true", help="do not encrypt the file of an encrypted memory")
    export.set_defaults(run=_export)


def _import(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned
    from desktop_memory.receipts import Receipt

    total = Receipt()
    if arguments.file != "-" and not _is_ours(arguments.file):
        with owned(arguments) as app, reading_shown() as progress:
            receipt = app.import_history(str(Path(arguments.file).absolute()), progress)
        print_receipt(receipt, arguments.json)
        return
    with owned(arguments) as app, _reading(arguments.file) as file, reading_shown() as progress:
        for lines in _chunks(file):
            total += _imported(app.memory, lines)
            if progress is not None:
                progress(arguments.file, total, None)
    print_receipt(total, arguments.json)


def _imported(memory: Memory, lines: list[str]) -> Receipt:
    """Waits as long as another program's reading keeps the memory from taking more."""
    while True:
        try:
            return memory.import_lines(lines)
        except LogHeld as held:
            show(sentences(held.problem, held.advice))
            time.sleep(_LOOK_SECONDS)


def _is_ours(name: str) -> bool:
    """Whether the file is encrypted, or begins with an object that no other program exports."""
    with open_file(name) as file:
        start = file.read(65_536)
        return is_sealed(start) or _OURS.match(start) is not None


_OURS = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\Z|\{(?!\s*"buckets"\s*:|\s*"url"\s*:[^\n]*"dt"\s*:))')


def _export(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import folder_of
    from desktop_memory.reach import reader
    from desktop_memory.records import event_record

    count = 0
    folder = folder_of(arguments)
    with reader(folder) as store, _writing(arguments.file, _seal(arguments, folder)) as file:
        for event in store.all_events():
            file.write(json.dumps(event_record(event), ensure_ascii=False, default=str) + "\n")
            count += 1
        kept_out, last = store.count() - count, store.last_id()
    if arguments.file != "-":
        _note(folder, Path(arguments.file).absolute(), last)
        print(f"{counted(count, 'event')} written to {arguments.file}.", file=sys.stderr)
    if kept_out > 0:
        print(f"{counted(kept_out, 'event')} left out by privacy rules.", file=sys.stderr)


def _note(folder: Path, file: Path, last: int) -> None:
    """Let the receipt of a later forget name this file."""
    from desktop_memory.reach import connect

    try:
        with connect(folder) as memory:
            memory.note_backup(str(file), last)
    except StoreError as error:
        print(f"note: a later forget will not name this file: {error.problem}", file=sys.stderr)


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
    """A file's bytes, decrypted where they are encrypted."""
    if name == "-":
        yield sys.stdin.buffer
        return
    with open_file(name) as file:
        start = file.peek(64)
        if is_sealed(start):
            from desktop_memory.vault import sealed_file, unlocking

            header = sealed_file.header_of(file)
            yield sealed_file.unsealing(file, unlocking.key_for(header))
        else:
            yield file


def open_file(name: str) -> io.BufferedReader:
    try:
        return open(name, "rb")
    except OSError as error:
        raise KnownError(
            f"{name} cannot be read: {error.strerror}.", "Check the name and its permissions."
        ) from error


def _seal(arguments: argparse.Namespace, folder: Path) -> tuple[Header, Key] | None:
    """What opens the file that is to be written; None for a plain one. Standard output is always plain."""
    from desktop_memory.vault import header as headers
    from desktop_memory.vault import sealed_file, unlocking

    if arguments.file == "-" or arguments.plain:
        if arguments.encrypt:
            raise UsageError(
                "Only a file can be encrypted.", "Name one: desktop-memory export --encrypt FILE."
            )
        return None
    header = headers.load(folder)
    if header is not None:
        return header, unlocking.key_for(header)
    if not arguments.encrypt:
        return None
    from desktop_memory.cli.encrypt import new_passphrase

    return sealed_file.by_passphrase(new_passphrase())


@contextmanager
def _writing(name: str, seal: tuple[Header, Key] | None) -> Iterator[IO[str]]:
    """A private file that is in place only once it is complete; or standard output."""
    if name == "-":
        with open(sys.stdout.fileno(), "w", encoding="utf-8", errors="replace", closefd=False) as out:
            yield out
        return
    part = f"{name}.part"
    try:
        raw = open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")
    except OSError as error:
        raise KnownError(f"{name} cannot be written: {error.strerror}.", "Choose another place.") from error
    try:
        with raw:
            with _sealing(raw, seal) as inner:
                text = io.TextIOWrapper(inner, encoding="utf-8", errors="replace", write_through=True)
                yield text
                text.flush()
                text.detach()
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(part, name)
    except OSError as error:
        raise KnownError(f"{name} cannot be written: {error.strerror}.", "Choose another place.") from error
    finally:
        with suppress(OSError):
            os.unlink(part)


@contextmanager
def _sealing(raw: IO[bytes], seal: tuple[Header, Key] | None) -> Iterator[IO[bytes]]:
    if seal is None:
        yield raw
        return
    from desktop_memory.vault.sealed_file import sealing

    with sealing(raw, *seal) as inner:
        yield inner
