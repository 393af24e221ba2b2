"""Commands that steer: collect, record, pause, forget, status, doctor."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from desktop_memory.cli.ask import add_filters, in_this_folder, query_of
from desktop_memory.cli.asked import agreed
from desktop_memory.cli.output import print_json, say, show, show_share
from desktop_memory.counting import counted
from desktop_memory.errors import UsageError

if TYPE_CHECKING:
    from desktop_memory.memory import Memory
    from desktop_memory.receipts import Excluded, Forgotten, Receipt


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    collect = commands.add_parser("collect", parents=[common], help="read every source once")
    collect.add_argument("--source", default="", help="only this one")
    collect.set_defaults(run=_collect)

    record = commands.add_parser("record", parents=[common], help="record without a window, until stopped")
    record.set_defaults(run=_record)

    pause = commands.add_parser("pause", parents=[common], help="stop recording for a while")
    pause.add_argument(
        "duration", nargs="?", default="", metavar="DURATION|off", help="15m, 2h; left out: until `pause off`"
    )
    pause.set_defaults(run=_pause)

    forget = commands.add_parser("forget", parents=[common], help="remove what was recorded, for good")
    forget.add_argument("words", nargs="*", metavar="WORD", help="what holds all of these words")
    forget.add_argument("--last", default="", metavar="DURATION", help="the last 10m, 2h, 1d")
    forget.add_argument(
        "--event", type=int, action="append", default=[], metavar="ID", help="this event (repeatable)"
    )
    forget.add_argument("--undoable", action="store_true", help="keep it aside for ten minutes, for --undo")
    forget.add_argument(
        "--undo", action="store_true", help="bring back what was forgotten last with --undoable"
    )
    forget.add_argument("--usage", action="store_true", help="forget what you opened or copied, no event")
    forget.add_argument(
        "--expired", action="store_true", help="what is older, or more, than the settings keep (privacy.keep)"
    )
    forget.add_argument(
        "--excluded", action="store_true", help="what the privacy rules of now would not let in"
    )
    forget.add_argument("--yes", action="store_true", help="do not ask")
    add_filters(forget)
    forget.set_defaults(run=_forget)

    status = commands.add_parser("status", parents=[common], help="what is recorded, and what is not")
    status.set_defaults(run=_status)

    masked = commands.add_parser("masked", parents=[common], help="where secrets were masked, never which")
    masked.set_defaults(run=_masked)

    doctor = commands.add_parser("doctor", parents=[common], help="look for what is wrong")
    doctor.add_argument(
        "--rebuild", choices=("graph", "vectors", "words", "all"), help="make a derived part anew"
    )
    doctor.add_argument("--mend", action="store_true", help="put right what can be, and look again")
    doctor.set_defaults(run=_doctor)


def _collect(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned

    with owned(arguments) as app, reading_shown() as progress:
        receipt = app.collect(arguments.source, progress)
    print_receipt(receipt, arguments.json)


@contextmanager
def reading_shown() -> Iterator[Callable[[str, Receipt, float | None], None] | None]:
    """Shows on a terminal how far reading has come; when it is interrupted, says that nothing was lost."""
    if not sys.stderr.isatty():
        yield None
        return

    def progress(place: str, receipt: Receipt, share: float | None) -> None:
        done = "" if share is None else f" ({share:.0%})"
        show(f"{place[-60:]}: {receipt.read:,} read{done}, {receipt.new:,} new")

    try:
        yield progress
    except KeyboardInterrupt:
        show("")
        print("Stopped. What was read is kept; the same command goes on.", file=sys.stderr)
        raise
    show("")


def print_receipt(receipt: Receipt, as_json: bool) -> None:
    if as_json:
        print_json(receipt_fields(receipt))
        return
    say(
        f"{receipt.read:,} read: {receipt.new:,} new, {receipt.known:,} known, {receipt.dropped:,} kept out by privacy."
    )
    if receipt.gaps:
        say(f"{counted(receipt.gaps, 'gap')} new: nobody was there, or nothing was recorded.")
    if receipt.masked:
        say(f"{counted(receipt.masked, 'secret')} masked.")
    for reason, count in sorted(receipt.skipped.items()):
        say(f"{count:,} skipped: {reason}")


def receipt_fields(receipt: Receipt) -> dict[str, Any]:
    return {
        "read": receipt.read, "new": receipt.new, "known": receipt.known, "dropped": receipt.dropped,
        "masked": receipt.masked, "gaps": receipt.gaps, "skipped": dict(receipt.skipped),
    }  # fmt: skip


def _record(arguments: argparse.Namespace) -> None:
    import signal

    from desktop_memory.app import App
    from desktop_memory.cli.session import folder_of

    app = App.open(folder_of(arguments))
    signal.signal(signal.SIGTERM, lambda *_: app.quit())
    signal.signal(signal.SIGINT, lambda *_: app.quit())
    app.start()
    if not arguments.json:
        say(f"Recording to {folder_of(arguments)}. Stop with Ctrl+C.")
    app.wait()
    app.close()


def _pause(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened
    from desktop_memory.clock import clock, zone
    from desktop_memory.moments import parse_span

    with opened(arguments) as memory:
        if arguments.duration in ("off", "resume"):
            memory.resume()
            paused = None
        else:
            paused = memory.pause(clock() + parse_span(arguments.duration) if arguments.duration else None)
    until = None if paused is None or paused.until is None else paused.until.astimezone(zone())
    if arguments.json:
        print_json({"paused": paused is not None, "until": None if until is None else until.isoformat()})
    elif paused is None:
        say("Recording again.")
    else:
        say(f"Paused until {until:%H:%M}." if until else "Paused until `desktop-memory pause off`.")


def _forget(arguments: argparse.Namespace) -> None:
    from dataclasses import replace

    from desktop_memory.cli.session import owned
    from desktop_memory.clock import clock
    from desktop_memory.moments import parse_span
    from desktop_memory.retrieval.search import filters_of

    if arguments.undo:
        _undo_forget(arguments)
        return
    if arguments.expired:
        _forget_expired(arguments)
        return
    if arguments.excluded:
        _forget_excluded(arguments)
        return
    if arguments.usage:
        _forget_usage(arguments)
        return
    query = replace(query_of(arguments, " ".join(arguments.words)), limit=20)
    if arguments.last:
        query = replace(query, since=clock() - parse_span(arguments.last))
    if not filters_of(query) and not arguments.event and not query.text.strip():
        raise UsageError(
            "Say what to forget.",
            'For example --last 10m, --app Slack, --domain example.org or words: forget "Zanzibar trip".',
        )
    with owned(arguments) as app:
        memory = app.memory
        query = in_this_folder(query, arguments, memory)
        preview = memory.preview_forget(query, arguments.event)
        if not arguments.yes and not arguments.json and preview.events and not _agreed(preview):
            say("Nothing was forgotten.")
            return
        done = memory.forget(query, arguments.event, now=not arguments.undoable)
    _print_forgotten(done, arguments)


def _print_forgotten(done: Forgotten, arguments: argparse.Namespace) -> None:
    if arguments.json:
        print_json(
            {
                "batch": done.batch, "events": done.events, "texts": done.texts, "vectors": done.vectors,
                "nodes": done.nodes, "backups": list(done.backups),
            }
        )  # fmt: skip
        return
    gone = (
        f"{counted(done.texts, 'text')}, {counted(done.vectors, 'vector')} and {counted(done.nodes, 'node')}"
    )
    say(f"{counted(done.events, 'event')} forgotten, with {gone}.")
    if arguments.undoable:
        say("For ten minutes `desktop-memory forget --undo` brings them back.")
    for path in done.backups:
        say(f"{path} may still hold some of it; delete it if that must go too.")


def _agreed(preview: Forgotten | Excluded) -> bool:
    """Show the newest of it at a terminal, and ask."""
    from desktop_memory.clock import zone

    if sys.stdin.isatty():
        for event in preview.newest:
            shown = " ".join((event.title or event.text).split())[:90]
            say(f"  {event.start.astimezone(zone()):%Y-%m-%d %H:%M}  {event.app or event.kind}: {shown}")
        if preview.events > len(preview.newest):
            say(f"  and {preview.events - len(preview.newest):,} more")
    return _confirmed(preview.events)


def _forget_excluded(arguments: argparse.Namespace) -> None:
    """What was stored before a rule was made, or a list knew it."""
    from desktop_memory.cli.session import owned

    with owned(arguments) as app:
        found = _looked_through(app.memory)
        if not arguments.json:
            for rule, count in found.rules.items():
                say(f"{count:>7,}  {rule}")
        if found.events and not arguments.yes and not arguments.json and not _agreed(found):
            say("Nothing was forgotten.")
            return
        done = app.memory.forget_excluded(now=not arguments.undoable)
    _print_forgotten(done, arguments)


def _looked_through(memory: Memory) -> Excluded:
    """What the rules of now would not let in, looked for with progress on a terminal."""
    from desktop_memory.elsewhere import until_done

    def look() -> None:
        show_share("looking through all that is stored", memory.excluded_share())

    found = cast("Excluded", until_done(memory.preview_excluded, look, memory.cancel_excluded))
    show("")
    return found


def _forget_expired(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned

    with owned(arguments) as app:
        found = app.memory.preview_retire()
        count = sum(part.events for part in found)
        if not arguments.yes and not arguments.json and count and not _confirmed(count):
            say("Nothing was forgotten.")
            return
        gone = app.memory.retire()
    if arguments.json:
        print_json({"events": gone})
    else:
        say(f"{counted(gone, 'event')} forgotten that were older, or more, than the settings keep.")


def _undo_forget(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import owned

    with owned(arguments) as app:
        back = app.memory.undo_forget()
    if arguments.json:
        print_json({"events": back})
    else:
        say(f"{counted(back, 'event is', 'events are')} back.")


def _forget_usage(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened

    with opened(arguments) as memory:
        count = memory.forget_usage()
    if arguments.json:
        print_json({"used": count})
    else:
        say(f"Search no longer knows that {counted(count, 'event was', 'events were')} opened or copied.")


def _confirmed(count: int) -> bool:
    """Ask at a terminal; without one, the command itself was the answer."""
    if not sys.stdin.isatty():
        return True
    return agreed(f"Forget {counted(count, 'event')} for good?")


def _status(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.report import print_status
    from desktop_memory.cli.session import folder_of

    print_status(folder_of(arguments), arguments.json)


def _masked(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import opened

    with opened(arguments) as memory:
        found = memory.masked()
    if arguments.json:
        print_json(
            {
                "masked": [
                    {"day": one.day.isoformat(), "source": one.source, "kind": one.kind, "secret": one.secret,
                     "count": one.count}
                    for one in found
                ]
            }
        )  # fmt: skip
        return
    for one in found:
        say(f"{one.day}  {one.count:>6,}  {one.secret} in {one.kind} of {one.source}")
    if not found:
        say("No secret was masked yet.")


def _doctor(arguments: argparse.Namespace) -> int:
    from desktop_memory.cli.report import print_doctor
    from desktop_memory.cli.session import folder_of, owned

    if arguments.mend:
        from desktop_memory.doctor import mend

        mend(folder_of(arguments))
    if arguments.rebuild:
        with owned(arguments) as app:
            app.rebuild(arguments.rebuild)
    return print_doctor(folder_of(arguments), arguments.json)
