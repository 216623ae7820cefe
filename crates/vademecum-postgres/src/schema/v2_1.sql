-- Whoever takes numbers takes the next ones, as before. Each write adds an entry: the server keeps the plan for that.
CREATE OR REPLACE FUNCTION count_number() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    n_moved bigint;
BEGIN
    IF TG_ARGV[0] = 'last_seq' THEN
        UPDATE store SET last_seq = taken.last
        FROM (SELECT count(*) AS n, min(seq) AS first, max(seq) AS last FROM added) AS taken
        WHERE taken.n = 0 OR taken.first = last_seq + 1 AND taken.last = last_seq + taken.n;
    ELSE EXECUTE format('UPDATE store SET %1$I = taken.last
        FROM (SELECT count(*) AS n, min(%2$I) AS first, max(%2$I) AS last FROM added) AS taken
        WHERE taken.n = 0 OR taken.first = %1$I + 1 AND taken.last = %1$I + taken.n', TG_ARGV[0], TG_ARGV[1]);
    END IF;
    GET DIAGNOSTICS n_moved = ROW_COUNT;
    IF n_moved = 0 THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'a number is taken that is not the next one';
    END IF;
    RETURN NULL;
END $$;

-- What most calls ask. A statement without a name is planned each time, which takes longer than to run it; of these the server
-- keeps the plans, whatever pooler stands before it. They run as who calls them. None is ever changed: another question has
-- another name. A plan that was made while a table was small would go through all of it, until the server looks at it again: so an
-- index is taken wherever there is one. And what is joined by its number stands behind LATERAL and OFFSET 0: else all of it may be
-- sorted or hashed first.

-- What the store says of itself, and with what the keys of who asks are hashed.
CREATE FUNCTION own_card() RETURNS TABLE (version integer, key bytea, has_begun boolean, salt bytea, last_seq bigint,
    last_holder bigint, last_plan bigint, has_bytes boolean, off_at bigint, intents bigint[], whats bytea[])
LANGUAGE plpgsql STABLE ROWS 1 SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT store.version, store.key, 0 < store.last_seq, person.salt, store.last_seq, store.last_holder,
        store.last_plan, store.has_bytes, person.off_at,
        (SELECT array_agg(id ORDER BY id) FROM intent), (SELECT array_agg(what ORDER BY id) FROM intent)
    FROM store LEFT JOIN person ON person.owner = session_user;
END $$;

-- The same of a transaction that writes: who writes for the first time gets a salt.
CREATE FUNCTION own_card_and_salt() RETURNS TABLE (version integer, key bytea, has_begun boolean, salt bytea, last_seq bigint,
    last_holder bigint, last_plan bigint, has_bytes boolean, off_at bigint, intents bigint[], whats bytea[])
LANGUAGE plpgsql ROWS 1 SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    IF NOT EXISTS (SELECT FROM person WHERE owner = session_user) THEN
        INSERT INTO person DEFAULT VALUES ON CONFLICT DO NOTHING;
    END IF;
    RETURN QUERY SELECT * FROM own_card();
END $$;

-- The first project that one of these keys means; a key of no machine means what it means on all, and nothing where two of
-- them mean two.
CREATE FUNCTION project_by_keys(digests bytea[], machines bytea[])
RETURNS TABLE (id bigint, uid bytea, name bytea, off_at bigint, created_at bigint)
LANGUAGE plpgsql STABLE ROWS 1 SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT project.id, project.uid, project.name, project.off_at, project.created_at
    FROM (SELECT n, min(project) AS project
        FROM unnest(digests, machines) WITH ORDINALITY AS asked (digest, machine, n)
        JOIN project_key ON project_key.digest = asked.digest
            AND (asked.machine = '' OR project_key.machine = asked.machine)
        GROUP BY n HAVING min(project) = max(project)) AS meant
    JOIN project ON project.id = meant.project ORDER BY n LIMIT 1;
END $$;

-- A session with the names of its project and its parent, and what is counted and noted of it.
CREATE FUNCTION session_by_digest(asked bytea) RETURNS TABLE (id bigint, harness bytea, external bytea, agent bytea,
    began bytea, instance bigint, host_name bytea, started_at bigint, seen_at bigint, ended_at bigint, place bytea,
    standing bytea, uid bytea, parent_harness bytea, parent_external bytea, parent_agent bytea, n_notes bigint,
    n_open bigint, last_id bigint, rev bigint, worked_at bigint, plan bytea)
LANGUAGE plpgsql STABLE ROWS 1 SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT session.id, session.harness, session.external, session.agent, session.began, session.instance,
        session.host_name, session.started_at, session.seen_at, session.ended_at, session.place, session.standing,
        project.uid, parent.harness, parent.external, parent.agent, session.n_notes, session.n_open, session.last_id,
        notepad.rev, session.worked_at, plan.name
    FROM session CROSS JOIN LATERAL (SELECT uid FROM project AS one WHERE one.id = session.project OFFSET 0) AS project
    LEFT JOIN LATERAL (SELECT harness, external, agent FROM session AS one WHERE one.id = session.parent OFFSET 0)
        AS parent ON true
    LEFT JOIN notepad ON notepad.session = session.id
    LEFT JOIN plan ON plan.id = session.active_plan WHERE session.digest = asked;
END $$;

-- The sessions of a project, the last started first.
CREATE FUNCTION sessions_of_project(asked bytea, with_ended boolean, with_agents boolean, most bigint)
RETURNS TABLE (id bigint, harness bytea, external bytea, agent bytea, began bytea, instance bigint, host_name bytea,
    started_at bigint, seen_at bigint, ended_at bigint, place bytea, standing bytea, uid bytea, parent_harness bytea,
    parent_external bytea, parent_agent bytea)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT session.id, session.harness, session.external, session.agent, session.began, session.instance,
        session.host_name, session.started_at, session.seen_at, session.ended_at, session.place, session.standing,
        project.uid, parent.harness, parent.external, parent.agent
    FROM project JOIN session ON session.project = project.id
    LEFT JOIN LATERAL (SELECT harness, external, agent FROM session AS one WHERE one.id = session.parent OFFSET 0)
        AS parent ON true
    WHERE project.uid = asked AND (with_ended OR session.ended_at IS NULL) AND (with_agents OR session.agent = '')
    ORDER BY session.started_at DESC, session.id DESC LIMIT most;
END $$;

-- The notes of a session, the last changed first.
CREATE FUNCTION newest_notes(asked bytea, with_scratched boolean, most bigint)
RETURNS TABLE (id bigint, created_at bigint, updated_at bigint, scratched_at bigint, tags bytea[], content bytea)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT note.id, note.created_at, note.updated_at, note.scratched_at, note.tags, note.content FROM note
    WHERE note.session = (SELECT session.id FROM session WHERE digest = asked)
        AND (with_scratched OR note.scratched_at IS NULL)
    ORDER BY note.updated_at DESC, note.id DESC LIMIT most;
END $$;

-- The newest notes of a session that have all these keys, each with the number of them all, which is not above "most". Where it
-- is as high and only what is rare is asked for, and where there is none, the number alone.
--
-- The index gives all notes with a key before any is put in order: for a common one that is most of a session. So it is
-- asked for keys that are rare among the newest 5,000 notes: no tenth of them has them, 500 in all, so that at most 0.6 % of
-- them do (with a probability of 95 %); to read the keys of all of them takes six times as long. Else those are gone through, and the
-- index is asked where that was not enough. Behind "+ 0" and "IS TRUE" no other index is taken beside it.
CREATE FUNCTION notes_with(asked bytea, with_keys bigint[], most bigint, only_rare boolean, with_tags bytea[],
    with_scratched boolean, of_id bigint, behind bigint)
RETURNS TABLE (id bigint, created_at bigint, updated_at bigint, scratched_at bigint, tags bytea[], content bytea, n bigint)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    walked_most CONSTANT bigint := 5000;
    of_session bigint;
    last_added bigint;
    rare bigint[];
    looked_up bigint[] := with_keys;
    places bigint[] := '{}';
    last_walked bigint;
    n_walked bigint := 0;
BEGIN
    SELECT session.id, last_place INTO of_session, last_added FROM session WHERE digest = asked;
    WITH sampled AS MATERIALIZED (
        SELECT keys FROM generate_series(last_added, last_added - walked_most + 1, -10) AS at,
            LATERAL (SELECT keys FROM note_key WHERE session = of_session AND place = at OFFSET 0) AS one)
    SELECT array_agg(key) INTO rare FROM unnest(with_keys) AS key
    WHERE NOT EXISTS (SELECT FROM sampled WHERE keys @> ARRAY[key]);
    -- Each note is looked up by its id, in the order in which the keys are gone through: for conditions that it does not know the
    -- server would join all of one side with all of the other.
    IF rare IS NULL THEN
        SELECT coalesce(array_agg(place), '{}') INTO places FROM (
            SELECT newest.place FROM (
                SELECT note_key.id, place, keys FROM note_key WHERE session = of_session
                ORDER BY place DESC LIMIT walked_most) AS newest,
            LATERAL (SELECT FROM note WHERE note.session = of_session AND note.id = newest.id
                AND note.tags @> with_tags AND (with_scratched OR note.scratched_at IS NULL)
                AND (of_id IS NULL OR note.id = of_id) AND (behind IS NULL OR behind < note.id) OFFSET 0) AS fitting
            WHERE keys @> with_keys ORDER BY newest.place DESC LIMIT most) AS near;
        IF cardinality(places) < most THEN
            SELECT min(place), count(*) INTO last_walked, n_walked FROM (
                SELECT place FROM note_key WHERE session = of_session ORDER BY place DESC LIMIT walked_most) AS walked;
        END IF;
    ELSE
        looked_up := rare;
    END IF;
    IF cardinality(places) < most AND (rare IS NOT NULL OR n_walked = walked_most) THEN
        SELECT places || coalesce(array_agg(place), '{}') INTO places FROM (
            SELECT note_key.place FROM note_key,
            LATERAL (SELECT FROM note WHERE note.session = of_session AND note.id = note_key.id
                AND note.tags @> with_tags AND (with_scratched OR note.scratched_at IS NULL)
                AND (of_id IS NULL OR note.id = of_id) AND (behind IS NULL OR behind < note.id) OFFSET 0) AS fitting
            WHERE note_key.session + 0 = of_session AND (last_walked IS NULL OR note_key.place + 0 < last_walked)
                AND keys @> looked_up AND (keys @> with_keys) IS TRUE
            ORDER BY note_key.place DESC LIMIT most - cardinality(places)) AS far;
    END IF;
    n := cardinality(places);
    IF n = 0 OR only_rare AND n = most THEN
        RETURN NEXT;
    ELSE
        RETURN QUERY SELECT note.id, note.created_at, note.updated_at, note.scratched_at, note.tags, note.content,
            cardinality(places)::bigint
        FROM note WHERE session = of_session AND place = ANY (places) ORDER BY place DESC;
    END IF;
END $$;

-- Who has the journal of a scope and where its line ends, beside the entry of a write there, if it was made.
CREATE FUNCTION written(scope text, asked bytea, with_id bytea) RETURNS TABLE (seq bigint, holder bigint, write_id bytea,
    kind bytea, surface bytea, author bytea, at bigint, body_hash bytea, hash bytea, writer bytea, arguments bytea,
    reply bytea, undo bytea, of_holder bigint, start bytea, head_hash bytea)
LANGUAGE plpgsql STABLE ROWS 1 SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    found_holder bigint;
BEGIN
    CASE scope
        WHEN 'session' THEN found_holder := (SELECT id FROM session WHERE digest = asked);
        WHEN 'project' THEN found_holder := (SELECT id FROM project WHERE uid = asked);
        ELSE found_holder := (SELECT other_scope.holder FROM other_scope WHERE digest = asked);
    END CASE;
    RETURN QUERY SELECT journal.seq, journal.holder, journal.write_id, journal.kind, journal.surface, journal.author,
        journal.at, journal.body_hash, journal.hash, journal.writer, journal.arguments, journal.reply, journal.undo,
        found_holder, line.start, line.head_hash
    FROM (SELECT) AS nothing LEFT JOIN line ON line.holder = found_holder
    LEFT JOIN journal ON journal.holder = found_holder AND journal.write_id = with_id;
END $$;

-- Adds a note behind the last one of its session, and counts it.
CREATE FUNCTION add_note(in_session bigint, new_id bigint, created bigint, updated bigint, scratched bigint,
    new_tags bytea[], new_content bytea, new_keys bigint[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    is_open CONSTANT bigint := CASE WHEN scratched IS NULL THEN 1 ELSE 0 END;
    new_place bigint;
BEGIN
    UPDATE session SET last_place = last_place + 1, last_id = greatest(last_id, new_id), n_notes = n_notes + 1,
        n_open = n_open + is_open WHERE id = in_session RETURNING last_place INTO new_place;
    INSERT INTO note_key (session, id, place, keys) VALUES (in_session, new_id, new_place, new_keys);
    INSERT INTO note (session, id, place, created_at, updated_at, scratched_at, tags, content)
        VALUES (in_session, new_id, new_place, created, updated, scratched, new_tags, new_content);
    INSERT INTO tag_count (session, digest, tag, n_notes, n_open)
        SELECT in_session, sha256(tag), tag, 1, is_open FROM unnest(new_tags) AS tag
        ON CONFLICT (session, digest) DO UPDATE
        SET n_notes = tag_count.n_notes + 1, n_open = tag_count.n_open + is_open;
END $$;

-- Appends an entry, and moves the end of its line to it.
CREATE FUNCTION append_entry(new_seq bigint, of_holder bigint, new_write_id bytea, new_kind bytea, new_surface bytea,
    new_author bytea, new_at bigint, new_body_hash bytea, new_hash bytea, new_writer bytea, outside boolean,
    new_arguments bytea, new_reply bytea, new_undo bytea, shared boolean, new_start bytea)
RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO journal (seq, holder, write_id, kind, surface, author, at, body_hash, hash, writer, is_outside, arguments,
            reply, undo, is_shared)
        VALUES (new_seq, of_holder, new_write_id, new_kind, new_surface, new_author, new_at, new_body_hash, new_hash,
            new_writer, outside, new_arguments, new_reply, new_undo, shared);
    INSERT INTO line (holder, start, head, head_hash, is_shared)
        VALUES (of_holder, new_start, new_seq, new_hash, shared)
        ON CONFLICT (holder) DO UPDATE SET head = excluded.head, head_hash = excluded.head_hash;
END $$;

-- Whoever may use the schema calls them, and sees by them what they may see without.
DO $$
DECLARE
    called regprocedure;
BEGIN
    FOR called IN SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND proname = ANY (ARRAY[
        'own_card', 'own_card_and_salt', 'project_by_keys', 'session_by_digest', 'sessions_of_project', 'newest_notes',
        'notes_with', 'written', 'add_note', 'append_entry'])
    LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO PUBLIC', called);
    END LOOP;
END $$;
