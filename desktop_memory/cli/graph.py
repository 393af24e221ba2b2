"""`graph`: how much it holds and how far it has come, and making it anew."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from desktop_memory.cli.output import print_json, say, show
from desktop_memory.counting import counted
from desktop_memory.errors import BusyError, StoreError

if TYPE_CHECKING:
    from desktop_memory.asking import GraphStats


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    graph = commands.add_parser("graph", parents=[common], help="the graph of what followed and shares what")
    graph.add_argument("action", nargs="?", choices=("stats", "rebuild"), default="stats")
    graph.set_defaults(run=_graph)


def _graph(arguments: argparse.Namespace) -> None:
    if arguments.action == "rebuild":
        found = _rebuilt(arguments)
    else:
        found = _looked_at(arguments)
    _print(found, as_json=arguments.json)


def _looked_at(arguments: argparse.Namespace) -> GraphStats:
    """The graph's own word where it can be opened, else the store's."""
    from desktop_memory.cli.session import opened, owned

    try:
        with owned(arguments) as app:
            return app.memory.graph_stats()
    except (BusyError, StoreError):
        with opened(arguments) as memory:
            return memory.graph_stats()


def _rebuilt(arguments: argparse.Namespace) -> GraphStats:
    """Ctrl+C ends it and leaves the graph as it was."""
    from desktop_memory.cli.session import owned

    def progress(how_far: str) -> None:
        show(f"Making the graph anew: {how_far}")

    try:
        with owned(arguments) as app:
            app.rebuild("graph", progress)
            return app.memory.graph_stats()
    finally:
        show("")


def _print(found: GraphStats, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {"graph": {"state": found.state, "reason": found.reason, "behind": found.behind,
                       "progress": found.progress, "counted_by": found.by, "counts": dict(found.counts)}}
        )  # fmt: skip
        return
    reason = f" ({found.reason})" if found.reason else ""
    behind = f", {counted(found.behind, 'event')} behind" if found.behind else ""
    say(f"Graph: {found.state}{reason}{behind}")
    if found.by == "store":
        say("Before/after and sessions are answered by the store; these figures are its own.")
    for name, count in found.counts.items():
        say(f"{count:>12,}  {name}")
