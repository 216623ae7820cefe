CREATE TABLE store (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    version integer NOT NULL,
    key bytea NOT NULL,
    last_seq bigint NOT NULL DEFAULT 0,
    last_holder bigint NOT NULL DEFAULT 0,
    last_plan bigint NOT NULL DEFAULT 0,
    last_intent bigint NOT NULL DEFAULT 0,
    has_bytes boolean NOT NULL DEFAULT false,
    off_at bigint
);

CREATE TABLE intent (
    id bigint PRIMARY KEY,
    what bytea NOT NULL
);

CREATE TABLE line (
    holder bigint PRIMARY KEY,
    start bytea NOT NULL,
    head bigint NOT NULL,
    head_hash bytea NOT NULL
);

CREATE TABLE other_scope (
    digest bytea PRIMARY KEY,
    text bytea NOT NULL,
    holder bigint NOT NULL UNIQUE
);

CREATE TABLE project (
    id bigint PRIMARY KEY,
    uid bytea NOT NULL UNIQUE CHECK (octet_length(uid) = 16),
    name bytea NOT NULL,
    off_at bigint,
    created_at bigint NOT NULL,
    last_entry bigint
);

CREATE TABLE project_key (
    digest bytea NOT NULL,
    kind bytea NOT NULL,
    value bytea NOT NULL,
    machine bytea NOT NULL,
    project bigint NOT NULL REFERENCES project,
    PRIMARY KEY (digest, machine)
);

CREATE INDEX project_key_of ON project_key (project);

CREATE TABLE session (
    id bigint PRIMARY KEY,
    digest bytea NOT NULL UNIQUE,
    family bytea NOT NULL,
    project bigint NOT NULL REFERENCES project,
    harness bytea NOT NULL,
    external bytea NOT NULL,
    agent bytea NOT NULL,
    parent bigint,
    began bytea NOT NULL,
    instance bigint NOT NULL,
    host_name bytea NOT NULL,
    started_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    ended_at bigint,
    place bytea NOT NULL,
    standing bytea NOT NULL,
    worked_at bigint,
    active_plan bigint,
    n_notes bigint NOT NULL DEFAULT 0,
    n_open bigint NOT NULL DEFAULT 0,
    last_id bigint,
    last_place bigint NOT NULL DEFAULT 0
);

CREATE INDEX session_line ON session (project, started_at, id);
CREATE INDEX session_instance ON session (project, instance, id);
CREATE INDEX session_family ON session (family);
CREATE INDEX session_parent ON session (parent) WHERE parent IS NOT NULL;

CREATE TABLE running (
    session bigint PRIMARY KEY REFERENCES session,
    parent bigint NOT NULL REFERENCES session,
    began_at bigint NOT NULL,
    about bytea NOT NULL
);

CREATE INDEX running_of ON running (parent);

CREATE TABLE notepad (
    session bigint PRIMARY KEY REFERENCES session,
    rev bigint NOT NULL,
    updated_at bigint NOT NULL,
    text bytea NOT NULL
);

CREATE TABLE handoff (
    session bigint PRIMARY KEY REFERENCES session,
    updated_at bigint NOT NULL,
    text bytea NOT NULL
);

CREATE TABLE recap (
    session bigint PRIMARY KEY REFERENCES session,
    at bigint NOT NULL,
    body bytea NOT NULL
);

CREATE TABLE note (
    session bigint NOT NULL REFERENCES session,
    id bigint NOT NULL,
    place bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    scratched_at bigint,
    tags bytea[] NOT NULL,
    content bytea NOT NULL,
    keys bigint[] NOT NULL,
    PRIMARY KEY (session, id)
);

CREATE INDEX note_newest ON note (session, updated_at, id);
CREATE UNIQUE INDEX note_place ON note (session, place);
CREATE INDEX note_keys ON note USING gin (keys);

CREATE TABLE tag_count (
    session bigint NOT NULL REFERENCES session,
    digest bytea NOT NULL,
    tag bytea NOT NULL,
    n_notes bigint NOT NULL,
    n_open bigint NOT NULL,
    PRIMARY KEY (session, digest)
);

CREATE TABLE plan (
    id bigint PRIMARY KEY,
    project bigint NOT NULL REFERENCES project,
    name bytea NOT NULL,
    folded bytea NOT NULL,
    created_at bigint NOT NULL,
    completed_at bigint,
    archived_at bigint,
    is_tracked boolean NOT NULL,
    UNIQUE (project, folded)
);

CREATE TABLE entry (
    project bigint NOT NULL REFERENCES project,
    id bigint NOT NULL,
    plan bigint NOT NULL REFERENCES plan,
    category bytea NOT NULL,
    at bigint NOT NULL,
    is_resolved boolean NOT NULL,
    supersedes bigint,
    merged_from bigint,
    session bigint,
    sameness bytea NOT NULL,
    said bytea NOT NULL,
    PRIMARY KEY (project, id)
);

CREATE INDEX entry_newest ON entry (plan, category, at, id);
CREATE INDEX entry_same ON entry (plan, sameness);
CREATE INDEX entry_later ON entry (project, supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX entry_by ON entry (session) WHERE session IS NOT NULL;

CREATE TABLE journal (
    seq bigint PRIMARY KEY,
    holder bigint NOT NULL,
    is_outside boolean NOT NULL,
    at bigint NOT NULL,
    kind bytea NOT NULL,
    surface bytea NOT NULL,
    author bytea NOT NULL,
    writer bytea NOT NULL CHECK (octet_length(writer) = 32),
    write_id bytea NOT NULL,
    body_hash bytea NOT NULL,
    hash bytea NOT NULL,
    arguments bytea,
    reply bytea,
    undo bytea,
    UNIQUE (holder, write_id)
);

CREATE INDEX journal_line ON journal (holder, seq);
CREATE INDEX journal_outside ON journal (holder, seq) WHERE is_outside;

INSERT INTO store (version, key) VALUES (1000,
    sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
