"""Where browsers keep their profiles: on Linux native, flatpak and snap; macOS; Windows.

A profile is a folder that holds a history file. All are taken: `profiles.ini` names the wrong one at times.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Browser:
    """`folders` hold profiles; {home}, {config}, {local} and {roaming} stand for the platform's own folders."""

    name: str
    folders: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """One profile of one browser; `history` is its database."""

    app: str
    name: str
    history: Path


def _chromium(
    name: str, *, linux: str = "", flatpak: str = "", snap: str = "", mac: str = "", windows: str = ""
) -> Browser:
    """A browser of the family by the parts of its paths that differ."""
    folders = {
        "linux": (
            *([f"{{config}}/{linux}"] if linux else []),
            *([f"{{home}}/.var/app/{flatpak}/config/{linux}"] if flatpak else []),
            *([f"{{home}}/snap/{snap}"] if snap else []),
        ),
        "darwin": (f"{{home}}/Library/Application Support/{mac}",) if mac else (),
        "win32": (windows,) if windows else (),
    }
    return Browser(name=name, folders=folders.get(_platform(), ()))


def _firefox(name: str, *, linux: Iterable[str] = (), mac: str = "", windows: str = "") -> Browser:
    folders = {
        "linux": tuple(linux),
        "darwin": (f"{{home}}/Library/Application Support/{mac}/Profiles",) if mac else (),
        "win32": (f"{{roaming}}/{windows}/Profiles",) if windows else (),
    }
    return Browser(name=name, folders=folders.get(_platform(), ()))


def _platform() -> str:
    return sys.platform if sys.platform in ("darwin", "win32") else "linux"


def chromium_browsers() -> tuple[Browser, ...]:
    """The Chromium family, as far as this platform has it."""
    return (
        _chromium(
            "Google Chrome",
            linux="google-chrome",
            flatpak="com.google.Chrome",
            mac="Google/Chrome",
            windows="{local}/Google/Chrome/User Data",
        ),
        _chromium("Google Chrome Beta", linux="google-chrome-beta", mac="Google/Chrome Beta"),
        _chromium("Google Chrome Dev", linux="google-chrome-unstable", mac="Google/Chrome Dev"),
        _chromium(
            "Chromium",
            linux="chromium",
            flatpak="org.chromium.Chromium",
            snap="chromium/common/chromium",
            mac="Chromium",
            windows="{local}/Chromium/User Data",
        ),
        _chromium(
            "Microsoft Edge",
            linux="microsoft-edge",
            flatpak="com.microsoft.Edge",
            mac="Microsoft Edge",
            windows="{local}/Microsoft/Edge/User Data",
        ),
        _chromium(
            "Brave",
            linux="BraveSoftware/Brave-Browser",
            flatpak="com.brave.Browser",
            snap="brave/current/.config/BraveSoftware/Brave-Browser",
            mac="BraveSoftware/Brave-Browser",
            windows="{local}/BraveSoftware/Brave-Browser/User Data",
        ),
        _chromium(
            "Vivaldi",
            linux="vivaldi",
            flatpak="com.vivaldi.Vivaldi",
            mac="Vivaldi",
            windows="{local}/Vivaldi/User Data",
        ),
        _chromium(
            "Opera",
            linux="opera",
            flatpak="com.opera.Opera",
            snap="opera/current/.config/opera",
            mac="com.operasoftware.Opera",
            windows="{roaming}/Opera Software/Opera Stable",
        ),
        _chromium(
            "Opera GX", mac="com.operasoftware.OperaGX", windows="{roaming}/Opera Software/Opera GX Stable"
        ),
        _chromium("Arc", mac="Arc/User Data"),
    )


def firefox_browsers() -> tuple[Browser, ...]:
    """The Firefox family, as far as this platform has it."""
    flatpak = "{home}/.var/app/org.mozilla.firefox"
    return (
        _firefox(
            "Firefox",
            linux=(
                "{home}/.mozilla/firefox",
                "{config}/mozilla/firefox",
                f"{flatpak}/.mozilla/firefox",
                f"{flatpak}/config/mozilla/firefox",
                "{home}/snap/firefox/common/.mozilla/firefox",
                "{home}/snap/firefox/common/.config/mozilla/firefox",
            ),
            mac="Firefox",
            windows="Mozilla/Firefox",
        ),
        _firefox(
            "LibreWolf",
            linux=(
                "{home}/.librewolf",
                "{config}/librewolf/librewolf",
                "{home}/.var/app/io.gitlab.librewolf-community/.librewolf",
            ),
            mac="librewolf",
            windows="librewolf",
        ),
        _firefox("Waterfox", linux=("{home}/.waterfox",), mac="Waterfox", windows="Waterfox"),
        _firefox(
            "Floorp",
            linux=("{home}/.floorp", "{home}/.var/app/one.ablaze.floorp/.floorp"),
            mac="Floorp",
            windows="Floorp",
        ),
        _firefox(
            "Zen",
            linux=("{home}/.zen", "{home}/.var/app/app.zen_browser.zen/.zen"),
            mac="zen",
            windows="zen",
        ),
    )


def safari_browsers() -> tuple[Browser, ...]:
    """Safari, with the folder of its named profiles."""
    if _platform() != "darwin":
        return ()
    profiles_ = "{home}/Library/Containers/com.apple.Safari/Data/Library/Safari/Profiles"
    return (Browser(name="Safari", folders=("{home}/Library/Safari", profiles_)),)


def profiles(browsers: Iterable[Browser], home: Path, file: str) -> Iterator[Profile]:
    """Every profile of these browsers that has this history file, each once though folders may be links."""
    seen: set[Path] = set()
    for browser in browsers:
        for folder in browser.folders:
            for history in _histories(Path(_filled(folder, home)), file):
                real = Path(os.path.realpath(history))
                if real not in seen:
                    seen.add(real)
                    yield Profile(app=browser.name, name=history.parent.name, history=history)


def _histories(folder: Path, file: str) -> list[Path]:
    """The history in this folder itself (Opera) and in each folder right below."""
    try:
        found = [folder / file, *sorted(below / file for below in folder.iterdir())]
    except PermissionError:
        found = [folder / file]
    except OSError:
        return []
    return [history for history in found if _is_there(history)]


def _is_there(history: Path) -> bool:
    try:
        return history.is_file()
    except PermissionError:
        return True  # it says so when its turn comes
    except OSError:
        return False


def _filled(folder: str, home: Path) -> str:
    return folder.format(
        home=home,
        config=_variable("XDG_CONFIG_HOME", home / ".config", home),
        local=_variable("LOCALAPPDATA", home / "AppData" / "Local", home),
        roaming=_variable("APPDATA", home / "AppData" / "Roaming", home),
    )


def _variable(name: str, default: Path, home: Path) -> str:
    """The variable counts only for the home folder that it was made for."""
    given = os.environ.get(name, "")
    return given if os.path.isabs(given) and home == Path.home() else str(default)
