"""Privacy: what is never recorded, a tester that says why, what was masked, and forgetting."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_memory.model import Stats
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.encryption import Encryption
from desktop_memory.ui.forgetting import Forgetting
from desktop_memory.ui.masked_list import MaskedList, secret_word
from desktop_memory.ui.page_head import page_head
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.pages.settings import WIDTH
from desktop_memory.ui.parts import Rule, label, piled, scrolled
from desktop_memory.ui.retention import Retention
from desktop_memory.ui.rule_tester import RuleTester
from desktop_memory.ui.setting_form import SettingForm
from desktop_memory.ui.words import number, tr


class PrivacyPage(Page):
    """Rules act from the next record on; what is there already is forgotten below them."""

    icon = "shield-lock"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        px = desk.theme.px
        self._about = label(desk.theme, tr("Everything stays on this computer."), 13, token="muted")
        self._about.setWordWrap(True)
        self.form = SettingForm(
            desk,
            ("privacy",),
            titles=False,
            without=("keep",),
            headings={
                "exclude_apps": tr("Never recorded"),
                "only_apps": tr("Record only this"),
                "walled_projects": tr("What others may see"),
                "pause_schedule": tr("When recording rests"),
                "strict_private": tr("Left out from the beginning"),
            },
        )
        self.tester = RuleTester(desk)
        self.form.saved.connect(self.tester.judge)
        self.forgetting = Forgetting(desk, actions.leaving)
        self.masked = MaskedList(desk)
        self.encryption = Encryption(desk)
        self.retention = Retention(desk)
        inside = QWidget()
        inside.setMaximumWidth(px(WIDTH))
        column = QVBoxLayout(inside)
        column.setContentsMargins(px(16), px(4), px(16), px(24))
        column.setSpacing(px(6))
        for title, part in (
            (tr("Forget"), self.forgetting),
            (tr("Would it be recorded?"), self.tester),
            (tr("Where secrets were masked"), self.masked),
            (tr("On this disk"), self.encryption),
            (tr("How long it is kept"), self.retention),
        ):
            heading = label(desk.theme, title, 14, 600)
            heading.setContentsMargins(0, px(16), 0, px(2))
            column.addWidget(heading)
            column.addWidget(part)
        column.addWidget(self.form)
        column.addStretch()
        self.area = scrolled(inside, self.title())
        piled(self, page_head(desk.theme, self.title(), self._about), Rule(desk.theme), self.area)

    @classmethod
    def title(cls) -> str:
        return tr("Privacy")

    def take_focus(self) -> None:
        self.tester.take_focus()
        self.area.verticalScrollBar().setValue(0)

    def refresh(self) -> None:
        self.encryption.refresh()
        self.masked.refresh()
        self.desk.background.run(
            self.desk.memory.stats, self._show, self.desk.notices.failed, owner=self, lane="privacy"
        )

    def _show(self, stats: Stats) -> None:
        parts = [tr("Everything stays on this computer.")]
        if masked := sum(stats.masked.values()):
            kinds = ", ".join(f"{secret_word(kind)} {number(count)}" for kind, count in stats.masked.items())
            parts.append(tr("Secrets masked: {count} ({kinds}).").format(count=number(masked), kinds=kinds))
        if dropped := sum(stats.dropped.values()):
            parts.append(tr("Left out by a rule: {count}.").format(count=number(dropped)))
        self._about.setText(" ".join(parts))
