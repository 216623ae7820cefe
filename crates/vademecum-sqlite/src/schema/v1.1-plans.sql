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

CREATE UNIQUE INDEX entry_id ON entry (project, id);

CREATE INDEX entry_newest ON entry (plan, category, at, id);

CREATE INDEX entry_same ON entry (plan, sameness);

CREATE INDEX entry_later ON entry (project, supersedes) WHERE supersedes IS NOT NULL;

CREATE TABLE active_plan (
    session INTEGER PRIMARY KEY,
    plan INTEGER NOT NULL REFERENCES plan
) STRICT, WITHOUT ROWID;
