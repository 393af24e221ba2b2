"""The keys of an encrypted data folder: where they are kept, and how they are asked for. Knows nothing of SQLite."""

PASSPHRASE_VARIABLE = "DESKTOP_MEMORY_PASSPHRASE"
FILE_VARIABLE = "DESKTOP_MEMORY_PASSPHRASE_FILE"
EXPORT_MAGIC = b"Desktop Memory, encrypted export 1\n"


def is_sealed(start: bytes) -> bool:
    """Whether a file that begins like this is an encrypted export."""
    return start.startswith(EXPORT_MAGIC)
