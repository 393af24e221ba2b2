"""Which values read like something generated, and which names announce a key."""

from __future__ import annotations

import pytest

from desktop_memory.pipeline.secret_names import harmless, kind_of, looks_random, secretish


@pytest.mark.parametrize(
    ("value", "random"),
    [
        ("abcdef123456", True),
        ("abcdef12345", False),
        ("ABCDEFGHijklmnopqrstuvwx", True),
        ("ABCDEFGHijklmnopqrstuvw", False),
        ("abcdefghijklmnopqrstuvwx", False),
        ("ABCDEFGHIJKLMNOPQRSTUVWX", False),
        ("123456789012", False),
        ("-/=.~:%!@#$^*", False),
        ("report-2026-08-13", True),
        ("chapter-verylong-12", False),
        ("PROJECT-123456", False),
        ("v10.20.30-beta.4", False),
        ("abcdef 123456", False),
    ],
)
def test_what_is_generated_has_length_and_mixture_and_is_no_number_of_a_thing(value: str, random: bool):
    assert looks_random(value) is random


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("key", ("key", False)),
        ("KEY", ("key", False)),
        ("my_key", ("key", False)),
        ("MY_KEY", ("key", True)),
        ("api_key", ("key", True)),
        ("apiKey", ("key", True)),
        ("API_KEY", ("key", True)),
        ("primary_key", ("", False)),
        ("PRIMARY_KEY", ("", False)),
        ("SECRET_KEY_BASE", ("key", True)),
        ("db_password", ("password", True)),
        ("wifiPasswort", ("password", True)),
        ("mypassword", ("password", True)),
        ("mypasswd", ("password", True)),
        ("mypassphrase", ("password", True)),
        ("meinpasswort", ("password", True)),
        ("clientsecret", ("key", True)),
        ("githubtoken", ("token", True)),
        ("myapikey", ("key", True)),
        ("pin", ("password", False)),
        ("card_pin", ("password", True)),
        ("auth", ("token", False)),
        ("x_auth", ("token", True)),
        ("code", ("token", False)),
        ("sms_code", ("token", False)),
        ("my_sig", ("token", True)),
        ("sig", ("token", True)),
        ("db_senha", ("password", True)),
        ("token", ("token", True)),
        ("credentials", ("key", False)),
        ("aws_creds", ("key", True)),
        ("gh_pat", ("token", True)),
        ("pass", ("password", False)),
        ("password_dev_1", ("password", True)),
        ("no_password", ("", False)),
        ("colour", ("", True)),
    ],
)
def test_a_name_announces_a_kind_alone_or_with_its_value(name: str, kind: tuple[str, bool]):
    assert kind_of(name)[0] == kind[0]
    if kind[0]:
        assert kind_of(name) == kind


@pytest.mark.parametrize(
    "value",
    [
        "", "$X", "your-key", "true", "true,", "TRUE)", "9", "12", "name", "abc.def", "a.b", "~/x", "/etc/x", "C:\\x",
        "ssh-rsa AAAA1", "ssh-ed25519 A1", "ecdsa-sha2-n1", "http://x1", "https://x1", "/" + "x" * 300 + " 1",
    ],
)  # fmt: skip
def test_what_stands_for_something_else_is_harmless(value: str):
    assert harmless("name", value)


@pytest.mark.parametrize("value", ["x", "123", "hunter2", ",true", "abc.def1", "a[0]", "NAME", "trueX"])
def test_what_could_be_a_secret_is_not(value: str):
    assert not harmless("NAME", value)


def test_a_call_is_harmless_by_what_follows_it():
    assert harmless("name", "get_2", "(")
    assert not harmless("name", "get_2", ")")
    assert not harmless("name", "get-2", "(")


@pytest.mark.parametrize(
    ("value", "password"),
    [
        ("abc!d", False),
        ("abc!de", True),
        ("abc!de:", False),
        ("abc!de,", False),
        ("ABCDE1", True),
        ("abc1de", True),
        ("abcdef", False),
        ("123456", False),
        ("LED-12", False),
        ("abXdef", False),
    ],
)
def test_a_bare_value_reads_like_a_password_by_its_letters_and_signs(value: str, password: bool):
    assert bool(secretish(value)) is password


def test_of_a_long_value_only_the_head_is_looked_at():
    assert looks_random("abcdef123456" * 16 + "abcdef12" + " and more")
    assert not looks_random("abcdef123456" * 16 + "abcdef1" + " and more")
