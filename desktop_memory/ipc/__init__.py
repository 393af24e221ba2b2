"""Memory's methods as JSON over a local socket; RemoteMemory has the same methods."""
