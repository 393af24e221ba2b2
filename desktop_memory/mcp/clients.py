"""Where AI clients keep their list of servers, and how ours gets into it and out again.

Formats: Claude Desktop, Claude Code, Cursor and Windsurf keep {"mcpServers": {name: {command, args}}}; VS Code keeps
{"servers": {name: {type, command, args}}} in its mcp.json.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_memory.errors import KnownError
from desktop_memory.settings import home_option

NAME = "desktop-memory"


@dataclass(frozen=True, kw_only=True, slots=True)
class ClientConfig:
    """One client's file; `key` is where its servers are listed in it."""

    client: str
    path: Path
    key: str = "mcpServers"
    typed: bool = False

    def entry(self, command: list[str]) -> dict[str, Any]:
        made: dict[str, Any] = {"command": command[0], "args": command[1:]}
        return {"type": "stdio", **made} if self.typed else made


def known(home: Path | None = None) -> dict[str, ClientConfig]:
    """The clients whose files we know, on this system."""
    home = home or Path.home()
    if sys.platform == "darwin":
        config = home / "Library" / "Application Support"
    elif sys.platform == "win32":
        config = Path(os.environ.get("APPDATA", home / "AppData" / "Roaming"))
    else:
        config = Path(os.environ.get("XDG_CONFIG_HOME", home / ".config"))
    every = (
        ClientConfig(client="claude-desktop", path=config / "Claude" / "claude_desktop_config.json"),
        ClientConfig(client="claude-code", path=home / ".claude.json"),
        ClientConfig(client="cursor", path=home / ".cursor" / "mcp.json"),
        ClientConfig(client="windsurf", path=home / ".codeium" / "windsurf" / "mcp_config.json"),
        ClientConfig(client="vscode", path=config / "Code" / "User" / "mcp.json", key="servers", typed=True),
    )
    return {one.client: one for one in every}


def with_us(config: ClientConfig, command: list[str]) -> str:
    """The client's file with our server in it. Raises KnownError when the file cannot be understood."""
    whole = _read(config)
    servers = whole.setdefault(config.key, {})
    if not isinstance(servers, dict):
        raise _unreadable(config)
    servers[NAME] = config.entry(command)
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def install(config: ClientConfig, command: list[str]) -> Path | None:
    """Put our server into the client's file; the backup that was made of it, if it was there."""
    text = with_us(config, command)
    return _write(config.path, text)


def remove(config: ClientConfig) -> bool:
    """Take our server out again; False when it was not there."""
    whole = _read(config)
    servers = whole.get(config.key)
    if not isinstance(servers, dict) or NAME not in servers:
        return False
    del servers[NAME]
    _write(config.path, json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
    return True


def installed(config: ClientConfig) -> bool:
    try:
        servers = _read(config).get(config.key)
    except KnownError:
        return False
    return isinstance(servers, Mapping) and NAME in servers


def asks(config: ClientConfig, folder: Path) -> bool:
    """Whether the client asks the memory in this data folder."""
    try:
        servers = _read(config).get(config.key)
    except KnownError:
        return False
    entry = servers.get(NAME) if isinstance(servers, Mapping) else None
    words = entry.get("args") if isinstance(entry, Mapping) else None
    if not isinstance(words, list):
        return False
    home = words[words.index("--home") : words.index("--home") + 2] if "--home" in words else []
    return home == list(home_option(folder))


def _read(config: ClientConfig) -> dict[str, Any]:
    try:
        text = config.path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(config) from error
    if not text.strip():
        return {}
    try:
        whole = json.loads(text, object_pairs_hook=_each_once)
    except (ValueError, RecursionError) as error:
        raise _unreadable(config) from error
    if not isinstance(whole, dict):
        raise _unreadable(config)
    return whole


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Raises ValueError for a name that stands twice: writing it anew would lose one of the two."""
    whole = dict(pairs)
    if len(whole) < len(pairs):
        raise ValueError("a name stands twice")
    return whole


def _unreadable(config: ClientConfig) -> KnownError:
    return KnownError(
        f"{config.path} is not plain JSON of the kind {config.client} writes; it was left as it is.",
        f"Add the server by hand: desktop-memory mcp install {config.client} --print",
    )


def _write(path: Path, text: str) -> Path | None:
    """In place of the old file only once it is complete; the old one stays beside it as .bak."""
    try:
        return _replaced(path.resolve(), text.encode())
    except OSError as error:
        raise KnownError(
            f"{path} cannot be written: {error.strerror or error}.",
            "It was left as it is. Make its folder writable, or add the server by hand (--print).",
        ) from error


def _replaced(path: Path, data: bytes) -> Path | None:
    path.parent.mkdir(parents=True, exist_ok=True)
    backup = None
    mode = 0o600
    if path.exists():
        mode = path.stat().st_mode & 0o777
        backup = path.with_name(path.name + ".bak")
        _put(backup, path.read_bytes(), mode)
    fresh = path.with_name(path.name + ".new")
    _put(fresh, data, mode)
    fresh.replace(path)
    return backup


def _put(path: Path, data: bytes, mode: int) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
