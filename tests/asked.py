"""A memory and a client of the MCP library that asks it, both in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from mcp import Client

from desktop_memory import settings
from desktop_memory.assembly import SETTINGS_FILE, assemble
from desktop_memory.mcp.server import build
from desktop_memory.mcp.transports import tools
from desktop_memory.memory import Memory
from desktop_memory.settings import Privacy, Settings


@dataclass
class Asked:
    """An open memory and a client that asks it."""

    memory: Memory
    folder: Path

    def call(self, tool: str, client: str = "cursor", /, **arguments: Any) -> Any:
        server = build(tools(self.memory, self.folder, client))

        async def talk() -> Any:
            async with Client(server) as asking:
                return await asking.call_tool(tool, arguments)

        return anyio.run(talk)

    def told(self, tool: str, client: str = "cursor", /, **arguments: Any) -> str:
        result = self.call(tool, client, **arguments)
        assert not result.is_error, result.content
        return "\n".join(part.text for part in result.content) + json.dumps(result.structured_content)

    def error(self, tool: str, /, **arguments: Any) -> str:
        result = self.call(tool, "cursor", **arguments)
        assert result.is_error
        return str(result.content[0].text)


@contextmanager
def opened(folder: Path, privacy: Privacy) -> Iterator[Asked]:
    settings.save(Settings(privacy=privacy), folder / SETTINGS_FILE)
    parts = assemble(folder, owner=False)
    try:
        yield Asked(parts.memory, folder)
    finally:
        parts.close()
