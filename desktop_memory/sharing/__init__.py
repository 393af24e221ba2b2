"""Several machines of one person: each writes to a folder that a synchroniser carries, and reads what others wrote."""
