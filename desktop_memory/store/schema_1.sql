-- Migration 1. Times are microseconds since 1970 UTC; `offset` is the local offset at capture, in minutes.

CREATE TABLE profile (
    name  TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE device (
    id    INTEGER PRIMARY KEY,
    uuid  TEXT NOT NULL UNIQUE,
    name  TEXT NOT NULL DEFAULT ''
) STRICT;

-- One history file, browser profile or repository; its cursor moves in the transaction that stores its events.
CREATE TABLE place (
    id            INTEGER PRIMARY KEY,
    source        TEXT NOT NULL,
    name          TEXT NOT NULL,
    cursor        TEXT,
    state         TEXT NOT NULL DEFAULT 'waiting',
    advice        TEXT NOT NULL DEFAULT '',
    failures      INTEGER NOT NULL DEFAULT 0,
    last_event    INTEGER,
    last_success  INTEGER,
    retry_at      INTEGER,
    skipped       TEXT NOT NULL DEFAULT '{}',
    UNIQUE (source, name)
) STRICT;

-- What an event touches. `norm` is what two spellings of one thing share.
CREATE TABLE entity (
    id    INTEGER PRIMARY KEY,
    kind  TEXT NOT NULL CHECK (kind IN ('app','project','repo','file','url','domain','branch','workspace')),
    norm  TEXT NOT NULL,
    name  TEXT NOT NULL,
    UNIQUE (kind, norm)
) STRICT;

-- `first_event` is what others know a session by.
CREATE TABLE session (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    first_event INTEGER NOT NULL UNIQUE,
    start       INTEGER NOT NULL,
    end         INTEGER NOT NULL,
    ended_by    TEXT NOT NULL DEFAULT '',
    events      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX session_start ON session (start);
CREATE INDEX session_end ON session (end);

-- What is embedded, once for all events that say the same.
CREATE TABLE text (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    hash  BLOB NOT NULL UNIQUE,
    body  TEXT NOT NULL
) STRICT;

-- A text in a month: what a vector belongs to. `month` is year * 12 + month - 1, UTC.
CREATE TABLE doc (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    text  INTEGER NOT NULL REFERENCES text (id),
    month INTEGER NOT NULL,
    UNIQUE (text, month)
) STRICT;

-- `spelling` keeps, as JSON, names that this event writes differently from the entity it points to.
CREATE TABLE event (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    key      BLOB NOT NULL UNIQUE,
    kind     TEXT NOT NULL,
    start    INTEGER NOT NULL,
    end      INTEGER,
    offset   INTEGER NOT NULL DEFAULT 0,
    open     INTEGER NOT NULL DEFAULT 0,
    approx   INTEGER NOT NULL DEFAULT 0,
    title    TEXT NOT NULL DEFAULT '',
    text     TEXT NOT NULL DEFAULT '',
    words    TEXT NOT NULL DEFAULT '',
    app      INTEGER REFERENCES entity (id),
    project  INTEGER REFERENCES entity (id),
    repo     INTEGER REFERENCES entity (id),
    branch   INTEGER REFERENCES entity (id),
    url      INTEGER REFERENCES entity (id),
    domain   INTEGER REFERENCES entity (id),
    source   TEXT NOT NULL DEFAULT '',
    device   INTEGER NOT NULL REFERENCES device (id),
    place    INTEGER REFERENCES place (id),
    session  INTEGER,
    doc      INTEGER REFERENCES doc (id),
    failed   INTEGER NOT NULL DEFAULT 0,
    details  TEXT NOT NULL DEFAULT '{}',
    spelling TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX event_order ON event (start, key);
CREATE INDEX event_kind ON event (kind, start);
CREATE INDEX event_app ON event (app, start) WHERE app IS NOT NULL;
CREATE INDEX event_project ON event (project, start) WHERE project IS NOT NULL;
CREATE INDEX event_domain ON event (domain, start) WHERE domain IS NOT NULL;
CREATE INDEX event_branch ON event (branch, start) WHERE branch IS NOT NULL;
CREATE INDEX event_url ON event (url, start) WHERE url IS NOT NULL;
CREATE INDEX event_session ON event (session, start) WHERE session IS NOT NULL;
CREATE INDEX event_doc ON event (doc, start) WHERE doc IS NOT NULL;
CREATE INDEX event_place ON event (place, start) WHERE place IS NOT NULL;
CREATE INDEX event_failed ON event (start) WHERE failed;
CREATE INDEX event_open ON event (id) WHERE open;
CREATE INDEX event_guessed ON event (start) WHERE approx;

-- Other names of an event: a hook and a history file, a live title and a visit. `guessed` marks the one undated
-- line that was taken for this event because its words and window fit; no second line may be.
CREATE TABLE alias (
    key     BLOB PRIMARY KEY,
    event   INTEGER NOT NULL REFERENCES event (id),
    guessed INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX alias_event ON alias (event);

-- Everything an event touches except what stands in its row: its files, its workspace.
-- `start` repeats the event's own, so that "latest 20 of a file" is one index read.
CREATE TABLE event_entity (
    entity INTEGER NOT NULL REFERENCES entity (id),
    start  INTEGER NOT NULL,
    event  INTEGER NOT NULL REFERENCES event (id),
    PRIMARY KEY (entity, start, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_entity_event ON event_entity (event);

CREATE VIRTUAL TABLE event_words USING fts5 (
    title, text, words,
    content = 'event', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO event_words (event_words, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE event_terms USING fts5vocab ('event_words', 'row');

CREATE TRIGGER event_words_insert AFTER INSERT ON event BEGIN
    INSERT INTO event_words (rowid, title, text, words) VALUES (new.id, new.title, new.text, new.words);
END;
CREATE TRIGGER event_words_delete AFTER DELETE ON event BEGIN
    INSERT INTO event_words (event_words, rowid, title, text, words)
    VALUES ('delete', old.id, old.title, old.text, old.words);
END;
CREATE TRIGGER event_words_update AFTER UPDATE OF title, text, words ON event
WHEN old.title IS NOT new.title OR old.text IS NOT new.text OR old.words IS NOT new.words BEGIN
    INSERT INTO event_words (event_words, rowid, title, text, words)
    VALUES ('delete', old.id, old.title, old.text, old.words);
    INSERT INTO event_words (rowid, title, text, words) VALUES (new.id, new.title, new.text, new.words);
END;

-- `vectors` names the vec0 table of this model; `cursor` is the last doc that has a vector there.
CREATE TABLE model (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    hash      TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    pooling   TEXT NOT NULL DEFAULT '',
    prefixes  TEXT NOT NULL DEFAULT '{}',
    threshold REAL NOT NULL,
    vectors   TEXT NOT NULL UNIQUE,
    cursor    INTEGER NOT NULL DEFAULT 0,
    active    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (name, hash)
) STRICT;

CREATE TABLE pause (
    id    INTEGER PRIMARY KEY,
    start INTEGER NOT NULL,
    end   INTEGER
) STRICT;

CREATE TABLE gap (
    device INTEGER NOT NULL REFERENCES device (id),
    start  INTEGER NOT NULL,
    end    INTEGER,
    reason TEXT NOT NULL,
    PRIMARY KEY (device, start, reason)
) STRICT, WITHOUT ROWID;
CREATE INDEX gap_start ON gap (start);

-- Keys of what was forgotten: reading the source again does not bring it back.
CREATE TABLE tombstone (
    key   BLOB PRIMARY KEY,
    batch INTEGER
) STRICT, WITHOUT ROWID;

-- Stretches that were forgotten whole: a late flush into one is dropped. `filter` holds keyed hashes of names.
CREATE TABLE forgotten_interval (
    id     INTEGER PRIMARY KEY,
    start  INTEGER NOT NULL,
    end    INTEGER NOT NULL,
    filter TEXT NOT NULL DEFAULT '{}',
    batch  INTEGER
) STRICT;

-- What one forget removed. While it can be undone, `kept` holds the events; then it is emptied.
CREATE TABLE forget_batch (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    state   TEXT NOT NULL CHECK (state IN ('hidden', 'purged', 'undone')),
    events  INTEGER NOT NULL DEFAULT 0,
    kept    TEXT NOT NULL DEFAULT ''
) STRICT;

-- Edits and deletes, for the projections; arrivals they see by event.id.
CREATE TABLE change (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    what  TEXT NOT NULL CHECK (what IN ('edit', 'delete')),
    event INTEGER NOT NULL
) STRICT;

CREATE TABLE pin (
    id       INTEGER PRIMARY KEY,
    kind     TEXT NOT NULL,
    text     TEXT NOT NULL,
    status   TEXT NOT NULL DEFAULT 'active',
    created  INTEGER NOT NULL,
    project  TEXT NOT NULL DEFAULT '',
    due      INTEGER,
    position INTEGER NOT NULL DEFAULT 0,
    event    INTEGER
) STRICT;

-- What was copied: `sources` is a JSON list of {n, event, text, hash}.
CREATE TABLE copy (
    id      INTEGER PRIMARY KEY,
    tag     TEXT NOT NULL UNIQUE,
    at      INTEGER NOT NULL,
    client  TEXT NOT NULL DEFAULT '',
    request TEXT NOT NULL,
    sources TEXT NOT NULL,
    until   INTEGER
) STRICT;

CREATE TABLE client_read (
    id     INTEGER PRIMARY KEY,
    at     INTEGER NOT NULL,
    client TEXT NOT NULL,
    tool   TEXT NOT NULL,
    events INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Notes that an AI client proposes, until the user takes or drops them.
CREATE TABLE proposal (
    id     INTEGER PRIMARY KEY,
    at     INTEGER NOT NULL,
    client TEXT NOT NULL,
    body   TEXT NOT NULL,
    state  TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'taken', 'dropped'))
) STRICT;

-- How often a privacy rule dropped or a secret of a kind was masked; never what it was.
CREATE TABLE tally (
    day   TEXT NOT NULL,
    what  TEXT NOT NULL,
    kind  TEXT NOT NULL,
    count INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (day, what, kind)
) STRICT, WITHOUT ROWID;

-- Communities of entities that go together. `name` is the user's; otherwise its entities name it, so that
-- what is forgotten leaves no name behind. `run` is the day (since 1970) on which it was last found.
CREATE TABLE topic (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL DEFAULT '',
    run  INTEGER NOT NULL
) STRICT;

CREATE TABLE topic_entity (
    topic  INTEGER NOT NULL REFERENCES topic (id),
    entity INTEGER NOT NULL REFERENCES entity (id),
    weight REAL NOT NULL,
    PRIMARY KEY (topic, entity)
) STRICT, WITHOUT ROWID;
CREATE INDEX topic_entity_entity ON topic_entity (entity);
