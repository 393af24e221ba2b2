"""Installs and removes the shell hooks, by which a shell tells its commands at once."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from collectors.shell.paths import zdotdir
from desktop_memory.desktop.rc_file import RcFile
from desktop_memory.errors import KnownError, UsageError
from desktop_memory.resources import resource
from desktop_memory.vault.in_memory import SPOOL_FOLDER as SPOOL
from desktop_memory.vault.in_memory import settle_spool

_SCRIPTS = "hooks"
_KEEP_REPEATS = "HISTCONTROL=ignorespace"
_FOLDER = re.compile(r"^# Notes commands for Desktop Memory in (.*)\. Undo: ", re.MULTILINE)
_HIDES_REPEATS = re.compile(r"^[^#\n]*\bHISTCONTROL=\S*(ignoreboth|ignoredups|erasedups)", re.MULTILINE)
_READS_BASHRC = re.compile(r"^[^#\n]*(?:\.|\bsource)\s+\S*bashrc", re.MULTILINE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Shell:
    """What differs between shells: where the block goes, how it loads the script, and what is too old."""

    name: str
    script: str
    wanted: Callable[[], list[Path]]
    possible: Callable[[], list[Path]]
    loading: str
    checks: tuple[tuple[str, ...], ...]
    oldest: tuple[int, int]
    quoted: Callable[[str], str] = shlex.quote
    program: str = ""
    whole: bool = False
    """The block holds the script itself: this shell cannot leave out a script that is gone."""


def install(shell: str, data_folder: Path, *, keep_repeats: bool = False) -> str:
    """Let new shells note their commands for the memory in this folder; what was done, for people.

    `keep_repeats` lets bash keep a command in its history that repeats the one before. Raises KnownError, with
    nothing changed, when the shell is too old or its rc file cannot be parsed or written.
    """
    kind = _kind(shell)
    _check_version(kind)
    rc_files = [RcFile(path=path, checks=kind.checks) for path in kind.wanted()]
    keep_repeats = keep_repeats or any(_KEEP_REPEATS in (file.block or "") for file in rc_files)
    lines = _lines(kind, data_folder, keep_repeats)
    for file in rc_files:
        file.planned(lines)
    script = _source(kind) if kind.whole else _copy_script(kind, data_folder)
    _make_spool(kind, data_folder)
    changed = [file.path for file in rc_files if file.put(lines)]
    told = [f"{shell} hook installed in {_short(path)}." for path in changed]
    told = told or [f"The {shell} hook was installed already."]
    told.append(f"Commands of new terminals are noted as they run; the script is {_short(script)}.")
    if shell == "bash" and not keep_repeats and _hides_repeats(rc_files):
        told.append(_REPEATS)
    return "\n".join(told)


def remove(shell: str) -> str:
    """Take the hook out of the shell's rc files and stop the shells that run; what was done, for people."""
    kind = _kind(shell)
    told = []
    for path in kind.possible():
        file = RcFile(path=path, checks=kind.checks)
        if (block := file.block) is not None:
            file.take_out()
            _stop(shell, block)
            told.append(f"{shell} hook removed from {_short(path)}.")
    return "\n".join(told) or f"The {shell} hook was not installed."


def show(shell: str, data_folder: Path) -> str:
    """Whether the hook is installed, and the lines that are or would be added."""
    kind = _kind(shell)
    there = files(shell)
    head = f"installed in {', '.join(_short(path) for path in there)}" if there else "not installed"
    goes = ", ".join(_short(path) for path in kind.wanted())
    lines = _lines(kind, data_folder, False)
    return f"{shell} hook: {head}\nThe lines for {goes}:\n\n{lines}\nThe script: {_source(kind)}"


def installed(shell: str) -> bool:
    """An rc file of this shell loads the hook."""
    try:
        return bool(files(shell))
    except KnownError:
        return False


def files(shell: str, data_folder: Path | None = None) -> list[Path]:
    """The rc files that load the hook, or only those that load it for this data folder."""
    kind = _kind(shell)
    found = []
    for path in kind.possible():
        block = RcFile(path=path).block
        if block is not None and (data_folder is None or _folder_in(block) == data_folder):
            found.append(path)
    return found


def refresh(data_folder: Path) -> None:
    """Bring the installed scripts up to this version of the app. What cannot be written stays as it is."""
    for kind in SHELLS.values():
        with suppress(KnownError):
            if (data_folder / _SCRIPTS / kind.script).exists():
                _copy_script(kind, data_folder)
            if kind.whole:
                for path in files(kind.name, data_folder):
                    RcFile(path=path).put(_lines(kind, data_folder, False))
    with suppress(KnownError, OSError):
        settle_spool(data_folder, [shell for shell in SHELLS if files(shell, data_folder)])


def _kind(shell: str) -> Shell:
    if shell not in SHELLS:
        raise UsageError(f"There is no hook for {shell}.", f"There are hooks for {', '.join(SHELLS)}.")
    return SHELLS[shell]


def _source(kind: Shell) -> Path:
    return resource("hooks", kind.script)


def _copy_script(kind: Shell, data_folder: Path) -> Path:
    """The script stands in the data folder: an environment may be moved or removed under a running shell."""
    folder = data_folder / _SCRIPTS
    script = folder / kind.script
    wanted = _source(kind).read_bytes()
    try:
        _make_private(data_folder)
        folder.mkdir(mode=0o700, exist_ok=True)
        if not script.exists() or script.read_bytes() != wanted:
            fresh = script.with_suffix(".new")
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(wanted)
            fresh.replace(script)
    except OSError as error:
        raise KnownError(
            f"{script} cannot be written: {error.strerror}.", "Check the data folder."
        ) from error
    return script


def _make_spool(kind: Shell, data_folder: Path) -> None:
    try:
        _make_private(data_folder)
        settle_spool(data_folder)
        (data_folder / SPOOL).mkdir(mode=0o700, exist_ok=True)
        (data_folder / SPOOL / kind.name).mkdir(mode=0o700, exist_ok=True)
        (data_folder / SPOOL).chmod(0o700)
        settle_spool(data_folder)
    except OSError as error:
        raise KnownError(
            f"{data_folder} cannot be written: {error.strerror}.", "Check its permissions."
        ) from error


def _make_private(data_folder: Path) -> None:
    """The data folder, where the app has not made it yet."""
    data_folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _lines(kind: Shell, data_folder: Path, keep_repeats: bool) -> str:
    script = kind.quoted(str(data_folder / _SCRIPTS / kind.script)) if not kind.whole else ""
    spool = kind.quoted(str(data_folder / SPOOL / kind.name))
    lines = [
        f"# Notes commands for Desktop Memory in {data_folder}. Undo: desktop-memory hook {kind.name} remove",
        kind.loading.format(script=script, spool=spool),
    ]
    if kind.whole:
        lines.append(_source(kind).read_text(encoding="utf-8"))
    if keep_repeats:
        lines.append(_KEEP_REPEATS)
    return "\n".join(lines) + "\n"


def _folder_in(block: str) -> Path | None:
    """The data folder that a block was made for; None when somebody changed that line."""
    found = _FOLDER.search(block)
    return Path(found[1]) if found else None


def _stop(shell: str, block: str) -> None:
    """Running shells note nothing once their folder is gone; what is in it will still be read."""
    folder = _folder_in(block)
    spool = None if folder is None else folder / SPOOL / shell
    if spool is None or not spool.is_dir():
        return
    if any(file.stat().st_size for file in spool.iterdir()):
        spool.rename(spool.with_name(f"{shell}.removed.{os.getpid()}"))
    else:
        shutil.rmtree(spool, ignore_errors=True)


def _check_version(kind: Shell) -> None:
    """Raises KnownError for a shell that cannot carry the hook. One that is not installed may still come."""
    program = shutil.which(kind.program or kind.name)
    if program is None:
        return
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return
    version = re.search(r"(\d+)\.(\d+)", done.stdout)
    if version and (int(version[1]), int(version[2])) < kind.oldest:
        needed = ".".join(map(str, kind.oldest))
        raise KnownError(
            f"This {kind.name} is version {version[0]}; the hook needs {needed} or later.",
            f"Install a newer {kind.name}; its history is read in any case.",
        )


def _hides_repeats(rc_files: Iterable[RcFile]) -> bool:
    texts = [file.text() for file in rc_files]
    return any(map(_HIDES_REPEATS.search, [*texts, f"HISTCONTROL={os.environ.get('HISTCONTROL', '')}"]))


def _short(path: Path) -> str:
    home = str(Path.home())
    return "~" + str(path)[len(home) :] if str(path).startswith(home + os.sep) else str(path)


def _bash_possible() -> list[Path]:
    return [Path.home() / name for name in (".bashrc", ".bash_profile", ".bash_login", ".profile")]


def _bash_wanted() -> list[Path]:
    """.bashrc, and the file of login shells where that one does not read .bashrc."""
    bashrc, *login_files = _bash_possible()
    login = next((path for path in login_files if path.exists()), None)
    if login is None:
        # Terminals on macOS start login shells; elsewhere a new .bash_profile would hide a later .profile.
        return [bashrc, login_files[0]] if sys.platform == "darwin" else [bashrc]
    return [bashrc] if _READS_BASHRC.search(RcFile(path=login).text()) else [bashrc, login]


def _zsh_wanted() -> list[Path]:
    return [Path(zdotdir() or Path.home()) / ".zshrc"]


def _zsh_possible() -> list[Path]:
    return list(dict.fromkeys([*_zsh_wanted(), Path.home() / ".zshrc"]))


def _config_folder() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _fish_files() -> list[Path]:
    """A file of our own: fish reads every one in conf.d."""
    return [_config_folder() / "fish" / "conf.d" / "desktop-memory.fish"]


def _nushell_files() -> list[Path]:
    """A file of our own: nushell reads every one in autoload."""
    if sys.platform == "darwin" and not os.environ.get("XDG_CONFIG_HOME"):
        folder = Path.home() / "Library" / "Application Support" / "nushell"
    elif sys.platform == "win32":
        folder = Path(os.environ["APPDATA"]) / "nushell"
    else:
        folder = _config_folder() / "nushell"
    return [folder / "autoload" / "desktop-memory.nu"]


def _powershell_possible() -> list[Path]:
    """The profiles of PowerShell 7 and of Windows PowerShell 5.1 for every program that hosts them."""
    if sys.platform == "win32":
        documents = platformdirs.user_documents_path()
        return [documents / name / "profile.ps1" for name in ("PowerShell", "WindowsPowerShell")]
    return [_config_folder() / "powershell" / "profile.ps1"]


def _powershell_quoted(text: str) -> str:
    escaped = text.replace("'", "''")
    return f"'{escaped}'"


def _nushell_quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _fish_quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


_REPEATS = (
    "bash leaves a command that repeats the one before out of its history here (HISTCONTROL), so the hook does not "
    "see it either.\nTo keep repeats, and still hide commands that begin with a space: "
    "desktop-memory hook bash install --keep-repeats"
)

SHELLS = {
    kind.name: kind
    for kind in (
        Shell(
            name="zsh",
            script="desktop-memory.zsh",
            wanted=_zsh_wanted,
            possible=_zsh_possible,
            loading="if [[ -r {script} ]]; then source {script} {spool}; fi",
            checks=(("zsh", "-f", "-n"), ("zsh", "-f", "-o", "extendedglob", "-n")),
            oldest=(5, 0),
        ),
        Shell(
            name="bash",
            script="desktop-memory.bash",
            wanted=_bash_wanted,
            possible=_bash_possible,
            loading='if [ -n "${{BASH_VERSION-}}" ] && [ -r {script} ]; then . {script} {spool}; fi',
            checks=(("bash", "-n"), ("bash", "-O", "extglob", "-n")),
            oldest=(4, 4),
        ),
        Shell(
            name="fish",
            script="desktop-memory.fish",
            wanted=_fish_files,
            possible=_fish_files,
            loading="if test -r {script}; source {script} {spool}; end",
            checks=(("fish", "--no-config", "--no-execute"),),
            oldest=(3, 1),
            quoted=_fish_quoted,
        ),
        Shell(
            name="nushell",
            script="desktop-memory.nu",
            wanted=_nushell_files,
            possible=_nushell_files,
            loading="let __desktop_memory_spool = {spool}",
            checks=(),
            oldest=(0, 102),
            quoted=_nushell_quoted,
            program="nu",
            whole=True,
        ),
        Shell(
            name="powershell",
            script="desktop-memory.ps1",
            wanted=_powershell_possible,
            possible=_powershell_possible,
            loading="if (Test-Path -LiteralPath {script}) {{ . {script} {spool} }}",
            checks=(),
            oldest=(5, 1),
            quoted=_powershell_quoted,
            program="pwsh",
        ),
    )
}
