-- From schema 1: what the second version of the file adds.

-- What a list of copies shows of each. The title goes when one of its sources is forgotten.
ALTER TABLE copy ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE copy ADD COLUMN format TEXT NOT NULL DEFAULT 'markdown';
ALTER TABLE copy ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
CREATE INDEX copy_at ON copy (at);

-- Updates to the pins that were taken together: the rows that were there before, the ids of those that are new.
-- Emptied once they cannot be undone any more.
CREATE TABLE pin_batch (
    id       INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    proposal INTEGER REFERENCES proposal (id),
    before   TEXT NOT NULL,
    added    TEXT NOT NULL
) STRICT;

-- What the user opened, copied or pinned, and when last. It goes with the event; `text` tells what says the same.
CREATE TABLE usage (
    event INTEGER PRIMARY KEY REFERENCES event (id),
    text  INTEGER,
    times INTEGER NOT NULL,
    last  INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_text ON usage (text) WHERE text IS NOT NULL;
CREATE TRIGGER usage_delete AFTER DELETE ON event BEGIN
    DELETE FROM usage WHERE event = old.id;
END;

-- From this r on a model may answer a question of which it knows no word.
ALTER TABLE model ADD COLUMN strange REAL NOT NULL DEFAULT 0.4;
