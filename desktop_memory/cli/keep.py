"""Commands that keep: note, pin, updates, proposals, topics."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from desktop_memory.cli.look_back import read_answer
from desktop_memory.cli.output import print_json, print_warnings, say
from desktop_memory.counting import counted
from desktop_memory.errors import UsageError

if TYPE_CHECKING:
    from desktop_memory.context.updates import Proposal, Update, Updates
    from desktop_memory.memory import Memory

PIN_KINDS = ("goal", "note", "decision", "preference", "fact")


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    note = commands.add_parser("note", parents=[common], help="remember a thought")
    note.add_argument("text", nargs="+", metavar="TEXT")
    note.add_argument("--project", default="")
    note.set_defaults(run=_note)

    pin = commands.add_parser("pin", parents=[common], help="goals and notes that head every context")
    pin.add_argument("text", nargs="*", metavar="TEXT", help="left out: list them")
    pin.add_argument("--kind", choices=PIN_KINDS, default="goal")
    pin.add_argument("--project", default="")
    pin.add_argument("--due", default="", help="2026-08-14")
    done = pin.add_mutually_exclusive_group()
    done.add_argument("--done", type=int, metavar="ID")
    done.add_argument("--remove", type=int, metavar="ID")
    pin.set_defaults(run=_pin)

    updates = commands.add_parser(
        "updates", parents=[common], help="what a chat's answer would pin or end (context --ask-updates)"
    )
    updates.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="the answer; left out: standard input"
    )
    updates.add_argument("--apply", action="store_true", help="take all that can be taken")
    updates.add_argument("--only", default="", metavar="1,3", help="take these alone")
    updates.add_argument(
        "--undo", action="store_true", help="make the pins what they were before the last ones"
    )
    updates.set_defaults(run=_updates)

    proposals = commands.add_parser(
        "proposals", parents=[common], help="what AI clients would pin or end: take it or drop it"
    )
    which = proposals.add_mutually_exclusive_group()
    which.add_argument("--accept", type=int, metavar="ID", help="take this one")
    which.add_argument("--drop", type=int, metavar="ID", help="drop this one")
    proposals.add_argument("--only", default="", metavar="1,3", help="of --accept: take these alone")
    proposals.set_defaults(run=_proposals)

    topics = commands.add_parser(
        "topics", parents=[common], help="what goes together, by the name you give it"
    )
    topics.add_argument("action", nargs="?", choices=("list", "rename"), default="list")
    topics.add_argument("id", nargs="?", type=int, metavar="ID")
    topics.add_argument("name", nargs="*", metavar="NAME", help="left out: the name it had by itself")
    topics.set_defaults(run=_topics)


def _note(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened
    from desktop_memory.records import event_record

    with opened(arguments) as memory:
        event = memory.note(" ".join(arguments.text), arguments.project)
    if arguments.json:
        print_json({"event": event_record(event)})
    else:
        say(f"Noted: {event.title}")


def _pin(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened
    from desktop_memory.clock import clock, zone
    from desktop_memory.moments import parse_time

    with opened(arguments) as memory:
        if arguments.text:
            due = parse_time(arguments.due, clock(), zone()) if arguments.due else None
            memory.pin(arguments.kind, " ".join(arguments.text), arguments.project, due)
        for id_ in (arguments.done, arguments.remove):
            if id_ is not None and id_ not in {pin.id for pin in memory.pins("")}:
                raise UsageError(f"There is no pin {id_}.", "`desktop-memory pin` lists them.")
        if arguments.done is not None:
            memory.set_pin_status(arguments.done, "done")
        if arguments.remove is not None:
            memory.unpin(arguments.remove)
        pins = memory.pins()
    if arguments.json:
        print_json(
            {
                "pins": [
                    {"id": p.id, "kind": p.kind, "text": p.text, "project": p.project, "status": p.status,
                     "due": None if p.due is None else p.due.astimezone().isoformat()}
                    for p in pins
                ]
            }
        )  # fmt: skip
        return
    for p in pins:
        when = "" if p.due is None else f" (due {p.due.astimezone(zone()):%a %d %b})"
        say(f"{p.id:>4}  {p.kind:<10} {p.text}{when}")
    if not pins:
        say('No pins. Add one: pin "Chapter 3 methods to Ana" --due 2026-08-20')


def _updates(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened

    if arguments.undo:
        with opened(arguments) as memory:
            touched = memory.undo_updates()
        if arguments.json:
            print_json({"pins": touched})
        else:
            say(f"{counted(touched, 'pin is what it was', 'pins are what they were')} before.")
        return
    answer = read_answer(arguments.file)
    with opened(arguments) as memory:
        found = memory.read_updates(answer)
        batch = None
        if arguments.apply or arguments.only:
            batch = memory.apply_updates(_chosen(found, arguments.only))
    if arguments.json:
        print_json({"batch": batch, **_updates_record(found)}, found.warnings)
        return
    print_warnings(found.warnings)
    _print_updates(found)
    _print_taken(batch, "`--apply` takes all of them, `--only 1,3` some.")


def _proposals(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened

    if arguments.only and arguments.accept is None:
        raise UsageError("--only needs --accept.", "For example: proposals --accept 3 --only 1,2")
    with opened(arguments) as memory:
        batch = None
        if arguments.drop is not None:
            memory.drop_proposal(arguments.drop)
        if arguments.accept is not None:
            batch = _accept(memory, arguments.accept, arguments.only)
        waiting = memory.proposals()
    if arguments.json:
        print_json({"batch": batch, "proposals": [_proposal_record(one) for one in waiting]})
        return
    if batch is not None:
        _print_taken(batch)
    if arguments.drop is not None:
        say(f"Proposal {arguments.drop} is dropped.")
    for one in waiting:
        _print_proposal(one)
    if not waiting:
        say("No proposal waits.")
    elif arguments.accept is None and arguments.drop is None:
        say("`proposals --accept ID` takes one, `--drop ID` drops it.")


def _accept(memory: Memory, id_: int, only: str) -> int:
    proposal = next((one for one in memory.proposals() if one.id == id_), None)
    if proposal is None:
        raise UsageError(f"No proposal {id_} waits.", "`desktop-memory proposals` lists those that do.")
    return memory.apply_updates(_chosen(proposal.updates, only), proposal=id_)


def _chosen(found: Updates, only: str) -> Sequence[Update]:
    """All that can be taken, or those with these numbers, which must be."""
    if not only:
        return found.updates
    numbers = [number.strip() for number in only.split(",") if number.strip()]
    known = {str(number): update for number, update in enumerate(found.updates, start=1)}
    for number in numbers:
        if number not in known or known[number].problem:
            why = known[number].problem if number in known else f"there are {len(known)}"
            raise UsageError(f"Update {number} cannot be taken: {why}.", "Nothing was taken.")
    return [known[number] for number in dict.fromkeys(numbers)]


def _print_updates(found: Updates) -> None:
    if found.summary:
        say(found.summary)
    for number, update in enumerate(found.updates, start=1):
        was = f" (was: {update.before})" if update.what == "change" else ""
        due = (
            "" if update.due is None or update.what != "add" else f" (due {update.due.astimezone():%Y-%m-%d})"
        )
        problem = f"  cannot be taken: {update.problem}" if update.problem else ""
        say(f"{number:>4}  {update.what:<7} {update.kind:<10} {update.text}{due}{was}{problem}")
    if not found.updates:
        say("It changes nothing.")


def _print_taken(batch: int | None, otherwise: str = "") -> None:
    if batch is not None:
        say("Taken. For ten minutes `desktop-memory updates --undo` makes the pins what they were.")
    elif otherwise:
        say(otherwise)


def _print_proposal(proposal: Proposal) -> None:
    from desktop_memory.clock import zone

    say(f"Proposal {proposal.id} · {proposal.client} · {proposal.at.astimezone(zone()):%Y-%m-%d %H:%M}")
    print_warnings(proposal.updates.warnings)
    _print_updates(proposal.updates)


def _updates_record(found: Updates) -> dict[str, Any]:
    return {
        "summary": found.summary,
        "updates": [
            {"n": n, "what": u.what, "kind": u.kind, "text": u.text, "project": u.project, "pin": u.pin,
             "due": None if u.due is None else u.due.astimezone().isoformat(), "before": u.before,
             "problem": u.problem}
            for n, u in enumerate(found.updates, start=1)
        ],
    }  # fmt: skip


def _proposal_record(proposal: Proposal) -> dict[str, Any]:
    return {
        "id": proposal.id, "at": proposal.at.astimezone().isoformat(), "client": proposal.client,
        "state": proposal.state, **_updates_record(proposal.updates), "warnings": list(proposal.updates.warnings),
    }  # fmt: skip


def _topics(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened

    with opened(arguments) as memory:
        if arguments.action == "rename":
            if arguments.id is None:
                raise UsageError("Which topic?", "For example: topics rename 3 Retention review")
            memory.rename_topic(arguments.id, " ".join(arguments.name))
        found = memory.topics()
    if arguments.json:
        print_json(
            {
                "topics": [
                    {"id": topic.id, "name": topic.name,
                     "entities": [{"kind": entity.kind, "name": entity.name} for entity in topic.entities]}
                    for topic in found
                ]
            }
        )  # fmt: skip
        return
    for topic in found:
        shown = ", ".join(entity.name for entity in topic.entities[:6])
        more = f", {len(topic.entities) - 6} more" if len(topic.entities) > 6 else ""
        say(f"{topic.id:>4}  {topic.name}: {shown}{more}")
    if not found:
        say("No topics yet: they come from things that were used together on several occasions.")
