"""Commands about the model of search by meaning: list, install, use, remove."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_memory.cli.output import print_json, say, show

if TYPE_CHECKING:
    from desktop_memory.embedding.installed import Installed


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    model = commands.add_parser("model", help="the model of search by meaning")
    actions = model.add_subparsers(title="actions", metavar="ACTION", required=True)

    listing = actions.add_parser("list", parents=[common], help="what is installed, and what can be")
    listing.set_defaults(run=_list)

    install = actions.add_parser("install", parents=[common], help="download a model, or take it from a file")
    install.add_argument("name", metavar="NAME", help="from the list, or any that fastembed knows")
    install.add_argument("--from", dest="source", metavar="FILE", help="a wheel, a zip file or a folder")
    install.set_defaults(run=_install)

    use = actions.add_parser("use", parents=[common], help="search by this model, or judge hits by it")
    use.add_argument("name", metavar="NAME")
    use.add_argument("--off", action="store_true", help="judge hits no more")
    use.set_defaults(run=_use)

    remove = actions.add_parser("remove", parents=[common], help="delete an installed model")
    remove.add_argument("name", metavar="NAME")
    remove.set_defaults(run=_remove)


def _list(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import folder_of
    from desktop_memory.embedding.catalog import CATALOG
    from desktop_memory.embedding.installed import all_installed
    from desktop_memory.embedding.model_files import BUILT_IN

    here = {one.files.info.name: one for one in all_installed(folder_of(arguments))}
    wanted = _wanted(arguments)
    state = "installed" if here.pop(BUILT_IN.name, None) else "built in"
    rows = [_row(BUILT_IN.name, "comes with the app; English", "Apache-2.0", "search", 23, state, wanted)]
    for entry in CATALOG:
        state = "installed" if entry.name in here else "available"
        rows.append(
            _row(entry.name, entry.about, entry.license, entry.purpose, entry.megabytes, state, wanted)
        )
        here.pop(entry.name, None)
    rows += [
        _row(name, one.source, "", one.purpose, _megabytes(one), "installed", wanted)
        for name, one in here.items()
    ]
    if arguments.json:
        print_json({"models": rows})
        return
    for row in rows:
        facts = ", ".join(filter(None, (row["state"], f"{row['megabytes']} MB", row["license"])))
        say(f"{'*' if row['in_use'] else ' '} {row['name']}  [{facts}]")
        say(f"    {row['about']}")


def _install(arguments: argparse.Namespace) -> None:
    import threading

    from desktop_memory.cli.session import folder_of
    from desktop_memory.embedding.install import install

    def report(what: str, done: int, total: int) -> None:
        share = f" {_bar(done / total)} {done / 1e6:.0f} of {total / 1e6:.0f} MB" if total else " …"
        show(f"{what}{share}")

    source = Path(arguments.source).expanduser() if arguments.source else None
    got = install(arguments.name, folder_of(arguments), source=source, report=report, stop=threading.Event())
    show("")
    name = got.files.info.name
    reinstalled = name in _wanted(arguments)
    if reinstalled:
        _reload(arguments)
    if arguments.json:
        print_json({"name": name, "source": got.source, "megabytes": _megabytes(got), "purpose": got.purpose})
    elif reinstalled:
        say(f"Installed {name} ({got.source}).")
    elif got.purpose == "rerank":
        say(f"Installed {name} ({got.source}). Judge hits by it: desktop-memory model use {name}")
    else:
        say(f"Installed {name} ({got.source}). Search by it: desktop-memory model use {name}")


def _use(arguments: argparse.Namespace) -> None:
    from dataclasses import replace

    from desktop_memory import settings
    from desktop_memory.assembly import SETTINGS_FILE
    from desktop_memory.cli.session import folder_of
    from desktop_memory.embedding.catalog import find
    from desktop_memory.embedding.installed import resolve
    from desktop_memory.errors import UsageError

    entry = find(arguments.name)
    purpose = entry.purpose if entry is not None else "search"
    if arguments.off and purpose != "rerank":
        raise UsageError("Only the model that judges hits can be switched off.", "Use another one instead.")
    path = folder_of(arguments) / SETTINGS_FILE
    chosen = settings.load(path)
    if arguments.off:
        name, memory = arguments.name, replace(chosen.memory, second_look=False)
    else:
        name = resolve(arguments.name, folder_of(arguments), purpose).info.name
        memory = replace(chosen.memory, **({"model": name} if purpose == "search" else {"second_look": True}))
    settings.save(replace(chosen, memory=memory), path)
    told = _reload(arguments)
    if arguments.json:
        print_json({"name": name, "running": told})
    elif purpose == "rerank":
        say("Hits are judged no more." if arguments.off else f"The best hits are judged once more by {name}.")
    elif told:
        say(f"The texts are read again by {name} in the background; then search uses it. See `status`.")
    else:
        say(f"The texts are read again by {name} when Desktop Memory next runs; then search uses it.")


def _remove(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import folder_of
    from desktop_memory.embedding.catalog import find
    from desktop_memory.embedding.install import uninstall
    from desktop_memory.embedding.model_files import BUILT_IN
    from desktop_memory.errors import KnownError

    entry = find(arguments.name)
    name = entry.name if entry else arguments.name
    if name in _wanted(arguments) and name != BUILT_IN.name:
        other = (
            "model use reranker --off"
            if entry and entry.purpose == "rerank"
            else f"model use {BUILT_IN.name}"
        )
        raise KnownError(f"{name} is in use.", f"First: desktop-memory {other}.")
    uninstall(name, folder_of(arguments))
    if arguments.json:
        print_json({"name": name})
    else:
        say(f"Removed {name}.")


def _wanted(arguments: argparse.Namespace) -> frozenset[str]:
    """The models that the settings name."""
    from desktop_memory import settings
    from desktop_memory.assembly import SETTINGS_FILE
    from desktop_memory.cli.session import folder_of
    from desktop_memory.embedding.catalog import RERANKER

    memory = settings.load(folder_of(arguments) / SETTINGS_FILE).memory
    return frozenset([memory.model, *([RERANKER.name] if memory.second_look else [])])


def _reload(arguments: argparse.Namespace) -> bool:
    """Whether an app runs; it reads the settings again."""
    from desktop_memory.cli.session import folder_of
    from desktop_memory.ipc.remote import RemoteApp
    from desktop_memory.reach import running

    if not running(folder_of(arguments)):
        return False
    RemoteApp(folder_of(arguments)).reload()
    return True


def _row(
    name: str, about: str, license_: str, purpose: str, megabytes: int, state: str, wanted: Collection[str]
) -> dict[str, Any]:
    return {
        "name": name,
        "about": about,
        "license": license_,
        "purpose": purpose,
        "megabytes": megabytes,
        "state": state,
        "in_use": name in wanted,
    }


def _megabytes(one: Installed) -> int:
    return round(one.bytes / 1e6)


def _bar(share: float) -> str:
    filled = round(20 * min(1.0, share))
    return "#" * filled + "-" * (20 - filled)
