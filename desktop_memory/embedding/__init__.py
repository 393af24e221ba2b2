"""Turns texts into vectors. The only place that knows fastembed."""
