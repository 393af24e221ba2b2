"""Remembers what a person did on this computer and gives it back. Nothing leaves the machine."""

__version__ = "0.1.0"
