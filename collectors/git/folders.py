"""Which folders are not worth a look when repositories are searched."""

from __future__ import annotations

import sys
from pathlib import Path


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Names that are filled by programs, at any depth.
SKIPPED_NAMES = _words(
    """
    node_modules bower_components site-packages dist-packages __pycache__ Cache Caches CacheStorage
    .cache .Trash .thumbnails .tmp .snapshots lost+found $RECYCLE.BIN
    .npm .pnpm-store .yarn .bun .deno .nvm .cargo .rustup .gradle .m2 .ivy2 .sbt .nuget .gem .bundle
    .conda .virtualenvs .venv .tox .nox .eggs .mypy_cache .ruff_cache .pytest_cache .hypothesis
    .next .nuxt .terraform .ccache .jdks .android .docker .wine .steam .var .mozilla .thunderbird
    .vscode-server .dartServer .pub-cache .gnupg .ssh .dbus .zsh_sessions .bash_sessions
    """
)

# Below the home folder only. A look into macOS's Library makes the system ask the user.
SKIPPED_BELOW_HOME = _words(
    """
    .local/share/Trash .local/share/Steam .local/share/containers .local/share/flatpak
    .local/share/gvfs-metadata .local/share/docker .local/lib .local/state snap go/pkg
    Library AppData
    """
)

# Each says that a program made this folder and can make it again.
MARKS_OF_A_CACHE = frozenset({"CACHEDIR.TAG", "pyvenv.cfg"})

NETWORK_FILE_SYSTEMS = _words(
    """
    nfs nfs4 cifs smb3 smbfs afs ceph 9p davfs davfs2 ncpfs glusterfs lustre coda fuse.sshfs
    fuse.rclone fuse.gvfsd-fuse fuse.s3fs fuse.gcsfuse fuse.davfs2 fuse.glusterfs fuse.ceph
    fuse.juicefs fuse.google-drive-ocamlfuse fuse.onedriver fuse.portal autofs proc sysfs
    """
)


def network_mounts(table: Path = Path("/proc/self/mountinfo")) -> frozenset[str]:
    """Where file systems of other machines hang; looking into one can block for minutes.

    Format: https://www.kernel.org/doc/html/latest/filesystems/proc.html, section 3.5.
    """
    if sys.platform != "linux":
        return frozenset()
    try:
        lines = table.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return frozenset()
    found = set()
    for line in lines:
        before, _, after = line.partition(" - ")
        fields, kinds = before.split(), after.split()
        if len(fields) > 4 and kinds and kinds[0] in NETWORK_FILE_SYSTEMS:
            found.add(_unescaped(fields[4]))
    return frozenset(found)


def _unescaped(path: str) -> str:
    for octal, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        path = path.replace(octal, character)
    return path
