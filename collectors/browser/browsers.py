"""Which browsers there are, and where each keeps its profiles: on Linux native, flatpak and snap; macOS; Windows."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass

ARC_PACKAGE = "TheBrowserCompany.Arc_ttt1ap7aakyb4"
FIREFOX_PACKAGE = "Mozilla.Firefox_n80bbvh6b1yt2"


@dataclass(frozen=True, kw_only=True, slots=True)
class Browser:
    """`folders` hold profiles; {home}, {config}, {local} and {roaming} stand for the platform's own folders."""

    name: str
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Chromium:
    """A browser of the family by the parts of its paths that differ."""

    name: str
    _: KW_ONLY
    linux: str = ""
    flatpak: str = ""
    snap: str = ""
    mac: str = ""
    windows: str = ""

    def here(self) -> Browser:
        """It, as far as this platform has it."""
        folders = {
            "linux": (
                *([f"{{config}}/{self.linux}"] if self.linux else []),
                *([f"{{home}}/.var/app/{self.flatpak}/config/{self.linux}"] if self.flatpak else []),
                *([f"{{home}}/snap/{self.snap}"] if self.snap else []),
            ),
            "darwin": (f"{{home}}/Library/Application Support/{self.mac}",) if self.mac else (),
            "win32": (self.windows,) if self.windows else (),
        }
        return Browser(name=self.name, folders=folders.get(_platform(), ()))


def _channels(name: str, *, linux: str, mac: str, windows: str) -> Iterable[_Chromium]:
    """Beta, Dev and Canary of Google and Microsoft, which name the last two differently everywhere."""
    dev = "unstable" if linux.startswith("google") else "dev"
    for channel, on_linux, on_windows in (
        ("Beta", "beta", "Beta"),
        ("Dev", dev, "Dev"),
        ("Canary", "canary", "SxS"),
    ):
        yield _Chromium(
            f"{name} {channel}",
            linux=linux + on_linux,
            mac=mac + channel,
            windows=f"{{local}}/{windows}{on_windows}/User Data",
        )


def _brave_channels() -> Iterable[_Chromium]:
    for channel in ("Beta", "Nightly"):
        folder = f"BraveSoftware/Brave-Browser-{channel}"
        yield _Chromium(f"Brave {channel}", linux=folder, mac=folder, windows=f"{{local}}/{folder}/User Data")


_CHROMIUM = (
    _Chromium(
        "Google Chrome",
        linux="google-chrome",
        flatpak="com.google.Chrome",
        mac="Google/Chrome",
        windows="{local}/Google/Chrome/User Data",
    ),
    *_channels("Google Chrome", linux="google-chrome-", mac="Google/Chrome ", windows="Google/Chrome "),
    _Chromium(
        "Chromium",
        linux="chromium",
        flatpak="org.chromium.Chromium",
        snap="chromium/common/chromium",
        mac="Chromium",
        windows="{local}/Chromium/User Data",
    ),
    _Chromium("Chromium", linux="chromium", flatpak="io.github.ungoogled_software.ungoogled_chromium"),
    _Chromium(
        "Microsoft Edge",
        linux="microsoft-edge",
        flatpak="com.microsoft.Edge",
        mac="Microsoft Edge",
        windows="{local}/Microsoft/Edge/User Data",
    ),
    *_channels("Microsoft Edge", linux="microsoft-edge-", mac="Microsoft Edge ", windows="Microsoft/Edge "),
    _Chromium(
        "Brave",
        linux="BraveSoftware/Brave-Browser",
        flatpak="com.brave.Browser",
        snap="brave/current/.config/BraveSoftware/Brave-Browser",
        mac="BraveSoftware/Brave-Browser",
        windows="{local}/BraveSoftware/Brave-Browser/User Data",
    ),
    *_brave_channels(),
    _Chromium(
        "Vivaldi",
        linux="vivaldi",
        flatpak="com.vivaldi.Vivaldi",
        snap="vivaldi/current/.config/vivaldi",
        mac="Vivaldi",
        windows="{local}/Vivaldi/User Data",
    ),
    _Chromium("Vivaldi Snapshot", linux="vivaldi-snapshot", mac="Vivaldi Snapshot"),
    _Chromium(
        "Opera",
        linux="opera",
        flatpak="com.opera.Opera",
        snap="opera/current/.config/opera",
        mac="com.operasoftware.Opera",
        windows="{roaming}/Opera Software/Opera Stable",
    ),
    _Chromium("Opera Beta", linux="opera-beta", mac="com.operasoftware.OperaNext"),
    _Chromium("Opera Developer", linux="opera-developer", mac="com.operasoftware.OperaDeveloper"),
    _Chromium(
        "Opera GX", mac="com.operasoftware.OperaGX", windows="{roaming}/Opera Software/Opera GX Stable"
    ),
    _Chromium(
        "Arc",
        mac="Arc/User Data",
        windows=f"{{local}}/Packages/{ARC_PACKAGE}/LocalCache/Local/Arc/User Data",
    ),
    _Chromium(
        "Yandex",
        linux="yandex-browser",
        mac="Yandex/YandexBrowser",
        windows="{local}/Yandex/YandexBrowser/User Data",
    ),
    _Chromium("Thorium", linux="thorium", mac="Thorium", windows="{local}/Thorium/User Data"),
)


def chromium_browsers() -> tuple[Browser, ...]:
    """The Chromium family, as far as this platform has it, in all channels."""
    return tuple(browser.here() for browser in _CHROMIUM)


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
            package=FIREFOX_PACKAGE,
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
        _firefox(
            "Waterfox",
            linux=("{home}/.waterfox", "{home}/.var/app/net.waterfox.waterfox/.waterfox"),
            mac="Waterfox",
            windows="Waterfox",
        ),
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


def _firefox(
    name: str, *, linux: Iterable[str] = (), mac: str = "", windows: str = "", package: str = ""
) -> Browser:
    store = f"{{local}}/Packages/{package}/LocalCache/Roaming/{windows}/Profiles"
    folders = {
        "linux": tuple(linux),
        "darwin": (f"{{home}}/Library/Application Support/{mac}/Profiles",) if mac else (),
        "win32": (f"{{roaming}}/{windows}/Profiles", *([store] if package else [])) if windows else (),
    }
    return Browser(name=name, folders=folders.get(_platform(), ()))


def _platform() -> str:
    return sys.platform if sys.platform in ("darwin", "win32") else "linux"
