"""The window's pages: one file each, a few lines around a Memory method."""
