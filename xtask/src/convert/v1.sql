CREATE TABLE IF NOT EXISTS plan (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES project,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    completed_at INTEGER,
    archived_at INTEGER,
    is_tracked INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE IF NOT EXISTS entry (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
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

CREATE TABLE IF NOT EXISTS active_plan (
    session INTEGER PRIMARY KEY,
    plan INTEGER NOT NULL REFERENCES plan
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS handoff (
    session INTEGER PRIMARY KEY REFERENCES session,
    updated_at INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS recap (
    session INTEGER PRIMARY KEY REFERENCES session,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS work (
    session INTEGER PRIMARY KEY REFERENCES session,
    began_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS running (
    session INTEGER PRIMARY KEY REFERENCES session,
    parent INTEGER NOT NULL REFERENCES session,
    began_at INTEGER NOT NULL,
    host_pid INTEGER,
    kind TEXT,
    asked TEXT
) STRICT;

CREATE TABLE IF NOT EXISTS borrowed (
    session INTEGER PRIMARY KEY REFERENCES session,
    page INTEGER REFERENCES session,
    rev INTEGER,
    updated_at INTEGER,
    notes INTEGER REFERENCES session
) STRICT;

CREATE TABLE IF NOT EXISTS worked (
    session INTEGER PRIMARY KEY REFERENCES session,
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS project_id (
    project INTEGER PRIMARY KEY REFERENCES project,
    id TEXT NOT NULL UNIQUE CHECK (length(id) = 32)
) STRICT;
