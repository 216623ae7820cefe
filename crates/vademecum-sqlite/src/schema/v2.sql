CREATE TABLE store (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE holder (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    start BLOB,
    head INTEGER NOT NULL DEFAULT 0,
    head_hash BLOB,
    outside INTEGER NOT NULL DEFAULT 0,
    n_notes INTEGER NOT NULL DEFAULT 0,
    n_open INTEGER NOT NULL DEFAULT 0,
    last_id INTEGER,
    last_place INTEGER NOT NULL DEFAULT 0,
    top_at INTEGER NOT NULL DEFAULT 0,
    top_id INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE other_scope (
    text TEXT PRIMARY KEY,
    holder INTEGER NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    uid BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
    name TEXT NOT NULL,
    off_at INTEGER,
    created_at INTEGER NOT NULL,
    search INTEGER NOT NULL DEFAULT (random())
) STRICT;

CREATE TABLE project_key (
    kind TEXT NOT NULL,
    value BLOB NOT NULL,
    machine BLOB NOT NULL,
    project INTEGER NOT NULL REFERENCES project,
    PRIMARY KEY (kind, value, machine)
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project,
    harness TEXT NOT NULL,
    external TEXT NOT NULL,
    agent TEXT NOT NULL,
    parent INTEGER,
    began TEXT NOT NULL,
    instance INTEGER NOT NULL,
    host_name TEXT NOT NULL,
    model TEXT,
    cwd BLOB,
    transcript BLOB,
    host_pid INTEGER,
    started_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    ended_at INTEGER,
    worked_at INTEGER,
    active_plan INTEGER REFERENCES plan,
    compactions INTEGER NOT NULL DEFAULT 0,
    warned_at INTEGER,
    told_seq INTEGER NOT NULL DEFAULT 0,
    answer TEXT,
    search INTEGER NOT NULL DEFAULT 0,
    UNIQUE (harness, external, agent)
) STRICT;

CREATE INDEX session_line ON session (project, started_at, id);

CREATE TABLE running (
    session INTEGER PRIMARY KEY REFERENCES session,
    parent INTEGER NOT NULL REFERENCES session,
    began_at INTEGER NOT NULL,
    host_pid INTEGER,
    kind TEXT,
    asked TEXT
) STRICT;

CREATE TABLE notepad (
    session INTEGER PRIMARY KEY REFERENCES session,
    rev INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE handoff (
    session INTEGER PRIMARY KEY REFERENCES session,
    updated_at INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE recap (
    session INTEGER PRIMARY KEY REFERENCES session,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE TABLE fork (
    session INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    below INTEGER NOT NULL,
    shift INTEGER NOT NULL
) STRICT;

CREATE TABLE note (
    number INTEGER PRIMARY KEY,
    id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    scratched_at INTEGER,
    tags TEXT NOT NULL,
    content TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX note_id ON note (number >> 28, id);

CREATE INDEX note_moved ON note (number >> 28, updated_at, id) WHERE number >> 25 & 7 = 1;

CREATE TABLE waiting (
    number INTEGER PRIMARY KEY,
    keys BLOB
) STRICT;

CREATE TABLE tag_count (
    session INTEGER NOT NULL,
    tag TEXT NOT NULL,
    n_notes INTEGER NOT NULL,
    n_open INTEGER NOT NULL,
    PRIMARY KEY (session, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE plan (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES project,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    completed_at INTEGER,
    archived_at INTEGER,
    is_tracked INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE UNIQUE INDEX plan_name ON plan (project, name COLLATE NOCASE);

CREATE TABLE entry (
    number INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project,
    plan INTEGER NOT NULL REFERENCES plan,
    id INTEGER NOT NULL,
    category TEXT NOT NULL,
    at INTEGER NOT NULL,
    content TEXT NOT NULL,
    task TEXT,
    pattern TEXT,
    tags TEXT NOT NULL,
    rationale TEXT,
    alternatives TEXT,
    severity TEXT,
    status TEXT,
    workaround TEXT,
    supersedes INTEGER,
    merged_from INTEGER,
    session INTEGER,
    sameness TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX entry_id ON entry (project, id);

CREATE INDEX entry_newest ON entry (plan, category, at, id);

CREATE INDEX entry_same ON entry (plan, sameness);

CREATE INDEX entry_later ON entry (project, supersedes) WHERE supersedes IS NOT NULL;

CREATE TABLE writer (
    id INTEGER PRIMARY KEY,
    name BLOB NOT NULL UNIQUE CHECK (length(name) = 32)
) STRICT;

CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,
    holder INTEGER NOT NULL,
    before INTEGER NOT NULL,
    outside INTEGER NOT NULL,
    at INTEGER NOT NULL,
    short INTEGER,
    kind TEXT NOT NULL,
    surface TEXT NOT NULL,
    author TEXT NOT NULL,
    writer INTEGER NOT NULL,
    write_id TEXT NOT NULL,
    body_hash BLOB NOT NULL,
    hash BLOB NOT NULL,
    arguments BLOB,
    reply BLOB,
    undo BLOB
) STRICT;

CREATE INDEX journal_write ON journal (short) WHERE short IS NOT NULL;

CREATE VIRTUAL TABLE document_index USING fts5 (
    tokens,
    content = '',
    contentless_delete = 1,
    detail = none,
    tokenize = 'ascii'
);

INSERT INTO document_index (document_index, rank) VALUES ('pgsz', 512), ('automerge', 0);
