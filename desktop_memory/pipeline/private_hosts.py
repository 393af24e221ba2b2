"""Which hosts are nobody else's business: this machine, the house, the firm's own network."""

from __future__ import annotations

import ipaddress
import re
from collections import Counter

_PRIVATE_ENDS = (
    ".local",
    ".localhost",
    ".localdomain",
    ".internal",
    ".intranet",
    ".intern",
    ".lan",
    ".corp",
    ".private",
    ".home",
    ".home.arpa",
    ".box",
    ".test",
    ".ts.net",
)


def is_private(host: str) -> bool:
    """Whether a host is local: a bare name, a private address, a name that no public server answers."""
    name = host.strip("[]").rstrip(".").lower()
    try:
        address = ipaddress.ip_address(name.split("%")[0])
    except ValueError:
        return "." not in name or name.endswith(_PRIVATE_ENDS)
    return not address.is_global


_IN_TEXT = re.compile(
    r"(?<![\w.-])(?<!version )(?:"
    r"localhost(?::\d{2,5})?(?![\w.-])"
    r"|(?:127|10)(?:\.\d{1,3}){3}(?::\d{2,5})?(?![\w.])"
    r"|192\.168(?:\.\d{1,3}){2}(?::\d{2,5})?(?![\w.])"
    r"|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}(?::\d{2,5})?(?![\w.])"
    r"|169\.254(?:\.\d{1,3}){2}(?![\w.])"
    r"|(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,6}(?:internal|intranet|lan|corp|localdomain|home\.arpa)(?::\d{2,5})?(?![\w.(=-])"
    r"|(?!threading|settings|config|env|storage)(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,6}local(?::\d{2,5}(?![\w.])|(?![\w.=(:-]))"
    r"|\[?(?:fe80|f[cd][0-9a-f]{2})(?::[0-9a-f]{0,4}){2,7}\]?(?![\w:])"
    r")",
    re.IGNORECASE,
)
_PROMPT = re.compile(
    r"(?<![\w.@/-])(?!\w+@sha\d|user@computer)[a-z_][\w.-]{0,31}@[A-Za-z0-9][A-Za-z0-9-]{0,62}(?=:(?!//))"
    r"|(?<=ssh )(?!user@computer)[a-z_][\w.-]{0,31}@[A-Za-z0-9][A-Za-z0-9-]{0,62}(?![\w.-])"
)


def private_names(text: str, instead: str, hidden: Counter[str]) -> str:
    """The text with private hosts and addresses named `instead`, and "ana@laptop:" as "user@computer:"."""
    text, count = _IN_TEXT.subn(instead, text)
    if count:
        hidden["local service"] += count
    text, count = _PROMPT.subn("user@computer", text)
    if count:
        hidden["user"] += count
    return text
