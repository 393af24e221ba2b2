"""The QApplication: its name, its icon, its language."""

from __future__ import annotations

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from desktop_memory.ui import translated
from desktop_memory.ui.tray_icon import tray_icon
from desktop_memory.ui.words import speak


def application() -> QApplication:
    """The QApplication, which lives on without windows."""
    running = QApplication.instance()
    qt = running if isinstance(running, QApplication) else QApplication(["desktop-memory"])
    qt.setApplicationName("desktop-memory")
    qt.setApplicationDisplayName("Desktop Memory")
    qt.setDesktopFileName("desktop-memory")
    qt.setQuitOnLastWindowClosed(False)
    qt.setWindowIcon(tray_icon("recording"))
    language = QLocale().name().split("_")[0]
    speak(language)
    translated.speak(language)
    return qt
