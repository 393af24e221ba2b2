"""Whose commits are "my own" in a repository."""

from __future__ import annotations

import configparser
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from collectors.git.reflog import Diary


@dataclass(frozen=True, kw_only=True, slots=True)
class Authors:
    """The people whose commits are read; `everybody` reads all."""

    emails: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    everybody: bool = False

    def __contains__(self, person: tuple[str, str]) -> bool:
        name, email = person
        return self.everybody or email.casefold() in self.emails or name.casefold() in self.names

    @property
    def nobody(self) -> bool:
        """Git does not know who uses it here."""
        return not (self.everybody or self.emails or self.names)

    @property
    def flags(self) -> list[str]:
        """What makes `git log` leave out most of the others' commits; `in` does the rest."""
        if self.everybody:
            return []
        wanted = [f"<{email}>" for email in sorted(self.emails)] + [
            f"{name} <" for name in sorted(self.names)
        ]
        return ["--fixed-strings", "--regexp-ignore-case", *(f"--author={text}" for text in wanted)]

    @property
    def mark(self) -> str:
        """Differs when others are wanted than before: then the history is read again."""
        people = [self.everybody, sorted(self.emails), sorted(self.names)]
        return hashlib.sha256(json.dumps(people).encode()).hexdigest()[:16]


def authors(root: Path, diary: Diary, *, everybody: bool) -> Authors:
    """The person of this repository: by its config, and whoever committed in it on this machine.

    The diary knows earlier addresses, and identities that were given on the command line only. A name
    counts by itself only when it is a full one: there may be another "Kim".
    """
    if everybody:
        return Authors(everybody=True)
    name, email = _configured(root)
    emails = {email, *(theirs for _, theirs in diary.people)} - {""}
    names = {name} if " " in name.strip() or not email else set()
    return Authors(
        emails=frozenset(address.casefold() for address in emails),
        names=frozenset(name.casefold() for name in names - {""}),
    )


def _configured(root: Path) -> tuple[str, str]:
    """user.name and user.email of the repository, empty where they are not set."""
    import git

    try:
        repo = git.Repo(root, expand_vars=False)
    except (git.InvalidGitRepositoryError, git.NoSuchPathError, configparser.Error, OSError, ValueError):
        return ("", "")
    try:
        config = repo.config_reader()
        name, email = (config.get("user", key, fallback="") for key in ("name", "email"))
    except (configparser.Error, OSError, ValueError):
        return ("", "")
    finally:
        repo.close()
    return (str(name).strip(), str(email).strip())
