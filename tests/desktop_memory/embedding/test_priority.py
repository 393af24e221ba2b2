"""Work in the background goes behind what somebody waits for."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from desktop_memory.embedding.priority import lower_this_thread
from desktop_memory.reach import own

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a thread's priority")


def _priority() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def _on_a_thread(call) -> list[object]:
    said: list[object] = []
    thread = threading.Thread(target=lambda: said.append(call()))
    thread.start()
    thread.join()
    return said


def test_a_thread_goes_behind_others_and_those_stay_where_they_are():
    before = _priority()

    assert _on_a_thread(lambda: (lower_this_thread(), _priority())[1]) == [max(10, before)]
    assert _priority() == before


def test_what_was_started_further_behind_stays_there():
    def further_behind() -> int:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 15)
        lower_this_thread()
        return _priority()

    if _priority() > 15:
        pytest.skip("these tests run further behind")
    assert _on_a_thread(further_behind) == [15]


def test_a_command_that_stands_in_for_the_app_goes_behind_those_who_ask_meanwhile(tmp_path: Path):
    def importing() -> int:
        with own(tmp_path / "home"):
            return _priority()

    assert _on_a_thread(importing) == [max(10, _priority())]
