"""Which windows are meetings, by the patterns that come with the app."""

from __future__ import annotations

import pytest

from collectors.window.backend import window
from collectors.window.meetings import is_meeting, load
from desktop_memory.resources import resource

MEETINGS = load(resource("meetings.toml"))


@pytest.mark.parametrize(
    ("app_id", "title"),
    [
        ("zoom", "Zoom Meeting"),
        ("zoom.us", "Zoom Webinar"),
        ("ms-teams", "Meeting with Ada | Microsoft Teams"),
        ("teams-for-linux", "Call with Ada | Microsoft Teams"),
        ("CiscoCollabHost", "Ada's meeting"),
        ("firefox", "Meet – abc-defg-hij — Mozilla Firefox"),
        ("google-chrome", "Meet - Weekly planning - Google Chrome"),
        ("chromium", "Standup | Jitsi Meet - Chromium"),
        ("msedge", "Meeting | Sprint review | Microsoft Teams - Microsoft Edge"),
        ("jami", "Jami"),
    ],
)
def test_a_meeting_is_one(app_id: str, title: str):
    assert is_meeting(window(title, app_id=app_id), "", MEETINGS)


@pytest.mark.parametrize(
    ("app_id", "title"),
    [
        ("zoom", "Zoom Workplace"),
        ("ms-teams", "Chat | Ada | Microsoft Teams"),
        ("firefox", "How to run a meeting - Wikipedia — Mozilla Firefox"),
        ("firefox", "Meetup – Berlin Python — Mozilla Firefox"),
        ("gedit", "meeting.txt"),
        ("code", "google_meet.py - bot - Visual Studio Code"),
    ],
)
def test_talking_about_one_is_not(app_id: str, title: str):
    assert not is_meeting(window(title, app_id=app_id), "", MEETINGS)
