CREATE TABLE store (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE project (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    off_at INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE project_key (
    kind TEXT NOT NULL,
    value BLOB NOT NULL,
    project INTEGER NOT NULL REFERENCES project,
    PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES project,
    harness TEXT NOT NULL,
    external TEXT NOT NULL,
    agent TEXT NOT NULL,
    parent INTEGER,
    began TEXT NOT NULL,
    instance INTEGER NOT NULL,
    machine TEXT NOT NULL,
    model TEXT,
    cwd BLOB,
    transcript BLOB,
    host_pid INTEGER,
    started_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    ended_at INTEGER,
    compactions INTEGER NOT NULL DEFAULT 0,
    warned_at INTEGER,
    told_seq INTEGER NOT NULL DEFAULT 0,
    answer TEXT,
    n_notes INTEGER NOT NULL DEFAULT 0,
    n_open INTEGER NOT NULL DEFAULT 0,
    last_note INTEGER,
    UNIQUE (harness, external, agent)
) STRICT;

CREATE INDEX session_line ON session (project, started_at, id);

CREATE TABLE notepad (
    session INTEGER PRIMARY KEY REFERENCES session,
    rev INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE note (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES session,
    id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    scratched_at INTEGER,
    tags TEXT NOT NULL,
    content TEXT NOT NULL,
    UNIQUE (session, id)
) STRICT;

CREATE INDEX note_newest ON note (session, updated_at, id);

CREATE INDEX note_open ON note (session, updated_at, id) WHERE scratched_at IS NULL;

CREATE TABLE note_tag (
    session INTEGER NOT NULL,
    tag TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    id INTEGER NOT NULL,
    is_open INTEGER NOT NULL,
    PRIMARY KEY (session, tag, updated_at, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE tag_count (
    session INTEGER NOT NULL,
    tag TEXT NOT NULL,
    n_notes INTEGER NOT NULL,
    n_open INTEGER NOT NULL,
    PRIMARY KEY (session, tag)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE note_index USING fts5 (
    tokens,
    content = '',
    contentless_delete = 1,
    detail = none,
    tokenize = 'ascii'
);

CREATE TABLE journal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL,
    write_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    origin TEXT NOT NULL,
    at INTEGER NOT NULL,
    body_hash BLOB NOT NULL,
    prev_hash BLOB NOT NULL,
    hash BLOB NOT NULL,
    UNIQUE (scope, write_id)
) STRICT;

CREATE INDEX journal_scope ON journal (scope, seq);

CREATE INDEX journal_outside ON journal (scope, seq)
WHERE origin NOT GLOB '*/agent' AND origin NOT GLOB 'hook/*';

CREATE TABLE journal_body (
    seq INTEGER PRIMARY KEY,
    body BLOB NOT NULL
) STRICT;
