-- From schema 2: what the third version of the file adds.

-- Events that the rules hide, so that counts leave them out; `judging` says by which rules (a keyed hash of them), and
-- that events over `floor` up to `until` are still to be judged by them.
CREATE TABLE hidden (event INTEGER PRIMARY KEY) STRICT;
CREATE TRIGGER hidden_delete AFTER DELETE ON event BEGIN
    DELETE FROM hidden WHERE event = old.id;
END;
CREATE TABLE judging (
    rules TEXT NOT NULL,
    floor INTEGER NOT NULL,
    until INTEGER NOT NULL
) STRICT;

-- What can still be undone of a forget, a step of it a row. `kept` of forget_batch, which held it before, stays empty.
CREATE TABLE set_aside (
    id     INTEGER PRIMARY KEY,
    batch  INTEGER NOT NULL,
    events TEXT NOT NULL
) STRICT;
CREATE INDEX set_aside_batch ON set_aside (batch);
INSERT INTO set_aside (batch, events) SELECT id, kept FROM forget_batch WHERE state = 'hidden';
UPDATE forget_batch SET kept = '' WHERE kept <> '';

-- What a forget on its way has still to remove, a step of it a row: after a crash it is gone on with.
CREATE TABLE to_forget (
    id       INTEGER PRIMARY KEY,
    batch    INTEGER NOT NULL,
    undoable INTEGER NOT NULL,
    events   TEXT NOT NULL
) STRICT;
CREATE INDEX to_forget_batch ON to_forget (batch);
