"""`mcp`: the memory for AI clients, and its place in their settings."""

from __future__ import annotations

import argparse
import shutil
import sys
from typing import Any

from desktop_memory.cli.output import print_json, say, write
from desktop_memory.errors import UsageError

ACTIONS = ("serve", "install", "remove", "limit", "limits", "reads")
CLIENTS = ("claude-desktop", "claude-code", "cursor", "windsurf", "vscode")


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    mcp = commands.add_parser("mcp", parents=[common], help="answer AI clients (Model Context Protocol)")
    mcp.add_argument("action", nargs="?", choices=ACTIONS, default="serve")
    mcp.add_argument("client", nargs="?", default="", metavar="CLIENT", help=", ".join(CLIENTS))
    mcp.add_argument("--print", action="store_true", help="show what install would write, and change nothing")
    mcp.add_argument("--http", type=int, metavar="PORT", help="serve HTTP on 127.0.0.1 with a token")
    limit = mcp.add_argument_group("limit CLIENT", "what a client may be told; without options: all again")
    limit.add_argument("--kind", action="append", default=[], help="only this kind (repeatable)")
    limit.add_argument("--app", action="append", default=[], help="only this app (repeatable)")
    limit.add_argument("--last", default="", help="only the last 7d, 12h")
    mcp.add_argument("--limit", type=int, default=50, help="reads: at most this many (50)")
    mcp.set_defaults(run=_mcp)


def _mcp(arguments: argparse.Namespace) -> None:
    actions = {"serve": _serve, "limit": _limit, "limits": _limits, "reads": _reads}
    actions.get(arguments.action, _configure)(arguments)


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
        with transports.listening(arguments.http) as at:
            host, port = at.getsockname()
            token = transports.token(folder)
            print(f"http://{host}:{port}/mcp  Authorization: Bearer {token}", file=sys.stderr, flush=True)
            transports.http(memory, folder, at)


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


def _limit(arguments: argparse.Namespace) -> None:
    """Write one client's line anew; the others stay."""
    from dataclasses import replace

    from desktop_memory import settings
    from desktop_memory.assembly import SETTINGS_FILE
    from desktop_memory.cli.ask import kinds_of
    from desktop_memory.cli.session import folder_of
    from desktop_memory.moments import parse_span
    from desktop_memory.scopes import Limit, read_limit

    if not arguments.client:
        raise UsageError("Which client?", "For example: mcp limit cursor --kind terminal --last 7d")
    if arguments.last:
        parse_span(arguments.last)
    limit = Limit(
        client=arguments.client,
        kinds=kinds_of(arguments.kind),
        apps=tuple(arguments.app),
        last=arguments.last,
    )
    path = folder_of(arguments) / SETTINGS_FILE
    chosen = settings.load(path)
    lines = [
        line
        for line in chosen.privacy.client_limits
        if line.partition("=")[0].strip().casefold() != limit.client.casefold()
    ]
    if limit.kinds or limit.apps or limit.last:
        read_limit(str(limit))  # a name with ; or = in it could not be read back
        lines.append(str(limit))
    settings.save(replace(chosen, privacy=replace(chosen.privacy, client_limits=tuple(lines))), path)
    _limits(arguments)


def _limits(arguments: argparse.Namespace) -> None:
    from desktop_memory import settings
    from desktop_memory.assembly import SETTINGS_FILE
    from desktop_memory.cli.session import folder_of

    lines = settings.load(folder_of(arguments) / SETTINGS_FILE).privacy.client_limits
    if arguments.json:
        print_json({"limits": list(lines)})
        return
    for line in lines:
        say(line)
    if not lines:
        say("No AI client is limited: each may be told all but what is walled.")


def _reads(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened
    from desktop_memory.clock import zone
    from desktop_memory.counting import counted

    with opened(arguments) as memory:
        found = memory.client_reads(arguments.limit, arguments.client)
    if arguments.json:
        reads = [
            {
                "at": r.at.astimezone(zone()).isoformat(),
                "client": r.client,
                "tool": r.tool,
                "events": r.events,
            }
            for r in found
        ]
        print_json({"reads": reads})
        return
    for read in found:
        when = f"{read.at.astimezone(zone()):%Y-%m-%d %H:%M}"
        say(f"{when}  {read.client:<16} {read.tool:<17} {counted(read.events, 'record')}")
    if not found:
        say("No AI client was told anything.")


def _command(arguments: argparse.Namespace) -> list[str]:
    """How a client starts us: the installed command by its whole path, with the folder that was chosen."""
    from desktop_memory.cli.session import folder_of
    from desktop_memory.settings import home_option

    installed = shutil.which("desktop-memory")
    if getattr(sys, "frozen", False):
        installed = installed or sys.executable
    base = [installed] if installed else [sys.executable, "-m", "desktop_memory"]
    return [*base, *home_option(folder_of(arguments)), "mcp", "serve", arguments.client]
