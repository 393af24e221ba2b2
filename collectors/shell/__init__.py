"""Shell histories and the hook spools: one file a format."""
