"""The window in front: one file a desktop, spans made of what it tells."""
