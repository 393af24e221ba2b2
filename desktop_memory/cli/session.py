"""Opening the memory for one command: the running app if it answers, else the stores themselves."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_memory.settings import data_folder

if TYPE_CHECKING:
    from desktop_memory.app import App
    from desktop_memory.memory import Memory


def folder_of(arguments: argparse.Namespace) -> Path:
    """The data folder that this command is about."""
    return data_folder(getattr(arguments, "home", None))


@contextmanager
def opened(arguments: argparse.Namespace) -> Iterator[Memory]:
    """A Memory to ask and to write small things to."""
    from desktop_memory.reach import connect

    with connect(folder_of(arguments)) as memory:
        yield memory


@contextmanager
def owned(arguments: argparse.Namespace) -> Iterator[App]:
    """The running app, or the stores owned by this command. Raises BusyError when a third process owns them."""
    from desktop_memory.reach import own

    with own(folder_of(arguments)) as app:
        yield app
