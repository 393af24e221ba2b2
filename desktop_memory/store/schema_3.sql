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
