"""Finds events by words, meaning, time and what they share; reads stores, writes nothing."""
