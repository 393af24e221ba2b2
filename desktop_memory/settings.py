"""What the user decided, as frozen dataclasses read from settings.toml in the data folder."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_type_hints

import platformdirs
import tomli_w

from desktop_memory.errors import KnownError

HOME_VARIABLE = "DESKTOP_MEMORY_HOME"
FILE = "settings.toml"
SEALED = "sealed"
_ABOUT_SEALED = (
    b"# `sealed` holds your rules, names and folders, encrypted like the memory. Change them in the window; what you\n"
    b"# add below by hand acts beside them, and is encrypted as well at the next start.\n"
)

_SPARE_HOTKEYS = ("Ctrl+Shift+Space", "Ctrl+Shift+F12", "Super+F12")
HOTKEYS = _SPARE_HOTKEYS if sys.platform == "win32" else ("Ctrl+Alt+Z", *_SPARE_HOTKEYS)
"""The first of these that is free opens search. On Windows Ctrl+Alt is AltGr, by which people write letters."""


def data_folder(chosen: str | os.PathLike[str] | None = None) -> Path:
    """The folder that holds everything: the chosen one, the environment's, or the platform's own."""
    named = chosen or os.environ.get(HOME_VARIABLE)
    if named:
        return Path(named).expanduser().absolute()
    return usual_folder()


def usual_folder() -> Path:
    """Where the platform keeps what programs remember."""
    return platformdirs.user_data_path("desktop-memory", appauthor=False)


def home_option(folder: Path) -> tuple[str, ...]:
    """What a command needs that something else starts later, when its folder is not the usual one."""
    return () if folder == usual_folder() else ("--home", str(folder.absolute()))


def _setting(default: Any, help: str) -> Any:
    if isinstance(default, (list, tuple)):
        return field(default=tuple(default), metadata={"help": help})
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True, kw_only=True, slots=True)
class Privacy:
    """What is never recorded, beside the lists that come with the app."""

    exclude_apps: tuple[str, ...] = _setting((), "Apps that are never recorded")
    exclude_titles: tuple[str, ...] = _setting(
        (), "Window and page titles that match are not recorded (regex)"
    )
    exclude_domains: tuple[str, ...] = _setting((), "Sites that are never recorded, with their subdomains")
    exclude_paths: tuple[str, ...] = _setting((), "Folders whose files and commands are never recorded")
    exclude_projects: tuple[str, ...] = _setting((), "Projects that are never recorded")
    exclude_commands: tuple[str, ...] = _setting((), "Commands that match are not recorded (regex)")
    exclude_hours: tuple[str, ...] = _setting(
        (), "Hours of which nothing is recorded or shown: Mon-Fri 18:00-08:00, weekend"
    )
    only_apps: tuple[str, ...] = _setting((), "Record only these apps, and what is named beside them")
    only_domains: tuple[str, ...] = _setting((), "Record only these sites, and what is named beside them")
    only_paths: tuple[str, ...] = _setting((), "Record only these folders, and what is named beside them")
    only_projects: tuple[str, ...] = _setting((), "Record only these projects, and what is named beside them")
    walled_projects: tuple[str, ...] = _setting(
        (), "Projects that enter a copy only when asked for or in front"
    )
    client_limits: tuple[str, ...] = _setting(
        (), "What an AI client may be told: cursor = kinds: terminal; apps: VS Code; last: 7d"
    )
    aliases: tuple[str, ...] = _setting((), "Names that others see as another one: Nordwind AG = Client A")
    keep: tuple[str, ...] = _setting((), "What is kept how long: browser = 90 days, all = 5 GB")
    pause_schedule: tuple[str, ...] = _setting(
        (), "When recording rests by itself: Mon-Fri 12:00-13:00, weekend, 20:00-08:00"
    )
    strict_private: bool = _setting(
        False, "Record no window of a browser, only pages of its history, which has no private ones"
    )
    default_lists: bool = _setting(True, "Use the lists of what is left out that come with the app")
    list_passwords: bool = _setting(True, "Leave out password managers")
    list_locks: bool = _setting(True, "Leave out lock screens")
    list_private: bool = _setting(True, "Leave out private windows")
    list_banking: bool = _setting(True, "Leave out sites of banks, brokers and payment")
    list_health: bool = _setting(
        True, "Leave out sites of doctors, clinics, insurers and other health matters"
    )
    list_exceptions: tuple[str, ...] = _setting(
        (), "Apps and sites of these lists that are recorded all the same"
    )


def alias_names(privacy: Privacy) -> dict[str, str]:
    """Each name with the one that others see instead; a line without both is no alias."""
    pairs = (entry.split("=", 1) for entry in privacy.aliases if "=" in entry)
    return {name.strip(): alias.strip() for name, alias in pairs if name.strip() and alias.strip()}


@dataclass(frozen=True, kw_only=True, slots=True)
class Sources:
    """What is watched, and how often."""

    off: tuple[str, ...] = _setting((), "Sources that are switched off")
    poll_seconds: int = _setting(60, "Seconds between two looks at histories and repositories")
    idle_seconds: int = _setting(180, "Seconds without input after which nobody is there")
    films_count: bool = _setting(False, "Count playing films and music as being there")
    git_all_authors: bool = _setting(False, "Record commits of other authors too")
    git_diffs: bool = _setting(False, "Keep the lines that each commit changed, to search them")
    git_folders: tuple[str, ...] = _setting((), "Where to look for repositories; empty: the home folder")


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """How events are put together and found."""

    session_gap_seconds: int = _setting(600, "A pause longer than this starts a new session")
    model: str = _setting("all-MiniLM-L6-v2", "The model of search by meaning")
    usage: bool = _setting(True, "Put what you opened or copied before a little higher")
    second_look: bool = _setting(False, "Judge the best results a second time, with the model for it")
    yields: bool = _setting(
        True, "Make ready for search by meaning slower on battery and while others need the computer"
    )
    embedder_idle_seconds: int = _setting(120, "Seconds after which search by meaning frees its memory")


@dataclass(frozen=True, kw_only=True, slots=True)
class Desktop:
    """The tray, the window and the keys."""

    hotkey: str = _setting(HOTKEYS[0], "The key that opens search everywhere; empty: none")
    copy_hotkey: str = _setting(
        "", "The key that copies the last 15 minutes without opening anything; empty: none"
    )
    popup_waits: bool = _setting(False, "Show nothing in the search until something is typed")
    theme: Literal["system", "light", "dark"] = _setting("system", "Light, dark, or as the system says")


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """All of it. `load` names a wrong value and keeps the file untouched."""

    privacy: Privacy = field(default_factory=Privacy)
    sources: Sources = field(default_factory=Sources)
    memory: Memory = field(default_factory=Memory)
    desktop: Desktop = field(default_factory=Desktop)


def load(path: Path, *, unlocked: bool = True) -> Settings:
    """The settings in this file; the defaults where it or a line is missing.

    In an encrypted memory lists (rules, names, folders) are encrypted too; with `unlocked=False` they are left out.
    Raises KnownError when the file is not TOML or a value has the wrong type, Locked; unknown names are kept out.
    """
    raw = _raw(path)
    sealed = raw.pop(SEALED, None)
    if unlocked and sealed is not None:
        _add_lists(raw, _unsealed(str(sealed), path))
    return Settings(
        privacy=_section(Privacy, raw, "privacy", path),
        sources=_section(Sources, raw, "sources", path),
        memory=_section(Memory, raw, "memory", path),
        desktop=_section(Desktop, raw, "desktop", path),
    )


def _raw(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KnownError(f"{path.name} cannot be read: {error}", f"Mend or remove {path}.") from error
    except OSError as error:
        raise KnownError(f"{path} cannot be opened: {error.strerror}", "Check its permissions.") from error


def _unsealed(sealed: str, path: Path) -> dict[str, dict[str, list[str]]]:
    from desktop_memory.vault.sealed_text import unseal  # only where something is encrypted

    lists: dict[str, dict[str, list[str]]] = json.loads(unseal(sealed, path))
    return lists


def _add_lists(raw: dict[str, Any], lists: dict[str, dict[str, list[str]]]) -> None:
    """Lists that were encrypted come before what was written into the file by hand since."""
    for section, named in lists.items():
        given = raw.setdefault(section, {})
        if isinstance(given, dict):
            for name, lines in named.items():
                by_hand = given.get(name, [])
                if isinstance(by_hand, list):
                    given[name] = [*lines, *(line for line in by_hand if line not in lines)]


def seal(path: Path) -> None:
    """Encrypt lists that stand in the file in plain, where the memory is encrypted; its owner calls this."""
    from desktop_memory.vault.sealed_text import wanted

    raw = _raw(path)
    plain = any(
        isinstance(value, list)
        for given in raw.values()
        if isinstance(given, dict)
        for value in given.values()
    )
    if plain and wanted(path.parent) is not None:
        save(load(path), path)


def save(settings: Settings, path: Path) -> None:
    """Write what differs from the defaults, in place of the old file only once it is complete.

    Raises KnownError when it cannot be written, the old one stays; Locked.
    """
    plain: dict[str, Any] = {}
    for section in dataclasses.fields(settings):
        mine = getattr(settings, section.name)
        values = {
            f.name: list(value) if isinstance(value, tuple) else value
            for f in dataclasses.fields(mine)
            if (value := getattr(mine, f.name)) != f.default
        }
        if values:
            plain[section.name] = values
    try:
        plain = _sealed(plain, path.parent)
        _write(plain, path, wipe=SEALED in plain)
    except OSError as error:
        raise KnownError(
            f"The settings cannot be saved: {error.strerror}.", "They are as they were. Free some space, or check "
            f"the permissions of {path.parent}.",
        ) from error  # fmt: skip


def _sealed(plain: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The same with the lists as one encrypted line, where the memory is encrypted."""
    from desktop_memory.vault.sealed_text import seal, wanted

    header = wanted(folder)
    if header is None:
        return plain
    lists = {
        section: {name: value for name, value in values.items() if isinstance(value, list)}
        for section, values in plain.items()
    }
    rest = {
        section: {name: value for name, value in values.items() if not isinstance(value, list)}
        for section, values in plain.items()
    }
    return {
        SEALED: seal(json.dumps(lists), header),
        **{name: values for name, values in rest.items() if values},
    }


def _write(plain: dict[str, Any], path: Path, *, wipe: bool) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(
        dir=path.parent, prefix=path.name, suffix=".new"
    )  # private, and ours alone
    fresh = Path(name)
    try:
        with open(handle, "wb") as file:
            if wipe:
                file.write(_ABOUT_SEALED)
            tomli_w.dump(plain, file)
            file.flush()
            os.fsync(file.fileno())
        with _overwritten(path) if wipe else nullcontext():
            fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


@contextmanager
def _overwritten(path: Path) -> Iterator[None]:
    """What the file holds before is overwritten once another one has its name."""
    try:
        old = path.open("r+b")
    except FileNotFoundError:
        yield
        return
    with old:
        yield
        old.write(bytes(os.fstat(old.fileno()).st_size))
        old.flush()
        os.fsync(old.fileno())


def _section(kind: type[Any], raw: dict[str, Any], name: str, path: Path) -> Any:
    given = raw.get(name, {})
    if not isinstance(given, dict):
        raise KnownError(f"[{name}] in {path.name} is not a section.", f"Mend {path}.")
    hints = get_type_hints(kind)
    known = {f.name: f.default for f in dataclasses.fields(kind)}
    values = {
        key: _checked(value, known[key], hints[key], f"{name}.{key}", path)
        for key, value in given.items()
        if key in known
    }
    return kind(**values)


def _checked(value: Any, default: Any, hint: Any, name: str, path: Path) -> Any:
    if isinstance(default, tuple):
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
    elif type(value) is type(default):
        choices = getattr(hint, "__args__", ()) if isinstance(default, str) else ()
        if not choices or value in choices:
            return value
    raise KnownError(
        f"{name} in {path.name} cannot be {value!r}.", f"The default is {default!r}. Mend {path}."
    )
