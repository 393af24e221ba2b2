"""Secrets are masked before the first write; what only looks like one stays."""

from __future__ import annotations

import importlib.util
import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.event import Event
from desktop_memory.pipeline.clean import TEXT_LIMIT, TITLE_LIMIT, clean
from desktop_memory.pipeline.secrets import mask
from tests.factories import event

_spec = importlib.util.spec_from_file_location("secret_corpus", Path(__file__).with_name("secret_corpus.py"))
assert _spec is not None
assert _spec.loader is not None
corpus = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(corpus)


def everything(kept: Event) -> str:
    return json.dumps([kept.title, kept.text, kept.url, kept.files, dict(kept.details)])


def test_the_corpus_is_as_large_as_promised():
    assert len(corpus.SECRETS) >= 100
    assert len(corpus.HARMLESS) >= 60


@pytest.mark.parametrize(("text", "secret"), corpus.SECRETS)
def test_a_secret_is_masked(text: str, secret: str):
    masked, kinds = mask(text)

    assert secret not in masked
    assert "[redacted:" in masked
    assert sum(kinds.values()) >= 1
    assert set(kinds) <= {"key", "token", "password"}


@pytest.mark.parametrize("text", corpus.HARMLESS)
def test_a_look_alike_is_left_alone(text: str):
    assert mask(text) == (text, {})


@pytest.mark.parametrize(
    ("text", "masked", "kind"),
    [
        (
            "git clone https://k3J9xQ2vLm8Rt5Wz7Yb1@git.example/x",
            "git clone https://[]@git.example/x",
            "token",
        ),
        ("psql postgres://ana:hunter22@db/x", "psql postgres://ana:[]@db/x", "password"),
        ("TOKEN=ab9:password=xyz12 API_KEY=9f8e7d6c5b4a", "TOKEN=[] API_KEY=[]", "key"),
        ('password="hunter2!"suffix=1', 'password="[]"suffix=1', "password"),
        ("X-Auth-Token: abcdefgh", "X-Auth-Token: []", "token"),
        ('"password": "abcd"', '"password": "[]"', "password"),
        ('"password": "abc"', '"password": "abc"', ""),
        ("make PASSWORD:=hunter", "make PASSWORD:=[]", "password"),
        ("tool /password:hunter2 run", "tool /password:[] run", "password"),
    ],
)
def test_a_secret_is_masked_from_its_first_to_its_last_character(text: str, masked: str, kind: str):
    shown, kinds = mask(text)

    assert re.sub(r"\[redacted:\w+\]", "[]", shown) == masked
    assert kind in kinds or not kind


@pytest.mark.parametrize(
    "text",
    [
        "git clone https://ananas@git.example/x",
        "git clone https://k3J9xQ2vLm8Rt5Wz7Yb@git.example/x",
        "password = generate(12)",
        "the token: abcdefgh of prose",
        "X-Auth-Token: abcdefg",
    ],
)
def test_what_announces_no_secret_is_left_whole(text: str):
    assert mask(text) == (text, {})


def test_of_a_secret_longer_than_what_is_looked_at_no_rest_stays():
    shown, _ = mask(f"password={'aB3$' * 5_000} then make")

    assert shown == "password=[redacted:password] then make"


@pytest.mark.parametrize(("text", "secret"), corpus.SECRETS)
def test_masking_again_changes_nothing(text: str, secret: str):
    once, _ = mask(text)

    assert mask(once) == (once, {})


@given(
    st.lists(st.sampled_from([text for text, _ in corpus.SECRETS] + corpus.HARMLESS), max_size=4),
    st.sampled_from(" \n;|"),
)
@settings(deadline=None)
@pytest.mark.nightly
def test_masking_is_idempotent_for_texts_put_together(texts: list[str], between: str):
    once, _ = mask(between.join(texts))

    assert mask(once)[0] == once


@given(st.text(max_size=300))
@settings(deadline=None)
@pytest.mark.nightly
def test_masking_is_idempotent_for_any_text(text: str):
    once, _ = mask(text)

    assert mask(once)[0] == once


@pytest.mark.parametrize(
    "piece",
    [
        "password=",
        "mysql -p ",
        "curl -u a:",
        "https://a:b",
        '\\"',
        "eyJaaaaaaaa.",
        "-----BEGIN RSA PRIVATE KEY-----",
        "a.",
        "token=/a/",
        "/password:",
        "password:",
        "密码：",
        "snmpwalk x ",
        "echo a | gpg ",
        "x.py -a a/b:c",
    ],
)
def test_time_grows_no_faster_than_the_text(piece: str):
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        start = time.thread_time()
        mask(text)
        return time.thread_time() - start

    short, long = (min(seconds(length) for _ in range(3)) for length in (60_000, 240_000))

    assert long < 0.05 or long / short < 9


def test_everything_a_person_can_read_is_cleaned():
    secret = "ghp_" + "a1B" * 12
    seen = event(
        title=f"push {secret}",
        text=f"git push https://{secret}@example.com",
        url=f"https://example.com/?access_token={secret}",
        details={"cwd": f"/tmp/{secret}", "more": [{"deep": secret}], "password": "hunter2", "exit": 0},
    )

    kept, masked = clean(seen)

    assert secret not in everything(kept)
    assert "hunter2" not in everything(kept)
    assert kept.details["exit"] == 0
    assert masked["token"] >= 5
    assert masked["password"] == 1
    assert kept.identity == seen.identity


def test_control_characters_and_half_characters_are_removed():
    kept, _ = clean(
        event(title="a\x00b\x1b[31mc\ud800d\ne", text="one\ntwo\x00\x07\tthree\udfff", files=("a\nb",))
    )

    assert kept.title == "a b [31mc\ufffdd e"
    assert kept.text == "one\ntwo\tthree\ufffd"
    assert kept.files == ("a b",)
    (kept.title + kept.text).encode("utf-8")


def test_a_long_text_keeps_its_head_and_says_how_long_it_was():
    kept, _ = clean(event(title="t" * 10_000_000, text="word " * 200_000))

    assert len(kept.title) <= TITLE_LIMIT
    assert len(kept.text) <= TEXT_LIMIT
    assert kept.text.startswith("word word")
    assert kept.text.endswith(" … [cut, 1,000,000 characters]")


def test_a_text_within_the_limit_is_kept_whole():
    text = "x " * (TEXT_LIMIT // 2)

    assert clean(event(text=text))[0].text == text


@pytest.mark.parametrize("before", range(TEXT_LIMIT - 60, TEXT_LIMIT + 4_000, 371))
def test_a_secret_across_the_limit_leaves_no_half(before: int):
    secret = "ghp_" + "a1B" * 12

    kept, _ = clean(event(text="x" * (before - 1) + " " + secret + " y" * 5_000))

    assert "ghp_" not in kept.text


def test_what_has_no_secret_is_untouched():
    seen = event(title="Inbox", text="ls -la", url="https://example.com/a?b=c", details={"exit": 0})

    kept, masked = clean(seen)

    assert kept == seen
    assert not masked


@pytest.mark.parametrize(("text", "secret"), corpus.SECRETS)
def test_a_secret_is_masked_in_the_lines_of_a_commit(text: str, secret: str):
    diff = f"+{text}\n- old line\n-{text}\n+\n context"

    cleaned, masked = clean(event(kind="git_commit", title="x", details={"diff": diff}))

    assert secret not in cleaned.details["diff"]
    assert masked
    if "PRIVATE KEY" not in text:  # a key without an end takes all that follows along
        assert "\n- old line\n-" in cleaned.details["diff"]
        assert cleaned.details["diff"].endswith("\n+\n context")
