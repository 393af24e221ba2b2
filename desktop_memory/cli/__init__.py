"""One file a command group; importing it pulls in neither Qt nor the model."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path


def main(argv: Sequence[str] | None = None) -> int:
    """The `desktop-memory` command; its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["popup"]:
        from desktop_memory.cli.popup import popup

        return popup(arguments[1:])
    if arguments[:1] == ["embedder-child"]:
        from desktop_memory.embedding.child import main as child

        return child()
    if arguments[:1] == ["graph-look"]:
        from desktop_memory.graph.look import child as look

        return look(Path(arguments[1]))
    from desktop_memory.cli.parser import run

    return run(arguments)
