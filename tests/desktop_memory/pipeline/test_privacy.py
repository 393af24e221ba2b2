"""What must never be recorded is judged rightly, and nothing more than that."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_memory.errors import KnownError
from desktop_memory.pipeline.default_lists import default_lists
from desktop_memory.pipeline.names import host
from desktop_memory.pipeline.privacy import Rules
from desktop_memory.settings import Privacy
from tests.factories import event


def rules(**privacy: object) -> Rules:
    return Rules.of(Privacy(**privacy))  # type: ignore[arg-type]


def kept(by: Rules, **seen: object) -> bool:
    return by.judge(event(**seen)).keep  # type: ignore[arg-type]


DEFAULT = rules()

PRIVATE = [
    ("Firefox", "Search — Mozilla Firefox Private Browsing"),
    ("Firefox", "Mozilla Firefox Private Browsing"),
    ("Firefox", "Bank — Mozilla Firefox (Private Browsing)"),
    ("firefox-esr", "Bank — (Private Browsing)"),
    ("Firefox", "Bank — Mozilla Firefox Privater Modus"),
    ("Firefox", "Banque — Navigation privée de Mozilla Firefox"),
    ("Firefox", "Banco — Navegación privada de Mozilla Firefox"),
    ("Firefox", "Banco — Mozilla Firefox (Navegação privativa)"),
    ("Firefox", "Banca — Mozilla Firefox (Navigazione anonima)"),
    ("Firefox", "Bank — Mozilla Firefox (Privénavigatie)"),
    ("Firefox", "Bank — Mozilla Firefox (Tryb prywatny)"),
    ("Firefox", "Банк — Mozilla Firefox — Приватный просмотр"),
    ("Firefox", "Банк — Mozilla Firefox (Приватний перегляд)"),
    ("Firefox", "Banka — Mozilla Firefox (Anonymní prohlížení)"),
    ("Firefox", "Bank — Mozilla Firefox (Privát böngészés)"),
    ("Firefox", "Banca — Mozilla Firefox (Navigare privată)"),
    ("Firefox", "Τράπεζα — Mozilla Firefox (Ιδιωτική περιήγηση)"),
    ("Firefox", "Banka — Mozilla Firefox (Gizli Gezinti)"),
    ("Firefox", "Bank — Mozilla Firefox (Privat surfning)"),
    ("Firefox", "Bank — Mozilla Firefox (Privat browsing)"),
    ("Firefox", "Bank — Mozilla Firefox (Privat nettlesing)"),
    ("Firefox", "Pankki — Mozilla Firefox (Yksityinen selaus)"),
    ("Firefox", "Banka — Mozilla Firefox (Privatno pregledavanje)"),
    ("Firefox", "Pank — Mozilla Firefox-priveenavigaasje"),
    ("Firefox", "Банка — Mozilla Firefox (Поверително сърфиране)"),
    ("Firefox", "بنك — Mozilla Firefox (التصفح الخاص)"),
    ("Firefox", "בנק — Mozilla Firefox (גלישה פרטית)"),
    ("Firefox", "बैंक — Mozilla Firefox (निजी ब्राउज़िंग)"),
    ("Firefox", "ธนาคาร — Mozilla Firefox (การท่องเว็บแบบส่วนตัว)"),
    ("Firefox", "Ngân hàng — Mozilla Firefox (Duyệt web riêng tư)"),
    ("Firefox", "Bank — Mozilla Firefox (Penjelajahan Pribadi)"),
    ("Firefox", "銀行 — Mozilla Firefox (プライベートブラウジング)"),
    ("Firefox", "은행 - Mozilla Firefox (사생활 보호 모드)"),
    ("Firefox", "银行 — Mozilla Firefox 隐私浏览"),
    ("Firefox", "銀行 — Mozilla Firefox (隱私瀏覽)"),
    ("Google Chrome", "Bank - Google Chrome (Incognito)"),
    ("google-chrome", "Bank - Google Chrome (Inkognito)"),
    ("Chromium", "Banque - Chromium (Navigation privée)"),
    ("Chromium", "銀行 - Chromium (シークレット モード)"),
    ("chrome.exe", "Банк - Google Chrome (Инкогнито)"),
    ("Google Chrome", "New Incognito Tab - Google Chrome"),
    ("Microsoft Edge", "Bank - [InPrivate] - Microsoft\u200b Edge"),
    ("msedge.exe", "Bank and 2 more pages - [InPrivate] - Microsoft Edge"),
    ("Microsoft Edge", "New InPrivate tab - [InPrivate] - Microsoft Edge"),
    ("Brave", "Bank - Brave (Private)"),
    ("Opera", "Bank - Opera (Private)"),
    ("", "Bank — Mozilla Firefox Private Browsing"),
    ("Tor Browser", "anything at all"),
    ("org.torproject.torbrowser-launcher.Tor Browser", "anything"),
]


@pytest.mark.parametrize(("app", "title"), PRIVATE)
def test_a_private_window_is_left_out(app: str, title: str):
    verdict = DEFAULT.judge(event(kind="window", app=app, title=title))

    assert not verdict.keep
    assert verdict.why == "private window"


@pytest.mark.parametrize("windows", [True, False])
def test_a_command_that_was_hidden_is_left_out_whatever_holds_of_windows(windows: bool):
    verdict = rules(list_private=windows).judge(event(text="secret", private=True))

    assert (verdict.keep, verdict.why) == (False, "hidden command")


@pytest.mark.parametrize(
    ("app", "title"),
    [
        ("Firefox", "Private equity — Mozilla Firefox"),
        ("Firefox", "Private Browsing - Wikipedia — Mozilla Firefox"),
        ("Firefox", "How to use private browsing in Firefox — Mozilla Firefox"),
        ("Firefox", "Incognito — Mozilla Firefox"),
        ("Google Chrome", "Incognito (band) - Wikipedia - Google Chrome"),
        ("Google Chrome", "Incognito - Tribes, Vibes and Scribes - Google Chrome"),
        ("Google Chrome", "Saving Private Ryan (1998) - Google Chrome"),
        ("Microsoft Edge", "What is InPrivate browsing? - Microsoft Edge"),
        ("Microsoft Edge", "Privat - Immobilien von privat - Microsoft Edge"),
        ("Safari", "Private Eye"),
        ("Opera", "Vienna State Opera: a private tour - Opera"),
        ("Code", "private.ts - app - Visual Studio Code"),
        ("gedit", "Notes on Mozilla Firefox (Private Browsing)"),
        ("Evolution", "Your private mode - Firefox newsletter (private)"),
        ("Firefox", "Navegación privada: qué es — Mozilla Firefox"),
        ("Slack", "Private channel - Slack"),
    ],
)
def test_a_look_alike_of_a_private_window_is_kept(app: str, title: str):
    assert kept(DEFAULT, kind="window", app=app, title=title)


def test_marks_are_known_in_many_languages():
    assert len(default_lists().marks.marks) > 100


def test_what_a_source_knows_to_be_private_is_left_out():
    assert not kept(DEFAULT, kind="window", app="Safari", title="Bank", private=True)


@pytest.mark.parametrize(
    "app",
    [
        "KeePassXC",
        "org.keepassxc.KeePassXC",
        "1Password",
        "Bitwarden.exe",
        "com.bitwarden.desktop",
        "Seahorse",
    ],
)
def test_password_managers_are_left_out(app: str):
    verdict = DEFAULT.judge(event(kind="window", app=app, title="Vault"))

    assert not verdict.keep
    assert verdict.why == f"password manager: {app}"


@pytest.mark.parametrize(
    "app", ["swaylock", "i3lock", "LockApp.exe", "loginwindow", "kscreenlocker_greet", "gnome-screensaver"]
)
def test_lock_screens_are_left_out(app: str):
    assert DEFAULT.judge(event(kind="window", app=app, title="")).why == "lock screen"


def test_the_page_of_a_password_manager_is_left_out():
    assert not kept(
        DEFAULT,
        kind="browser",
        title="Vault",
        url="https://vault.bitwarden.com/#/vault",
        domain="vault.bitwarden.com",
    )
    assert not kept(DEFAULT, kind="browser", title="Passwords", url="chrome://password-manager/passwords")
    assert kept(
        DEFAULT, kind="browser", title="Pricing", url="https://bitwarden.com/pricing", domain="bitwarden.com"
    )


def test_the_default_lists_can_be_switched_off():
    assert kept(rules(default_lists=False), kind="window", app="KeePassXC", title="Vault")


@pytest.mark.parametrize("app", ["Slack", "slack", "SLACK.EXE", "com.tinyspeck.Slack"])
def test_an_excluded_app_is_left_out_under_each_of_its_names(app: str):
    verdict = rules(exclude_apps=("slack",)).judge(event(kind="window", app=app, title="general"))

    assert verdict.why == f"excluded app: {app}"


def test_an_excluded_app_takes_no_other_with_it():
    assert kept(rules(exclude_apps=("Slack",)), kind="window", app="Slackware Manual", title="x")


@pytest.mark.parametrize(
    ("domain", "left_out"),
    [
        ("bank.com", True),
        ("www.bank.com", True),
        ("a.b.bank.com", True),
        ("BANK.com.", True),
        ("mybank.com", False),
        ("bank.com.evil.org", False),
        ("bank.community", False),
        ("", False),
    ],
)
def test_an_excluded_site_means_its_host_and_subdomains_only(domain: str, left_out: bool):
    assert (
        kept(rules(exclude_domains=("bank.com",)), kind="browser", title="x", domain=domain) is not left_out
    )


@pytest.mark.parametrize("given", ["https://bank.com/login", "*.bank.com", "bank.com:443", " Bank.com "])
def test_a_site_may_be_written_in_any_way(given: str):
    assert not kept(rules(exclude_domains=(given,)), kind="browser", title="x", url="https://www.bank.com/a")


def test_a_site_with_letters_beyond_ascii_is_found_in_both_spellings():
    rule = rules(exclude_domains=("bücher.example",))

    assert not kept(rule, kind="browser", title="x", domain="xn--bcher-kva.example")
    assert not kept(rule, kind="browser", title="x", domain="bücher.example")


def test_an_excluded_folder_takes_its_files_and_commands_with_it(home: Path):
    rule = rules(exclude_paths=("~/private",))

    assert not kept(rule, text="ls", details={"cwd": f"{home}/private/tax"})
    assert not kept(rule, text=f"vim {home}/private/diary.txt")
    assert not kept(rule, text="vim ~/private/diary.txt")
    assert not kept(rule, text="vim private/diary.txt", details={"cwd": str(home)})
    assert not kept(rule, text="vim ../private/x", details={"cwd": f"{home}/src"})
    assert not kept(rule, kind="file", title="x", files=(f"{home}/private/x",))
    assert not kept(
        rule, kind="git_commit", title="x", files=("x",), details={"root": f"{home}/private/repo"}
    )
    assert not kept(rule, kind="browser", title="x", url=f"file://{home}/private/a%20b.html")
    assert kept(rule, text="ls", details={"cwd": f"{home}/private-equity"})
    assert kept(rule, text="vim private.txt", details={"cwd": str(home)})


def test_windows_folders_are_compared_without_regard_to_case():
    rule = rules(exclude_paths=("C:\\Users\\Ana\\Private",))

    assert not kept(rule, kind="file", title="x", files=("c:/users/ana/private/x.docx",))


def test_titles_commands_and_projects_can_be_excluded():
    assert not kept(rules(exclude_titles=("salary",)), kind="window", app="Excel", title="Salary 2026.xlsx")
    assert not kept(rules(exclude_commands=("^vault ",)), text="vault read x")
    assert kept(rules(exclude_commands=("^vault ",)), text="ls vault ")
    assert not kept(rules(exclude_projects=("Secret-Project",)), text="ls", project="secret-project")
    assert kept(rules(exclude_projects=("secret",)), text="ls", project="secret-project")


@pytest.mark.parametrize("setting", ["exclude_titles", "exclude_commands"])
def test_a_pattern_that_cannot_be_read_is_named(setting: str):
    with pytest.raises(KnownError) as raised:
        rules(**{setting: ("fine", "a(b")})

    assert "a(b" in raised.value.problem
    assert setting in raised.value.problem
    assert raised.value.advice


def test_empty_entries_exclude_nothing():
    rule = rules(
        exclude_apps=("", " "),
        exclude_titles=("",),
        exclude_domains=("",),
        exclude_paths=("",),
        exclude_projects=("",),
        exclude_commands=("",),
    )

    assert kept(rule, text="ls", app="", project="", domain="")


@given(st.from_regex(r"(https?://)?[a-z0-9.-]{1,12}([/?#].{0,9})?", fullmatch=True))
def test_the_quick_way_to_a_host_gives_what_taking_the_address_apart_gives(address):
    whole = address if "://" in address else f"//{address}"

    assert host(address) == ((urlsplit(whole).hostname or "").strip(".") if address.strip() else "")


def test_the_lists_of_banks_and_health_sites_are_large_and_hold_whole_hosts():
    lists = default_lists()
    assert len(lists.banking_sites) >= 300
    assert len(lists.health_sites) >= 150
    for site in (*lists.banking_sites, *lists.health_sites, *lists.password_sites):
        assert host(site) == site
        assert "." in site


@pytest.mark.parametrize(
    ("url", "left_out"),
    [
        ("https://www.dkb.de/banking", True),
        ("https://mabanque.bnpparibas/fr", True),
        ("https://onlinebanking.us.bmo.com/x", True),
        ("https://dkb.de.example.org/", False),
        ("https://mydkb.de/", False),
        ("https://bank.example/", False),
        ("https://blog.example/chase.com", False),
        ("https://www.doctolib.de/termin", True),
        ("https://notdoctolib.de/", False),
    ],
)
def test_banks_and_health_sites_are_known_by_their_whole_host(url: str, left_out: bool):
    assert kept(rules(), url=url, title="Start") is not left_out
    assert kept(rules(list_banking=False, list_health=False), url=url, title="Start")


def test_each_list_has_its_switch_and_its_exceptions():
    assert kept(rules(list_passwords=False), kind="window", app="KeePassXC", title="Vault")
    assert kept(rules(list_locks=False), kind="window", app="i3lock", title="x")
    assert kept(rules(list_private=False), kind="window", app="Tor Browser", title="x")
    assert kept(rules(list_exceptions=("dkb.de", "KeePassXC")), url="https://www.dkb.de/")
    assert kept(rules(list_exceptions=("dkb.de", "KeePassXC")), kind="window", app="keepassxc", title="Vault")
    assert not kept(rules(list_exceptions=("dkb.de",)), url="https://ing.de/")


def test_only_what_is_named_is_recorded_once_something_is():
    only = rules(
        only_apps=("Code",), only_domains=("example.org",), only_paths=("/w",), only_projects=("Tulip",)
    )
    assert kept(only, kind="window", app="code", title="a")
    assert kept(only, url="https://docs.example.org/a")
    assert kept(only, kind="terminal", text="ls", details={"cwd": "/w/x"})
    assert kept(only, kind="git_commit", title="a", project="tulip")
    assert kept(only, kind="note", title="a thought is said by hand")
    assert not kept(only, kind="window", app="Slack", title="a")
    assert not kept(only, kind="terminal", text="ls", details={"cwd": "/wx"})
    assert not kept(only, url="https://notexample.org/")
    assert not kept(
        rules(only_apps=("Code",), exclude_titles=("secret",)), kind="window", app="Code", title="secret"
    )


@pytest.mark.parametrize("named", ["only_apps", "only_domains", "only_paths", "only_projects"])
def test_one_sort_of_names_alone_keeps_everything_else_out(named: str):
    assert not kept(rules(**{named: ("tulip.example",)}), kind="window", app="Slack", title="a")


def test_a_folder_below_home_is_below_the_home_that_is_given():
    ours = Rules.of(Privacy(exclude_paths=("~/private",)), home=Path("/srv/lena"))

    assert not ours.allows(event(kind="terminal", text="ls", details={"cwd": "/srv/lena/private/x"}))
    assert ours.allows(event(kind="terminal", text="ls", details={"cwd": "/srv/lena/open"}))


def test_hours_are_those_of_the_place_where_it_was():
    at_night = rules(exclude_hours=("mon-fri 18:00-08:00",))

    def recorded(start: datetime, minutes: int = 0, offset: int = 0) -> bool:
        seen = event(kind="window", app="Code", title="a")
        end = start + timedelta(minutes=minutes)
        return at_night.judge(replace(seen, start=start, end=end, utc_offset=offset)).keep

    evening = datetime(2026, 8, 13, 17, 30, tzinfo=UTC)  # a Thursday
    assert recorded(evening)
    assert not recorded(evening, offset=60)
    assert recorded(evening, minutes=30)
    assert not recorded(evening, minutes=31)
    early = datetime(2026, 8, 15, 7, tzinfo=UTC)  # on Saturday: the night that began on Friday
    assert not recorded(early)
    assert recorded(early + timedelta(days=1))


def test_hours_hold_for_what_has_no_end_or_no_place():
    at_night = rules(exclude_hours=("18:00-08:00",))
    seen = event(kind="terminal", text="ls")
    night = datetime(2026, 8, 13, 23, tzinfo=UTC)

    assert not at_night.allows(replace(seen, start=night, end=None, utc_offset=0))
    assert at_night.allows(replace(seen, start=night - timedelta(hours=8), end=None, utc_offset=0))
    local = night.astimezone().hour
    hour = rules(exclude_hours=(f"{local:02}:00-{local:02}:59",))
    assert not hour.allows(replace(seen, start=night, end=None, utc_offset=None))


def test_the_strict_choice_leaves_browsers_to_their_histories():
    strict = rules(strict_private=True)
    assert not kept(strict, kind="window", app="Google Chrome", title="Anything")
    assert kept(strict, kind="browser", app="Google Chrome", url="https://example.org/", title="Anything")
    assert kept(strict, kind="window", app="Code", title="Anything")
