"""What apps and hosts are called, as rules compare them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

from collectors.event import Event


@lru_cache(maxsize=4_096)  # the same few apps, all day
def app_names(app: str) -> frozenset[str]:
    """The names an app goes by: whole, and the last part of a reverse-domain id."""
    name = app_name(app)
    if not name:
        return frozenset()
    last = name.rsplit(".", 1)[-1] if _REVERSE_DOMAIN.match(name) else name
    return frozenset((name, last))


_REVERSE_DOMAIN = re.compile(r"[a-z]{2,6}(?:\.[\w-]+)*\.[\w -]+$")


def app_name(name: str) -> str:
    """An app's name as names are compared: small letters, no ending."""
    return (
        " ".join(name.split()).casefold().removesuffix(".exe").removesuffix(".desktop").removesuffix(".app")
    )


def hosts(event: Event) -> Iterable[str]:
    """The event's host names: its domain and its url's."""
    return filter(None, {host(event.domain), host(event.url)})


def listed(names: Iterable[str], domains: frozenset[str]) -> str:
    """The first listed domain that one of the hosts is, or is a subdomain of; never a mere ending."""
    if domains:
        for name in names:
            for candidate in _upwards(name):
                if candidate in domains:
                    return candidate
    return ""


@lru_cache(maxsize=4_096)
def _upwards(name: str) -> tuple[str, ...]:
    """The host and the domains it is in: "a.example.org", "example.org", "org"."""
    labels = name.split(".")
    return tuple(".".join(labels[start:]) for start in range(len(labels)))


def host(address: str) -> str:
    """The host of an address or of a bare name, as browsers compare it: small letters, ASCII, no port."""
    text = address.strip().removeprefix("*.")
    if plain := _PLAIN_HOST.match(text):  # nearly all are, and taking an address apart takes its time
        return (plain[1] or plain[2]).strip(".")
    if not text:
        return ""
    try:
        name = urlsplit(text if "://" in text else f"//{text}").hostname or ""
    except ValueError:
        return ""
    name = name.strip(".").lower()
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name


_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#]|\Z)|([a-z0-9.-]+)\Z")
