"""What the user typed into rules is encrypted with the memory, read as before, and plain again when it is off."""

from __future__ import annotations

import base64
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_memory import encryption, settings
from desktop_memory.errors import KnownError
from desktop_memory.ipc.remote import RemoteApp
from desktop_memory.mcp.followed import privacy_now
from desktop_memory.settings import Desktop, Privacy, Settings, Sources
from desktop_memory.store.whole import Cancelled
from desktop_memory.vault import header as headers
from desktop_memory.vault import unlocking
from desktop_memory.vault.locked import Locked
from tests.running import recording, run

RULES = Privacy(
    exclude_titles=("xylophone-4711",),
    exclude_domains=("xylophone.example",),
    aliases=("Xylophone AG = Client",),
)
CHOSEN = Settings(
    privacy=replace(RULES, strict_private=True),
    sources=Sources(git_folders=("/home/me/xylophone",)),
    desktop=Desktop(theme="dark"),
)
PASSPHRASE = "correct horse battery staple"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "memory"
    settings.save(CHOSEN, made / settings.FILE)
    return made


def on(folder: Path) -> encryption.Plan:
    planned = encryption.plan(PASSPHRASE, keyring=False)
    encryption.turn_on(folder, planned, lambda share: False)
    return planned


def readable(folder: Path) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if b"xylophone" in path.read_bytes().lower()]


def test_no_rule_is_left_to_read_and_all_act(folder: Path) -> None:
    assert readable(folder) == [settings.FILE]

    on(folder)

    assert readable(folder) == []
    assert settings.load(folder / settings.FILE) == CHOSEN
    plain = tomllib.loads((folder / settings.FILE).read_text())
    assert (plain["privacy"], plain["desktop"]) == ({"strict_private": True}, {"theme": "dark"})


def test_what_is_changed_later_is_encrypted_too(folder: Path) -> None:
    on(folder)
    changed = replace(CHOSEN, privacy=replace(RULES, exclude_apps=("Xylophone Player",)))

    settings.save(changed, folder / settings.FILE)

    assert readable(folder) == []
    assert settings.load(folder / settings.FILE) == changed


def test_what_is_written_by_hand_acts_at_once_and_is_encrypted_by_its_owner(folder: Path) -> None:
    on(folder)
    text = (folder / settings.FILE).read_text()
    by_hand = text.replace("\n[privacy]", '\n[privacy]\nexclude_domains = ["by-hand-xylophone.example"]')
    (folder / settings.FILE).write_text(by_hand)
    kept = other_name(folder)

    found = settings.load(folder / settings.FILE).privacy.exclude_domains
    settings.seal(folder / settings.FILE)

    assert found == ("xylophone.example", "by-hand-xylophone.example")
    assert settings.load(folder / settings.FILE).privacy.exclude_domains == found
    assert readable(folder) == []
    assert b"xylophone" not in kept.read_bytes(), "the old file was not overwritten"


def other_name(folder: Path) -> Path:
    """Another name of the file, by which its old content can be looked at later."""
    name = folder.parent / "old"
    name.hardlink_to(folder / settings.FILE)
    return name


def test_off_makes_them_plain_again(folder: Path) -> None:
    on(folder)

    with pytest.raises(Cancelled):
        encryption.turn_off(folder, lambda share: True)
    assert readable(folder) == []
    encryption.turn_off(folder, lambda share: False)

    assert readable(folder) == [settings.FILE]
    assert settings.load(folder / settings.FILE) == CHOSEN


def test_without_the_key_nothing_is_taken_for_no_rules(folder: Path) -> None:
    header = on(folder).header
    unlocking.forget(header)
    file = folder / settings.FILE

    with pytest.raises(Locked):
        settings.load(file)
    with pytest.raises(Locked):
        settings.save(Settings(), file)
    assert settings.load(file, unlocked=False).desktop.theme == "dark"
    assert settings.load(file, unlocked=False).privacy == Privacy(strict_private=True)


@pytest.mark.parametrize("how", ["cut", "changed", "not text", "no header"])
def test_damage_closes(folder: Path, how: str) -> None:
    planned = on(folder)
    file = folder / settings.FILE
    text = file.read_text()
    sealed = tomllib.loads(text)["sealed"]
    if how == "no header":
        headers.remove(folder)
    else:
        raw = base64.b64decode(sealed)
        bad = {"cut": f'"{sealed[:40]}"', "not text": "7"}.get(
            how, f'"{base64.b64encode(raw[:-1] + b"x").decode()}"'
        )
        file.write_text(text.replace(f'"{sealed}"', bad))
    unlocking.hold(planned.header, planned.key)

    with pytest.raises(KnownError, match="What you typed into"):
        settings.load(file)


def test_an_ai_client_is_limited_by_what_the_unlocked_app_knows(home: Path) -> None:
    """The client's process has no passphrase: the app that was given it tells the rules."""
    folder = home / "memory"
    settings.save(CHOSEN, folder / settings.FILE)
    planned = on(folder)
    secret = home / "secret"
    secret.write_text(PASSPHRASE)

    with recording(home, DESKTOP_MEMORY_PASSPHRASE_FILE=str(secret)):
        unlocking.forget(planned.header)
        assert privacy_now(folder / settings.FILE) == CHOSEN.privacy
        assert RemoteApp(folder).privacy()["aliases"] == ("Xylophone AG = Client",)
        assert "xylophone" not in run(home, "status").stdout
    with pytest.raises(Locked):
        privacy_now(folder / settings.FILE)
