"""What a commit changed, line by line: bounded, without binary files and without files that hold keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from collectors.git.command import GitFailed, git_begin

MOST_READ = 400_000
MOST_KEPT = 12_000
MOST_OF_A_FILE = 4_000
LONGEST_LINE = 300
TIMEOUT = 10.0
OPTIONS = (
    "--no-commit-id",
    "--root",
    "-r",
    "-p",
    "-M",
    "--unified=1",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
)
CUT = "… [cut]"

_FILE = re.compile(r"^diff --git ", re.MULTILINE)
_TOLD = re.compile(r"[-+@ ]")
_KEYS = re.compile(
    r"(?:^|/)(?:\.env[^/]*|\.netrc|\.pgpass|id_[a-z0-9]+|[^/]*(?:secret|credential|password)s?[^/]*"
    r"|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg))$",
    re.IGNORECASE,
)


def read_diff(root: Path, commit: str) -> str:
    """The lines that this commit removed and added, file by file; "" for a merge or where git cannot tell."""
    try:
        output = git_begin(root, "diff-tree", *OPTIONS, commit, "--", most=MOST_READ, timeout=TIMEOUT)
    except GitFailed:
        return ""
    kept = "\n".join(_files(output.decode("utf-8", "replace").replace("\0", "\ufffd")))
    return _cut(kept, MOST_KEPT)


def _files(diff: str) -> Iterator[str]:
    for file in _FILE.split(diff)[1:]:
        lines = [line[:LONGEST_LINE] for line in file.split("\n")[1:] if _TOLD.match(line)]
        if len(lines) < 3 or not lines[0].startswith("--- ") or any(map(_holds_keys, lines[:2])):
            continue  # binary, or only renamed or made executable
        yield _cut("\n".join(lines), MOST_OF_A_FILE)


def _holds_keys(heading: str) -> bool:
    """Whether this "--- a/path" or "+++ b/path" names a file that should never be read aloud."""
    return _KEYS.search(heading[4:].strip().strip('"')) is not None


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return text[: text.rfind("\n", 0, most - len(CUT)) + 1] + CUT
