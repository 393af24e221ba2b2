"""Whether a person is there: idle, locked, asleep; one file a desktop."""
