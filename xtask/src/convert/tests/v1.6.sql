PRAGMA application_id = 1986094181;
PRAGMA user_version = 1006;

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
CREATE TABLE journal_body (
    seq INTEGER PRIMARY KEY,
    body BLOB NOT NULL
) STRICT;
CREATE TABLE plan (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES project,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    completed_at INTEGER,
    archived_at INTEGER,
    is_tracked INTEGER NOT NULL DEFAULT 0
) STRICT;
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
CREATE TABLE active_plan (
    session INTEGER PRIMARY KEY,
    plan INTEGER NOT NULL REFERENCES plan
) STRICT, WITHOUT ROWID;
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
CREATE TABLE work (
    session INTEGER PRIMARY KEY REFERENCES session,
    began_at INTEGER NOT NULL
) STRICT;
CREATE TABLE running (
    session INTEGER PRIMARY KEY REFERENCES session,
    parent INTEGER NOT NULL REFERENCES session,
    began_at INTEGER NOT NULL,
    host_pid INTEGER,
    kind TEXT,
    asked TEXT
) STRICT;
CREATE TABLE borrowed (
    session INTEGER PRIMARY KEY REFERENCES session,
    page INTEGER REFERENCES session,
    rev INTEGER,
    updated_at INTEGER,
    notes INTEGER REFERENCES session
) STRICT;
CREATE TABLE worked (
    session INTEGER PRIMARY KEY REFERENCES session,
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE project_id (
    project INTEGER PRIMARY KEY REFERENCES project,
    id TEXT NOT NULL UNIQUE CHECK (length(id) = 32)
) STRICT;
CREATE INDEX session_line ON session (project, started_at, id);
CREATE INDEX note_newest ON note (session, updated_at, id);
CREATE INDEX note_open ON note (session, updated_at, id) WHERE scratched_at IS NULL;
CREATE INDEX journal_scope ON journal (scope, seq);
CREATE INDEX journal_outside ON journal (scope, seq)
WHERE origin NOT GLOB '*/agent' AND origin NOT GLOB 'hook/*';
CREATE UNIQUE INDEX plan_name ON plan (project, name COLLATE NOCASE);
CREATE UNIQUE INDEX entry_id ON entry (project, id);
CREATE INDEX entry_newest ON entry (plan, category, at, id);
CREATE INDEX entry_same ON entry (plan, sameness);
CREATE INDEX entry_later ON entry (project, supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX running_parent ON running (parent);
CREATE INDEX borrowed_page ON borrowed (page) WHERE page IS NOT NULL;
CREATE INDEX borrowed_notes ON borrowed (notes) WHERE notes IS NOT NULL;

INSERT INTO store (name, value) VALUES ('last_forget', '3');
INSERT INTO project (id, name, off_at, created_at) VALUES (1, 'shop', NULL, 1795652797311);
INSERT INTO project (id, name, off_at, created_at) VALUES (2, 'diary', NULL, 1795652797690);
INSERT INTO project_key (kind, value, project) VALUES ('folder', CAST('/home/dev/diary' AS BLOB), 2);
INSERT INTO project_key (kind, value, project) VALUES ('folder', CAST('/home/dev/shop' AS BLOB), 1);
INSERT INTO project_key (kind, value, project) VALUES ('git', CAST('/home/dev/shop/.git' AS BLOB), 1);
INSERT INTO project_key (kind, value, project) VALUES ('remote', CAST('example.org/a/shop' AS BLOB), 1);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (1, 1, 'codex', '11111111-aaaa-4000-8000-000000000001', '', NULL, 'start', 1, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-11111111-aaaa-4000-8000-000000000001.jsonl' AS BLOB), NULL, 1795652797311, 1795652798327, 1795652798327, 0, NULL, 0, NULL, 6, 4, 1795652798472);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (2, 2, 'desk', 'c6817e593a0d39a58c681eea50ef5612', '', NULL, 'start', 0, 'desk-1', NULL, NULL, NULL, NULL, 1795652797690, 1795652797690, NULL, 0, NULL, 0, NULL, 1, 1, 1795652797692);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (4, 1, 'desk', '2b7c7bae81126f148bb27002c981192f', '', NULL, 'start', 0, 'desk-1', NULL, NULL, NULL, NULL, 1795652797819, 1795652797819, NULL, 0, NULL, 0, NULL, 0, 0, NULL);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (5, 1, 'codex', '22222222-bbbb-4000-8000-000000000002', '', 1, 'fork', 2, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-22222222-bbbb-4000-8000-000000000002.jsonl' AS BLOB), NULL, 1795652798071, 1795652798509, 1795652798509, 0, NULL, 0, NULL, 6, 5, 1795652797655);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (6, 1, 'codex', '44444444-dddd-4000-8000-000000000004', '', 1, 'fork', 3, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-44444444-dddd-4000-8000-000000000004.jsonl' AS BLOB), NULL, 1795652798106, 1795652798106, NULL, 0, NULL, 0, NULL, 7, 6, 1795652798129);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (7, 1, 'codex', '55555555-eeee-4000-8000-000000000005', '', 1, 'start', 4, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-55555555-eeee-4000-8000-000000000005.jsonl' AS BLOB), NULL, 1795652798358, 1795652798358, NULL, 0, NULL, 0, NULL, 0, 0, NULL);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (8, 1, 'codex', '11111111-aaaa-4000-8000-000000000001', 'ag-1', 1, 'spawn', 0, 'desk-1', NULL, CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-11111111-aaaa-4000-8000-000000000001.jsonl' AS BLOB), NULL, 1795652798418, 1795652798418, NULL, 0, NULL, 0, NULL, 0, 0, NULL);
INSERT INTO notepad (session, rev, updated_at, text) VALUES (1, 4, 1795652798280, '# Plan
- [ ] one
');
INSERT INTO notepad (session, rev, updated_at, text) VALUES (5, 1, 1795652798076, 'A page of the desk.');
INSERT INTO notepad (session, rev, updated_at, text) VALUES (6, 2, 1795652798147, 'Another page of the fork.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (1, 1, 1795652797333, 1795652797333, 1795652797333, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (2, 1, 1795652797359, 1795652797359, 1795652797359, 1795652798456, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (3, 1, 1795652797396, 1795652797396, 1795652797396, 1795652797468, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (4, 1, 1795652797415, 1795652797415, 1795652797482, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (7, 1, 1795652797590, 1795652797590, 1795652797590, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (8, 1, 1795652797655, 1795652797655, 1795652797655, NULL, 'desk', 'From the desk.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (9, 2, 1795652797692, 1795652797692, 1795652797692, NULL, 'desk', 'In the diary.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (11, 6, 1795652797333, 1795652797333, 1795652797333, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (12, 6, 1795652797359, 1795652797359, 1795652797359, NULL, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (13, 6, 1795652797396, 1795652797396, 1795652797396, 1795652797468, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (14, 6, 1795652797415, 1795652797415, 1795652797482, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (15, 6, 1795652797590, 1795652797590, 1795652797590, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (16, 6, 1795652797655, 1795652797655, 1795652797655, NULL, 'desk', 'From the desk.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (17, 6, 1795652798129, 1795652798129, 1795652798129, NULL, 'fork', 'Of the fork alone.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (18, 5, 1795652797333, 1795652797333, 1795652797333, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (19, 5, 1795652797359, 1795652797359, 1795652797359, NULL, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (20, 5, 1795652797396, 1795652797396, 1795652797396, 1795652797468, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (21, 5, 1795652797415, 1795652797415, 1795652797482, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (22, 5, 1795652797590, 1795652797590, 1795652797590, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (23, 5, 1795652797655, 1795652797655, 1795652797655, NULL, 'desk', 'From the desk.');
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'api', 1795652797359, 1795652797359, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'bug', 1795652797359, 1795652797359, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'decision', 1795652797333, 1795652797333, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'desk', 1795652797655, 1795652797655, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'done', 1795652797482, 1795652797415, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'money', 1795652797333, 1795652797333, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'todo', 1795652797396, 1795652797396, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'todo', 1795652797590, 1795652797590, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (2, 'desk', 1795652797692, 1795652797692, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'api', 1795652797359, 1795652797359, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'bug', 1795652797359, 1795652797359, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'decision', 1795652797333, 1795652797333, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'desk', 1795652797655, 1795652797655, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'done', 1795652797482, 1795652797415, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'money', 1795652797333, 1795652797333, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'todo', 1795652797396, 1795652797396, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'todo', 1795652797590, 1795652797590, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'api', 1795652797359, 1795652797359, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'bug', 1795652797359, 1795652797359, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'decision', 1795652797333, 1795652797333, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'desk', 1795652797655, 1795652797655, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'done', 1795652797482, 1795652797415, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'fork', 1795652798129, 1795652798129, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'money', 1795652797333, 1795652797333, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'todo', 1795652797396, 1795652797396, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'todo', 1795652797590, 1795652797590, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'api', 1, 0);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'bug', 1, 0);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'decision', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'desk', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'done', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'money', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'todo', 2, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (2, 'desk', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (5, 'api', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (5, 'bug', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (5, 'decision', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (5, 'desk', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (5, 'done', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (5, 'money', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (5, 'todo', 2, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (6, 'api', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (6, 'bug', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (6, 'decision', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (6, 'desk', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (6, 'done', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (6, 'fork', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (6, 'money', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (6, 'todo', 2, 1);
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (1, 'session:1', '6bd1bc1c0172152a7737e70d34f446e0', 'note_session', 'hook/tool', 1795652797289, X'5fdd403b36385f64e0bdf89381ef0cf0ba7c9a580926c0be1b756abe343bc9f9', X'0000000000000000000000000000000000000000000000000000000000000000', X'4fce1ec5d7cc62bfaccd494996b4d372ff52685d43c1c78d64c1b52e2b56ee6e');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (2, 'session:1', '01a2153f-4394-7c63-bf88-060ac0938449', 'add_note', 'cli/user', 1795652797332, X'27417b1a46fb92b9e5550cf308a39d113ff1ea7044136a78271e49c5a69bad70', X'4fce1ec5d7cc62bfaccd494996b4d372ff52685d43c1c78d64c1b52e2b56ee6e', X'1fd5fd7b3fe909df4f895ac7b595b994619f1b2d3b9a5055aac634f996f68357');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (3, 'session:1', '01a2153f-43ae-7a4e-af61-5e03d49f6ff2', 'add_note', 'cli/user', 1795652797358, X'8eb8ad21bd34f81705b59695d6cdbee6144b6771ab46b8383ff62011f049b6fb', X'1fd5fd7b3fe909df4f895ac7b595b994619f1b2d3b9a5055aac634f996f68357', X'1f876ed9fd1f1dd0cdd19a6a8d6bce494b4fdfaf0306a58ca8b1952fdfc65dad');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (4, 'session:1', '01a2153f-43ce-7a36-889a-675f62ae32be', 'add_note', 'cli/user', 1795652797390, X'ff80287efe2d3462e7e9ce03309b7635ee2f85f0100901f58a6e6cbb26c85e48', X'1f876ed9fd1f1dd0cdd19a6a8d6bce494b4fdfaf0306a58ca8b1952fdfc65dad', X'5991366f7549c524df373ffc02db20cac69f131d6d8b83ede29c94acdc5be2cc');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (5, 'session:1', '01a2153f-43e7-7e24-86b9-8955ba6f5847', 'add_note', 'cli/user', 1795652797415, X'5d4f80cbdfd00672bbd6e687133e44e5f7161613a0e30ae3c71c08266c547149', X'5991366f7549c524df373ffc02db20cac69f131d6d8b83ede29c94acdc5be2cc', X'9489b38f2509b281ca98320d5fc9cba9ddeb7ad00b5d0a00839c8080ce06ffdc');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (6, 'session:1', '01a2153f-43f6-76f0-9128-d1a44a8531d1', 'add_note', 'cli/user', 1795652797431, X'0b19331b5a67ada4820a10264f31bfddcd71136f2153146481c0f24d215b3448', X'9489b38f2509b281ca98320d5fc9cba9ddeb7ad00b5d0a00839c8080ce06ffdc', X'4e85d7ce738d0ebdbc1e9377975bafb67a43d2893627b19124d40d7d6853dc22');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (7, 'session:1', '01a2153f-440e-7c27-b570-b122d7470307', 'add_note', 'cli/user', 1795652797455, X'afbddca9110a918d0cf0cd5285d6bf207886e77772a324ba02e6e8c3824740bb', X'4e85d7ce738d0ebdbc1e9377975bafb67a43d2893627b19124d40d7d6853dc22', X'f6b272282a349464bdcb44a8e9d0c3f0f6c84b5b4b28c24fb25f6e18d6a09a92');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (8, 'session:1', '01a2153f-441b-783b-aedf-c0d9d057e07b', 'scratch_note', 'cli/user', 1795652797467, X'f5e8393600ef3cffab69c2372e60a0465dbf07c429a8760d655ea5b9cb3d2a66', X'f6b272282a349464bdcb44a8e9d0c3f0f6c84b5b4b28c24fb25f6e18d6a09a92', X'77236a227c15f8f1c390d685e25cdb638eb4e7d64d071018f3d1f9c0e3deb1ec');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (9, 'session:1', '01a2153f-4429-733a-9a3a-1d5c427e36ae', 'update_note', 'cli/user', 1795652797481, X'6255f7f185d7167a5fc1f3bc3f882aa96edd2d4456b69e532c8d95a0777a01f4', X'77236a227c15f8f1c390d685e25cdb638eb4e7d64d071018f3d1f9c0e3deb1ec', X'd84227440f88c29fedfd9a67ac2f0fc9450e29c3724633031c8d816d8b794a60');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (10, 'session:1', '01a2153f-4436-7f47-bffc-db38fcbf5e17', 'delete_note', 'cli/user', 1795652797494, X'0cec83e6a490fad8928ba215a5509986e0346a5868c65c6be21d0736233b7c40', X'd84227440f88c29fedfd9a67ac2f0fc9450e29c3724633031c8d816d8b794a60', X'7c0a6792222a47c1f6bf40095eff325a3f48d9448d080a93560c1ee608fe6094');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (11, 'session:1', '01a2153f-4459-7daa-8664-8a0ac3a9bf00', 'write_notepad', 'cli/user', 1795652797530, X'4bceff4499837647adc5df07a62f1187452ac60e83d988061bbd73cbef45ba19', X'7c0a6792222a47c1f6bf40095eff325a3f48d9448d080a93560c1ee608fe6094', X'c1523772fe2fb5b46dcdbb56c3636bec663a252f0b262401efa2bc6891c24c5b');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (12, 'session:1', '01a2153f-446e-7125-a169-5bf0a09b0639', 'write_notepad', 'cli/user', 1795652797550, X'0bac898be964bb17a80b2ee1ec869a3fcac69d24982d46cfc0c060aaa708a08c', X'c1523772fe2fb5b46dcdbb56c3636bec663a252f0b262401efa2bc6891c24c5b', X'd23e7df47ec3a5a437d6d56ded56d7163dcd9a6eba5d69b5e92d9e0d231ec920');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (13, 'session:1', 'mine-1', 'add_note', 'cli/user', 1795652797590, X'4666d81585b2ef0d44097d192cd3db0d6ad9b6d1ec0a8348354d2eccb37facc8', X'd23e7df47ec3a5a437d6d56ded56d7163dcd9a6eba5d69b5e92d9e0d231ec920', X'617a431ddcfec8a9286138f1776822853f7249af938432ae6a2612c965d23bc6');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (14, 'session:1', '01a2153f-44b5-7a29-86ac-401cd0da5b0c', 'note_lapse', 'cli/tool', 1795652797621, X'7c99afb83d8c44f135fc689bc2066e5e5e1b1b5e3639a9bd4a114653f050c5b4', X'617a431ddcfec8a9286138f1776822853f7249af938432ae6a2612c965d23bc6', X'd5f57a24a42a6c0415dd6ec69c5843a33f0bb364db4dde98582ecd251b907689');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (15, 'session:1', '01a2153f-44b6-70be-bbd6-4f8b20aafc0a', 'forget', 'cli/user', 1795652797622, X'90345cf9ab7be564c845d8c674ed91bfdd172aa3dd66107df1e6929d7996f106', X'd5f57a24a42a6c0415dd6ec69c5843a33f0bb364db4dde98582ecd251b907689', X'f0ccb717aa60d1f783f0014a94b38f2a1384f884faea8a69613972e2729c570e');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (16, 'session:1', '01a2153f-44d3-70e3-94a4-917cf6fa6f71', 'add_note', 'cli/user', 1795652797652, X'761df193cef6639d420c83c338f053d734260729235ac21dc09ed98e7126875a', X'f0ccb717aa60d1f783f0014a94b38f2a1384f884faea8a69613972e2729c570e', X'968b14edb073c7ac4632d20ebd076fec22d163696eeebd0fd4d2e6ef9c63571c');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (17, 'session:1', '01a2153f-44ec-784f-8623-6054680b94bf', 'write_notepad', 'cli/user', 1795652797676, X'9c4105590a548906cbf50b42cc1087afb17f5563e7b5659d4773e5bf673f94ee', X'968b14edb073c7ac4632d20ebd076fec22d163696eeebd0fd4d2e6ef9c63571c', X'4a5840c18179c86cdc9204fc6747aac39178b8ee9f520caa0314ec4ab19bbc45');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (18, 'store', '01a2153f-44fa-7dbd-8cf8-37200b009048', 'begin_session', 'cli/user', 1795652797690, X'887d9c743b6af39816f0f20c8a3843087e4bbecf46c63c22fd17a08fe17f15b2', X'0000000000000000000000000000000000000000000000000000000000000000', X'd68547878b655b6f46465c6c1acdad4f4b76a9a0bc072a09f225a3890baac317');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (19, 'session:2', '01a2153f-44fb-7ae8-9a39-3aa1cb769152', 'add_note', 'cli/user', 1795652797691, X'a23893282fc50e55d2be891a6188044ef0c49c26b957aacd6cd1218f1be17f08', X'0000000000000000000000000000000000000000000000000000000000000000', X'c48a5103f1538fc5ed4d66756c0497e5151be489f9194f28e240b2d3e33aa28c');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (20, 'session:3', '79bb7efffc14d32880cf0939561e98e6', 'note_session', 'hook/tool', 1795652797709, X'000ff18654f8c34731dab1494d34178b22df2403219ba8ef85de448f8488d71c', X'0000000000000000000000000000000000000000000000000000000000000000', X'2150c4b254df77422af68ad1be10735d50cf2e3d6f8e535807d5464a3d790b5e');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (21, 'session:3', '01a2153f-451e-7c0d-8fb0-af732267f779', 'add_note', 'cli/user', 1795652797726, X'fa0efc301a84bde1fd96b9ce7a323f22bcd709d0085b346778ed983ce8116d9e', X'2150c4b254df77422af68ad1be10735d50cf2e3d6f8e535807d5464a3d790b5e', X'fe2b00967cb9346c8ca348d5e6c6afa84b895d58f11aa3a5b7dc4d78e548bdf1');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (22, 'project:1', '01a2153f-454b-7517-9ea2-e771b1a795c7', 'init_plan', 'cli/user', 1795652797771, X'0be2aa61740403a64485b7fba125d6c5f820397a2f9f9425fbc5c70f0c46bb22', X'0000000000000000000000000000000000000000000000000000000000000000', X'b7ffb4f3b2f8ac7e0def8d8da1fda83fca30d944c3c7cf3de82dedf79f6ee5ed');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (23, 'project:1', '01a2153f-4564-7c61-bf0b-4d2198012461', 'init_plan', 'cli/user', 1795652797798, X'1471b2612c65830d36aa8beacfec82d545f46f220402ebdd80698b216801d337', X'b7ffb4f3b2f8ac7e0def8d8da1fda83fca30d944c3c7cf3de82dedf79f6ee5ed', X'dde7e943a14e6b8a5b1e227f970c419ec79ff3c93e5b3ed59eeb6880e39fd05e');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (24, 'project:1', '01a2153f-457a-7504-bb82-3a005892af49', 'add_learning', 'cli/user', 1795652797818, X'c772e01cc8865fd1f9b7149d51bf9fee1aad98341c41385c3ff611af4903e61c', X'dde7e943a14e6b8a5b1e227f970c419ec79ff3c93e5b3ed59eeb6880e39fd05e', X'2dd12ff1b60da031580b215f8c20e6a4c8d48200e3784e89911fec03b06c118f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (25, 'project:1', '01a2153f-4597-7e98-940f-c02a00fe371b', 'add_learning', 'cli/user', 1795652797847, X'e95315d4e3015b0e023aeaec05a14a34974715274b8761c7b5424d03c14af70a', X'2dd12ff1b60da031580b215f8c20e6a4c8d48200e3784e89911fec03b06c118f', X'db77cb94b228b19e7f0991f0fc2b32264430e8f4629e5fca09267c044c3b7e28');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (26, 'project:1', '01a2153f-45b4-7e46-9460-fbe5431afc3f', 'add_learning', 'cli/user', 1795652797876, X'b93e4d833dd519ac1aaf26c0b130219e250ebaf25dc2dd72326a55772b4861fe', X'db77cb94b228b19e7f0991f0fc2b32264430e8f4629e5fca09267c044c3b7e28', X'1cad71714e69edeedda9f3736354377d1de24f7176c41c70a8cf56bb29f1de6b');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (27, 'session:1', '01a2153f-45b8-76e3-a317-907fbc8aea82', 'note_lapse', 'cli/tool', 1795652797880, X'128a637637a49364609813f1ca1bc407101a8f2bfb608030bc2255fab98f5f25', X'4a5840c18179c86cdc9204fc6747aac39178b8ee9f520caa0314ec4ab19bbc45', X'0fb9c974b6107d3f48d0ec6aa3ec14c966f8edd941875ebd8e563f0d6180e922');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (28, 'project:1', '01a2153f-45ce-7787-b3de-4ad3ce306378', 'add_decision', 'cli/user', 1795652797902, X'cfa7aaad125f3bf8cb6a331de91418af4a2ce65018fe109f97225f96c23930fc', X'1cad71714e69edeedda9f3736354377d1de24f7176c41c70a8cf56bb29f1de6b', X'999b36b7165926f1e74679c6f58e2141b18ec34c5192036245fa6305f6b0588e');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (29, 'project:1', '01a2153f-45e5-70cf-96df-692f419ac673', 'add_issue', 'cli/user', 1795652797925, X'e7cb751d8566682ac6070b295d9b60377e86999bfd6d0cbf967616769c2a089a', X'999b36b7165926f1e74679c6f58e2141b18ec34c5192036245fa6305f6b0588e', X'8c0bbb4162975449b48029a0dfc97c72a36f16ba430a301b012295f0cbd8f2f9');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (30, 'project:1', '01a2153f-45fe-7171-99cf-3d5aa6820a04', 'complete_plan', 'cli/user', 1795652797950, X'3d2cd45e570e9ef0c69d7593a6f5773d420fba585597b0ce0fae06bb06a193fc', X'8c0bbb4162975449b48029a0dfc97c72a36f16ba430a301b012295f0cbd8f2f9', X'11f67212b59c9a36a7353d12cfeffce86114fe8eb5db7d4c982d5495107f816d');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (31, 'project:1', '01a2153f-4608-7815-b219-0344808e573c', 'merge', 'cli/user', 1795652797960, X'36b4230d3f5dd200157fc9052b00de3a02b0ad5c8ee247025064e21865892de0', X'11f67212b59c9a36a7353d12cfeffce86114fe8eb5db7d4c982d5495107f816d', X'02640ce2e42d1da6011abd1e688fae1cdc0eea1274e6e3e7ecf43209d171d9d1');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (32, 'project:1', '01a2153f-4629-760f-b7a6-49e5a7ed86e5', 'archive_plan', 'cli/user', 1795652797993, X'72e19ad75be18f9d0a03b940420c5f30e04a61c50622c4239b3381b6aa0de4db', X'02640ce2e42d1da6011abd1e688fae1cdc0eea1274e6e3e7ecf43209d171d9d1', X'c8fab16ddfa5bd372dd401a40eb86b7705c4ecf41b69e69426dca3e6ffca2de9');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (33, 'session:1', '01a2153f-4641-73e9-bd9c-4bc9946a6be7', 'use_plan', 'cli/user', 1795652798017, X'52a7d3ba98fcd623003926d31f3f5ac9c53801fa0a9500a16c88f1a7df2db420', X'0fb9c974b6107d3f48d0ec6aa3ec14c966f8edd941875ebd8e563f0d6180e922', X'65917273a2be6d53387077df7f05d3bfc57481acf74aa1b57a0b3f5897facce3');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (34, 'session:1', '01a2153f-4651-701b-a4f7-a4ac19df6ecf', 'write_handoff', 'cli/user', 1795652798033, X'90b6d5deda78e857d9655b2bda13834257db7217577974e517622e0afd7bb977', X'65917273a2be6d53387077df7f05d3bfc57481acf74aa1b57a0b3f5897facce3', X'0002a23df22a3261db6cff8867dd2d3f4dcdd6aeda0797d85b1aafce261a0eff');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (35, 'session:5', '31effafdc0fb0fcf47101b7a950ae333', 'note_session', 'hook/tool', 1795652798071, X'8b51dea54ab57e53c6596e17cc0fc98ac4d0af00f5581ea5c496e65dd755ff43', X'0000000000000000000000000000000000000000000000000000000000000000', X'875d274d95add65d31dda58e62a5675a064a1618430164301136d9f822c3bffa');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (36, 'session:5', '01a2153f-467c-779e-aaa4-40b420455878', 'copy_session', 'hook/tool', 1795652798076, X'5db72a7a10a0fa3e3e9efa22791082454e179c1d2af478d96c15847ed60e85a4', X'875d274d95add65d31dda58e62a5675a064a1618430164301136d9f822c3bffa', X'a6a0c03224340c349ac92b60aac0f0fc47d31ae97a0b4d65d5a8df4d6b82680d');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (37, 'session:6', 'b5a5f0b6844996484a70bf44d091eeb3', 'note_session', 'hook/tool', 1795652798106, X'1fb614efe14773a23a459bc2cf2cece5fc7dbbba20ff36398f1fe09aa0fa6abb', X'0000000000000000000000000000000000000000000000000000000000000000', X'7c596e4906e110dfa3e9346f00e274fe1a94ccb77508ca9f1284cba210948621');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (38, 'session:6', '01a2153f-469c-7ade-998c-a98a6a12acbb', 'copy_session', 'hook/tool', 1795652798108, X'd7c55ceb4d603f149fd952a42ac5d9658546afdbd10f8fe51276d9c570f912bc', X'7c596e4906e110dfa3e9346f00e274fe1a94ccb77508ca9f1284cba210948621', X'c0976171d95834e4f5392e332db7f05c44eba0ec02574d3a46d6597ae51325d9');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (39, 'session:6', '01a2153f-46b1-787e-9743-f0bc5ba95281', 'add_note', 'cli/user', 1795652798129, X'cbf0541b846bc1934b5299d3ddbe1bf260235e4f22b18e314af1e3d283a878e8', X'c0976171d95834e4f5392e332db7f05c44eba0ec02574d3a46d6597ae51325d9', X'6e7f65690c723a7abdbf092379cd4813c4e1010f702cc03d383bc805a16757f9');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (40, 'session:6', '01a2153f-46c1-7133-aa61-71c94a771c7b', 'write_notepad', 'cli/user', 1795652798145, X'20712a3faaaa5c550f5dde1eb51fea418259dab1a064854040f999dbf8882d60', X'6e7f65690c723a7abdbf092379cd4813c4e1010f702cc03d383bc805a16757f9', X'42b9fa65893746c116084401ce9f6c09e0f4792019316e64bb226a0478c53f4a');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (41, 'project:1', '01a2153f-46e0-7c01-9fac-1fac479c6c0b', 'add_learning', 'cli/user', 1795652798177, X'38660962799179a0d1a8f75a5382fcf296341099feacea913ecfd298c6da6d10', X'c8fab16ddfa5bd372dd401a40eb86b7705c4ecf41b69e69426dca3e6ffca2de9', X'a17ef96248309a3adf51002fa5867648ea02c1944978ec9f331f55e3d7fd64bf');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (42, 'session:6', '01a2153f-470c-7576-85ea-ad9398d07620', 'note_lapse', 'cli/tool', 1795652798220, X'88c4d88cf59972dfdab0ede8bb70e5c685262263ba2e3c6c173552c515796d06', X'42b9fa65893746c116084401ce9f6c09e0f4792019316e64bb226a0478c53f4a', X'74463c09e5be00c836eb5e03615ebbb55cdd45ba5c7de6604fc340636d467290');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (43, 'session:5', '01a2153f-470f-7445-9876-14118158426c', 'note_lapse', 'cli/tool', 1795652798223, X'88c4d88cf59972dfdab0ede8bb70e5c685262263ba2e3c6c173552c515796d06', X'a6a0c03224340c349ac92b60aac0f0fc47d31ae97a0b4d65d5a8df4d6b82680d', X'8f67a62c53e1f2b102a12ef7f02322a6cb2cdb0a3d622092aaca77cad3c8ef00');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (44, 'session:1', '01a2153f-4710-79c5-839e-a5bd88c86cef', 'note_lapse', 'cli/tool', 1795652798224, X'88c4d88cf59972dfdab0ede8bb70e5c685262263ba2e3c6c173552c515796d06', X'0002a23df22a3261db6cff8867dd2d3f4dcdd6aeda0797d85b1aafce261a0eff', X'ca92f6e80b9db7b6a51fc381b80462aef728c6c0ce58ffeed91304c5346accd3');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (45, 'session:1', '01a2153f-4745-7d47-9f01-acdd49c41aee', 'restore_notepad', 'cli/user', 1795652798277, X'bdd29a1b551eb9b53dd236cbd28a32edd3eb08d029b37304fd65234f2394f433', X'ca92f6e80b9db7b6a51fc381b80462aef728c6c0ce58ffeed91304c5346accd3', X'73ea4d7a36e6a6cef119a148f2f1f8d199a0726a409bbf4e698f07a32f12c928');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (46, 'session:1', '01a2153f-4761-79db-9042-ab666adf8994', 'write_handoff', 'cli/user', 1795652798305, X'293de767bb883d5275d2fa440d537075d41eddc1cc371bb271837c37b6761968', X'73ea4d7a36e6a6cef119a148f2f1f8d199a0726a409bbf4e698f07a32f12c928', X'f99ea385ec5fbd27ff619e18b8b36e122dccae46b5fc5abc8011c1c29d9e3e84');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (47, 'session:1', '9bd13810d57c170ccd7588af0e7bd245', 'note_session', 'hook/tool', 1795652798327, X'c5a2e2b394e1d3b008910015459b933e4e3977b01903ecda11b286bd729b4f4d', X'f99ea385ec5fbd27ff619e18b8b36e122dccae46b5fc5abc8011c1c29d9e3e84', X'131a3d0789ef5dc8ffdfa7c7cafc2f0f72ab9374add0ea5576a394de556df2f3');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (48, 'session:1', '01a2153f-478a-7e16-9e27-1b5b0f0d212b', 'keep_recap', 'hook/tool', 1795652798346, X'993e10e34b9faf382ea9429abe8b8b5b252be8825e0014ac03f1ddd660a03c6f', X'131a3d0789ef5dc8ffdfa7c7cafc2f0f72ab9374add0ea5576a394de556df2f3', X'57067141fab5d1a490e1a07e6be8b9bc743bed41978c5d9c319d68c219216bb9');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (49, 'session:7', '111016d4c1073a98a0efa699090bf561', 'note_session', 'hook/tool', 1795652798358, X'fb52c099849d108047efeab4037e03ae2ab4cac166ad252ed944467ed936d5d3', X'0000000000000000000000000000000000000000000000000000000000000000', X'8064a5654b06cc8b4b0123dade109bfc5355f61a1c1d876d3e691438291d48d4');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (50, 'session:7', 'cd19889a37ec73ae2a443c158758a25c', 'follow_session', 'mcp/agent', 1795652798391, X'385f04f1064e3ef8d8ada2ef41de13bc944103ac03a2a4e00801a4c6c37ffaa2', X'8064a5654b06cc8b4b0123dade109bfc5355f61a1c1d876d3e691438291d48d4', X'36d6dba4de5fe389f1d5da6cc1d4707efddcdf9b0b65a1bc50db646ef38f247f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (51, 'session:8', '04c8faef63864f4b3bacc2b1d5844001', 'note_session', 'hook/tool', 1795652798417, X'3804f474f18acec81be4787e60ec093594a25e176ab0b03c581d06a4505c0f40', X'0000000000000000000000000000000000000000000000000000000000000000', X'4ca37401a2c8ba64a1db445c052137953c4b9bfe2e0515f1d5023a42fb37d85f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (52, 'session:1', '01a2153f-47e2-7a09-b6d0-3632f52174c5', 'keep_recap', 'hook/tool', 1795652798434, X'993e10e34b9faf382ea9429abe8b8b5b252be8825e0014ac03f1ddd660a03c6f', X'57067141fab5d1a490e1a07e6be8b9bc743bed41978c5d9c319d68c219216bb9', X'1afffeb201e32f7c30fed93f711b1069f9db659ac5698f47fbf10d3f299f5140');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (53, 'session:1', '01a2153f-47f7-7286-9bc6-c7bd5a08df8d', 'scratch_note', 'cli/user', 1795652798455, X'49b4a34590368b055c5d61e0eaa51413d2bb922cb40e8193bb4902256c574a53', X'1afffeb201e32f7c30fed93f711b1069f9db659ac5698f47fbf10d3f299f5140', X'50b8f0f21a5d9c607518e733824121e60ed30d6d238f6b8c03531de800a914c0');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (54, 'session:1', '01a2153f-4807-7c5e-b2f2-695f2740c375', 'add_note', 'cli/user', 1795652798471, X'b60cd8df60ce220941a016c86576a9735366c01361fead8c08a1218357651973', X'50b8f0f21a5d9c607518e733824121e60ed30d6d238f6b8c03531de800a914c0', X'ed9741d04921ca81a741a0e3646d1637fa9e19a652b115302396990501f2efca');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (55, 'session:1', '01a2153f-4818-73e8-887b-db8b33a67211', 'delete_note', 'cli/user', 1795652798488, X'a5e238414696a6a390fd0846b916c47b04eabfbb4691c4d129cdc95064f1d2d5', X'ed9741d04921ca81a741a0e3646d1637fa9e19a652b115302396990501f2efca', X'e83c7ceab4aad0f4610c82eb6e1c42bdc88153a89edc1863d1a6044fdcfdcba4');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (56, 'session:5', '7f71fc89b49bd3a8f045ef2c8d20c27a', 'note_session', 'hook/tool', 1795652798509, X'd2251b11e6a0bc6a7a8948e24390f42d7a47f0aa66ea445ed5ce5bb766511a19', X'8f67a62c53e1f2b102a12ef7f02322a6cb2cdb0a3d622092aaca77cad3c8ef00', X'7b5d196d2b4758c783e80265cfb38e3ea7a1b53eb21dd16f16e637196c4cb7c2');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (57, 'session:5', '01a2153f-4835-7e9e-8723-b1ac4d7d7dd0', 'keep_recap', 'hook/tool', 1795652798517, X'993e10e34b9faf382ea9429abe8b8b5b252be8825e0014ac03f1ddd660a03c6f', X'7b5d196d2b4758c783e80265cfb38e3ea7a1b53eb21dd16f16e637196c4cb7c2', X'ec0278f25c0112a133aebccb2775734f1f397bd5427fbb374debcc0b47cce8e9');
INSERT INTO journal_body (seq, body) VALUES (1, CAST('{"arguments":"6bd1bc1c0172152a7737e70d34f446e034c81e1e1994a244edc8fdfb161d8894","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (2, CAST('{"arguments":"de898c5da4e7a4cbaab407a18dc0ee6610a819e2c87416302fb703b2276a9763","reply":"{\"id\":\"note_1795652797333\",\"content\":\"Money is kept in cents.\",\"tags\":[\"decision\",\"money\"],\"created_at\":\"2026-11-26T00:26:37.333Z\",\"updated_at\":\"2026-11-26T00:26:37.333Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":1}","undo":[{"change":"drop_note","session":1,"id":1795652797333}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (3, CAST('{"arguments":"a139b572ecf20566029a2fd80a01e0af7eabf7427b0b421f48d48b6ad6cb2961","reply":"{\"id\":\"note_1795652797359\",\"content\":\"Retry swallows E_DUP, see retry.rs.\",\"tags\":[\"bug\",\"api\"],\"created_at\":\"2026-11-26T00:26:37.359Z\",\"updated_at\":\"2026-11-26T00:26:37.359Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":2}","undo":[{"change":"drop_note","session":1,"id":1795652797359}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (4, CAST('{"arguments":"f6d2bda6ac0bc5e32c0bdc2c8723fef9361df2b8f2fb7bc5697d9e9a8b00ed6e","reply":"{\"id\":\"note_1795652797396\",\"content\":\"Ask about ümläuts and 日本語.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:26:37.396Z\",\"updated_at\":\"2026-11-26T00:26:37.396Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":3}","undo":[{"change":"drop_note","session":1,"id":1795652797396}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (5, CAST('{"arguments":"d42bdfe6f43659320ded63ec47b2e7aa9e2f8cc7c3a048d00f456577c9e987c5","reply":"{\"id\":\"note_1795652797415\",\"content\":\"Wrong from the start.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:26:37.415Z\",\"updated_at\":\"2026-11-26T00:26:37.415Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":4}","undo":[{"change":"drop_note","session":1,"id":1795652797415}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (7, CAST('{"arguments":"78b74c5f06347229a9f1364113725576418c51ef3cf0e51509b0f8e86fe4d144","reply":"{\"id\":\"note_1795652797455\",\"content\":\"Will be gone, the newest.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:26:37.455Z\",\"updated_at\":\"2026-11-26T00:26:37.455Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":6}","undo":[{"change":"drop_note","session":1,"id":1795652797455}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (8, CAST('{"arguments":"c440bca672952dfeb69af46bd98a84a54267457432e542352ee0ecf60f456931","reply":"{\"id\":\"note_1795652797396\",\"content\":\"Ask about ümläuts and 日本語.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:26:37.396Z\",\"updated_at\":\"2026-11-26T00:26:37.396Z\",\"scratched\":true,\"done\":\"scratched\",\"session\":\"11111111\",\"open\":5,\"restored\":false}","undo":[{"change":"set_note","session":1,"note":{"id":1795652797396,"content":"Ask about ümläuts and 日本語.","tags":["todo"],"created_at":1795652797396,"updated_at":1795652797396,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (9, CAST('{"arguments":"8ef5622060ead3ec5c43fbb1a1f40bd940a73e2fb19185b01f990acd04ac10f6","reply":"{\"id\":\"note_1795652797415\",\"content\":\"Right in the end.\",\"tags\":[\"done\"],\"created_at\":\"2026-11-26T00:26:37.415Z\",\"updated_at\":\"2026-11-26T00:26:37.482Z\",\"scratched\":false,\"done\":\"updated (content, tags)\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"set_note","session":1,"note":{"id":1795652797415,"content":"Wrong from the start.","tags":["todo"],"created_at":1795652797415,"updated_at":1795652797415,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (10, CAST('{"arguments":"751621c1c069a6aecad6e244d362fb175beeb92beec8160c099f55c0b44fd876","reply":"{\"id\":\"note_1795652797455\",\"session\":\"11111111\",\"open\":4,\"back\":\"vade note restore note_1795652797455\"}","undo":[{"change":"add_note","session":1,"note":{"id":1795652797455,"content":"Will be gone, the newest.","tags":["todo"],"created_at":1795652797455,"updated_at":1795652797455,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (11, CAST('{"arguments":"b97f09c0367abbc926e7b68a4f415fffec2f3ca0b4cfa03fd78d87976ced4261","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":1,\"tokens\":11,\"standing\":\"11 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"drop_notepad","session":1}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (12, CAST('{"arguments":"e7b31ec1d890bfb5faa732a0f57e6b8fdd6af33b7ca3647e94390dd62b4d8e57","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":2,\"tokens\":18,\"standing\":\"18 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":10,"remove":16,"insert":" ] one"},"rev":1,"at":1795652797550}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (13, CAST('{"arguments":"96271624ee564d3f44f48320bdf24c0e0af45cb3a5b3d1e87013173193b32574","reply":"{\"id\":\"note_1795652797590\",\"content\":\"With a write id.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:26:37.590Z\",\"updated_at\":\"2026-11-26T00:26:37.590Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652797590}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (14, CAST('{"arguments":"3c40383865fa0ca9f2b668e5101e82021215f0019fbdf82ce4d4a6ecabc081ec","reply":"[{\"what\":\"note\",\"id\":1795652797431}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (16, CAST('{"arguments":"42bd118ab712a31b177285d5af6b72b1827d58c9a066f6412ee84206178cf72a","reply":"{\"id\":\"note_1795652797655\",\"content\":\"From the desk.\",\"tags\":[\"desk\"],\"created_at\":\"2026-11-26T00:26:37.655Z\",\"updated_at\":\"2026-11-26T00:26:37.655Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652797655}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (17, CAST('{"arguments":"de68bd27d93a928fc269f58179a0df76f3a33bd59657d50243176281f62236e7","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":3,\"tokens\":8,\"standing\":\"8 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":0,"remove":19,"insert":"# Plan\n- [x] one\n- [ ] two\n"},"rev":2,"at":1795652797678}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (18, CAST('{"arguments":"3ee0a93d2e69371870c79407c435d3d0c404015a863b6b89f69114203525e22a","reply":"{\"harness\":\"desk\",\"external\":\"c6817e593a0d39a58c681eea50ef5612\",\"agent\":null}","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (19, CAST('{"arguments":"782522b5479255efb9a3108427106ae8deff11cbef69524de1b7f24763ff50f4","reply":"{\"id\":\"note_1795652797692\",\"content\":\"In the diary.\",\"tags\":[\"desk\"],\"created_at\":\"2026-11-26T00:26:37.692Z\",\"updated_at\":\"2026-11-26T00:26:37.692Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"desk\",\"open\":1,\"restored\":false}","undo":[{"change":"drop_note","session":2,"id":1795652797692}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (22, CAST('{"arguments":"7975b38a88b83bcdcfb801613872d7691377a12685719ed5dbe51c867b35f85b","reply":"true","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (23, CAST('{"arguments":"936a8ce3740ae5efec8e330001dd562af4e1d9d83d94176a6a95445b3d11ef71","reply":"true","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (24, CAST('{"arguments":"e78d6fb84eee9e5ae5a2edb44ce3e183b8e86f9c440dd080765ac0d86de8e11f","reply":"[{\"id\":\"entry_1795652797819\",\"plan\":\"release\",\"category\":\"learning\",\"at\":\"2026-11-26T00:26:37.819Z\",\"content\":\"Money is kept in cents.\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (25, CAST('{"arguments":"4d27355a1fc9ca4058a05591ba02b4d22d9d7fc3ca31e8d5657ba2bd41c1ed89","reply":"[{\"id\":\"entry_1795652797852\",\"plan\":\"release\",\"category\":\"learning\",\"at\":\"2026-11-26T00:26:37.852Z\",\"content\":\"Timers drift.\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (26, CAST('{"arguments":"951fb4240077ba735adfcd1b08a595bb633b94d14f3c03111b1504cea7879653","reply":"[{\"id\":\"entry_1795652797877\",\"plan\":\"release\",\"category\":\"learning\",\"at\":\"2026-11-26T00:26:37.877Z\",\"content\":\"Timers drift on ARM alone.\",\"supersedes\":\"entry_1795652797852\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (27, CAST('{"arguments":"17937f06654040f387037360312b1ca6a3e8f69e743d7ee8983419be0d5d8222","reply":"[{\"what\":\"entry\",\"id\":1795652797852,\"category\":\"learning\",\"by\":1795652797877}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (28, CAST('{"arguments":"57df05c0be70b1e7dd746b5e4a9fc47c514e6b2aef7a9df83d41e14c482ffed5","reply":"[{\"id\":\"entry_1795652797903\",\"plan\":\"release\",\"category\":\"decision\",\"at\":\"2026-11-26T00:26:37.903Z\",\"content\":\"Use WAL.\",\"rationale\":\"Readers do not wait.\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (29, CAST('{"arguments":"6a6a54ffea67d945e498d50bc8d6c7bf4e9f3af77f2f9dd519f591b3f29b8d3e","reply":"[{\"id\":\"entry_1795652797929\",\"plan\":\"old\",\"category\":\"issue\",\"at\":\"2026-11-26T00:26:37.929Z\",\"content\":\"Login fails.\",\"severity\":\"high\",\"status\":\"open\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (30, CAST('{"arguments":"df535b19b26b74c0f6770d0186202e8f00b8646930f82984d018cb394f3601d0","reply":"null","undo":[{"change":"set_plan","project":1,"name":"old","completed_at":null,"archived_at":null,"is_tracked":false}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (31, CAST('{"arguments":"11cab966bb287ef23140cfd81b9f7f264286c999bd2c921f6d7142dd3d9a63b1","reply":"1","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (32, CAST('{"arguments":"7ac698da17231862fe34319a4e2efc992c67a9f14cd995b0e2863544b572d700","reply":"null","undo":[{"change":"set_plan","project":1,"name":"old","completed_at":1795652797950,"archived_at":null,"is_tracked":false}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (33, CAST('{"arguments":"196581c4bc5f3d59afc259667de001693d8b3010e07f5b973c73419fac5b9bf3","reply":"null","undo":[{"change":"set_active_plan","session":1,"plan":null}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (34, CAST('{"arguments":"1359106f2718f7a4e9b8188ebe4f80cba9980d5e9ced76158aa2897847b280fe","reply":"{\"session\":\"11111111\",\"tokens\":8,\"standing\":\"offered to the next session of this project, with notepad, notes and recap, after /clear too; write it again if the work goes on for long\"}","undo":[{"change":"set_handoff","session":1,"text":null,"at":1795652798034}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (35, CAST('{"arguments":"31effafdc0fb0fcf47101b7a950ae333d6a33e8d289a431756668e67661c758c","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (36, CAST('{"arguments":"b0ad10e5dc02abbf92957d5cedbd6c7df4a0e9f9dcffe1cc3e07452d37bc7f30","reply":"null","undo":[{"change":"drop_notes","session":5,"upto":1795652797655},{"change":"drop_notepad","session":5}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (37, CAST('{"arguments":"b5a5f0b6844996484a70bf44d091eeb326d0892213df09aa2546a3556480f89f","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (38, CAST('{"arguments":"b0ad10e5dc02abbf92957d5cedbd6c7df4a0e9f9dcffe1cc3e07452d37bc7f30","reply":"null","undo":[{"change":"drop_notes","session":6,"upto":1795652797655},{"change":"drop_notepad","session":6}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (39, CAST('{"arguments":"1881d2e9f7df29821400ee7290ac4e7ea89778ecddf5aea487944d07ed9e1dbd","reply":"{\"id\":\"note_1795652798129\",\"content\":\"Of the fork alone.\",\"tags\":[\"fork\"],\"created_at\":\"2026-11-26T00:26:38.129Z\",\"updated_at\":\"2026-11-26T00:26:38.129Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"44444444\",\"open\":6}","undo":[{"change":"drop_note","session":6,"id":1795652798129}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (40, CAST('{"arguments":"919b1450c44fb4b86e4ea02bc430c28a487c63ac974e192485fe68e0b532b5c0","reply":"{\"ok\":true,\"session\":\"44444444\",\"rev\":2,\"tokens\":9,\"standing\":\"9 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":6,"splice":{"at":1,"remove":22,"insert":" page of the des"},"rev":1,"at":1795652798147}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (42, CAST('{"arguments":"ec8e5f8cb06d6e6c298e511af95184fd25120de0760ddc052edffbb97bb88a9f","reply":"[{\"what\":\"entry\",\"id\":1795652798177,\"category\":\"learning\",\"by\":null}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (43, CAST('{"arguments":"ec8e5f8cb06d6e6c298e511af95184fd25120de0760ddc052edffbb97bb88a9f","reply":"[{\"what\":\"entry\",\"id\":1795652798177,\"category\":\"learning\",\"by\":null}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (44, CAST('{"arguments":"ec8e5f8cb06d6e6c298e511af95184fd25120de0760ddc052edffbb97bb88a9f","reply":"[{\"what\":\"entry\",\"id\":1795652798177,\"category\":\"learning\",\"by\":null}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (45, CAST('{"arguments":"994541eed81bf489a77271222543fe419917c5f092cc97da408deb81f3be4631","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":4,\"tokens\":11,\"standing\":\"11 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":0,"remove":17,"insert":"A page of the desk."},"rev":3,"at":1795652798280}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (46, CAST('{"arguments":"1e89f4d6373e2a94747f88483cd4adb59436743e73feaffd276c09aaecd03c44","reply":"{\"session\":\"11111111\",\"tokens\":8,\"standing\":\"offered to the next session of this project, with notepad, notes and recap, after /clear too; write it again if the work goes on for long\"}","undo":[{"change":"set_handoff","session":1,"text":"Go on with two.","at":1795652798034}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (47, CAST('{"arguments":"9bd13810d57c170ccd7588af0e7bd24544c5a52ece5cafbe8c6f3e8465ed906d","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (48, CAST('{"arguments":"3cb427fa0cf96b7cc459d7f8e971d7e9c2ab43ce08bcbeb8007fd2beb91f21fb","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (49, CAST('{"arguments":"111016d4c1073a98a0efa699090bf561e2291ad135781f144b9a4298f4a8b843","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (50, CAST('{"arguments":"cd19889a37ec73ae2a443c158758a25cd5aa6c55ec851f91a3d03510bbd1c28b","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (51, CAST('{"arguments":"04c8faef63864f4b3bacc2b1d5844001cb4dfd77ac4192ccd6a83e5c11883350","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (52, CAST('{"arguments":"3cb427fa0cf96b7cc459d7f8e971d7e9c2ab43ce08bcbeb8007fd2beb91f21fb","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (53, CAST('{"arguments":"16d22d3bf60e95a2f3af91fb020eded86dcbf3b0e86d6278f1ede97d6784f99f","reply":"{\"id\":\"note_1795652797359\",\"content\":\"Retry swallows E_DUP, see retry.rs.\",\"tags\":[\"bug\",\"api\"],\"created_at\":\"2026-11-26T00:26:37.359Z\",\"updated_at\":\"2026-11-26T00:26:37.359Z\",\"scratched\":true,\"done\":\"scratched\",\"session\":\"11111111\",\"open\":4,\"restored\":false}","undo":[{"change":"set_note","session":1,"note":{"id":1795652797359,"content":"Retry swallows E_DUP, see retry.rs.","tags":["bug","api"],"created_at":1795652797359,"updated_at":1795652797359,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (54, CAST('{"arguments":"a72365157d18d8fb0b5125bf4b14f20ebd97c8fd838f28471d5a42c28c61fac6","reply":"{\"id\":\"note_1795652798472\",\"content\":\"The newest, and gone.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:26:38.472Z\",\"updated_at\":\"2026-11-26T00:26:38.472Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652798472}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (55, CAST('{"arguments":"cb7588ebac0e1503eb152dee761ee145cc2951ce2a6bde0cf78a5dc11e7ed5c9","reply":"{\"id\":\"note_1795652798472\",\"session\":\"11111111\",\"open\":4,\"back\":\"vade note restore note_1795652798472\"}","undo":[{"change":"add_note","session":1,"note":{"id":1795652798472,"content":"The newest, and gone.","tags":["todo"],"created_at":1795652798472,"updated_at":1795652798472,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (56, CAST('{"arguments":"7f71fc89b49bd3a8f045ef2c8d20c27a6ba875fd70d7cfa00ad90c662d3cc43d","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (57, CAST('{"arguments":"3cb427fa0cf96b7cc459d7f8e971d7e9c2ab43ce08bcbeb8007fd2beb91f21fb","reply":"null","undo":[]}' AS BLOB));
INSERT INTO plan (id, project, name, created_at, completed_at, archived_at, is_tracked) VALUES (1, 1, 'release', 1795652797772, NULL, NULL, 0);
INSERT INTO plan (id, project, name, created_at, completed_at, archived_at, is_tracked) VALUES (2, 1, 'old', 1795652797799, 1795652797950, 1795652797996, 0);
INSERT INTO plan (id, project, name, created_at, completed_at, archived_at, is_tracked) VALUES (3, 1, '_project', 1795652797960, NULL, NULL, 0);
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (1, 1, 1, 1795652797819, 'learning', 1795652797819, 'Money is kept in cents.', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, '9be7a915db1ecd8a3e287accf1dddba5');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (2, 1, 1, 1795652797852, 'learning', 1795652797852, 'Timers drift.', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, 'ad389a435ac9f043f96adea0f8ac1d75');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (3, 1, 1, 1795652797877, 'learning', 1795652797877, 'Timers drift on ARM alone.', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, 1795652797852, NULL, 4, '0ac95d85a0a512fce33ec9848f1a7f0a');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (4, 1, 1, 1795652797903, 'decision', 1795652797903, 'Use WAL.', NULL, NULL, '', 'Readers do not wait.', NULL, NULL, NULL, NULL, NULL, NULL, 4, 'd0e7fe7da39f8c24b15eb769874d5942');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (5, 1, 2, 1795652797929, 'issue', 1795652797929, 'Login fails.', NULL, NULL, '', NULL, NULL, 'high', 'open', NULL, NULL, NULL, 4, '127e9f654805fc9f8fcc4e259f8d9e13');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (6, 1, 3, 1795652797960, 'issue', 1795652797929, 'Login fails.', NULL, NULL, '', NULL, NULL, 'high', 'open', NULL, NULL, 1795652797929, 4, '127e9f654805fc9f8fcc4e259f8d9e13');
INSERT INTO active_plan (session, plan) VALUES (1, 1);
INSERT INTO handoff (session, updated_at, text) VALUES (1, 1795652798307, 'Go on with three.');
INSERT INTO recap (session, at, body) VALUES (1, 1795652798434, '{"size":84,"read":84,"budget":1000,"text":"","rest":[],"rest_more":0,"facts":0,"said":0,"stop":"ended","forms":[""],"is_beside_summary":false,"newer":0,"method":"best"}');
INSERT INTO recap (session, at, body) VALUES (5, 1795652798517, '{"size":84,"read":84,"budget":1000,"text":"","rest":[],"rest_more":0,"facts":0,"said":0,"stop":"ended","forms":[""],"is_beside_summary":false,"newer":0,"method":"best"}');
INSERT INTO work (session, began_at) VALUES (1, 1795652798034);
INSERT INTO work (session, began_at) VALUES (7, 1795652798395);
INSERT INTO running (session, parent, began_at, host_pid, kind, asked) VALUES (8, 1, 1795652798416, NULL, 'explorer', NULL);
INSERT INTO worked (session, at) VALUES (1, 1795652798307);
INSERT INTO worked (session, at) VALUES (7, 1795652798395);
INSERT INTO project_id (project, id) VALUES (1, '2b7c7bae81126f148bb27002c981192f');
INSERT INTO project_id (project, id) VALUES (2, 'c6817e593a0d39a58c681eea50ef5612');
INSERT INTO store (name, value) VALUES ('key', 'afdbcd6766bcf3ffa1e5b43891c33ca31ec4a4b93a03981ddccf714cc4f23332');
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('project', 2);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('session', 8);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('journal', 57);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('note', 24);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('plan', 3);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('entry', 7);
