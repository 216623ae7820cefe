CREATE TABLE project_id (
    project INTEGER PRIMARY KEY REFERENCES project,
    id TEXT NOT NULL UNIQUE CHECK (length(id) = 32)
) STRICT;
