"""Hotkey, clipboard and autostart: one file a backend, each with the same connect()."""
