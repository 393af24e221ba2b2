"""Contexts: what is copied, checked, looked for and reported, from one set of stores."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from desktop_memory.context.build import build_context
from desktop_memory.context.check import Checked, check, tag_in
from desktop_memory.context.did_i import DidI, did_i
from desktop_memory.context.outlet import Outlet
from desktop_memory.context.report import Report, report
from desktop_memory.context.report_wording import Wording
from desktop_memory.context.scoped import ScopedSources
from desktop_memory.context.sources import Sources
from desktop_memory.context.telling import tell_lines, tell_report
from desktop_memory.context.updates import Updates, find_block, read_updates
from desktop_memory.errors import KnownError
from desktop_memory.model import ContextRequest, CopiedContext, Spoken, Told
from desktop_memory.scopes import Scope


class Contexts:
    """Builds what is copied for an AI chat."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def build(self, request: ContextRequest, scope: Scope | None = None) -> CopiedContext:
        return build_context(request, self._within(scope))

    def check(self, answer: str, tag: str = "", client: str | None = None) -> Checked:
        """Against the copy of this tag, of the tag in the answer, or the last one (of this client, if named).

        Raises KnownError when there is none.
        """
        wanted = tag or tag_in(answer)
        found = self._sources.copied(wanted, client)
        if found is None and wanted:
            raise KnownError(f"There is no copy {wanted}.", "Leave the tag out for the last copy.")
        if found is None:
            raise KnownError(
                "Nothing was copied yet.", "Copy a context first; its answers can be checked then."
            )
        return check(answer, found[1], found[0])

    def read_updates(self, answer: str) -> Updates:
        """What the JSON block in a chat's answer would change among the pins. Raises UsageError for none."""
        sources = self._sources
        outlet = Outlet(sources.redaction(strict=True, projects=()), sources.aliases(), sources.walled())
        return read_updates(
            find_block(answer), self._sources.pins(), self._sources.zone(), lambda text: outlet.words(text)[0]
        )

    def did_i(self, claim: str, scope: Scope | None = None) -> DidI:
        """Whether the log confirms a claim, knows something like it, or holds nothing of it.

        `scope` is that of the AI client that asks; without one it is the owner.
        """
        return did_i(claim, self._within(scope), owner=scope is None)

    def report(self, since: date, until: date, project: str = "") -> Report:
        """What these local days, both included, were spent on."""
        return report(self._sources, since, until, project)

    def tell_report(self, since: date, until: date, project: str, format: str, wording: Wording) -> Told:
        """The report as others may see it: behind walls, aliases and redaction."""
        return tell_report(self._sources, since, until, project, format, wording)

    def tell_lines(self, lines: Sequence[Spoken], project: str = "") -> Told:
        """Lines that were chosen, likewise; `project` is open, else the one in front of them."""
        return tell_lines(self._sources, lines, project)

    def _within(self, scope: Scope | None) -> Sources:
        return ScopedSources(self._sources, scope) if scope else self._sources
