"""The truth: one SQLite file. The only place that knows SQL and sqlite-vec."""
