"""The gate before other people's eyes: what leaves this machine shows no paths, addresses, names or secrets.

Strict leaves of a path its part within a project, or its last part; of an address its site. Relaxed keeps
both, with "~" for the home folder and without queries. Both hide secrets, e-mail addresses, private hosts and
the names of user and machine. Redacting twice changes nothing more.
"""

from __future__ import annotations

import getpass
import re
import socket
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from desktop_memory.pipeline.private_hosts import is_private, private_names
from desktop_memory.pipeline.secrets import mask

LOCAL_SERVICE = "local service"


@dataclass(frozen=True, kw_only=True, slots=True)
class Redaction:
    """How to redact: for whom, on which machine, within which projects."""

    strict: bool = True
    user: str = ""
    machine: str = ""
    home: str = ""
    projects: tuple[str, ...] = ()
    """Folder names of projects: a path through one is told from there on."""

    @classmethod
    def here(cls, *, strict: bool = True, projects: Iterable[str] = ()) -> Redaction:
        """For the person and the machine this runs on."""
        user, machine, home = _here()
        return cls(strict=strict, user=user, machine=machine, home=home, projects=tuple(projects))

    def __call__(self, text: str) -> tuple[str, Counter[str]]:
        """The text as others may see it, and how much of each kind was hidden."""
        hidden: Counter[str] = Counter()
        if not text:
            return text, hidden
        text, secrets = mask(text)
        hidden.update(secrets)
        text = _ADDRESS.sub(lambda match: self._address(match, hidden), text)
        text = _SCP.sub(lambda match: self._remote(match, hidden), text)
        text = _EMAIL.sub(lambda match: self._email(match, hidden), text)
        text = private_names(text, LOCAL_SERVICE, hidden)
        text = _PATHS.sub(lambda match: self._path(match, hidden), text)
        return self._names(text, hidden), hidden

    def _address(self, match: re.Match[str], hidden: Counter[str]) -> str:
        address, tail = _without_tail(match[0])
        try:
            parts = urlsplit(_USERINFO.sub("//", address))
            host = parts.hostname or ""
        except ValueError:
            return _counted("[redacted:address]", "url", hidden) + tail
        if parts.scheme.lower() == "file":
            return _counted(self._shorter(parts.path), "path", hidden) + tail
        if not host or is_private(host):
            return _counted(LOCAL_SERVICE, "local service", hidden) + tail
        host = host.removeprefix("www.")
        if self.strict:
            shown = host
        else:
            shown = f"{parts.scheme}://{host}{parts.path}"
        if shown != address:
            hidden["url"] += 1
        return shown + tail

    def _remote(self, match: re.Match[str], hidden: Counter[str]) -> str:
        """`git@github.com:acme/app.git` tells its site."""
        hidden["url"] += 1
        return LOCAL_SERVICE if is_private(match["host"]) else match["host"]

    def _email(self, match: re.Match[str], hidden: Counter[str]) -> str:
        if is_private(match[0].rpartition("@")[2]):
            return _counted(LOCAL_SERVICE, "local service", hidden)
        return _counted("[redacted:email]", "email", hidden)

    def _path(self, match: re.Match[str], hidden: Counter[str]) -> str:
        path = match[0]
        if _ROUTE.match(path) or _is_plain(path):
            return path
        path, tail = _without_tail(path)
        shown = self._shorter(path)
        if shown == path:
            return path + tail
        return _counted(shown, "path", hidden) + tail

    def _shorter(self, path: str) -> str:
        """Project-relative where a folder of the path is a project, else the last part; "~" when relaxed."""
        plain = path.replace("\\ ", " ").replace("\\", "/").rstrip("/")
        parts = [part for part in plain.split("/") if part]
        if not self.strict:
            return self._homely(plain)
        for at in range(len(parts) - 2, -1, -1):
            if parts[at] in self.projects:
                return "/".join(parts[at + 1 :])
        last = parts[-1] if parts else "/"
        if last == self.user or last == "~" or re.fullmatch(r"[A-Za-z]:", last):
            return "home folder" if last in (self.user, "~") else "disk"
        return last

    def _homely(self, path: str) -> str:
        home = self.home.replace("\\", "/").rstrip("/")
        if home and (path == home or path.startswith(home + "/")):
            return "~" + path[len(home) :]
        return _HOMES.sub("~", path)

    def _names(self, text: str, hidden: Counter[str]) -> str:
        for name, instead, kind in ((self.machine, "computer", "machine"), (self.user, "user", "user")):
            if len(name) >= 3 and name.lower() not in _COMMON_NAMES and name in text:
                pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
                text, count = re.subn(pattern, instead, text)
                if count:
                    hidden[kind] += count
        return text


def redact(text: str, redaction: Redaction | None = None) -> tuple[str, Counter[str]]:
    """The text as others may see it, and counts of what was hidden, by kind."""
    return (redaction or Redaction.here())(text)


def redact_text(text: str) -> str:
    """The text alone, strictly: for logs."""
    return redact(text)[0]


_COMMON_NAMES = frozenset(
    ["root", "user", "admin", "administrator", "test", "guest", "home", "ubuntu", "debian", "localhost", "computer",
     "desktop", "laptop", "host", "pc", "server", "node", "app", "web", "data", "dev", "work"]
)  # fmt: skip
_TAIL = ".,;:!?)]}'\"»”…"
_ADDRESS = re.compile(r"(?<![\w+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s\"'<>`|\\^{}]++")
_SCP = re.compile(
    r"(?<![\w.@/+-])[\w.-]{1,64}@(?P<host>[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+):(?!\d)[\w~./-]++"
)
_EMAIL = re.compile(
    r"(?<![\w.+%-])[\w.+%'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])|"
    r"(?<![\w.+%-])[\w.+%-]{1,64}@xn--[\w.-]{2,100}"
)
_USERINFO = re.compile(r"//[^/\s]{0,700}@")
_SEGMENT = r"(?:[^\s/\\\"'`<>|:;,()\[\]{}?*=&#]|\\ )"
_SPACED = r"[^\\/:*?\"<>|\r\n]{1,100}"
_MORE_WORDS = r"(?:(?:\ [A-Z0-9][\w.()&-]{0,40}){1,4}(?=/))?"
"""A folder of several words, each in capitals, as macOS has them: "Application Support"."""
_PATHS = re.compile(
    # Windows: a disk, a share, a variable.
    rf"(?<![\w])[A-Za-z]:(?:\\|/(?=[\w.~-]{{2}}))(?:{_SPACED}[\\/])*(?:{_SEGMENT}+)?"
    rf"|(?<![\w\\])\\\\{_SEGMENT}+(?:\\{_SPACED}(?=\\))*(?:\\{_SEGMENT}+)?\\?"
    rf"|%(?:USERPROFILE|APPDATA|LOCALAPPDATA|HOMEPATH|TEMP)%(?:[\\/]{_SEGMENT}+)*"
    # Unix: from the root, from a home.
    rf"|(?<![\w.~/\\:<*\]$-])~[\w.-]*(?:/{_SEGMENT}+)+/?"
    rf"|\$\{{?HOME\}}?(?:/{_SEGMENT}+)+/?"
    rf"|(?<![\w.~/\\<*)\]}}$+-])/(?!/){_SEGMENT}+(?:/{_SEGMENT}+{_MORE_WORDS})*/?"
)
_ROUTE = re.compile(r"/(?:api|v\d{1,2}|r|u|rest|graphql|oauth2?|health(?:z|check)?|metrics)(?:/|$)")
_HOMES = re.compile(r"^(?:/home/[^/]+|/Users/[^/]+|/root|[A-Za-z]:/Users/[^/]+|\$\{?HOME\}?|%USERPROFILE%)")


_ROOTS = frozenset(
    ["home", "Users", "root", "tmp", "etc", "var", "usr", "opt", "mnt", "media", "srv", "data", "work", "Volumes",
     "Applications", "Library", "System", "private", "boot", "proc", "sys", "run", "bin", "sbin", "lib", "nix", "snap"]
)  # fmt: skip


def _is_plain(path: str) -> bool:
    """A lone "/word" that is no folder at the root: a page of a site, a switch of a Windows command."""
    return path.startswith("/") and "/" not in path[1:] and "." not in path and path[1:] not in _ROOTS


def _without_tail(text: str) -> tuple[str, str]:
    """The text and the punctuation of the sentence around it."""
    kept = text.rstrip(_TAIL)
    if re.search(r"\[redacted:\w+$", kept):
        kept += "]"
    return kept, text[len(kept) :]


def _counted(shown: str, kind: str, hidden: Counter[str]) -> str:
    hidden[kind] += 1
    return shown


@cache
def _here() -> tuple[str, str, str]:
    def known(ask: Callable[[], str]) -> str:
        try:
            return ask()
        except (OSError, KeyError, RuntimeError, ImportError):
            return ""

    return known(getpass.getuser), known(socket.gethostname).split(".")[0], known(lambda: str(Path.home()))
