"""A server that says plainly what was expected where arguments do not fit a tool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

_SHOWN = 60


class Server(MCPServer):
    """The SDK's, with errors for a reader."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> Any:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            raise ToolError(" ".join(self._expected(name, error.__cause__))) from error

    def _expected(self, name: str, error: ValidationError) -> Iterator[str]:
        unknown = False
        for problem in error.errors(include_url=False):
            where = ".".join(map(str, problem["loc"]))
            if problem["type"] == "extra_forbidden":
                unknown = True
                yield f"{where[:_SHOWN]!r} is no argument of {name}."
            elif problem["type"] == "missing":
                yield f"{where!r} is missing."
            else:
                given = repr(problem["input"])
                given = given if len(given) <= _SHOWN else f"{given[:_SHOWN]}…"
                yield f"{where!r}: {problem['msg'].lower()}, not {given}."
        tool = self._tool_manager.get_tool(name)
        if unknown and tool is not None:
            yield f"It takes {', '.join(tool.parameters['properties'])}."
