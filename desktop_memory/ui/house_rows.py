"""Rows of Settings that no declaration makes: what the memory takes up, the models here, AI clients that may ask."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_memory.desktop import autostart
from desktop_memory.embedding.installed import all_installed
from desktop_memory.embedding.model_files import BUILT_IN
from desktop_memory.mcp import clients
from desktop_memory.mcp.clients import ClientConfig
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.parts import button, label
from desktop_memory.ui.setting_form import SettingForm
from desktop_memory.ui.switches import Choice, Switch
from desktop_memory.ui.words import number, tr

NAMES = {
    "claude-desktop": "Claude Desktop", "claude-code": "Claude Code", "cursor": "Cursor", "windsurf": "Windsurf",
    "vscode": "VS Code",
}  # fmt: skip
_PARTS = {"graph": "graph", "models": "models", "memory.sqlite": "records"}


class HouseRows(QObject):
    """`refresh` asks anew, in the background."""

    def __init__(self, desk: Desk, form: SettingForm) -> None:
        super().__init__(form)
        self._desk = desk
        self._form = form
        self.size = label(desk.theme, "", 13, token="muted")
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(desk.theme.px(12))
        self.size.setWordWrap(True)
        self.size.setMinimumWidth(desk.theme.px(150))
        self.size.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.size, 1)
        row.addWidget(button(desk.theme, tr("Open folder"), self._open))
        form.add_row("storage", tr("What it takes up on this disk"), holder, "size folder")
        self.switches: dict[str, Switch] = {}
        for client, config in _here().items():
            switch = Switch(desk.theme)
            switch.setAccessibleName(tr("Let {client} ask").format(client=NAMES[client]))
            switch.setEnabled(not desk.demo)
            switch.clicked.connect(lambda on, config=config: self._switch(config, on))
            told = tr("Let {client} ask, through MCP; each question is noted").format(client=NAMES[client])
            form.add_row("memory", told, switch, f"integration mcp ai {client}")
            self.switches[client] = switch

    def refresh(self) -> None:
        folder = self._desk.folder
        self._desk.background.run(_installed, self._show_clients, owner=self, lane="ai clients")
        if folder is not None:
            self._desk.background.run(partial(sizes, folder), self._show_sizes, owner=self, lane="storage")
            self._desk.background.run(partial(_models, folder), self._show_models, owner=self, lane="models")

    def _show_sizes(self, found: Mapping[str, int]) -> None:
        words = {"records": tr("records"), "graph": tr("connections"), "models": tr("models")}
        parts = [f"{words[part]} {amount(found[part])}" for part in words if found.get(part)]
        self.size.setText(f"{amount(sum(found.values()))} ({', '.join(parts)})")

    def _show_models(self, names: list[str]) -> None:
        made = self._form.controls.get(("memory", "model"))
        if isinstance(made, Choice):
            chosen = self._desk.settings.memory.model
            made.clear()
            for name in dict.fromkeys([*names, chosen]):
                made.addItem(name, name)
            made.setCurrentIndex(made.findData(chosen))

    def _show_clients(self, on: Mapping[str, bool]) -> None:
        for client, switch in self.switches.items():
            switch.setChecked(on.get(client, False))

    def _switch(self, config: ClientConfig, on: bool) -> None:
        command = self._command(config.client)
        self._desk.background.drop("ai clients")  # what was asked before would turn the switch back

        def act() -> str:
            if on:
                clients.install(config, command)
                return tr("{client} may ask once it is started again.")
            clients.remove(config)
            return tr("{client} may not ask any more.")

        def say(told: str) -> None:
            self._desk.notices.say(told.format(client=NAMES[config.client]), str(config.path))

        def failed(error: Exception) -> None:
            self._desk.notices.failed(error)
            self.refresh()

        self._desk.background.run(act, say, failed, owner=self)

    def _command(self, client: str) -> list[str]:
        """How a client starts us."""
        return [*autostart.program(self._desk.folder), "mcp", "serve", client]

    def _open(self) -> None:
        if self._desk.folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._desk.folder)))


def sizes(folder: Path) -> dict[str, int]:
    """Bytes by part; what goes while it is looked at counts nothing."""
    found: dict[str, int] = {}
    for path in folder.rglob("*"):
        try:
            if path.is_file() and not path.is_symlink():
                top = path.relative_to(folder).parts[0]
                part = next((part for begin, part in _PARTS.items() if top.startswith(begin)), "other")
                found[part] = found.get(part, 0) + path.stat().st_size
        except OSError:
            continue
    return found


def amount(count: int) -> str:
    """980 KB, 42 MB, 3,100 MB."""
    return (
        f"{number(round(count / 1_000_000))} MB"
        if count >= 1_000_000
        else f"{number(round(count / 1000))} KB"
    )


def _here() -> dict[str, ClientConfig]:
    """The clients that this computer seems to have."""
    return {
        name: config
        for name, config in clients.known().items()
        if config.path.exists() or (config.path.parent != Path.home() and config.path.parent.is_dir())
    }


def _installed() -> dict[str, bool]:
    return {name: clients.installed(config) for name, config in _here().items()}


def _models(folder: Path) -> list[str]:
    found = [one.files.info.name for one in all_installed(folder) if one.purpose == "search"]
    return [BUILT_IN.name, *found]
