-- From schema 1: what the second version of the file adds.

-- What is inserted comes into the full text once a transaction (EventWriter.index_words), not row by row.
DROP TRIGGER event_words_insert;

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

-- Which project an event would have without rules and merges, where that is another: an entity, or 0 for none. `rule`
-- is the rule that gave it its project.
ALTER TABLE event ADD COLUMN told INTEGER;
ALTER TABLE event ADD COLUMN rule INTEGER;
CREATE INDEX event_told ON event (told) WHERE told IS NOT NULL;
CREATE INDEX event_rule ON event (rule) WHERE rule IS NOT NULL;

-- What the user decided about a project. `first` is the name, normalised, under which its branches are kept.
CREATE TABLE project (
    entity   INTEGER PRIMARY KEY REFERENCES entity (id),
    into_    INTEGER REFERENCES entity (id),
    archived INTEGER,
    first    TEXT NOT NULL DEFAULT ''
) STRICT;

-- Names by which a project goes as well: it was called so before, or a clone of it is.
CREATE TABLE project_name (
    norm    TEXT PRIMARY KEY,
    name    TEXT NOT NULL,
    project INTEGER NOT NULL REFERENCES entity (id)
) STRICT, WITHOUT ROWID;

-- What a repository is known by wherever it lies: `commit …` its first one, `remote …` a keyed hash.
CREATE TABLE project_mark (
    mark    TEXT PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES entity (id)
) STRICT, WITHOUT ROWID;

-- Where repositories lie, or lay, and what sources call them there.
CREATE TABLE project_folder (
    folder  TEXT PRIMARY KEY,
    norm    TEXT NOT NULL,
    project INTEGER NOT NULL REFERENCES entity (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE project_rule (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    kind    TEXT NOT NULL CHECK (kind IN ('title', 'domain', 'folder', 'app')),
    pattern TEXT NOT NULL,
    project INTEGER NOT NULL REFERENCES entity (id),
    UNIQUE (kind, pattern)
) STRICT;

-- What was changed about projects, as JSON to undo it, and how far the events up to `until` follow.
CREATE TABLE project_change (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at      INTEGER NOT NULL,
    what    TEXT NOT NULL CHECK (what IN ('rule', 'unrule', 'rename', 'merge', 'archive', 'unarchive', 'learn')),
    about   TEXT NOT NULL,
    undone  INTEGER NOT NULL DEFAULT 0,
    running INTEGER NOT NULL DEFAULT 1,
    cursor  INTEGER NOT NULL DEFAULT 0,
    until   INTEGER NOT NULL,
    moved   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX project_change_running ON project_change (id) WHERE running;

-- Repositories that are known already, each the project most of its events are in.
INSERT INTO project_mark (mark, project)
    SELECT 'commit ' || entity.name, project FROM (
        SELECT repo, project, row_number() OVER (PARTITION BY repo ORDER BY count(*) DESC, project) AS place
        FROM event WHERE repo IS NOT NULL AND project IS NOT NULL GROUP BY repo, project
    ) JOIN entity ON entity.id = repo WHERE place = 1;
INSERT OR IGNORE INTO project_folder (folder, norm, project)
    SELECT DISTINCT details ->> 'cwd', entity.norm, event.project FROM event JOIN entity ON entity.id = event.project
    WHERE event.kind = 'git_commit' AND details ->> 'cwd' <> '';
INSERT INTO profile (name, value) VALUES ('projects', 1);

-- Backups that were written, to name those that still hold what is forgotten. `last` is the newest event in it.
CREATE TABLE backup (
    id   INTEGER PRIMARY KEY,
    at   INTEGER NOT NULL,
    path TEXT NOT NULL,
    last INTEGER NOT NULL
) STRICT;

-- Sharing with the user's other machines: what is agreed, and how far it is written and read.
CREATE TABLE share_state (
    name  TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- Events to write again because they changed, and events whose lines must be emptied.
CREATE TABLE share_changed (event INTEGER PRIMARY KEY) STRICT;
CREATE TABLE share_gone (event INTEGER PRIMARY KEY) STRICT;
CREATE TRIGGER share_event_changed
AFTER UPDATE OF start, end, open, title, text, url, domain, app, project, details ON event
WHEN EXISTS (SELECT 1 FROM share_state) BEGIN
    INSERT OR IGNORE INTO share_changed (event) VALUES (new.id);
END;
CREATE TRIGGER share_event_gone AFTER DELETE ON event WHEN EXISTS (SELECT 1 FROM share_state) BEGIN
    INSERT OR IGNORE INTO share_gone (event) VALUES (old.id);
    DELETE FROM share_changed WHERE event = old.id;
END;

-- Which events a segment of ours was begun with, and those that were written again into it.
CREATE TABLE share_segment (
    number INTEGER PRIMARY KEY,
    first  INTEGER NOT NULL,
    last   INTEGER NOT NULL
) STRICT;
CREATE TABLE share_again (
    event   INTEGER NOT NULL,
    segment INTEGER NOT NULL,
    PRIMARY KEY (event, segment)
) STRICT, WITHOUT ROWID;

-- Other devices' segments: the file as it was read, and how many of its lines are known.
CREATE TABLE share_read (
    device TEXT NOT NULL,
    number INTEGER NOT NULL,
    stamp  TEXT NOT NULL,
    lines  INTEGER NOT NULL,
    PRIMARY KEY (device, number)
) STRICT, WITHOUT ROWID;

-- Devices whose events came through the folder: they are theirs to write.
CREATE TABLE share_peer (device INTEGER PRIMARY KEY REFERENCES device (id)) STRICT;

ALTER TABLE forget_batch ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;

-- Pages that a rule kept out, for a day: their titles as keyed hashes, so that their windows stay out too.
CREATE TABLE hidden_page (
    title TEXT NOT NULL,
    at    INTEGER NOT NULL,
    PRIMARY KEY (title, at)
) STRICT, WITHOUT ROWID;

-- Years of daily rests are asked about by when they ended, and began.
CREATE INDEX pause_start ON pause (start);
CREATE INDEX pause_end ON pause (end);
CREATE INDEX forgotten_interval_end ON forgotten_interval (end);

-- Where secrets were masked: on which day (of the user), in what of which source, and of what sort; never the secret.
CREATE TABLE masked (
    day    TEXT NOT NULL,
    source TEXT NOT NULL,
    kind   TEXT NOT NULL,
    secret TEXT NOT NULL,
    count  INTEGER NOT NULL,
    PRIMARY KEY (day, source, kind, secret)
) STRICT, WITHOUT ROWID;

-- The words once more, with an index of their first two and three letters: what is typed is found at every key.
DROP TABLE event_terms;
DROP TABLE event_words;
CREATE VIRTUAL TABLE event_words USING fts5 (
    title, text, words,
    content = 'event', content_rowid = 'id', prefix = '2 3',
    tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO event_words (event_words, rank) VALUES ('secure-delete', 1);
INSERT INTO event_words (event_words) VALUES ('rebuild');
CREATE VIRTUAL TABLE event_terms USING fts5vocab ('event_words', 'row');

-- What passes a filter is told with its doc by the index of that filter: each event was read for it before.
DROP INDEX event_kind;
DROP INDEX event_app;
DROP INDEX event_project;
DROP INDEX event_domain;
DROP INDEX event_failed;
CREATE INDEX event_kind ON event (kind, start, doc);
CREATE INDEX event_app ON event (app, start, doc) WHERE app IS NOT NULL;
CREATE INDEX event_project ON event (project, start, doc) WHERE project IS NOT NULL;
CREATE INDEX event_domain ON event (domain, start, doc) WHERE domain IS NOT NULL;
CREATE INDEX event_failed ON event (start, doc) WHERE failed;
