"""How clients reach the tools: over standard input and output, or HTTP on this machine with a token."""

from __future__ import annotations

import os
import secrets
import socket
from pathlib import Path

import anyio
from mcp.server.transport_security import TransportSecuritySettings

from desktop_memory.assembly import SETTINGS_FILE
from desktop_memory.clock import clock, zone
from desktop_memory.errors import KnownError, UsageError
from desktop_memory.ipc.address import private_file
from desktop_memory.mcp.bounded import CALLERS, App, Impatient, bounded
from desktop_memory.mcp.followed import followed, privacy_now
from desktop_memory.mcp.lines import serve
from desktop_memory.mcp.server import Tools, build
from desktop_memory.mcp.shown import Gate
from desktop_memory.memory import Memory
from desktop_memory.scopes import Scope, scope_of

TOKEN_FILE = "mcp.token"
HOST = "127.0.0.1"


def stdio(memory: Memory, folder: Path, client: str) -> None:
    """Serve one client over standard input and output until it closes them."""
    anyio.run(serve, build(tools(memory, folder, client)))


def listening(port: int) -> socket.socket:
    """A socket on 127.0.0.1, at any free port for 0. Raises UsageError or KnownError when there is none."""
    if not 0 <= port <= 65_535:
        raise UsageError(f"{port} is no port.", "Choose one from 1024 to 65535.")
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise KnownError(f"Port {port} cannot be used: {why}.", "Choose another one.") from error


def http(memory: Memory, folder: Path, at: socket.socket) -> None:
    """Serve clients that know the token at this socket until interrupted."""
    import uvicorn

    app = http_app(memory, folder, at.getsockname()[1])
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, http=Impatient, limit_concurrency=CALLERS
    )
    uvicorn.Server(config).run(sockets=[at])


def http_app(memory: Memory, folder: Path, port: int) -> App:
    """The HTTP app: a wrong token, host or origin is refused before anything is read."""
    hosts = [f"{HOST}:{port}", f"localhost:{port}"]
    inner = build(tools(memory, folder, "http")).streamable_http_app(
        host=HOST,
        stateless_http=True,
        json_response=True,
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
        ),
    )
    return bounded(inner, token(folder))


def token(folder: Path) -> str:
    """The token of this data folder, made when it is missing."""
    path = folder / TOKEN_FILE
    try:
        known = path.read_text(encoding="ascii").strip()
    except OSError:
        known = ""
    if not known:
        known = secrets.token_urlsafe(32)
        private_file(path, known.encode())
    return known


def tools(memory: Memory, folder: Path, client: str) -> Tools:
    """Over this memory for this client, with the settings as they are at each call."""
    gate = Gate(lambda: followed(memory, folder / SETTINGS_FILE), zone, memory.project_called)

    def scope_now() -> Scope:
        return scope_of(client, privacy_now(folder / SETTINGS_FILE).client_limits, clock())

    return Tools(memory, gate, client, scope_now)
