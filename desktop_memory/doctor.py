"""Looks for what is wrong with a data folder and what surrounds it; `mend` puts right what can be."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_memory import clock, encryption, settings
from desktop_memory.app import App
from desktop_memory.assembly import GRAPH_FOLDER, SETTINGS_FILE
from desktop_memory.counting import counted
from desktop_memory.desktop import shell_hook
from desktop_memory.desktop.display import has_display
from desktop_memory.embedding import model_files
from desktop_memory.embedding.catalog import RERANKER
from desktop_memory.embedding.installed import resolve
from desktop_memory.errors import KnownError
from desktop_memory.graph import look
from desktop_memory.ipc.remote import RemoteApp
from desktop_memory.permissions import open_to_others
from desktop_memory.pipeline.privacy import Rules
from desktop_memory.reach import running
from desktop_memory.store import counts
from desktop_memory.store.store import FILE_NAME, Store
from desktop_memory.transfer import workshop
from desktop_memory.transfer.rescue import rescues


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """`state` is "ok" or "problem"; `advice` says what would mend it."""

    name: str
    state: str = "ok"
    problem: str = ""
    advice: str = ""


def examine(folder: Path) -> list[Check]:
    """All checks, each on its own: one that fails leaves the others standing."""
    return [found for check in _CHECKS for found in _guarded(check, folder)]


def mend(folder: Path) -> None:
    """Put right what can be: a damaged store is saved, one that contradicts itself put right, its folder closed to
    others, what was left half done removed, a graph that is not what the store says made anew.

    Raises BusyError while the app runs, StoreError when nothing can be saved.
    """
    _guarded(_store, folder)  # marks a damaged store, which its owner then saves
    app = App.open(folder)
    try:
        workshop.sweep(folder)
        app.parts.store.mend()
        app.catch_up()
        if not _mirrors(app):
            app.rebuild("graph")
    finally:
        app.close()


def _mirrors(app: App) -> bool:
    """Whether the graph, which has caught up, holds what the store does."""
    graph, projector = app.parts.graph, app.parts.projector
    if graph is None or projector is None or not graph.possible:
        return True
    held = projector.counts()
    cursor = graph.cursor
    return held is not None and not counts.differs(app.parts.store.read(), cursor.event, cursor.change, held)


def _guarded(check: Callable[[Path], Iterator[Check]], folder: Path) -> list[Check]:
    name = check.__name__.strip("_").replace("_", " ")
    try:
        return list(check(folder)) or [Check(name=name)]
    except KnownError as error:
        return [Check(name=name, state="problem", problem=error.problem, advice=error.advice)]


def _settings(folder: Path) -> Iterator[Check]:
    Rules.of(settings.load(folder / SETTINGS_FILE).privacy)
    yield Check(name="settings")


def _store(folder: Path) -> Iterator[Check]:
    if not (folder / FILE_NAME).exists():
        yield Check(name="store", problem="nothing was recorded yet")
        return
    store = Store.open(folder, clock=clock.clock, or_read=True)
    try:
        for problem, advice in store.problems():
            yield Check(name="store", state="problem", problem=problem, advice=advice)
        for place in store.places(clock.clock()):
            if place.state not in ("ok", "waiting"):
                yield Check(
                    name=f"source {place.source}", state="problem", problem=place.place, advice=place.advice
                )
    finally:
        store.close()


def _damage(folder: Path) -> Iterator[Check]:
    """What was damaged once, and what became of it."""
    for done in rescues(folder):
        lost = f", at least {counted(done.lost, 'event')} lost" if done.lost else ", none known to be lost"
        yield Check(
            name="damage",
            problem=f"the memory was damaged; {counted(done.events, 'event')} were saved on {done.at[:10]}{lost}",
            advice=f"Delete {done.kept} when you no longer need the damaged file.",
        )


def _permissions(folder: Path) -> Iterator[Check]:
    """Everything in the folder is for its owner alone."""
    found = list(open_to_others(folder))
    if found:
        more = f" and {len(found) - 1:,} more" if len(found) > 1 else ""
        yield Check(
            name="permissions",
            state="problem",
            problem=f"others may read {found[0]}{more}",
            advice="Start Desktop Memory once: it takes them away from others.",
        )


def _encryption(folder: Path) -> Iterator[Check]:
    """Whether the memory is encrypted, and what in its folder is not."""
    found = encryption.state(folder)
    if found.encrypted:
        yield Check(name="encryption", problem=f"on; it opens by {', '.join(found.ways)}")
    for name in found.plain_copies:
        yield Check(
            name="encryption",
            state="problem",
            problem=f"{name} is an older copy that is not encrypted",
            advice="Delete it when you need it no more.",
        )


def _model(folder: Path) -> Iterator[Check]:
    """The model in use, and the one for a second look where that is wanted, byte by byte."""
    chosen = settings.load(folder / SETTINGS_FILE, unlocked=False).memory
    model_files.check(resolve(chosen.model, folder))
    if chosen.second_look:
        model_files.check(resolve(RERANKER.name, folder, purpose="rerank"))
    yield Check(name="model")


def _graph(folder: Path) -> Iterator[Check]:
    found = look.look(folder / GRAPH_FOLDER)
    if found.problem:
        yield Check(name="graph", state="problem", problem=found.problem, advice=found.advice)
    elif found.held is not None and _differs(folder, found.held):
        yield Check(
            name="graph",
            state="problem",
            problem="the graph is not what the store says",
            advice="Run `desktop-memory doctor --mend`: it is made anew.",
        )
    aside = sorted(folder.glob("graph*.damaged*"))
    if aside:
        yield Check(
            name="graph",
            problem=f"a damaged graph was set aside as {aside[-1].name} and made anew",
            advice="Delete it when you no longer need it.",
        )


def _differs(folder: Path, held: look.Held) -> bool:
    if not (folder / FILE_NAME).exists():
        return True
    store = Store.open(folder, clock=clock.clock, or_read=True)
    try:
        return counts.differs(store.read(), held.event, held.change, held.counts)
    finally:
        store.close()


def _left_behind(folder: Path) -> Iterator[Check]:
    """What a killed backup, restore or merge was working on."""
    left = list(workshop.abandoned(folder))
    if left:
        yield Check(
            name="left behind",
            state="problem",
            problem=f"{counted(len(left), 'half done copy', 'half done copies')} of the memory in {workshop.FOLDER}/",
            advice="Run `desktop-memory doctor --mend`: it is removed.",
        )


def _desktop(folder: Path) -> Iterator[Check]:
    if not has_display():
        yield Check(name="display", problem="none here: the command line works, there is no window")
        return
    if running(folder):
        for source, state in RemoteApp(folder).status()["live"].items():
            if not state["watching"]:
                yield Check(
                    name=f"source {source}", state="problem", problem="not watching", advice=state["advice"]
                )
            else:
                yield Check(name=f"source {source}", problem=f"by {state['backend']}")


def _shells(folder: Path) -> Iterator[Check]:
    """Histories tell commands late, without folder and result: the hook of the shell in use tells them at once."""
    shell = Path(os.environ.get("SHELL", "")).name
    if shell in shell_hook.SHELLS and not shell_hook.installed(shell):
        yield Check(
            name=f"{shell} hook",
            problem="not installed: commands arrive late, without folder and result",
            advice=f"Run `desktop-memory hook {shell} install`.",
        )


_CHECKS = (
    _settings, _store, _damage, _permissions, _left_behind, _encryption, _model, _graph, _desktop, _shells,
)  # fmt: skip
