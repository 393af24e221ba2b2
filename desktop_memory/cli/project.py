"""Commands about projects: list, rule, rename, merge, archive, undo."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from desktop_memory.cli.asked import agreed
from desktop_memory.cli.output import print_json, say, show
from desktop_memory.counting import counted

if TYPE_CHECKING:
    from desktop_memory.memory import Memory
    from desktop_memory.project import Project, ProjectChange

KINDS = ("title", "domain", "folder", "app")
_HELP = {
    "title": "titles of windows, pages and documents that match (a regular expression)",
    "domain": "a site with its subdomains",
    "folder": "a folder, with what lies in it",
    "app": "an app",
}


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    project = commands.add_parser("project", help="projects: names, rules, merging, archiving")
    actions = project.add_subparsers(title="actions", metavar="ACTION", required=True)

    listing = actions.add_parser("list", parents=[common], help="all projects, the last worked on first")
    listing.add_argument("--all", action="store_true", help="archived ones too")
    listing.set_defaults(run=_list)

    _add_rules(actions, common)

    rename = actions.add_parser("rename", parents=[common], help="call a project otherwise")
    rename.add_argument("name", metavar="NAME")
    rename.add_argument("new", metavar="NEW")
    rename.set_defaults(run=_rename)

    merge = actions.add_parser("merge", parents=[common], help="let all of a project belong to another one")
    merge.add_argument("name", metavar="NAME")
    merge.add_argument("into", metavar="INTO")
    _add_yes(merge)
    merge.set_defaults(run=_merge)

    for name, told in (("archive", "offer a project no more; it can still be found"),
                       ("unarchive", "offer it again")):  # fmt: skip
        archive = actions.add_parser(name, parents=[common], help=told)
        archive.add_argument("name", metavar="NAME")
        archive.set_defaults(run=_archive, archived=name == "archive")

    changes = actions.add_parser("changes", parents=[common], help="what was changed, newest first")
    changes.set_defaults(run=_changes)

    undo = actions.add_parser("undo", parents=[common], help="take a change back, also one under way")
    undo.add_argument("change", metavar="CHANGE", type=int, nargs="?", help="its number; the last one")
    undo.set_defaults(run=_undo)


def _add_rules(actions: Any, common: argparse.ArgumentParser) -> None:
    rule = actions.add_parser("rule", help="what belongs to a project")
    verbs = rule.add_subparsers(title="actions", metavar="ACTION", required=True)

    listing = verbs.add_parser("list", parents=[common], help="all rules; the first one that matches counts")
    listing.set_defaults(run=_list_rules)

    adding = verbs.add_parser("add", parents=[common], help="a new rule, for what is stored too")
    which = adding.add_mutually_exclusive_group(required=True)
    for kind in KINDS:
        which.add_argument(f"--{kind}", metavar=kind.upper(), help=_HELP[kind])
    adding.add_argument("project", metavar="PROJECT", help="may be a new one")
    _add_yes(adding)
    adding.set_defaults(run=_add_rule)

    removing = verbs.add_parser(
        "remove", parents=[common], help="take a rule away, and give back what it gave"
    )
    removing.add_argument("rule", metavar="RULE", type=int, help="its number in the list")
    _add_yes(removing)
    removing.set_defaults(run=_remove_rule)


def _add_yes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="do it; without, only its effect is shown")


def _list(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened

    with opened(arguments) as memory:
        every = memory.projects()
    found = [project for project in every if arguments.all or not project.archived]
    hidden = len(every) - len(found)
    if arguments.json:
        print_json({"projects": [_plain(asdict(project)) for project in found], "archived_left_out": hidden})
        return
    for project in found:
        say(_line(project))
    if hidden:
        say(f"{counted(hidden, 'archived one')} left out: project list --all")
    if not every:
        say("No project yet: repositories become one by themselves, anything else by a rule.")


def _line(project: Project) -> str:
    from desktop_memory.clock import zone

    last = f", last {project.last.astimezone(zone()):%Y-%m-%d}" if project.last else ""
    also = [f"also {', '.join(project.names)}"] if project.names else []
    also += [f"with {', '.join(project.merged)}"] if project.merged else []
    marks = ["archived"] if project.archived else []
    tail = f"  ({'; '.join(marks + also)})" if marks or also else ""
    return f"{project.name}  {counted(project.events, 'event')}{last}{tail}"


def _list_rules(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened

    with opened(arguments) as memory:
        rules = memory.project_rules()
    if arguments.json:
        print_json({"rules": [asdict(rule) for rule in rules]})
        return
    for rule in rules:
        say(f"{rule.id:>4}  {rule.kind} {rule.pattern} → {rule.project}  {counted(rule.events, 'event')}")
    if not rules:
        say("No rule yet: desktop-memory project rule add --title REGEX PROJECT")


def _add_rule(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned

    kind = next(name for name in KINDS if getattr(arguments, name) is not None)
    pattern = getattr(arguments, kind)
    with owned(arguments) as app:
        found = app.memory.preview_project_rule(kind, pattern, arguments.project)
        told = f"{counted(found.events, 'stored event')} match; {found.changed:,} would get another project."
        if _wanted(arguments, told, _plain(asdict(found))):
            _done(arguments, app.memory, app.memory.add_project_rule(kind, pattern, arguments.project))


def _remove_rule(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned

    with owned(arguments) as app:
        events = next((rule.events for rule in app.memory.project_rules() if rule.id == arguments.rule), 0)
        told = f"{counted(events, 'event')} would get back the project they had before."
        if _wanted(arguments, told, {"events": events}):
            _done(arguments, app.memory, app.memory.remove_project_rule(arguments.rule))


def _rename(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned

    with owned(arguments) as app:
        _done(arguments, app.memory, app.memory.rename_project(arguments.name, arguments.new))


def _merge(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import folder_of, owned
    from desktop_memory.project import one_is_walled
    from desktop_memory.settings import load

    with owned(arguments) as app:
        memory = app.memory
        name, into = memory.project_called(arguments.name), memory.project_called(arguments.into)
        events = next((project.events for project in memory.projects() if project.name == name), 0)
        told = f"{counted(events, 'event')} of “{name}” would belong to “{into}”."
        walls = memory.project_outlet(
            load(folder_of(arguments) / "settings.toml").privacy.walled_projects, ()
        )[0]
        walled = one_is_walled(walls, name, into)
        if walled:
            told += " One of them is walled: both will be."
        if _wanted(arguments, told, {"events": events, "walled": walled}):
            _done(arguments, memory, memory.merge_projects(arguments.name, arguments.into))


def _archive(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned

    with owned(arguments) as app:
        _done(arguments, app.memory, app.memory.archive_project(arguments.name, arguments.archived))


def _changes(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened

    with opened(arguments) as memory:
        changes = memory.project_changes(100)
    if arguments.json:
        print_json({"changes": [_plain(asdict(change)) for change in changes]})
        return
    for change in changes:
        say(f"{change.id:>4}  {_told(change)}")


def _undo(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned
    from desktop_memory.errors import KnownError

    with owned(arguments) as app:
        change = arguments.change
        if change is None:
            change = next((one.id for one in app.memory.project_changes(100) if not one.undone), None)
        if change is None:
            raise KnownError("There is no change to undo.")
        _done(arguments, app.memory, app.memory.undo_project_change(change))


def _wanted(arguments: argparse.Namespace, told: str, preview: dict[str, Any]) -> bool:
    """Show what would come of it; True when that is wanted."""
    if arguments.yes:
        return True
    if arguments.json:
        print_json({"applied": False, **preview})
        return False
    say(told)
    if sys.stdin.isatty():
        return agreed("Do it?")
    say("Nothing was changed. Repeat it with --yes.")
    return False


def _done(arguments: argparse.Namespace, memory: Memory, change: ProjectChange) -> None:
    """Wait until stored events have followed, and say what came of it."""
    shown = sys.stderr.isatty()
    try:
        while memory.follow_projects():
            if shown and (now := _now(memory, change)).running:
                show(f"{now.done:.0%}, {now.moved:,} moved")
    except KeyboardInterrupt:
        print(
            f"\nWhat is left follows when the app runs; `project undo {change.id}` takes it back.",
            file=sys.stderr,
        )
        raise
    show("")
    change = _now(memory, change)
    if arguments.json:
        print_json({"applied": True, "change": _plain(asdict(change))})
        return
    say(_told(change))
    if not change.undone:
        say(f"`desktop-memory project undo {change.id}` takes it back.")


def _now(memory: Memory, change: ProjectChange) -> ProjectChange:
    return next((one for one in memory.project_changes(100) if one.id == change.id), change)


def _told(change: ProjectChange) -> str:
    what = {
        "rule": f"rule “{change.other}” → {change.project}",
        "unrule": f"rule “{change.other}” → {change.project} removed",
        "rename": f"“{change.other}” is called “{change.project}”",
        "merge": f"“{change.other}” belongs to “{change.project}”",
        "learn": f"“{change.other}” is the repository “{change.project}”",
        "archive": f"“{change.project}” archived",
        "unarchive": f"“{change.project}” offered again",
    }[change.what]
    moved = f", {counted(change.moved, 'event')} moved" if change.moved else ""
    return f"{'undone: ' if change.undone else ''}{what}{moved}{', under way' if change.running else ''}"


def _plain(shape: dict[str, Any]) -> dict[str, Any]:
    """With times as they are read here."""
    return {
        name: value.astimezone().isoformat() if isinstance(value, datetime) else value
        for name, value in shape.items()
    }
