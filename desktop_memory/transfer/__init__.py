"""Whole memories on their way: into a backup and back, and from one machine to another."""
