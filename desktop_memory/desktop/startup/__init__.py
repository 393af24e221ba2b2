"""Starting with the desktop: one file a system, each with where(), read(), write() and remove()."""
