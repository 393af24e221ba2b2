"""Commands about the app itself: run, popup, demo, hook, uninstall."""

from __future__ import annotations

import argparse
from typing import Any

from desktop_memory.cli.output import print_json, say
from desktop_memory.cli.tour import tour, typed

SHELLS = ("zsh", "bash", "fish", "nushell", "powershell")


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    run = commands.add_parser(
        "run", parents=[common], help="start the app; without a display, collect once and show"
    )
    run.add_argument("--background", action="store_true", help="start in the tray without opening a window")
    run.set_defaults(run=_run)

    popup = commands.add_parser("popup", help="open search in the running app (bind it to a key)")
    popup.add_argument("--copy", action="store_true", help="copy the last 15 minutes and open nothing")
    popup.set_defaults(run=_popup)

    demo = commands.add_parser("demo", parents=[common], help="try it on a made-up fortnight")
    demo.add_argument("--tour", action="store_true", help="print the tour even where there is a display")
    demo.set_defaults(run=_demo)

    hook = commands.add_parser("hook", parents=[common], help="let a shell tell its commands at once")
    hook.add_argument("shell", choices=SHELLS)
    hook.add_argument("action", choices=("install", "remove", "show"))
    hook.add_argument(
        "--keep-repeats",
        action="store_true",
        help="bash: let the history keep a command that repeats the one before (HISTCONTROL=ignorespace)",
    )
    hook.set_defaults(run=_hook)

    uninstall = commands.add_parser(
        "uninstall", parents=[common], help="undo what was done outside the data folder"
    )
    uninstall.add_argument("--data", action="store_true", help="remove the memory too")
    uninstall.add_argument("--quit", action="store_true", help="quit the app first where it runs")
    uninstall.add_argument("--yes", action="store_true", help="do not ask")
    uninstall.set_defaults(run=_uninstall)


def _run(arguments: argparse.Namespace) -> int:
    from desktop_memory.cli.session import folder_of
    from desktop_memory.desktop.display import has_display

    folder = folder_of(arguments)
    if has_display():
        from desktop_memory.ui.run import run

        return run(folder, background=arguments.background)
    return _tour_of_this_computer(arguments)


def _tour_of_this_computer(arguments: argparse.Namespace) -> int:
    """Without a display: collect once, show what came of it, and say how to go on."""
    home = ["--home", str(arguments.home)] if getattr(arguments, "home", None) else []
    say("No display here: reading every source once.")
    tour(arguments, home, (["collect"], ["status"], ["now"]))
    ours = typed()
    say("\nGo on with:")
    say(f'  {ours} search "what I was doing"    find by words and meaning')
    say(f"  {ours} context --copy               a block to paste into an AI chat")
    say(f"  {ours} record                       keep recording, until stopped")
    say(f"  {ours} demo                         a made-up fortnight to try it on")
    return 0


def _popup(arguments: argparse.Namespace) -> int:
    from desktop_memory.cli.popup import popup

    home = getattr(arguments, "home", None)
    return popup([*(["--copy"] if arguments.copy else []), *(["--home", home] if home else [])])


def _demo(arguments: argparse.Namespace) -> int:
    from desktop_memory.cli.demo import demo

    return demo(arguments)


def _hook(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.session import folder_of
    from desktop_memory.desktop import shell_hook

    if arguments.action == "show":
        say(shell_hook.show(arguments.shell, folder_of(arguments)))
        return
    if arguments.action == "install":
        told = shell_hook.install(arguments.shell, folder_of(arguments), keep_repeats=arguments.keep_repeats)
    else:
        told = shell_hook.remove(arguments.shell)
    if arguments.json:
        print_json(
            {"shell": arguments.shell, "installed": shell_hook.installed(arguments.shell), "told": told}
        )
    else:
        say(told)


def _uninstall(arguments: argparse.Namespace) -> None:
    from desktop_memory.cli.uninstall import uninstall

    uninstall(arguments)
