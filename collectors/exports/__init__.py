"""Files that other programs export, to be taken in once: one file a program."""
