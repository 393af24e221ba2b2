"""Documents that were opened, as each desktop lists them: one file a kind of list."""
