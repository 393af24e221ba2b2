"""A command's text reaches the app's clipboard from another thread."""

from __future__ import annotations

import threading
from typing import Any

from pytestqt.qtbot import QtBot

from desktop_memory.ui.lent_clipboard import LentClipboard


def test_a_commands_text_is_on_the_clipboard_when_it_is_told_so(clipboard: Any, qtbot: QtBot) -> None:
    lent = LentClipboard()
    told: list[bool] = []
    caller = threading.Thread(target=lambda: told.append(lent.put("# Last 15 minutes")))

    caller.start()
    qtbot.waitUntil(lambda: told != [])
    caller.join()

    assert told == [True]
    assert clipboard.text() == "# Last 15 minutes"
