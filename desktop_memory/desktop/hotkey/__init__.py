"""A key that opens the search everywhere: one file a desktop, each with the same connect()."""
