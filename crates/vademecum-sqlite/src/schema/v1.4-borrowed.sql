CREATE TABLE borrowed (
    session INTEGER PRIMARY KEY REFERENCES session,
    page INTEGER REFERENCES session,
    rev INTEGER,
    updated_at INTEGER,
    notes INTEGER REFERENCES session
) STRICT;

CREATE INDEX borrowed_page ON borrowed (page) WHERE page IS NOT NULL;

CREATE INDEX borrowed_notes ON borrowed (notes) WHERE notes IS NOT NULL;
