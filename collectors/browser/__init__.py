"""Browser histories: one file a family."""
