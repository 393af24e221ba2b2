"""Makes the pictures of every screen from the demo's fortnight: `python docs/screenshots.py`.

Each in light and dark: 1,200 pixels wide in docs/screenshots/, and at 900 and 1,600 pixels, at 1x and 2x, in folders
there; docs/screens.md shows them all. To look at one while working on it: `--only timeline --into FOLDER`. Needs no
display.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

MORNING, AFTERNOON = "2026-08-13T09:56:00+02:00", "2026-08-13T16:20:00+02:00"
FONT = ("Inter", 14)
ANSWER = (
    "You read Robust F0 estimation in week-long recordings [3] and noted the 8th percentile with a 60 s window [5]. "
    "The analysis was released as version 2.4 [8]."
)
LOOKS = ("light", "dark")
SIZES = ((900, 1), (900, 2), (1600, 1), (1600, 2))
BACKDROP = {"light": "#C8CFD8", "dark": "#0B0C0E"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=HERE / "screenshots", metavar="FOLDER")
    parser.add_argument("--only", default="", help="only screens whose name holds this")
    parser.add_argument(
        "--shoot", nargs=4, metavar=("PROFILES", "LOOK", "WIDTH", "TO"), help=argparse.SUPPRESS
    )
    given = parser.parse_args()
    if given.shoot:
        profiles, look, width, to = given.shoot
        shoot(Path(profiles), look, int(width), Path(to), given.only)
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, now in (("morning", MORNING), ("afternoon", AFTERNOON)):
            in_another_process(["--shoot", str(Path(folder) / name), "fill", "0", now], 1)
        for look, width, scale, to in wanted(given.into):
            to.mkdir(parents=True, exist_ok=True)
            print(f"{look}, {width} px, {scale}x", flush=True)
            in_another_process(["--only", given.only, "--shoot", folder, look, str(width), str(to)], scale)
    if given.into == HERE / "screenshots":
        (HERE / "screens.md").write_text(gallery(), encoding="utf-8")


def wanted(into: Path) -> Iterator[tuple[str, int, int, Path]]:
    for look in LOOKS:
        yield look, 1200, 1, into
        for width, scale in SIZES:
            yield look, width, scale, into / f"{width}-{scale}x"


def gallery() -> str:
    """docs/screens.md: each screen in both looks, and links to its other sizes."""
    lines = ["# Every screen", "", "From the demo's fortnight, by `make screenshots`.", ""]
    for name in (*MORNING_SCREENS, *AFTERNOON_SCREENS):
        shown = " | ".join(f"![{name}, {look}](screenshots/{name}-{look}.webp)" for look in LOOKS)
        lines += [
            f"## {name.replace('-', ' ').capitalize()}",
            "",
            "| light | dark |",
            "| --- | --- |",
            f"| {shown} |",
            "",
        ]
        for width, scale in SIZES:
            links = ", ".join(f"[{look}](screenshots/{width}-{scale}x/{name}-{look}.webp)" for look in LOOKS)
            lines.append(f"- {width:,} pixels, {scale}x: {links}")
        lines.append("")
    return "\n".join(lines)


def in_another_process(arguments: list[str], scale: int) -> None:
    """Qt takes scale, clock and zone once, when it starts."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as screens:
        json.dump({"screens": [{"name": "one", "width": 1920 * scale, "height": 1200 * scale}]}, screens)
        screens.flush()
        env = dict(
            os.environ, QT_QPA_PLATFORM=f"offscreen:configfile={screens.name}", QT_SCALE_FACTOR=str(scale)
        )
        env |= {"TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8", "QT_LOGGING_RULES": "*.warning=false"}
        subprocess.run([sys.executable, __file__, *arguments], env=env, check=True)


def fill(folder: Path, now: str) -> None:
    """A profile of the demo that ends at this moment."""
    os.environ["DESKTOP_MEMORY_NOW"] = now
    from desktop_memory import demo
    from desktop_memory.app import App

    people = folder / "home"
    folder.mkdir(parents=True)
    at = datetime.fromisoformat(now)
    demo.lay_out(people, at)
    app = App.open(folder)
    try:
        demo.fill(app.memory, at, home=people)
        app.catch_up(seconds=120)
    finally:
        app.close()


def shoot(profiles: Path, look: str, width: int, to: Path, only: str) -> None:
    """All screens in one look and width; `look` "fill" makes a profile instead."""
    if look == "fill":
        fill(profiles, str(to))
        return
    from PySide6.QtGui import QFont
    from PySide6.QtWidgets import QApplication

    from desktop_memory.app import App
    from desktop_memory.ui.theme import Theme

    qt = QApplication([])
    font = QFont(FONT[0])
    font.setPixelSize(FONT[1])
    qt.setFont(font)
    theme = Theme(look, font=font)
    for name, now, screens in (
        ("morning", MORNING, MORNING_SCREENS),
        ("afternoon", AFTERNOON, AFTERNOON_SCREENS),
    ):
        os.environ |= {"DESKTOP_MEMORY_NOW": now, "HOME": str(profiles / name / "home")}
        app = App.open(profiles / name)
        try:
            stage = Stage(qt, app, theme, look, width, to)
            for screen, act in screens.items():
                if only in screen:
                    act(stage, screen)
            stage.close()
        finally:
            app.close()


class Stage:
    """The screens over one profile, and a camera."""

    def __init__(self, qt: object, app: object, theme: object, look: str, width: int, to: Path) -> None:
        from desktop_memory import clock
        from desktop_memory.ui.background import Background
        from desktop_memory.ui.bridge import Bridge
        from desktop_memory.ui.desk import Desk
        from desktop_memory.ui.notices import Notices
        from desktop_memory.ui.screens import Screens

        self.qt, self.look, self.width, self.to = qt, look, width, to
        watching = {"watching": True, "backend": "X11", "tried": {}, "advice": ""}
        app.status = lambda: {"live": {"window": watching, "idle": watching}, "problems": {}}
        self.desk = Desk(
            memory=app.memory, app=app, background=Background(), bridge=Bridge(), theme=theme,
            notices=Notices(), clock=clock.clock, folder=app.folder,
        )  # fmt: skip
        self.screens = Screens(self.desk)
        self.screens.window.resize(width, 780 if width < 1000 else 900)
        self.screens.look()

    def close(self) -> None:
        self.screens.end()
        self.desk.background.close()

    def wait(
        self, true: Callable[[], object] = lambda: False, seconds: float = 15.0, after: float = 0.4
    ) -> None:
        """Until this holds, and a moment for what follows from it."""
        end = time.monotonic() + seconds
        while not true() and time.monotonic() < end:
            self.qt.processEvents()
            time.sleep(0.01)
        end = time.monotonic() + after
        while time.monotonic() < end:
            self.qt.processEvents()
            time.sleep(0.01)

    def page(self, name: str) -> object:
        window = self.screens.window
        window.show()
        window.go_to(name)
        return window.page

    def take(self, name: str) -> None:
        self.screens.window.setFocus()
        self.wait(seconds=0, after=0.1)
        self.keep(self.screens.window.grab(), name)

    def take_popup(self, name: str) -> None:
        """The popup and its shadow on a plain desktop."""
        from PySide6.QtGui import QColor, QPainter, QPixmap

        shot = self.screens.popup.grab()
        picture = QPixmap(shot.size())
        picture.setDevicePixelRatio(shot.devicePixelRatio())
        picture.fill(QColor(BACKDROP[self.look]))
        painter = QPainter(picture)
        painter.drawPixmap(0, 0, shot)
        painter.end()
        self.keep(picture, name)

    def keep(self, picture: QPixmap, name: str) -> None:
        file = self.to / f"{name}-{self.look}.webp"
        picture.save(str(file), quality=100)  # without loss, and a quarter of a PNG
        file.chmod(0o644)  # the app lets nobody else read what it writes


def now(stage: Stage, name: str) -> None:
    page = stage.page("NowPage")
    stage.wait(lambda: page.pane._button.isEnabled())
    stage.take(name)


def timeline(stage: Stage, name: str) -> None:
    page = stage.page("TimelinePage")
    stage.wait(lambda: page.view.marks.sessions)
    session = next(s for s in page.view.marks.sessions if "billing-api" in s.projects)
    page.view.choose(session.id)
    page.show_session(session)
    stage.wait(lambda: page.pane._button.isEnabled(), after=1.0)
    stage.take(name)


def search(stage: Stage, name: str) -> None:
    page = stage.page("SearchPage")
    page.search_for("duplicate charge retry")
    stage.wait(lambda: page._found and page._found.settled and page.pane._button.isEnabled())
    page.rows.choose(2)
    page.why.setChecked(True)
    stage.wait(seconds=0.1, after=1.0)
    stage.take(name)


def connections(stage: Stage, name: str) -> None:
    page = stage.page("ConnectionsPage")
    stage.wait(lambda: page.came.rows.rows.rowCount() and page.pane._button.isEnabled())
    stage.take(name)


def open_again(stage: Stage, name: str) -> None:
    timeline(stage, name)
    stage.screens.window.page.reopen()
    stage.wait(seconds=0.1, after=0.6)
    stage.take(name)


def popup_empty(stage: Stage, name: str) -> None:
    popup = stage.screens.popup
    popup.open()
    stage.wait(lambda: popup._start)
    stage.take_popup(name)


def popup(stage: Stage, name: str) -> None:
    shown = stage.screens.popup
    shown.open()
    shown.field.setText("duplicate charge retry last week")
    stage.wait(lambda: shown._found and shown._found.settled and shown._tokens, after=0.6)
    stage.take_popup(name)
    shown.hide()


def context(stage: Stage, name: str) -> None:
    page = stage.page("ContextPage")
    page.form.what.button(4).click()
    page.form.query.setText("when I found the calcium baseline paper")
    stage.wait(lambda: "calcium" in page.pane._title.text() and page.pane._button.isEnabled(), after=0.8)
    stage.take(name)


def copies(stage: Stage, name: str) -> None:
    """Two copies, and a chat's answer checked against the later one."""
    from desktop_memory.model import ContextRequest

    for asked in ("retention schedule", "when I found the calcium baseline paper"):
        stage.desk.memory.context(ContextRequest(query=asked))
    page = stage.page("ContextPage")
    page.show_view(1)
    stage.wait(lambda: page.copies.detail.sources.rows.rowCount())
    page.check.text.setPlainText(ANSWER)
    page.check.check()
    stage.wait(lambda: page.check.checked, after=0.6)
    stage.take(name)
    page.show_view(0)


def privacy(stage: Stage, name: str) -> None:
    page = stage.page("PrivacyPage")
    stage.wait(lambda: page.encryption.told.text(), after=0.8)
    stage.take(name)


def plain(page_name: str) -> Callable[[Stage, str], None]:
    """A page that only has to be looked at."""

    def shoot_it(stage: Stage, name: str) -> None:
        stage.page(page_name)
        stage.wait(seconds=0.8)
        stage.take(name)

    return shoot_it


MORNING_SCREENS: dict[str, Callable[[Stage, str], None]] = {"popup-empty": popup_empty, "now": now}
AFTERNOON_SCREENS: dict[str, Callable[[Stage, str], None]] = {
    "timeline": timeline,
    "open-again": open_again,
    "search": search,
    "connections": connections,
    "popup": popup,
    "context": context,
    "copies": copies,
    "pins": plain("PinsPage"),
    "projects": plain("ProjectsPage"),
    "report": plain("ReportPage"),
    "sources": plain("SourcesPage"),
    "privacy": privacy,
    "settings": plain("SettingsPage"),
}

if __name__ == "__main__":
    main()
