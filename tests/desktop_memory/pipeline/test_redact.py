"""What leaves this machine shows no paths, addresses, names or secrets; the rest stays as it was."""

from __future__ import annotations

import importlib.util
import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_memory.pipeline.redact import LOCAL_SERVICE, Redaction, redact_text

_spec = importlib.util.spec_from_file_location(
    "secret_corpus_too", Path(__file__).with_name("secret_corpus.py")
)
assert _spec is not None
assert _spec.loader is not None
corpus = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(corpus)

STRICT = Redaction(user="lena", machine="desk", home="/home/lena", projects=("billing-api",))
RELAXED = Redaction(strict=False, user="lena", machine="desk", home="/home/lena", projects=("billing-api",))

# A text, what it becomes, and what must not be seen.
SHOWN = [
    ("vim /home/lena/src/billing-api/billing/retry.py", "vim billing/retry.py", "/home/lena"),
    ("vim ~/notes/diary.md", "vim diary.md", "notes"),
    ("cat ~/.ssh/id_rsa.", "cat id_rsa.", ".ssh"),
    ("cat ~lena/x/y", "cat y", "lena"),
    ("cd /home/lena", "cd home folder", "lena"),
    ("cd /tmp", "cd tmp", "/tmp"),
    ("vim /billing-api/a/b.py", "vim a/b.py", "billing"),
    ("vim ~/billing-api/a/b.py", "vim a/b.py", "billing"),
    ("vim ~/billing-api/x/billing-api/b.py", "vim b.py", "billing"),
    ("vim ~/src/billing-api/a/b/c.py", "vim a/b/c.py", "billing"),
    ("make -C /opt/x/FIX", "make -C FIX", "/opt"),
    ("cat /notes.txt", "cat notes.txt", "/notes"),
    ("dir C:\\", "dir disk", "C:"),
    ("dir d:\\", "dir disk", "d:"),
    ("open file:///", "open /", "file"),
    ("ls /var/log/nginx/error.log", "ls error.log", "/var"),
    ("less /etc/hosts", "less hosts", "/etc"),
    ("cat $HOME/x/y.txt", "cat y.txt", "x/"),
    ("cat ${HOME}/x/y.txt", "cat y.txt", "x/"),
    ("(/home/lena/a.txt)", "(a.txt)", "lena"),
    ("--config=/etc/app/x.toml", "--config=x.toml", "/etc"),
    ("PATH=/usr/bin:/opt/x/bin", "PATH=bin:bin", "/opt"),
    ("rsync a lena@nas:/volume1/photos", "rsync a user@computer:photos", "nas"),
    (
        "open '/Users/lena/Library/Application Support/Code/User/settings.json'",
        "open 'settings.json'",
        "Support",
    ),
    ("/Users/lena/Desktop/Tax 2026/form.pdf", "form.pdf", "Tax"),
    ("/Volumes/Backup/2026/x.tar", "x.tar", "Backup"),
    ("/home/lena/My\\ Docs/a.txt", "a.txt", "Docs"),
    ("C:\\Users\\Lena\\Documents\\tax.xlsx", "tax.xlsx", "Users"),
    ("C:\\Users\\Lena Maria Muster\\Documents\\tax.xlsx", "tax.xlsx", "Muster"),
    ('type "D:\\Projects\\billing-api\\billing\\retry.py"', 'type "billing/retry.py"', "Projects"),
    ("c:/Users/Lena/a.txt", "a.txt", "Users"),
    ("\\\\nas\\share\\folder\\x.docx", "x.docx", "nas"),
    ("%APPDATA%\\Code\\settings.json", "settings.json", "APPDATA"),
    ("file:///home/lena/x/y.pdf", "y.pdf", "lena"),
    ("https://github.com/acme/app/pull/3?x=1", "github.com", "acme"),
    ("see https://www.postgresql.org/docs/16/x.html.", "see postgresql.org.", "docs"),
    ("(https://example.com/a)", "(example.com)", "/a"),
    ("http://localhost:8080/admin", "local service", "8080"),
    ("curl localhost:3000", "curl local service", "3000"),
    ("http://192.168.1.4/x", "local service", "192.168"),
    ("ping 10.1.2.3", "ping local service", "10.1"),
    ("curl 172.16.5.4:9200", "curl local service", "172.16"),
    ("http://[::1]:80/x", "local service", "::1"),
    ("http://wiki/Home", "local service", "wiki"),
    ("https://jira.acme.internal/browse/X-1", "local service", "acme"),
    ("ping db01.prod.acme.internal", "ping local service", "acme"),
    ("smb://nas/share/x", "local service", "nas"),
    ("ssh ana@db.internal", "ssh local service", "ana"),
    ("ssh ana@nas", "ssh user@computer", "ana"),
    ("printer.local is offline", "local service is offline", "printer"),
    ("lena@desk: ~/src/billing-api", "user@computer: billing-api", "lena"),
    ("pushed by lena on desk", "pushed by user on computer", "lena"),
    ("git clone git@github.com:acme/app.git", "git clone github.com", "acme"),
    ("git clone ssh://git@gitlab.example.com:22/acme/app", "git clone gitlab.example.com", "acme"),
    ("psql postgres://u:p4ss@db.example.com/ledger", "psql db.example.com", "ledger"),
    ("mail ana.b+x@example.co.uk, please", "mail [redacted:email], please", "ana"),
    ("From: Ana <ana@example.com>", "From: Ana <[redacted:email]>", "@example"),
]

HARMLESS = [
    "a/b", "and/or", "3/4", "n/a", "w/o", "km/h", "24/7", "input/output",
    "2026-08-13", "13/08/2026", "08/13", "09:41", "v1.2.3", "1.24.0", "2.4.6rc1", "Python 3.11.9", "version 10.0.0.5",
    "billing/retry.py", "tests/test_retry.py -k backoff", "./run.sh", "../x/y.txt", "src/**/*.py", "origin/main",
    "feature/LED-731", "s/a/b/g", "sed s/foo/bar/ x", "git diff a/src/x.py b/src/x.py", "</div>", "<br/>", "// comment",
    "GET /api/v1/users/5", "/r/python", "/v2/orders returns 500", "cmd /c dir /s", "tar -C / x", "50 % / 30 %",
    "threading.local", "settings.local.toml", ".env.local", "local.settings", "foo.internal()",
    "react@latest", "actions/checkout@v4", "nginx@sha256", "pip install numpy==2.4.6", "@mention me", "5 @ 3",
    "LED-731 Duplicate charge after webhook retry", "Explicit Locking – PostgreSQL 16", "ΔF/F baseline drift",
    "Art. 17 GDPR – Right to erasure", "Guidelines 3/2019 on video devices", "8th percentile, 60 s window",
    "C: drive is full", "Vitamin C:/D: what to take", "TCP/IP", "OS/2", "AC/DC - Back in Black", "Client/Server",
    "x[1:2]", "lambda x: x/2", "1:1 with Ana", "ratio 16:9", "10.000 m", "10.5.2026", "3.14", "$5/month", "~5 min",
    "~/",
    "password manager comparison", "moo/foo/multitool.p", "8c1f2ab", "helena", "desktop", "/", "~",
]  # fmt: skip


def test_the_corpora_are_as_large_as_promised():
    assert len(SHOWN) + len(corpus.SECRETS) >= 60
    assert len(HARMLESS) >= 60


@pytest.mark.parametrize(("text", "shown", "unseen"), SHOWN)
def test_places_and_names_are_told_without_what_is_private(text: str, shown: str, unseen: str):
    redacted, kinds = STRICT(text)

    assert redacted == shown
    assert unseen not in redacted
    assert kinds.total() >= 1


@pytest.mark.parametrize("text", HARMLESS)
def test_look_alikes_stay(text: str):
    redacted, kinds = STRICT(text)

    assert redacted == text
    assert not kinds


@pytest.mark.parametrize(("text", "secret"), corpus.SECRETS)
@pytest.mark.parametrize("redaction", [STRICT, RELAXED])
def test_no_secret_passes(redaction: Redaction, text: str, secret: str):
    assert secret not in redaction(text)[0]


@pytest.mark.parametrize("text", [text for text, _, _ in SHOWN] + [text for text, _ in corpus.SECRETS])
@pytest.mark.parametrize("redaction", [STRICT, RELAXED])
def test_redacting_again_changes_nothing(redaction: Redaction, text: str):
    once, _ = redaction(text)

    assert redaction(once) == (once, {})


_names = st.text(string.ascii_letters + string.digits + "_", min_size=3, max_size=12).map(
    lambda name: f"Z{name}"
)
_around = st.sampled_from(
    ["{}", "vim {}", "'{}'", "see ({}), then", "a={} b", "{}:12", "x\n{}\ny", "title – {}"]
)


@given(
    st.sampled_from(
        ["/{}", "/home/{}", "/Users/{}", "~/{}", "C:\\{}", "D:/{}", "\\\\{}", "/mnt/{}", "file:///{}"]
    ),
    st.lists(_names, min_size=2, max_size=5, unique=True),
    _around,
)
@settings(deadline=None)
@pytest.mark.nightly
def test_no_folder_of_an_absolute_path_is_seen(root: str, folders: list[str], around: str):
    path = root.format(("\\" if "\\" in root else "/").join([*folders, "end.txt"]))

    redacted, kinds = STRICT(around.format(path))

    assert "end.txt" in redacted
    assert not any(folder in redacted for folder in folders)
    assert kinds["path"] == 1


@given(
    st.sampled_from(["https://", "http://", "ftp://", "ssh://git@"]),
    st.lists(_names, min_size=1, max_size=3),
    st.text(string.ascii_letters + "/=?&%#-_.", max_size=40),
    _around,
)
@settings(deadline=None)
@pytest.mark.nightly
def test_of_an_address_only_the_site_is_seen(scheme: str, folders: list[str], rest: str, around: str):
    redacted, _ = STRICT(around.format(f"{scheme}www.example.com/{'/'.join(folders)}/{rest}"))

    assert "example.com" in redacted
    assert not any(folder in redacted for folder in folders)


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from([text for text, _, _ in SHOWN] + HARMLESS), max_size=4).map(" ".join)
)
@settings(deadline=None)
@pytest.mark.nightly
def test_redacting_is_idempotent_for_any_text(text: str):
    once, _ = STRICT(text)

    assert STRICT(once)[0] == once


def test_relaxed_keeps_paths_and_pages_but_neither_home_nor_queries():
    assert RELAXED("vim /home/lena/src/x.py")[0] == "vim ~/src/x.py"
    assert RELAXED("https://www.example.com/a/b?token=1#x")[0] == "https://example.com/a/b"
    assert RELAXED("mail ana@example.com")[0] == "mail [redacted:email]"
    assert RELAXED("http://localhost:8080/x")[0] == "local service"


def test_kinds_are_counted():
    _, kinds = STRICT("curl -u ana:hunter2 https://example.com/x /home/lena/a/b ana@example.com")

    assert kinds == {"password": 1, "url": 1, "path": 1, "email": 1}


def test_every_kind_is_counted_each_time_under_its_own_name():
    twice = "git clone git@github.com:acme/app.git; git clone git@gitlab.com:acme/app.git"
    assert STRICT(twice) == ("git clone github.com; git clone gitlab.com", {"url": 2})
    assert STRICT("see https://a.example.org/x or https://b.example.org/y")[1] == {"url": 2}
    assert STRICT("git clone git@git.acme.internal:app/app.git")[0] == "git clone local service"
    assert STRICT("mail ops@mail.acme.internal and ana@example.com") == (
        "mail local service and [redacted:email]",
        {"local service": 1, "email": 1},
    )


@pytest.mark.parametrize(
    ("home", "text", "shown"),
    [
        ("/srv/people/lena/", "vim /srv/people/lena/src/x.py", "vim ~/src/x.py"),
        ("/srv/people/lena", "ls /srv/people/lena", "ls ~"),
        ("/srv/people/lena", "vim /srv/people/lenart/x.py", "vim /srv/people/lenart/x.py"),
        ("/srv/MAX", "vim /srv/MAX/x.py", "vim ~/x.py"),
        ("", "vim /home/other/x.py", "vim ~/x.py"),
        (r"D:\People\Lena", r"type D:\People\Lena\src\x.py", "type ~/src/x.py"),
    ],
)
def test_relaxed_shortens_a_home_wherever_it_lies(home: str, text: str, shown: str):
    assert Redaction(strict=False, home=home)(text)[0] == shown


def test_an_address_within_an_address_tells_no_user_either():
    text = "open https://lena@proxy.example.org/at//ana@example.com/x"
    assert RELAXED(text)[0] == "open https://proxy.example.org/at//example.com/x"
    assert RELAXED(RELAXED(text)[0])[1] == {}


def test_here_means_this_person_this_machine_and_the_given_projects(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("desktop_memory.pipeline.redact._here", lambda: ("lena", "desk", "/srv/lena"))

    given = Redaction.here(strict=False, projects=["billing-api"])

    assert given == Redaction(
        strict=False, user="lena", machine="desk", home="/srv/lena", projects=("billing-api",)
    )
    assert Redaction.here() == Redaction(user="lena", machine="desk", home="/srv/lena")


@pytest.mark.parametrize(
    ("text", "shown", "hidden"),
    [
        ("ana on pc1 and ana", "user on computer and user", {"user": 2, "machine": 1}),
        ("ssh ana@nas by ana", "ssh user@computer by user", {"user": 2}),
        ("banana, ana-2, pc10", "banana, ana-2, pc10", {}),
    ],
)
def test_names_of_user_and_machine_are_hidden_as_whole_words(text: str, shown: str, hidden: dict[str, int]):
    assert Redaction(user="ana", machine="pc1")(text) == (shown, hidden)


@pytest.mark.parametrize("name", ["me", "root", "Admin", ""])
def test_a_name_that_is_short_or_common_is_a_word_like_others(name: str):
    text = f"tell {name} of it"
    assert Redaction(user=name, machine=name)(text) == (text, {})


def test_what_was_masked_at_the_end_of_an_address_stays_whole():
    assert RELAXED("see https://a.org/[redacted:token].")[0] == "see https://a.org/[redacted:token]."


def test_logs_get_the_text_alone():
    assert redact_text("open https://example.com/a?b") == "open example.com"


@pytest.mark.parametrize(
    "host", ["192.168.1.5", "10.0.0.7", "nas.local", "git.corp.internal", "git.fritz.box"]
)
def test_a_remote_within_the_own_network_is_not_named(host: str):
    shown, hidden = STRICT(f"git clone git@{host}:acme/app.git")
    assert host not in shown
    assert shown == f"git clone {LOCAL_SERVICE}"
    assert hidden["url"] == 1
    assert STRICT("git clone git@github.com:acme/app.git")[0] == "git clone github.com"


@pytest.mark.parametrize(
    ("text", "shown", "kind"),
    [
        ("see http://[::1 now", "see [redacted:address] now", "url"),
        ("see https://[nonsense]/x, now", "see [redacted:address], now", "url"),
        ("see file:///home/lena/x/secret.txt.", "see secret.txt.", "path"),
        ("see https://www.example.org/a//b", "see example.org", "url"),
        ("open http://localhost:8080/x", "open local service", "local service"),
        ("open http:///x", "open local service", "local service"),
        ("mail bob@mail.corp.internal", "mail local service", "local service"),
        ("mail b.ob@xn--nas", "mail local service", "local service"),
        ("mail bob@a@nas.local", "mail bob@local service", "local service"),
        ("mail bob@example.org", "mail [redacted:email]", "email"),
    ],
)
def test_an_address_is_shown_as_far_as_it_may_be_and_counted_once(text: str, shown: str, kind: str):
    assert STRICT(text) == (shown, {kind: 1})
