"""Git repositories below the home folder: what was committed, and where each one stands."""
