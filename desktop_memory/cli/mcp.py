"""`mcp`: the memory for AI clients, and its place in their settings."""

from __future__ import annotations

import argparse
import shutil
import sys
from typing import Any

from desktop_memory.cli.output import print_json, say, write
from desktop_memory.errors import UsageError

CLIENTS = ("claude-desktop", "claude-code", "cursor", "windsurf", "vscode")


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    mcp = commands.add_parser("mcp", parents=[common], help="answer AI clients (Model Context Protocol)")
    mcp.add_argument("action", nargs="?", choices=("serve", "install", "remove"), default="serve")
    mcp.add_argument("client", nargs="?", default="", metavar="CLIENT", help=", ".join(CLIENTS))
    mcp.add_argument("--print", action="store_true", help="show what install would write, and change nothing")
    mcp.add_argument("--http", type=int, metavar="PORT", help="serve HTTP on 127.0.0.1 with a token")
    mcp.set_defaults(run=_mcp)


def _mcp(arguments: argparse.Namespace) -> None:
    if arguments.action == "serve":
        _serve(arguments)
    else:
        _configure(arguments)


def _serve(arguments: argparse.Namespace) -> None:
    from desktop_memory import logs
    from desktop_memory.cli.session import folder_of, opened
    from desktop_memory.mcp import transports
    from desktop_memory.pipeline.redact import redact_text

    folder = folder_of(arguments)
    logs.start(folder, redact_text)  # standard output belongs to the protocol
    with opened(arguments) as memory:
        if arguments.http is None:
            transports.stdio(memory, folder, arguments.client or "stdio")
            return
        print(
            f"http://127.0.0.1:{arguments.http}/mcp  Authorization: Bearer {transports.token(folder)}",
            file=sys.stderr,
        )
        transports.http(memory, folder, arguments.http)


def _configure(arguments: argparse.Namespace) -> None:
    from desktop_memory.mcp import clients

    config = clients.known().get(arguments.client)
    if config is None:
        raise UsageError(f"{arguments.client!r} is no client we know.", f"Clients: {', '.join(CLIENTS)}.")
    command = _command(arguments)
    if arguments.print:
        write(clients.with_us(config, command))
        return
    if arguments.action == "remove":
        gone = clients.remove(config)
        told = f"Removed from {config.path}." if gone else f"It was not in {config.path}."
    else:
        backup = clients.install(config, command)
        told = f"Added to {config.path}." + (f" The old file is {backup.name}." if backup else "")
        told += f" Restart {config.client}."
    if arguments.json:
        print_json({"client": config.client, "path": str(config.path), "told": told})
    else:
        say(told)


def _command(arguments: argparse.Namespace) -> list[str]:
    """How a client starts us: the installed command by its whole path, with the folder that was chosen."""
    installed = shutil.which("desktop-memory")
    base = [installed] if installed else [sys.executable, "-m", "desktop_memory"]
    home = getattr(arguments, "home", None)
    return [*base, *(["--home", home] if home else []), "mcp", "serve", arguments.client]
