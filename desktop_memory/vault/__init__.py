"""The keys of an encrypted data folder: where they are kept, and how they are asked for. Knows nothing of SQLite."""

PASSPHRASE_VARIABLE = "DESKTOP_MEMORY_PASSPHRASE"
FILE_VARIABLE = "DESKTOP_MEMORY_PASSPHRASE_FILE"
