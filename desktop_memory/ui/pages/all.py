"""The pages in the order of the navigation. Only what is real stands here."""

from __future__ import annotations

from desktop_memory.ui.pages.connections import ConnectionsPage
from desktop_memory.ui.pages.context import ContextPage
from desktop_memory.ui.pages.now import NowPage
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.pages.pins import PinsPage
from desktop_memory.ui.pages.privacy import PrivacyPage
from desktop_memory.ui.pages.projects import ProjectsPage
from desktop_memory.ui.pages.report import ReportPage
from desktop_memory.ui.pages.search import SearchPage
from desktop_memory.ui.pages.settings import SettingsPage
from desktop_memory.ui.pages.sources import SourcesPage
from desktop_memory.ui.pages.timeline import TimelinePage

PAGES: tuple[type[Page], ...] = (
    NowPage,
    TimelinePage,
    SearchPage,
    ConnectionsPage,
    ContextPage,
    PinsPage,
    ReportPage,
    ProjectsPage,
    SourcesPage,
    PrivacyPage,
    SettingsPage,
)
HOUSE = PAGES.index(ProjectsPage)
"""From here on they are set up rather than looked at."""
