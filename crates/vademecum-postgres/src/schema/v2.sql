-- What is one person's has an "owner": the role that logged in, which no statement names and no setting changes. What is a
-- project's is of its owner and of those who were invited. The policies at the end hold for the owner of the tables too.

CREATE TABLE store (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    version integer NOT NULL,
    key bytea NOT NULL,
    last_seq bigint NOT NULL DEFAULT 0,
    last_holder bigint NOT NULL DEFAULT 0,
    last_plan bigint NOT NULL DEFAULT 0,
    last_intent bigint NOT NULL DEFAULT 0,
    has_bytes boolean NOT NULL DEFAULT false
);

INSERT INTO store (version, key) VALUES (2000,
    sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- With what the keys of a person's notes are hashed, which nobody else reads: the name of a session can be guessed. And
-- since when vade is off for all that is theirs.
CREATE TABLE person (
    owner name PRIMARY KEY DEFAULT session_user,
    salt bytea NOT NULL DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
    off_at bigint
);

CREATE TABLE intent (
    id bigint PRIMARY KEY,
    what bytea NOT NULL,
    owner name NOT NULL DEFAULT session_user
);

CREATE TABLE line (
    holder bigint PRIMARY KEY,
    start bytea NOT NULL CHECK (octet_length(start) = 16),
    head bigint NOT NULL,
    head_hash bytea NOT NULL CHECK (octet_length(head_hash) = 16),
    is_shared boolean NOT NULL,
    owner name NOT NULL DEFAULT session_user
);

CREATE TABLE other_scope (
    digest bytea NOT NULL,
    text bytea NOT NULL,
    holder bigint NOT NULL UNIQUE,
    owner name NOT NULL DEFAULT session_user,
    PRIMARY KEY (digest, owner)
);

CREATE TABLE project (
    id bigint PRIMARY KEY,
    uid bytea NOT NULL CHECK (octet_length(uid) = 16),
    -- Who is invited lists it: it is text, on one line and not without end, and no terminal obeys it.
    name bytea NOT NULL CHECK (octet_length(name) <= 4096 AND convert(name, 'UTF8', 'UTF8') = name
        AND encode(name, 'escape') !~ '[\x01-\x1f\x7f]|\\302\\2[0-3][0-7]|\\342\\200\\25[01]'),
    off_at bigint,
    created_at bigint NOT NULL,
    last_entry bigint,
    owner name NOT NULL DEFAULT session_user,
    UNIQUE (uid),
    UNIQUE (id, owner)
);

-- Who was invited, by whom, to a project of whom: so that its policy asks no other table.
CREATE TABLE member (
    project bigint NOT NULL,
    person name NOT NULL,
    invited_by name NOT NULL DEFAULT session_user,
    owner name NOT NULL,
    PRIMARY KEY (project, person),
    FOREIGN KEY (project, owner) REFERENCES project (id, owner)
);

CREATE INDEX member_person ON member (person);

CREATE TABLE project_key (
    digest bytea NOT NULL,
    kind bytea NOT NULL,
    value bytea NOT NULL,
    machine bytea NOT NULL,
    project bigint NOT NULL REFERENCES project,
    owner name NOT NULL DEFAULT session_user,
    PRIMARY KEY (digest, machine, owner)
);

CREATE INDEX project_key_of ON project_key (project);

CREATE TABLE session (
    id bigint PRIMARY KEY,
    digest bytea NOT NULL,
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
    last_place bigint NOT NULL DEFAULT 0,
    owner name NOT NULL DEFAULT session_user,
    UNIQUE (digest, owner)
);

CREATE INDEX session_line ON session (project, started_at, id);
CREATE INDEX session_instance ON session (project, instance, id);
CREATE INDEX session_family ON session (family);
CREATE INDEX session_parent ON session (parent) WHERE parent IS NOT NULL;

CREATE TABLE running (
    session bigint PRIMARY KEY REFERENCES session,
    parent bigint NOT NULL REFERENCES session,
    began_at bigint NOT NULL,
    about bytea NOT NULL,
    owner name NOT NULL DEFAULT session_user
);

CREATE INDEX running_of ON running (parent);

CREATE TABLE notepad (
    session bigint PRIMARY KEY REFERENCES session,
    rev bigint NOT NULL,
    updated_at bigint NOT NULL,
    text bytea NOT NULL,
    owner name NOT NULL DEFAULT session_user
);

CREATE TABLE handoff (
    session bigint PRIMARY KEY REFERENCES session,
    updated_at bigint NOT NULL,
    text bytea NOT NULL,
    owner name NOT NULL DEFAULT session_user
);

CREATE TABLE recap (
    session bigint PRIMARY KEY REFERENCES session,
    at bigint NOT NULL,
    body bytea NOT NULL,
    owner name NOT NULL DEFAULT session_user
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
    owner name NOT NULL DEFAULT session_user,
    PRIMARY KEY (session, id)
);

CREATE INDEX note_newest ON note (session, updated_at, id);
CREATE UNIQUE INDEX note_place ON note (session, place);

-- The keys of a note, hashed with its person's salt and the name of its session. Behind a policy no index of arrays is used, for its operators
-- are not "leakproof": so whoever asks reads these hashes, and their notes through their policy.
CREATE TABLE note_key (
    session bigint NOT NULL,
    id bigint NOT NULL,
    place bigint NOT NULL,
    keys bigint[] NOT NULL,
    owner name NOT NULL DEFAULT session_user,
    PRIMARY KEY (session, id)
);

CREATE UNIQUE INDEX note_key_place ON note_key (session, place);
-- Each look into the index reads what waits to be sorted into it: 4 MB by default, for each session of a project.
CREATE INDEX note_keys ON note_key USING gin (keys) WITH (gin_pending_list_limit = 64);

CREATE TABLE tag_count (
    session bigint NOT NULL REFERENCES session,
    digest bytea NOT NULL,
    tag bytea NOT NULL,
    n_notes bigint NOT NULL,
    n_open bigint NOT NULL,
    owner name NOT NULL DEFAULT session_user,
    PRIMARY KEY (session, digest)
);

CREATE TABLE plan (
    id bigint PRIMARY KEY,
    project bigint NOT NULL REFERENCES project,
    name bytea NOT NULL CHECK (octet_length(name) <= 64 AND encode(name, 'escape') ~ '^([A-Za-z0-9][A-Za-z0-9._-]*|_project)$'),
    folded bytea NOT NULL,
    created_at bigint NOT NULL,
    completed_at bigint,
    archived_at bigint,
    is_tracked boolean NOT NULL,
    UNIQUE (project, folded),
    UNIQUE (project, id)
);

CREATE TABLE entry (
    project bigint NOT NULL REFERENCES project,
    id bigint NOT NULL,
    plan bigint NOT NULL,
    category bytea NOT NULL,
    at bigint NOT NULL,
    is_resolved boolean NOT NULL,
    supersedes bigint,
    merged_from bigint,
    session bigint,
    sameness bytea NOT NULL,
    said bytea NOT NULL,
    stood bytea,
    PRIMARY KEY (project, id),
    FOREIGN KEY (project, plan) REFERENCES plan (project, id)
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
    body_hash bytea NOT NULL CHECK (octet_length(body_hash) = 16),
    hash bytea NOT NULL CHECK (octet_length(hash) = 16),
    arguments bytea,
    reply bytea,
    undo bytea,
    is_shared boolean NOT NULL,
    owner name NOT NULL DEFAULT session_user,
    UNIQUE (holder, write_id),
    -- Who is invited reads it.
    CHECK (convert(kind || surface || author || write_id, 'UTF8', 'UTF8') = kind || surface || author || write_id)
);

CREATE INDEX journal_line ON journal (holder, seq);
CREATE INDEX journal_outside ON journal (holder, seq) WHERE is_outside;

-- The server keeps samples of columns, outside of the tables and readable to whoever may read these: what was
-- forgotten would stand there.
ALTER TABLE note ALTER COLUMN tags SET STATISTICS 0, ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE notepad ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE handoff ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE recap ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE entry ALTER COLUMN said SET STATISTICS 0, ALTER COLUMN stood SET STATISTICS 0;
ALTER TABLE journal ALTER COLUMN reply SET STATISTICS 0, ALTER COLUMN undo SET STATISTICS 0;
ALTER TABLE intent ALTER COLUMN what SET STATISTICS 0;
ALTER TABLE session ALTER COLUMN place SET STATISTICS 0, ALTER COLUMN standing SET STATISTICS 0,
    ALTER COLUMN external SET STATISTICS 0, ALTER COLUMN agent SET STATISTICS 0, ALTER COLUMN host_name SET STATISTICS 0,
    ALTER COLUMN digest SET STATISTICS 0, ALTER COLUMN family SET STATISTICS 0;
ALTER TABLE running ALTER COLUMN about SET STATISTICS 0;
ALTER TABLE plan ALTER COLUMN name SET STATISTICS 0, ALTER COLUMN folded SET STATISTICS 0;
ALTER TABLE project ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE project_key ALTER COLUMN value SET STATISTICS 0, ALTER COLUMN digest SET STATISTICS 0;
ALTER TABLE tag_count ALTER COLUMN tag SET STATISTICS 0, ALTER COLUMN digest SET STATISTICS 0;
ALTER TABLE note_key ALTER COLUMN keys SET STATISTICS 0;
ALTER TABLE other_scope ALTER COLUMN text SET STATISTICS 0;

-- The projects that a person shares: those of their own, and those that they were invited to.
CREATE VIEW shared_project AS
    SELECT id FROM project WHERE owner = session_user
    UNION ALL SELECT project FROM member WHERE person = session_user;

CREATE POLICY own ON person USING (owner = session_user);
-- A number that is below the last one may be another's: no refusal tells so, and nothing is laid under it.
CREATE POLICY own ON intent USING (owner = session_user)
    WITH CHECK (owner = session_user AND id > (SELECT last_intent FROM store));
CREATE POLICY own ON other_scope USING (owner = session_user)
    WITH CHECK (owner = session_user AND holder > (SELECT last_holder FROM store));

-- Nobody ties what is theirs to what they do not see: a refusal by a key would tell that it is there, and stand in the way of
-- who owns it. A number that was given before is nobody's any more.
CREATE POLICY own ON project_key USING (owner = session_user)
    WITH CHECK (owner = session_user AND project IN (SELECT id FROM project));
CREATE POLICY seen ON session FOR SELECT USING (owner = session_user);
CREATE POLICY added ON session FOR INSERT WITH CHECK (owner = session_user
    AND id > (SELECT last_holder FROM store) AND project IN (SELECT id FROM project));
CREATE POLICY changed ON session FOR UPDATE USING (owner = session_user)
    WITH CHECK (owner = session_user AND project IN (SELECT id FROM project));
CREATE POLICY dropped ON session FOR DELETE USING (owner = session_user);
CREATE POLICY own ON running USING (owner = session_user)
    WITH CHECK (owner = session_user AND EXISTS (SELECT FROM session WHERE session.id = running.session)
        AND EXISTS (SELECT FROM session WHERE session.id = running.parent));
CREATE POLICY own ON notepad USING (owner = session_user)
    WITH CHECK (owner = session_user AND EXISTS (SELECT FROM session WHERE session.id = notepad.session));
CREATE POLICY own ON handoff USING (owner = session_user)
    WITH CHECK (owner = session_user AND EXISTS (SELECT FROM session WHERE session.id = handoff.session));
CREATE POLICY own ON recap USING (owner = session_user)
    WITH CHECK (owner = session_user AND EXISTS (SELECT FROM session WHERE session.id = recap.session));
CREATE POLICY own ON note USING (owner = session_user)
    WITH CHECK (owner = session_user AND EXISTS (SELECT FROM session WHERE session.id = note.session));
CREATE POLICY own ON tag_count USING (owner = session_user)
    WITH CHECK (owner = session_user AND EXISTS (SELECT FROM session WHERE session.id = tag_count.session));

CREATE POLICY seen ON note_key FOR SELECT USING (true);
CREATE POLICY added ON note_key FOR INSERT WITH CHECK (owner = session_user
    AND EXISTS (SELECT FROM session WHERE session.id = note_key.session));
CREATE POLICY changed ON note_key FOR UPDATE USING (owner = session_user)
    WITH CHECK (owner = session_user AND EXISTS (SELECT FROM session WHERE session.id = note_key.session));
CREATE POLICY dropped ON note_key FOR DELETE USING (owner = session_user);

-- Who has sessions in a project finds it, and no more of it once they are no longer invited.
CREATE POLICY seen ON project FOR SELECT USING (owner = session_user
    OR id IN (SELECT project FROM member WHERE person = session_user)
    OR id IN (SELECT project FROM session WHERE owner = session_user));
CREATE POLICY added ON project FOR INSERT WITH CHECK (owner = session_user
    AND id > (SELECT last_holder FROM store));
CREATE POLICY changed ON project FOR UPDATE USING (owner = session_user
    OR id IN (SELECT project FROM member WHERE person = session_user));
CREATE POLICY dropped ON project FOR DELETE USING (owner = session_user);

CREATE POLICY seen ON member FOR SELECT USING (session_user IN (person, invited_by, owner));
CREATE POLICY added ON member FOR INSERT WITH CHECK (invited_by = session_user
    AND (project, owner) IN (SELECT id, project.owner FROM project)
    AND (owner = session_user OR project IN (SELECT project FROM member WHERE person = session_user)));
CREATE POLICY dropped ON member FOR DELETE USING (session_user IN (person, owner));

CREATE POLICY seen ON plan FOR SELECT USING (project IN (SELECT id FROM shared_project));
CREATE POLICY added ON plan FOR INSERT WITH CHECK (project IN (SELECT id FROM shared_project)
    AND id > (SELECT last_plan FROM store));
CREATE POLICY changed ON plan FOR UPDATE USING (project IN (SELECT id FROM shared_project));
CREATE POLICY dropped ON plan FOR DELETE USING (project IN (SELECT id FROM shared_project));
CREATE POLICY seen ON entry FOR SELECT USING (project IN (SELECT id FROM shared_project));
CREATE POLICY added ON entry FOR INSERT WITH CHECK (project IN (SELECT id FROM shared_project)
    AND (session IS NULL OR EXISTS (SELECT FROM session WHERE session.id = entry.session)));
CREATE POLICY changed ON entry FOR UPDATE USING (project IN (SELECT id FROM shared_project));
CREATE POLICY dropped ON entry FOR DELETE USING (project IN (SELECT id FROM shared_project));

-- Nothing is taken out of the journal.
CREATE POLICY seen ON journal FOR SELECT USING (owner = session_user OR is_shared AND holder IN (SELECT id FROM shared_project));
CREATE POLICY added ON journal FOR INSERT WITH CHECK (owner = session_user
    AND seq > (SELECT last_seq FROM store) AND (is_shared AND holder IN (SELECT id FROM shared_project) OR NOT is_shared
        AND (EXISTS (SELECT FROM session WHERE session.id = journal.holder)
            OR EXISTS (SELECT FROM other_scope WHERE other_scope.holder = journal.holder))));
CREATE POLICY changed ON journal FOR UPDATE USING (owner = session_user OR is_shared AND holder IN (SELECT id FROM shared_project));
CREATE POLICY seen ON line FOR SELECT USING (owner = session_user OR is_shared AND holder IN (SELECT id FROM shared_project));
CREATE POLICY added ON line FOR INSERT WITH CHECK (owner = session_user
    AND (is_shared AND holder IN (SELECT id FROM shared_project) OR NOT is_shared
        AND (EXISTS (SELECT FROM session WHERE session.id = line.holder)
            OR EXISTS (SELECT FROM other_scope WHERE other_scope.holder = line.holder))));
CREATE POLICY changed ON line FOR UPDATE USING (owner = session_user OR is_shared AND holder IN (SELECT id FROM shared_project));

CREATE POLICY seen ON store FOR SELECT USING (true);
CREATE POLICY changed ON store FOR UPDATE USING (true);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['store', 'person', 'intent', 'other_scope', 'project_key', 'session', 'running', 'notepad', 'handoff',
        'recap', 'note', 'tag_count', 'note_key', 'project', 'member', 'plan', 'entry', 'journal', 'line']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
    END LOOP;
END $$;

-- What no statement of ours changes, nobody else does; each write comes by here, so who it is is asked last. Who owns the tables may, and a superuser, as a keeper who mends something by hand.
CREATE FUNCTION is_keeper() RETURNS boolean LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    SELECT pg_get_userbyid(relowner) = current_user OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
    FROM pg_class WHERE oid = 'store'::regclass
$$;

CREATE FUNCTION keep_store() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF ((NEW.one, NEW.version, NEW.key) IS DISTINCT FROM (OLD.one, OLD.version, OLD.key)
        OR (NEW.last_seq, NEW.last_holder, NEW.last_plan, NEW.last_intent)
            IS DISTINCT FROM (OLD.last_seq, OLD.last_holder, OLD.last_plan, OLD.last_intent)
        OR OLD.has_bytes AND NOT NEW.has_bytes) AND NOT is_keeper() THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'the store keeps its key, its version and its numbers';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER keep BEFORE UPDATE ON store FOR EACH ROW EXECUTE FUNCTION keep_store();

-- Whoever takes numbers takes the next ones, and moves the last one: nobody waits with one for who comes next, or takes the
-- last of all. Nothing else moves it; of two who take the same number, one waits here for the other, and is refused.
CREATE FUNCTION count_number() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    n_moved bigint;
BEGIN
    EXECUTE format('UPDATE store SET %1$I = taken.last
        FROM (SELECT count(*) AS n, min(%2$I) AS first, max(%2$I) AS last FROM added) AS taken
        WHERE taken.n = 0 OR taken.first = %1$I + 1 AND taken.last = %1$I + taken.n', TG_ARGV[0], TG_ARGV[1]);
    GET DIAGNOSTICS n_moved = ROW_COUNT;
    IF n_moved = 0 THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'a number is taken that is not the next one';
    END IF;
    RETURN NULL;
END $$;
-- It moves what its arguments name: nobody else puts it on a table of their own.
REVOKE ALL ON FUNCTION count_number() FROM PUBLIC;
CREATE TRIGGER count AFTER INSERT ON journal REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_number('last_seq', 'seq');
CREATE TRIGGER count AFTER INSERT ON session REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_number('last_holder', 'id');
CREATE TRIGGER count AFTER INSERT ON project REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_number('last_holder', 'id');
CREATE TRIGGER count AFTER INSERT ON other_scope REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_number('last_holder', 'holder');
CREATE TRIGGER count AFTER INSERT ON plan REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_number('last_plan', 'id');
CREATE TRIGGER count AFTER INSERT ON intent REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_number('last_intent', 'id');

-- What has a number keeps it: rows that name it would be another's, or in the way of who gets it next.
CREATE FUNCTION keep_number() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT is_keeper() THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'what has a number keeps it, and stays who it is of';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER keep BEFORE UPDATE ON session FOR EACH ROW
    WHEN ((NEW.id, NEW.owner) IS DISTINCT FROM (OLD.id, OLD.owner)) EXECUTE FUNCTION keep_number();
CREATE TRIGGER keep BEFORE UPDATE ON other_scope FOR EACH ROW
    WHEN ((NEW.holder, NEW.owner) IS DISTINCT FROM (OLD.holder, OLD.owner)) EXECUTE FUNCTION keep_number();
CREATE TRIGGER keep BEFORE UPDATE ON intent FOR EACH ROW
    WHEN ((NEW.id, NEW.owner) IS DISTINCT FROM (OLD.id, OLD.owner)) EXECUTE FUNCTION keep_number();
CREATE TRIGGER keep BEFORE UPDATE ON plan FOR EACH ROW
    WHEN ((NEW.id, NEW.project, NEW.name, NEW.folded, NEW.created_at)
        IS DISTINCT FROM (OLD.id, OLD.project, OLD.name, OLD.folded, OLD.created_at)) EXECUTE FUNCTION keep_number();

CREATE FUNCTION keep_entry() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    kept entry := NEW;
BEGIN
    kept.session := OLD.session;
    IF (kept IS DISTINCT FROM OLD OR NEW.session IS NOT NULL) AND NOT is_keeper() THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'an entry stays as it was written';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER keep BEFORE UPDATE ON entry FOR EACH ROW EXECUTE FUNCTION keep_entry();

CREATE FUNCTION keep_journal() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    kept journal := NEW;
BEGIN
    kept.arguments := OLD.arguments;
    kept.reply := OLD.reply;
    kept.undo := OLD.undo;
    IF (kept IS DISTINCT FROM OLD OR coalesce(NEW.arguments, NEW.reply, NEW.undo) IS NOT NULL)
        AND NOT is_keeper() THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'the journal stays as it was written, but for what is forgotten';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER keep BEFORE UPDATE ON journal FOR EACH ROW EXECUTE FUNCTION keep_journal();

-- A line ends at an entry that is there: else nobody could go on with it.
CREATE FUNCTION keep_line() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    told text;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.holder, NEW.start, NEW.is_shared, NEW.owner)
            IS DISTINCT FROM (OLD.holder, OLD.start, OLD.is_shared, OLD.owner) THEN
            told := 'a line of the journal only grows';
        ELSIF NEW.head < OLD.head THEN
            told := format('the journal of this says that it ends at entry %s, which is not there or not the last', OLD.head);
        END IF;
    END IF;
    IF told IS NULL AND NOT EXISTS (SELECT FROM journal
        WHERE seq = NEW.head AND holder = NEW.holder AND hash = NEW.head_hash) THEN
        told := 'a line of the journal ends at one of its entries';
    END IF;
    IF told IS NOT NULL AND NOT is_keeper() THEN
        RAISE integrity_constraint_violation USING MESSAGE = told;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER keep BEFORE INSERT OR UPDATE ON line FOR EACH ROW EXECUTE FUNCTION keep_line();

CREATE FUNCTION keep_project() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF ((NEW.id, NEW.uid, NEW.owner, NEW.created_at)
            IS DISTINCT FROM (OLD.id, OLD.uid, OLD.owner, OLD.created_at)
        OR NEW.last_entry IS DISTINCT FROM OLD.last_entry AND (coalesce(NEW.last_entry < OLD.last_entry, NEW.last_entry IS NULL)
            OR NOT EXISTS (SELECT FROM entry WHERE project = NEW.id AND id = NEW.last_entry))) AND NOT is_keeper() THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'a project stays who it is of, and its last entry is one of its own';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER keep BEFORE UPDATE ON project FOR EACH ROW EXECUTE FUNCTION keep_project();

-- Writes the tables anew, so that no page holds what was erased: only their owner can, and everybody who forgets must.
CREATE FUNCTION wipe() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT has_table_privilege(session_user, 'note', 'DELETE') THEN
        RAISE insufficient_privilege USING MESSAGE = 'who writes nothing forgets nothing';
    END IF;
    CLUSTER note USING note_pkey;
    CLUSTER note_key USING note_key_pkey;
    CLUSTER tag_count USING tag_count_pkey;
    CLUSTER notepad USING notepad_pkey;
    CLUSTER handoff USING handoff_pkey;
    CLUSTER recap USING recap_pkey;
    CLUSTER running USING running_pkey;
    CLUSTER entry USING entry_pkey;
    CLUSTER plan USING plan_pkey;
    CLUSTER session USING session_pkey;
    CLUSTER project_key USING project_key_pkey;
    CLUSTER member USING member_pkey;
    CLUSTER project USING project_pkey;
    CLUSTER other_scope USING other_scope_pkey;
    CLUSTER journal USING journal_pkey;
    CLUSTER intent USING intent_pkey;
    UPDATE store SET has_bytes = false;
END $$;

-- Takes a project away; of who does not own it only that they were invited. While others have sessions there, which they
-- alone see and erase, it stays.
CREATE FUNCTION drop_project(gone bigint) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM project WHERE id = gone AND owner = session_user) THEN
        DELETE FROM member WHERE project = gone AND person = session_user;
        RETURN;
    END IF;
    DELETE FROM member WHERE project = gone;
    DELETE FROM project WHERE id = gone;
EXCEPTION WHEN foreign_key_violation THEN
    NULL;
END $$;
