"""Which profiles of which browsers are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.browser.browsers import chromium_browsers, firefox_browsers
from collectors.browser.chromium import Chromium
from collectors.browser.firefox import Firefox
from collectors.browser.profiles import profiles
from collectors.collector import Place


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


@pytest.mark.parametrize(
    ("folder", "app"),
    [
        (".config/google-chrome/Default", "Google Chrome"),
        (".config/google-chrome/Profile 7", "Google Chrome"),
        (".config/google-chrome/Guest Profile", "Google Chrome"),
        (".config/google-chrome-beta/Default", "Google Chrome Beta"),
        (".config/google-chrome-unstable/Default", "Google Chrome Dev"),
        (".var/app/io.github.ungoogled_software.ungoogled_chromium/config/chromium/Default", "Chromium"),
        (".config/microsoft-edge-dev/Profile 1", "Microsoft Edge Dev"),
        (".config/BraveSoftware/Brave-Browser-Nightly/Default", "Brave Nightly"),
        (".config/vivaldi-snapshot/Default", "Vivaldi Snapshot"),
        (".var/app/com.vivaldi.Vivaldi/config/vivaldi/Default", "Vivaldi"),
        ("snap/vivaldi/current/.config/vivaldi/Default", "Vivaldi"),
        (".var/app/com.opera.Opera/config/opera", "Opera"),
        ("snap/opera/current/.config/opera/Default", "Opera"),
        (".config/yandex-browser/Default", "Yandex"),
        (".config/thorium/Default", "Thorium"),
        (".var/app/com.google.Chrome/config/google-chrome/Default", "Google Chrome"),
        (".config/chromium/Default", "Chromium"),
        (".var/app/org.chromium.Chromium/config/chromium/Default", "Chromium"),
        ("snap/chromium/common/chromium/Default", "Chromium"),
        (".config/microsoft-edge/Default", "Microsoft Edge"),
        (".var/app/com.microsoft.Edge/config/microsoft-edge/Default", "Microsoft Edge"),
        (".config/BraveSoftware/Brave-Browser/Default", "Brave"),
        (".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser/Default", "Brave"),
        ("snap/brave/current/.config/BraveSoftware/Brave-Browser/Default", "Brave"),
        (".config/vivaldi/Default", "Vivaldi"),
        (".config/opera", "Opera"),
        (".config/opera/Default", "Opera"),
    ],
)
def test_the_chromium_family_is_found(home: Path, folder: str, app: str) -> None:
    touch(home / folder / "History")

    (profile,) = profiles(chromium_browsers(), home, "History")

    assert (profile.app, profile.history) == (app, home / folder / "History")


@pytest.mark.parametrize(
    ("folder", "app"),
    [
        (".mozilla/firefox/a.default", "Firefox"),
        (".config/mozilla/firefox/a.default-release", "Firefox"),
        (".var/app/org.mozilla.firefox/.mozilla/firefox/a.default", "Firefox"),
        (".var/app/org.mozilla.firefox/config/mozilla/firefox/a.default", "Firefox"),
        ("snap/firefox/common/.mozilla/firefox/a.default", "Firefox"),
        (".librewolf/a.default", "LibreWolf"),
        (".waterfox/a.default", "Waterfox"),
        (".floorp/a.default", "Floorp"),
        (".zen/a.default", "Zen"),
    ],
)
def test_the_firefox_family_is_found(home: Path, folder: str, app: str) -> None:
    touch(home / folder / "places.sqlite")

    (profile,) = profiles(firefox_browsers(), home, "places.sqlite")

    assert (profile.app, profile.name) == (app, folder.rsplit("/", 1)[-1])


def test_all_profiles_are_taken_whatever_profiles_ini_says(home: Path, copies: Path) -> None:
    folder = home / ".mozilla/firefox"
    touch(folder / "a.default/places.sqlite", folder / "b.default-release/places.sqlite", folder / "c/x")
    (folder / "profiles.ini").write_text("[Profile0]\nDefault=1\nPath=a.default\nIsRelative=1\n")

    found = list(Firefox(home=home, copies=copies).places())

    assert found == [
        Place(source="firefox", name=str(folder / name / "places.sqlite"))
        for name in ("a.default", "b.default-release")
    ]


def test_a_profile_reached_in_two_ways_is_one_place(home: Path, copies: Path) -> None:
    touch(home / ".config/chromium/Default/History")
    (home / "snap/chromium/common").mkdir(parents=True)
    (home / "snap/chromium/common/chromium").symlink_to(home / ".config/chromium")

    assert len(list(Chromium(home=home, copies=copies).places())) == 1


def test_a_config_folder_that_was_moved_is_found(
    home: Path, copies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "elsewhere"))
    touch(home / "elsewhere/mozilla/firefox/a.default/places.sqlite")

    assert len(list(Firefox(copies=copies).places())) == 1


@pytest.mark.parametrize(
    ("platform", "path", "app"),
    [
        ("darwin", "Library/Application Support/Google/Chrome/Default/History", "Google Chrome"),
        ("darwin", "Library/Application Support/Arc/User Data/Default/History", "Arc"),
        ("darwin", "Library/Application Support/com.operasoftware.Opera/History", "Opera"),
        (
            "darwin",
            "Library/Application Support/Google/Chrome Canary/Default/History",
            "Google Chrome Canary",
        ),
        ("darwin", "Library/Application Support/BraveSoftware/Brave-Browser/Default/History", "Brave"),
        ("darwin", "Library/Application Support/Vivaldi/Default/History", "Vivaldi"),
        ("win32", "AppData/Local/Microsoft/Edge/User Data/Profile 1/History", "Microsoft Edge"),
        ("win32", "AppData/Local/Google/Chrome SxS/User Data/Default/History", "Google Chrome Canary"),
        ("win32", "AppData/Local/BraveSoftware/Brave-Browser/User Data/Default/History", "Brave"),
        ("win32", "AppData/Local/Vivaldi/User Data/Default/History", "Vivaldi"),
        (
            "win32",
            "AppData/Local/Packages/TheBrowserCompany.Arc_ttt1ap7aakyb4/LocalCache/Local/Arc/User Data/Default/History",
            "Arc",
        ),
        ("win32", "AppData/Roaming/Opera Software/Opera Stable/Default/History", "Opera"),
    ],
)
def test_the_other_systems_have_their_own_folders(
    home: Path, monkeypatch: pytest.MonkeyPatch, platform: str, path: str, app: str
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    touch(home / path)

    assert [profile.app for profile in profiles(chromium_browsers(), home, "History")] == [app]


def test_firefox_on_the_other_systems(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for platform, path in (
        ("darwin", "Library/Application Support/Firefox/Profiles/a.default/places.sqlite"),
        ("win32", "AppData/Roaming/Mozilla/Firefox/Profiles/a.default/places.sqlite"),
        (
            "win32",
            "AppData/Local/Packages/Mozilla.Firefox_n80bbvh6b1yt2/LocalCache/Roaming/Mozilla/Firefox/Profiles/b/places.sqlite",
        ),
    ):
        monkeypatch.setattr("sys.platform", platform)
        touch(home / path)

        assert [profile.history for profile in profiles(firefox_browsers(), home, "places.sqlite")] == [
            home / path
        ]
        (home / path).unlink()


def test_no_browser_is_no_trouble(home: Path, copies: Path) -> None:
    assert list(Firefox(home=home, copies=copies).places()) == []
    assert list(Chromium(home=home, copies=copies).places()) == []
    assert not copies.exists()
