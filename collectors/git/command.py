"""Runs git so that nothing of the repository is executed and nothing is asked, fetched or written."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from collectors.collector import Unavailable

# A repository's own config could name programs; a downloaded archive may bring one along.
HARMLESS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.pager=cat",
    "core.quotePath=false",
    "log.showSignature=false",
    "log.mailmap=false",
    "log.showRoot=true",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
)
FLAGS = ("--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs")
ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ALLOW_PROTOCOL": "none",  # keeps a partial clone from fetching what it lacks, on any version
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "LC_ALL": "C",
    "LANGUAGE": "C",
}
# GIT_DIR and its like would send every command to one repository; these say only how git itself is set up.
KEPT_VARIABLES = ("GIT_EXEC_PATH", "GIT_CONFIG_")


class GitFailed(Exception):
    """Git gave up: `message` is what it wrote, `output` what came before that."""

    def __init__(self, message: str, output: bytes = b"", *, late: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.output = output
        self.late = late


def git(
    folder: Path,
    *arguments: str,
    lines: Sequence[str] | None = None,
    config: Sequence[str] = (),
    timeout: float = 30.0,
) -> bytes:
    """What `git *arguments` prints in this folder, with `lines` on its standard input.

    Raises GitFailed when it fails or takes longer than `timeout` seconds, Unavailable without git.
    """
    process = _start(_command(arguments, config), folder, wants_input=lines is not None)
    given = None if lines is None else "".join(f"{line}\n" for line in lines).encode()
    try:
        output, complaint = process.communicate(given, timeout=timeout)
    except subprocess.TimeoutExpired:
        _kill(process)
        raise GitFailed(f"git took longer than {timeout:g} s", late=True) from None
    except BaseException:
        _kill(process)
        raise
    if process.returncode != 0:
        raise GitFailed(complaint.decode("utf-8", "replace").strip(), output)
    return output


def git_begin(folder: Path, *arguments: str, most: int, timeout: float) -> bytes:
    """The first `most` bytes of what git prints, however much that would be. Raises as `git` does."""
    process = _start(_command(arguments), folder, wants_input=False)
    assert process.stdout is not None
    late = threading.Timer(timeout, _kill, (process,))
    late.daemon = True
    late.start()
    try:
        output = process.stdout.read(most)
        if len(output) < most and process.wait(timeout=timeout) != 0:
            raise GitFailed("git gave up", output)
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git took longer than {timeout:g} s", late=True) from None
    finally:
        late.cancel()
        _kill(process)
    return output


def _command(arguments: Sequence[str], config: Sequence[str] = ()) -> list[str]:
    settings = [part for setting in (*HARMLESS, *config) for part in ("-c", setting)]
    return [_program(), *FLAGS, *settings, *arguments]


def unavailable(root: Path, error: GitFailed) -> Unavailable:
    """The same failure in words for the user."""
    if "dubious ownership" in error.message or "unsafe repository" in error.message:
        return Unavailable(
            f"Git does not trust {root}: dubious ownership, the folder belongs to another user.",
            f"If you trust it: git config --global --add safe.directory {_quoted(root)}",
        )
    if error.late:
        return Unavailable(f"Git took too long in {root}.", "It is tried again later.")
    if "safe.bareRepository" in error.message:
        return Unavailable(f"Git does not read the bare repository {root}: safe.bareRepository forbids it.")
    if "unknown repository extension" in error.message or "repo version" in error.message:
        return Unavailable(f"{root} needs a newer git.", "Update git.")
    if "not a git repository" in error.message:
        return Unavailable(f"Git finds no repository in {root}.", "Its .git folder is incomplete.")
    return Unavailable(f"Git cannot read {root}.", f"See what is damaged: git -C {_quoted(root)} fsck")


def require_git() -> None:
    """Raises Unavailable where git is not installed."""
    _program()


def _program() -> str:
    program = shutil.which("git")
    if program is None:
        raise Unavailable("Git is not installed.", "Install git to see your commits here.")
    return program


def _start(command: list[str], folder: Path, *, wants_input: bool) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=_environment(folder),
            stdin=subprocess.PIPE if wants_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise Unavailable(
            f"{folder} cannot be opened: {error.strerror}.", "Check its permissions."
        ) from error


def _environment(folder: Path) -> dict[str, str]:
    mine = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(KEPT_VARIABLES)
    }
    # A damaged repository must not be mistaken for the one around it.
    return mine | ENVIRONMENT | {"GIT_CEILING_DIRECTORIES": os.path.realpath(folder.parent)}


def _kill(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            process.kill()
    try:
        process.communicate(timeout=5)
    except subprocess.TimeoutExpired:  # something that left the group still holds its output
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _quoted(path: Path) -> str:
    text = str(path)
    return text if text.isascii() and " " not in text else f'"{text}"'
