"""Watches this computer and tells what it saw; knows nothing of desktop_memory."""
