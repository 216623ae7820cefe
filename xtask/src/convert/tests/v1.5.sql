PRAGMA application_id = 1986094181;
PRAGMA user_version = 1005;

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

INSERT INTO project (id, name, off_at, created_at) VALUES (1, 'shop', NULL, 1795652795663);
INSERT INTO project (id, name, off_at, created_at) VALUES (2, 'diary', NULL, 1795652796034);
INSERT INTO project_key (kind, value, project) VALUES ('folder', CAST('/home/dev/diary' AS BLOB), 2);
INSERT INTO project_key (kind, value, project) VALUES ('folder', CAST('/home/dev/shop' AS BLOB), 1);
INSERT INTO project_key (kind, value, project) VALUES ('git', CAST('/home/dev/shop/.git' AS BLOB), 1);
INSERT INTO project_key (kind, value, project) VALUES ('remote', CAST('example.org/a/shop' AS BLOB), 1);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (1, 1, 'codex', '11111111-aaaa-4000-8000-000000000001', '', NULL, 'start', 1, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-11111111-aaaa-4000-8000-000000000001.jsonl' AS BLOB), NULL, 1795652795676, 1795652796587, 1795652796587, 0, NULL, 0, NULL, 6, 4, 1795652796735);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (2, 2, 'desk', '2', '', NULL, 'start', 0, 'desk-1', NULL, NULL, NULL, NULL, 1795652796037, 1795652796037, NULL, 0, NULL, 0, NULL, 1, 1, 1795652796040);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (4, 1, 'desk', '1', '', NULL, 'start', 0, 'desk-1', NULL, NULL, NULL, NULL, 1795652796185, 1795652796185, NULL, 0, NULL, 0, NULL, 0, 0, NULL);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (5, 1, 'codex', '22222222-bbbb-4000-8000-000000000002', '', 1, 'fork', 2, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-22222222-bbbb-4000-8000-000000000002.jsonl' AS BLOB), NULL, 1795652796391, 1795652796777, 1795652796777, 0, NULL, 0, NULL, 6, 5, 1795652796006);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (6, 1, 'codex', '44444444-dddd-4000-8000-000000000004', '', 1, 'fork', 3, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-44444444-dddd-4000-8000-000000000004.jsonl' AS BLOB), NULL, 1795652796410, 1795652796410, NULL, 0, NULL, 0, NULL, 7, 6, 1795652796430);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (7, 1, 'codex', '55555555-eeee-4000-8000-000000000005', '', 1, 'start', 4, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-55555555-eeee-4000-8000-000000000005.jsonl' AS BLOB), NULL, 1795652796600, 1795652796600, NULL, 0, NULL, 0, NULL, 0, 0, NULL);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (8, 1, 'codex', '11111111-aaaa-4000-8000-000000000001', 'ag-1', 1, 'spawn', 0, 'desk-1', NULL, CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-11111111-aaaa-4000-8000-000000000001.jsonl' AS BLOB), NULL, 1795652796670, 1795652796670, NULL, 0, NULL, 0, NULL, 0, 0, NULL);
INSERT INTO notepad (session, rev, updated_at, text) VALUES (1, 4, 1795652796558, '# Plan
- [ ] one
');
INSERT INTO notepad (session, rev, updated_at, text) VALUES (5, 1, 1795652796393, 'A page of the desk.');
INSERT INTO notepad (session, rev, updated_at, text) VALUES (6, 2, 1795652796457, 'Another page of the fork.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (1, 1, 1795652795688, 1795652795688, 1795652795688, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (2, 1, 1795652795710, 1795652795710, 1795652795710, 1795652796711, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (3, 1, 1795652795731, 1795652795731, 1795652795731, 1795652795826, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (4, 1, 1795652795749, 1795652795749, 1795652795858, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (7, 1, 1795652795950, 1795652795950, 1795652795950, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (8, 1, 1795652796006, 1795652796006, 1795652796006, NULL, 'desk', 'From the desk.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (9, 2, 1795652796040, 1795652796040, 1795652796040, NULL, 'desk', 'In the diary.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (11, 6, 1795652795688, 1795652795688, 1795652795688, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (12, 6, 1795652795710, 1795652795710, 1795652795710, NULL, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (13, 6, 1795652795731, 1795652795731, 1795652795731, 1795652795826, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (14, 6, 1795652795749, 1795652795749, 1795652795858, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (15, 6, 1795652795950, 1795652795950, 1795652795950, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (16, 6, 1795652796006, 1795652796006, 1795652796006, NULL, 'desk', 'From the desk.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (17, 6, 1795652796430, 1795652796430, 1795652796430, NULL, 'fork', 'Of the fork alone.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (18, 5, 1795652795688, 1795652795688, 1795652795688, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (19, 5, 1795652795710, 1795652795710, 1795652795710, NULL, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (20, 5, 1795652795731, 1795652795731, 1795652795731, 1795652795826, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (21, 5, 1795652795749, 1795652795749, 1795652795858, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (22, 5, 1795652795950, 1795652795950, 1795652795950, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (23, 5, 1795652796006, 1795652796006, 1795652796006, NULL, 'desk', 'From the desk.');
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'api', 1795652795710, 1795652795710, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'bug', 1795652795710, 1795652795710, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'decision', 1795652795688, 1795652795688, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'desk', 1795652796006, 1795652796006, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'done', 1795652795858, 1795652795749, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'money', 1795652795688, 1795652795688, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'todo', 1795652795731, 1795652795731, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'todo', 1795652795950, 1795652795950, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (2, 'desk', 1795652796040, 1795652796040, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'api', 1795652795710, 1795652795710, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'bug', 1795652795710, 1795652795710, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'decision', 1795652795688, 1795652795688, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'desk', 1795652796006, 1795652796006, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'done', 1795652795858, 1795652795749, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'money', 1795652795688, 1795652795688, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'todo', 1795652795731, 1795652795731, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'todo', 1795652795950, 1795652795950, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'api', 1795652795710, 1795652795710, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'bug', 1795652795710, 1795652795710, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'decision', 1795652795688, 1795652795688, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'desk', 1795652796006, 1795652796006, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'done', 1795652795858, 1795652795749, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'fork', 1795652796430, 1795652796430, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'money', 1795652795688, 1795652795688, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'todo', 1795652795731, 1795652795731, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'todo', 1795652795950, 1795652795950, 1);
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
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (1, 'store', '01a2153f-3d0f-71d7-84dd-279104d61e41', 'begin_project', 'hook/tool', 1795652795664, X'c7fb00e33304902f2a8f6fa379509e907e9450c97bc20d25293cfebb53e9139d', X'0000000000000000000000000000000000000000000000000000000000000000', X'0a0eebaf7b2d707a920522fce9fff22a302506d24bf9798efdb83a3e8ecbef87');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (2, 'project:1', '01a2153f-3d1c-78c4-b6f1-00c8f69fdc6d', 'begin_session', 'hook/tool', 1795652795676, X'252d9a2acbf49f66447b6bf0ba05485e4062b8aacedbc5f57b0decb8c6c112ee', X'0000000000000000000000000000000000000000000000000000000000000000', X'c76c60f66863abe328eaae62170a9ba9436164245b47532e07c1a3839428e4e2');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (3, 'session:1', '01a2153f-3d27-75a7-b94a-ccfa54fd6326', 'add_note', 'cli/user', 1795652795687, X'724d81309c631ebfd331cc57dc3688368de1b492edcd80ba499dfd7541d40f37', X'0000000000000000000000000000000000000000000000000000000000000000', X'fc94f443a85f8bea2634c5eeb150f0c151b413ab879f9e0bd8c20761982889d3');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (4, 'session:1', '01a2153f-3d3e-7aca-812c-6b436ab6ff02', 'add_note', 'cli/user', 1795652795710, X'72ad803591cf7bc1ab608f29e8cd8e378039da0d0db94ff28e40f2c79f809d89', X'fc94f443a85f8bea2634c5eeb150f0c151b413ab879f9e0bd8c20761982889d3', X'6fe775e92ce143fc42bc3669933f0d2045fe118e1f21572cc498ee6275252122');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (5, 'session:1', '01a2153f-3d52-743d-a5ae-05077f9ffbae', 'add_note', 'cli/user', 1795652795730, X'9472eb84d5f108ee3313985f47919fd63e8e0d2bd848fe399fb9caceb8a5c054', X'6fe775e92ce143fc42bc3669933f0d2045fe118e1f21572cc498ee6275252122', X'ce8c63bf93bffe5fc17530d5c824235919441af66886807dd7fedea2b28979ac');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (6, 'session:1', '01a2153f-3d63-7514-a54b-d3a7ea0d8a96', 'add_note', 'cli/user', 1795652795747, X'2ec79bdf84c6b238ca758c47c999371408e29b517e61dadf86a4bf04966b8963', X'ce8c63bf93bffe5fc17530d5c824235919441af66886807dd7fedea2b28979ac', X'dcb931dc20dc5e963f10cb8279e1e0aa10ae8f8f5b212754de05f743d4ca3dad');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (7, 'session:1', '01a2153f-3d88-7146-99e8-f8f372505714', 'add_note', 'cli/user', 1795652795785, X'6decb9160b6770df0b45bd5435065faa8df5af0917305df00f892c4345caa441', X'dcb931dc20dc5e963f10cb8279e1e0aa10ae8f8f5b212754de05f743d4ca3dad', X'a9daa2e721fc4d69f7c614af9a3e7220c64ba114b7f68aefcd72657b805b79b7');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (8, 'session:1', '01a2153f-3da1-7567-a21c-c70d07e3d73d', 'add_note', 'cli/user', 1795652795809, X'5b9eac25e6efc572543f2ee4636f55a8255e4b8ec836de1e221f084b6ea0cdd5', X'a9daa2e721fc4d69f7c614af9a3e7220c64ba114b7f68aefcd72657b805b79b7', X'4b0d497289bd9e4dad53ba5079c85f256fb33ed357d78e0fffa726fc8569a309');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (9, 'session:1', '01a2153f-3db1-7775-ab38-4d586239c793', 'scratch_note', 'cli/user', 1795652795825, X'8f586cfc99c210229e3b827b98f4360b216150cca09ed422e84c479426387040', X'4b0d497289bd9e4dad53ba5079c85f256fb33ed357d78e0fffa726fc8569a309', X'cc1e06115c950c426ede20a4b49a277c3d65523f74c4fb0dcd13856fc1792e75');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (10, 'session:1', '01a2153f-3dd1-7a75-8f20-14eb67292ff5', 'update_note', 'cli/user', 1795652795857, X'd5d90436006a2e744ba7083c5f4933c198bedc61ba5816f802c7479b003fd187', X'cc1e06115c950c426ede20a4b49a277c3d65523f74c4fb0dcd13856fc1792e75', X'25ca0221484a72d6b9b55abfed4a82f3772835a6e8db23e31f8488c96cc7f24a');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (11, 'session:1', '01a2153f-3de1-7b7b-b248-a5217df5cf5b', 'delete_note', 'cli/user', 1795652795873, X'9826edf7c5353408a2f6450129b7d4b40684021a0a4de10255d4ff787bcbeac3', X'25ca0221484a72d6b9b55abfed4a82f3772835a6e8db23e31f8488c96cc7f24a', X'9dd94c3dd86b6b96e1ddab23c69e5441bcb5f9e0de79b5182ea658629e6a37ea');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (12, 'session:1', '01a2153f-3df2-70d7-a430-d1974f0330d5', 'write_notepad', 'cli/user', 1795652795890, X'45bb7be30edd7f4f7d9a9a9102c8517ad4016281b14fcc89f70f7013e11e5481', X'9dd94c3dd86b6b96e1ddab23c69e5441bcb5f9e0de79b5182ea658629e6a37ea', X'a0420f8a6f52ac9680e34dd3d1ff7551841573f5a9ffc6538768e1c15118daea');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (13, 'session:1', '01a2153f-3e09-7229-945c-dd9b06d37ede', 'write_notepad', 'cli/user', 1795652795913, X'a42be3c60ec76547e3db77f213709d50196a2d0001bed5718e5874581a0b983c', X'a0420f8a6f52ac9680e34dd3d1ff7551841573f5a9ffc6538768e1c15118daea', X'35fca9217af454f3ea40bbc7c24410a43cdc4dc2faa8c87706fe52a6986ef3fc');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (14, 'session:1', 'mine-1', 'add_note', 'cli/user', 1795652795950, X'9a3b3eb683de4f126675afb7c0047ca85cf4d08bebf3484541d3f1a816f21b64', X'35fca9217af454f3ea40bbc7c24410a43cdc4dc2faa8c87706fe52a6986ef3fc', X'649908710ce44ec1dbd4f8f53c1f3f3e9eab8e44a08bc91f568e623b02afed05');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (15, 'session:1', '01a2153f-3e43-72e3-93f2-faa433860397', 'note_lapse', 'cli/tool', 1795652795971, X'68eb97a3a72d538d43af00c98d8358d8ba27e0b3d40960fa76e1e682a2d196a6', X'649908710ce44ec1dbd4f8f53c1f3f3e9eab8e44a08bc91f568e623b02afed05', X'53410c09917eeaedde5accfe94ad3c5ef23e4032329d8f4374717eb834b14077');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (16, 'session:1', '01a2153f-3e45-7128-ada6-5c60995093b8', 'forget', 'cli/user', 1795652795973, X'eb238a3bba1d3fd072fc6217e9c03cf218f6aef7e95ec375ab77c2d20adf023d', X'53410c09917eeaedde5accfe94ad3c5ef23e4032329d8f4374717eb834b14077', X'05525b37329d47f4013d81abff54e0995dcbd653783cb123e10abd6cc22cb01a');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (17, 'session:1', '01a2153f-3e65-70d9-ad73-f2f9a1688aca', 'add_note', 'cli/user', 1795652796005, X'c579ccf45979ee93c8027781e65ec3863bc92cb32fda6b8f46a11e38761ee149', X'05525b37329d47f4013d81abff54e0995dcbd653783cb123e10abd6cc22cb01a', X'b532ba743c97096091b98b4010499f200949f51025fbb8b5d64789353a895c0b');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (18, 'session:1', '01a2153f-3e74-7ef2-80b5-d956094757ec', 'write_notepad', 'cli/user', 1795652796020, X'8e26b607c5cc225bc5e7c9ff162fa221e8f75a71a1d9f9cf260bfebc2ba60dd7', X'b532ba743c97096091b98b4010499f200949f51025fbb8b5d64789353a895c0b', X'4a67efded2329e2913312bbe0e30b335da124fc83f19a3130bb03ba02005ad64');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (19, 'store', '01a2153f-3e82-750a-a566-baa20b1d9a65', 'begin_project', 'cli/user', 1795652796034, X'f966143d4426b97890878625ba936260a7e47395c46a56ec3f98cde26eb2ac78', X'0a0eebaf7b2d707a920522fce9fff22a302506d24bf9798efdb83a3e8ecbef87', X'17088f860bbe8b68180b9ab5ab7b7d41abe6afe32545baa63f32c9e08ec0dcd9');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (20, 'project:2', '01a2153f-3e84-74c6-a1fc-47d1fac0b901', 'begin_session', 'cli/user', 1795652796036, X'80c5b894aaa12b16f9e3f7f995974e47c8d5f9daff1d96d7af80ab327b5363c2', X'0000000000000000000000000000000000000000000000000000000000000000', X'6ce2ed9bdea49773c7d412c759868e79c1a68b1724ed111fd836d6002a06f221');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (21, 'session:2', '01a2153f-3e88-76e0-b991-ba937ef088a1', 'add_note', 'cli/user', 1795652796040, X'f6067f27ecfd80e21f62e8e1d3a3edc6aaeb08e4dd811add20b95be73744a3fa', X'0000000000000000000000000000000000000000000000000000000000000000', X'4fc39ffb07518efe1d71f7f46eeee79244f6f7e09bbd17f864402afc9cc17c9c');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (22, 'project:1', '01a2153f-3e99-71a7-bf6e-ac33364295bd', 'begin_session', 'hook/tool', 1795652796057, X'334fe973eb80943868ac9d26a59332e2046e04f4d5451aec29db45bd07a4e9d7', X'c76c60f66863abe328eaae62170a9ba9436164245b47532e07c1a3839428e4e2', X'9d18ab762933e3b075899d16eb0a5b121cacbbfe50a653a134f2c57142e688b3');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (23, 'session:3', '01a2153f-3ea9-74fe-945a-a2044619c359', 'add_note', 'cli/user', 1795652796073, X'2a93994f49d678438724b7996de59fdd01c448f2e4d6324d22a989637bf8f9a6', X'0000000000000000000000000000000000000000000000000000000000000000', X'90de2b7a07ac3a1a2b490e5ae500d488a89d0cb49bcdcf6f3605ea95d5548844');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (24, 'project:1', '01a2153f-3ede-7357-9e1c-4fea4632c974', 'init_plan', 'cli/user', 1795652796126, X'5fb5731377f4f6d4630c60ef6ec3ee171d371a94f1b8807324de9e59823d9dc7', X'9d18ab762933e3b075899d16eb0a5b121cacbbfe50a653a134f2c57142e688b3', X'442c62c10076f6a82a4374b98b97e72b827770b435aad5ec9884807dfbb3182f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (25, 'project:1', '01a2153f-3f00-741b-8724-a10d38e896bd', 'init_plan', 'cli/user', 1795652796160, X'5e5606d91b897acd4b0913b43d743941f1e3b605ee21e4c05e237d3bac4f96c9', X'442c62c10076f6a82a4374b98b97e72b827770b435aad5ec9884807dfbb3182f', X'8dc52c00870c9980fdb7133d3b8c1c0d5409eef1de99442121642e1bd14d53e2');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (26, 'project:1', '01a2153f-3f16-7d2a-b33a-51008961a04e', 'begin_session', 'cli/user', 1795652796182, X'0001035954a9b2ff1d85f8580c055234e473384f0c57579e3c79bfb4ec917041', X'8dc52c00870c9980fdb7133d3b8c1c0d5409eef1de99442121642e1bd14d53e2', X'3274d0dc9d6c2397210ddfa1ed9e1d07deb1ee7a5728f34c2f63144f095ebfce');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (27, 'project:1', '01a2153f-3f1c-7f6e-b899-1cd0eceab377', 'add_learning', 'cli/user', 1795652796188, X'09373d8718908c0eebfe752cde2ffc52b24fa6fad19d5205e9c76378dad3e451', X'3274d0dc9d6c2397210ddfa1ed9e1d07deb1ee7a5728f34c2f63144f095ebfce', X'c7c7084383ebeb4a08d4366938968a5e5b4827fd8dde0a5ef91b4c1ba0681569');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (28, 'project:1', '01a2153f-3f28-7261-a40e-afe06a9318ea', 'add_learning', 'cli/user', 1795652796200, X'6fda2368643caa3158c06d0b5a5558cecee15cad9cfefd475bbacdb59c5392a6', X'c7c7084383ebeb4a08d4366938968a5e5b4827fd8dde0a5ef91b4c1ba0681569', X'5888bf75127487e075bc2cfcddb31641be90ffa470b0f935c1a0ae180fdcb79e');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (29, 'project:1', '01a2153f-3f3f-7858-898f-ad39280d6bfc', 'add_learning', 'cli/user', 1795652796223, X'93bd535532aa41d17db11e64ca0fff32183bad1a8c8e972739ff26a30d5d8f73', X'5888bf75127487e075bc2cfcddb31641be90ffa470b0f935c1a0ae180fdcb79e', X'2a79a25970c92fc26fd22fbddfddd04edf551916c5bd3837d7191e3257a21794');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (30, 'session:1', '01a2153f-3f44-729f-a801-47afab562bc1', 'note_lapse', 'cli/tool', 1795652796228, X'e8e8b7b5343718ee1b9d56629791df205412351758c0e884ee38924d3aa64fc5', X'4a67efded2329e2913312bbe0e30b335da124fc83f19a3130bb03ba02005ad64', X'63936782733080138ac8a0f5bf3e021209323aa40c8fb9db0739c42c6483f30f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (31, 'project:1', '01a2153f-3f56-78aa-9a57-4e3c1c6c3c8e', 'add_decision', 'cli/user', 1795652796246, X'16e7a37bb87b545a7e834b4f108b2ce00a1533d5d642cd85a3173dce1d1dc290', X'2a79a25970c92fc26fd22fbddfddd04edf551916c5bd3837d7191e3257a21794', X'2ed81866364328d585b6b5d5b9c54c7fdbf9ffbd287e65bb1e8537f5a98168ed');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (32, 'project:1', '01a2153f-3f69-7ca1-816e-dc5803715ebd', 'add_issue', 'cli/user', 1795652796265, X'9067d387666a246a12963e10e9ccad57b9a95684396c72636a06fb4623829814', X'2ed81866364328d585b6b5d5b9c54c7fdbf9ffbd287e65bb1e8537f5a98168ed', X'4331b944d65024944ff033447001ed70486fe66bed88f437829458c48f34b25f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (33, 'project:1', '01a2153f-3f7a-75c0-a292-6e2b6dbc29d2', 'complete_plan', 'cli/user', 1795652796282, X'82f52e5abee564b7d2cd3870cd6b702637cf720245ae83e3c4dce684c142a5e3', X'4331b944d65024944ff033447001ed70486fe66bed88f437829458c48f34b25f', X'392be7cb8f83ee8e021c7a5207fff1270e6bf5d99042dcb25641f9c4effad0aa');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (34, 'project:1', '01a2153f-3f80-7350-bdb4-1211316db41b', 'merge', 'cli/user', 1795652796288, X'e2dbf4dcd3b6e9e13c0c92b851666eab9686cbc95806f77a5bfadf7fcd3348bf', X'392be7cb8f83ee8e021c7a5207fff1270e6bf5d99042dcb25641f9c4effad0aa', X'7ca1cc3f734f1167a06b29566dcd968b187c0b4b230cab0697c599473beb0095');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (35, 'project:1', '01a2153f-3f9c-7a5b-a178-acc9405e7bf5', 'archive_plan', 'cli/user', 1795652796316, X'f9d8af510b3359577577aaa249583a9de344211ee2505bab80b1f161b7924889', X'7ca1cc3f734f1167a06b29566dcd968b187c0b4b230cab0697c599473beb0095', X'c321554ce29213b97d9a222ac6050be7bb5b4c7a51cb8c9876e637d2de8053ff');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (36, 'session:1', '01a2153f-3fbc-7c50-a652-6525efb2adce', 'use_plan', 'cli/user', 1795652796348, X'87f7a63fbfb983579a7cbfccfe6c714a3e88ffcb46239b14386d8bb4d558a1c5', X'63936782733080138ac8a0f5bf3e021209323aa40c8fb9db0739c42c6483f30f', X'fefe6750cb41c80eed05b011dc3cdd608cfaf026281bb138b7414faaa13fe018');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (37, 'session:1', '01a2153f-3fcb-7252-a9d0-5f494f7b2061', 'write_handoff', 'cli/user', 1795652796363, X'd3c7b8ec46a0e2b83bbbc69be211c631278b9d268c94654d7c60cfe5d544b286', X'fefe6750cb41c80eed05b011dc3cdd608cfaf026281bb138b7414faaa13fe018', X'0419c699e87a316366ab9083d33d43999e7cc0ae033f13d4b5f81cd50b03ab3f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (38, 'project:1', '01a2153f-3fe7-793e-a549-b270964515d5', 'begin_session', 'hook/tool', 1795652796391, X'ed6cdde9b5d30781684630b56017e55df4b67e9cea1b49320804152db59aaf3c', X'c321554ce29213b97d9a222ac6050be7bb5b4c7a51cb8c9876e637d2de8053ff', X'd5e318a2da3fd16d5aa0936451ce22e891b69410e3e77a62d993a068bc930add');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (39, 'session:5', '01a2153f-3fe9-70c9-bea4-3fc1ee9d2da1', 'copy_session', 'hook/tool', 1795652796393, X'0714a4f728670e5f4ae64498237764397c5e53f5e011ffb2d71d227f8c0db776', X'0000000000000000000000000000000000000000000000000000000000000000', X'004f1681dfd22a1064c5a9dbc170e0f9861ccba58c5588a74e5c6613b3f566f1');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (40, 'project:1', '01a2153f-3ffa-7517-b519-a70a751531b1', 'begin_session', 'hook/tool', 1795652796410, X'29bca2a823939ec161e02cb16166bd06e818de577c7e163ad51834e555cc3657', X'd5e318a2da3fd16d5aa0936451ce22e891b69410e3e77a62d993a068bc930add', X'cc9f0d92cf811ec4bf785bb62bb69db8e2d84d652a01c3308b65d0d848bccf3c');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (41, 'session:6', '01a2153f-3ffd-77e7-8857-7807cf844422', 'copy_session', 'hook/tool', 1795652796413, X'c35dbdcaf4d61d034bdf14a7708d620cce5f4f2727c4c306e91c13cef1a8e93e', X'0000000000000000000000000000000000000000000000000000000000000000', X'eb1823626c13430864978c867620f2fbce44386ee489df2e0982950eac0e43ac');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (42, 'session:6', '01a2153f-400a-7d07-bc9e-253959b11b57', 'add_note', 'cli/user', 1795652796426, X'8df9bf3159bf7798116cd3f46f0231e1e85a5ebb41673a5312d58e3229e208bd', X'eb1823626c13430864978c867620f2fbce44386ee489df2e0982950eac0e43ac', X'fcd565a5398b377328640ec2d5fb91275a789cb9dddb276e935eb22f96309ed3');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (43, 'session:6', '01a2153f-4026-72da-b91e-55a3345a0f6c', 'write_notepad', 'cli/user', 1795652796454, X'e9fae2075cbeb74a3e4d1a7b2f50384e40badfe66893d582e197c50f4c2f5bcb', X'fcd565a5398b377328640ec2d5fb91275a789cb9dddb276e935eb22f96309ed3', X'07f688434b07d13849eb44977d7656871ec1579130f4d558e9c0ff7f97071cd7');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (44, 'project:1', '01a2153f-403a-7b9d-a08d-1b4e2ff41687', 'add_learning', 'cli/user', 1795652796474, X'9409aaa9fea98473dfbd75dd2e6c236032f82e0dd57f9e3cae647ac8ce505611', X'cc9f0d92cf811ec4bf785bb62bb69db8e2d84d652a01c3308b65d0d848bccf3c', X'888cf58faa2f2f896c5a9d494f61917f55d66faab85e928379a8b90bc724dfbc');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (45, 'session:6', '01a2153f-4068-730a-aab5-5399da690d81', 'note_lapse', 'cli/tool', 1795652796520, X'de70f3e955d7a7ab334b7d305f9092f8fea8516d418784aabca9a41b69bbecec', X'07f688434b07d13849eb44977d7656871ec1579130f4d558e9c0ff7f97071cd7', X'a821bb6e4e201d98dd662ac6613870899eb486172fe4700dbb9f97491e9d58d8');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (46, 'session:5', '01a2153f-4069-7b58-9afd-6204b636dbca', 'note_lapse', 'cli/tool', 1795652796521, X'de70f3e955d7a7ab334b7d305f9092f8fea8516d418784aabca9a41b69bbecec', X'004f1681dfd22a1064c5a9dbc170e0f9861ccba58c5588a74e5c6613b3f566f1', X'8eb59c2f8ef8302c1cfb1de54c3411923a35cbd981e9140564a6abcb67687977');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (47, 'session:1', '01a2153f-406a-76d9-af88-cd7d919a69c5', 'note_lapse', 'cli/tool', 1795652796522, X'de70f3e955d7a7ab334b7d305f9092f8fea8516d418784aabca9a41b69bbecec', X'0419c699e87a316366ab9083d33d43999e7cc0ae033f13d4b5f81cd50b03ab3f', X'47de9f92ad5e9c55cea53a8144fb52f53a21fb037660464709c8297ef539abc1');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (48, 'session:1', '01a2153f-408d-742f-bb70-b0f88bf4482d', 'restore_notepad', 'cli/user', 1795652796557, X'75b7dc59093b040e102e593b9d161b8d0d127595b136c780c35c01f52473c5eb', X'47de9f92ad5e9c55cea53a8144fb52f53a21fb037660464709c8297ef539abc1', X'20fb5f5e9d6027a8812132240545b2b540ea44777a074bd38922ce7d684f9522');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (49, 'session:1', '01a2153f-409f-77c0-a072-94d9b021ed37', 'write_handoff', 'cli/user', 1795652796575, X'5e9f27edf96b9f14f6d950c1937cd60e5d73bfa6f10aac81d86dcfd5b645f4a3', X'20fb5f5e9d6027a8812132240545b2b540ea44777a074bd38922ce7d684f9522', X'd86ff105576d2360e073d17e7267449f5fcceb043cf1aa990751a01911ec16c1');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (50, 'session:1', 'fd9a74618ec8c6f31373d302f52a73c3', 'note_session', 'hook/tool', 1795652796588, X'5edb1aee9e0a4938868bae3c63e0b11fe810572ee14fb12203935e35142b53d0', X'd86ff105576d2360e073d17e7267449f5fcceb043cf1aa990751a01911ec16c1', X'a71cef6e12bef3980f223721e93893c616eb1ed2474c4949fed1cf3271a37d29');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (51, 'session:1', '01a2153f-40ae-7352-8355-c352f5a3a571', 'keep_recap', 'hook/tool', 1795652796590, X'a875145e22fdf3cf2f61cf0da89392518ee7c4b567a5058e4582bc54b88ddfed', X'a71cef6e12bef3980f223721e93893c616eb1ed2474c4949fed1cf3271a37d29', X'a8de21e01e9fdaa7daee9b562de1f6fcc120afa5a6ca5cb704c665c46456a192');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (52, 'project:1', '01a2153f-40b7-76dd-b1c0-cd65ed61c48d', 'begin_session', 'hook/tool', 1795652796600, X'fcbf305ef11c18b8cab13e10d62b66ca9aea5027e5cf8a6b916655585de6f929', X'888cf58faa2f2f896c5a9d494f61917f55d66faab85e928379a8b90bc724dfbc', X'c260686595874c054320630ab7b2ff5f2572166af1d617050a80cdca3d777c1a');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (53, 'session:7', '3373548f5096111247d2f97f7706ed91', 'follow_session', 'mcp/agent', 1795652796645, X'6b279da5414162c1f47eade61bd33fa10f802d353a42f9947e46fbc4f61a6f17', X'0000000000000000000000000000000000000000000000000000000000000000', X'dee8486801e9dabe8958e9d1f736dda1de1dc0e032a23a4cc1318c07d2eeacbe');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (54, 'project:1', '01a2153f-40fd-7ef5-a82b-ffdc52532a76', 'begin_session', 'hook/tool', 1795652796670, X'0d736415803bcd97f4cb276b2d761e6bd844bb0143f04451b33d0fe5472940b3', X'c260686595874c054320630ab7b2ff5f2572166af1d617050a80cdca3d777c1a', X'9812d94eb9788e6b3d01b73c6ab70647455f194a9919d6dbabb6412d9a364865');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (55, 'session:8', '7252f27962cf84b1b9f0276d06d681d5', 'note_session', 'hook/tool', 1795652796671, X'a250fc77a4ae78f443ed2e8a6a2602706bcceb06c6c5349bf7db06c769a42bc1', X'0000000000000000000000000000000000000000000000000000000000000000', X'0a39974a13e2c85d6372c6549493f96918e40cd127a14ff57edb7a07857efbec');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (56, 'session:1', '01a2153f-4110-70c3-af1c-ab52e536564a', 'keep_recap', 'hook/tool', 1795652796688, X'a875145e22fdf3cf2f61cf0da89392518ee7c4b567a5058e4582bc54b88ddfed', X'a8de21e01e9fdaa7daee9b562de1f6fcc120afa5a6ca5cb704c665c46456a192', X'5881ad89090673248a58b7cf1f7637e987c8840460f0ecad9c87170210ba0c6c');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (57, 'session:1', '01a2153f-4126-7fd9-8c0e-2ecd6685e288', 'scratch_note', 'cli/user', 1795652796711, X'58785feab125c559de805fa9c518fd57a14624b37b018c89870f93d4c5a66e41', X'5881ad89090673248a58b7cf1f7637e987c8840460f0ecad9c87170210ba0c6c', X'b0d927d115ad728d552205d9e05364b7cf3d3aebdc55ac3c29eac20c762f1af2');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (58, 'session:1', '01a2153f-413e-7d08-81cf-2e25ca0aea4d', 'add_note', 'cli/user', 1795652796734, X'49842f9a2edf7ac5cf5825d91316ae2d48626a36d36baba4379972e7e4bcaf05', X'b0d927d115ad728d552205d9e05364b7cf3d3aebdc55ac3c29eac20c762f1af2', X'a2b1dc0f7ad5b971107425b6ae532cb888845a3385012dd077362af7ba1106b4');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (59, 'session:1', '01a2153f-4154-7755-9c14-a5c93002583f', 'delete_note', 'cli/user', 1795652796756, X'e1dab7f61b763bcbfd5407fc8886e03e92de7f05b41c2303d746b41dc4d38ed6', X'a2b1dc0f7ad5b971107425b6ae532cb888845a3385012dd077362af7ba1106b4', X'5723f0ac85ec9ba43b92c9b3085f41915cabad5aee0fa0ff44cba926917b4bc4');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (60, 'session:5', '219389b223585efbfeeca4a06423fdab', 'note_session', 'hook/tool', 1795652796777, X'4270eb924f4f2b22ed6888495b0447400c0cfbd5bd0c8905f7f5960a46c15e0c', X'8eb59c2f8ef8302c1cfb1de54c3411923a35cbd981e9140564a6abcb67687977', X'8b19c76b458f9a8d479a51d941876e000e24b40329abba4c400f9924e75fe055');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (61, 'session:5', '01a2153f-4170-71c1-82b0-fc6c1ba54550', 'keep_recap', 'hook/tool', 1795652796784, X'a875145e22fdf3cf2f61cf0da89392518ee7c4b567a5058e4582bc54b88ddfed', X'8b19c76b458f9a8d479a51d941876e000e24b40329abba4c400f9924e75fe055', X'bb4970bc939be4c0aa74db02bd651fde40eed4748860c40e69fda05671eb984a');
INSERT INTO journal_body (seq, body) VALUES (1, CAST('{"arguments":"dfc0d9e0090555db231b1ca303c475cefb47f7d380bbc93120682e0ad4026db4","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (2, CAST('{"arguments":"20a41120522a279cb0322625524251389eb93d8d201946431352adfb93696910","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (3, CAST('{"arguments":"de898c5da4e7a4cbaab407a18dc0ee6610a819e2c87416302fb703b2276a9763","reply":"{\"id\":\"note_1795652795688\",\"content\":\"Money is kept in cents.\",\"tags\":[\"decision\",\"money\"],\"created_at\":\"2026-11-26T00:26:35.688Z\",\"updated_at\":\"2026-11-26T00:26:35.688Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":1}","undo":[{"change":"drop_note","session":1,"id":1795652795688}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (4, CAST('{"arguments":"a139b572ecf20566029a2fd80a01e0af7eabf7427b0b421f48d48b6ad6cb2961","reply":"{\"id\":\"note_1795652795710\",\"content\":\"Retry swallows E_DUP, see retry.rs.\",\"tags\":[\"bug\",\"api\"],\"created_at\":\"2026-11-26T00:26:35.710Z\",\"updated_at\":\"2026-11-26T00:26:35.710Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":2}","undo":[{"change":"drop_note","session":1,"id":1795652795710}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (5, CAST('{"arguments":"f6d2bda6ac0bc5e32c0bdc2c8723fef9361df2b8f2fb7bc5697d9e9a8b00ed6e","reply":"{\"id\":\"note_1795652795731\",\"content\":\"Ask about ümläuts and 日本語.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:26:35.731Z\",\"updated_at\":\"2026-11-26T00:26:35.731Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":3}","undo":[{"change":"drop_note","session":1,"id":1795652795731}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (6, CAST('{"arguments":"d42bdfe6f43659320ded63ec47b2e7aa9e2f8cc7c3a048d00f456577c9e987c5","reply":"{\"id\":\"note_1795652795749\",\"content\":\"Wrong from the start.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:26:35.749Z\",\"updated_at\":\"2026-11-26T00:26:35.749Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":4}","undo":[{"change":"drop_note","session":1,"id":1795652795749}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (8, CAST('{"arguments":"78b74c5f06347229a9f1364113725576418c51ef3cf0e51509b0f8e86fe4d144","reply":"{\"id\":\"note_1795652795810\",\"content\":\"Will be gone, the newest.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:26:35.810Z\",\"updated_at\":\"2026-11-26T00:26:35.810Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":6}","undo":[{"change":"drop_note","session":1,"id":1795652795810}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (9, CAST('{"arguments":"956405f0deb2f745a71a3bc16daa5597bc858e9a38f474ec17f5b2fe410c734c","reply":"{\"id\":\"note_1795652795731\",\"content\":\"Ask about ümläuts and 日本語.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:26:35.731Z\",\"updated_at\":\"2026-11-26T00:26:35.731Z\",\"scratched\":true,\"done\":\"scratched\",\"session\":\"11111111\",\"open\":5,\"restored\":false}","undo":[{"change":"set_note","session":1,"note":{"id":1795652795731,"content":"Ask about ümläuts and 日本語.","tags":["todo"],"created_at":1795652795731,"updated_at":1795652795731,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (10, CAST('{"arguments":"8253a8095b4da0d6e3203e69a105c32f3e9048dd5415c5723d9845b566713750","reply":"{\"id\":\"note_1795652795749\",\"content\":\"Right in the end.\",\"tags\":[\"done\"],\"created_at\":\"2026-11-26T00:26:35.749Z\",\"updated_at\":\"2026-11-26T00:26:35.858Z\",\"scratched\":false,\"done\":\"updated (content, tags)\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"set_note","session":1,"note":{"id":1795652795749,"content":"Wrong from the start.","tags":["todo"],"created_at":1795652795749,"updated_at":1795652795749,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (11, CAST('{"arguments":"9f3139d23c56ab7e8fce4d26b7a2fbb56ec275c2fb73ebcfc4b13dab02c8923e","reply":"{\"id\":\"note_1795652795810\",\"session\":\"11111111\",\"open\":4,\"back\":\"vade note restore note_1795652795810\"}","undo":[{"change":"add_note","session":1,"note":{"id":1795652795810,"content":"Will be gone, the newest.","tags":["todo"],"created_at":1795652795810,"updated_at":1795652795810,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (12, CAST('{"arguments":"b97f09c0367abbc926e7b68a4f415fffec2f3ca0b4cfa03fd78d87976ced4261","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":1,\"tokens\":11,\"standing\":\"11 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"drop_notepad","session":1}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (13, CAST('{"arguments":"e7b31ec1d890bfb5faa732a0f57e6b8fdd6af33b7ca3647e94390dd62b4d8e57","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":2,\"tokens\":18,\"standing\":\"18 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":10,"remove":16,"insert":" ] one"},"rev":1,"at":1795652795913}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (14, CAST('{"arguments":"96271624ee564d3f44f48320bdf24c0e0af45cb3a5b3d1e87013173193b32574","reply":"{\"id\":\"note_1795652795950\",\"content\":\"With a write id.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:26:35.950Z\",\"updated_at\":\"2026-11-26T00:26:35.950Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652795950}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (15, CAST('{"arguments":"ea3282a9597536667b85833e49de4b67fe19f95e98e858aa6788dd2156e0b6b1","reply":"[{\"what\":\"note\",\"id\":1795652795787}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (17, CAST('{"arguments":"42bd118ab712a31b177285d5af6b72b1827d58c9a066f6412ee84206178cf72a","reply":"{\"id\":\"note_1795652796006\",\"content\":\"From the desk.\",\"tags\":[\"desk\"],\"created_at\":\"2026-11-26T00:26:36.006Z\",\"updated_at\":\"2026-11-26T00:26:36.006Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652796006}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (18, CAST('{"arguments":"de68bd27d93a928fc269f58179a0df76f3a33bd59657d50243176281f62236e7","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":3,\"tokens\":8,\"standing\":\"8 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":0,"remove":19,"insert":"# Plan\n- [x] one\n- [ ] two\n"},"rev":2,"at":1795652796021}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (19, CAST('{"arguments":"46358af718ff83b1d560654b01f9d7e135ff715c95643856569bcd58084cf787","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (20, CAST('{"arguments":"c5712f2d87c08f4fbf8cc2dceb0bac77f2f5c40924494408b39aed4792cf68fd","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (21, CAST('{"arguments":"782522b5479255efb9a3108427106ae8deff11cbef69524de1b7f24763ff50f4","reply":"{\"id\":\"note_1795652796040\",\"content\":\"In the diary.\",\"tags\":[\"desk\"],\"created_at\":\"2026-11-26T00:26:36.040Z\",\"updated_at\":\"2026-11-26T00:26:36.040Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"2\",\"open\":1,\"restored\":false}","undo":[{"change":"drop_note","session":2,"id":1795652796040}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (22, CAST('{"arguments":"93689ad324edc81eecbf3267621cccec32ef2a1fc09e77c5c0a8c7380e7bd2c2","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (24, CAST('{"arguments":"7975b38a88b83bcdcfb801613872d7691377a12685719ed5dbe51c867b35f85b","reply":"true","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (25, CAST('{"arguments":"936a8ce3740ae5efec8e330001dd562af4e1d9d83d94176a6a95445b3d11ef71","reply":"true","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (26, CAST('{"arguments":"271ace73e918b295e5086388e5d8cf26177ab6737e331e5f3885f74630a2c3ea","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (27, CAST('{"arguments":"e78d6fb84eee9e5ae5a2edb44ce3e183b8e86f9c440dd080765ac0d86de8e11f","reply":"[{\"id\":\"entry_1795652796188\",\"plan\":\"release\",\"category\":\"learning\",\"at\":\"2026-11-26T00:26:36.188Z\",\"content\":\"Money is kept in cents.\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (28, CAST('{"arguments":"4d27355a1fc9ca4058a05591ba02b4d22d9d7fc3ca31e8d5657ba2bd41c1ed89","reply":"[{\"id\":\"entry_1795652796200\",\"plan\":\"release\",\"category\":\"learning\",\"at\":\"2026-11-26T00:26:36.200Z\",\"content\":\"Timers drift.\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (29, CAST('{"arguments":"85d25be831b22710378a6bfb293739b370eddcd844914c09fb59918d132006fd","reply":"[{\"id\":\"entry_1795652796224\",\"plan\":\"release\",\"category\":\"learning\",\"at\":\"2026-11-26T00:26:36.224Z\",\"content\":\"Timers drift on ARM alone.\",\"supersedes\":\"entry_1795652796200\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (30, CAST('{"arguments":"fa2acec862085dcc79f12b41f73d7864a38ad09509636179313bb058f2ce0ae4","reply":"[{\"what\":\"entry\",\"id\":1795652796200,\"category\":\"learning\",\"by\":1795652796224}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (31, CAST('{"arguments":"57df05c0be70b1e7dd746b5e4a9fc47c514e6b2aef7a9df83d41e14c482ffed5","reply":"[{\"id\":\"entry_1795652796246\",\"plan\":\"release\",\"category\":\"decision\",\"at\":\"2026-11-26T00:26:36.246Z\",\"content\":\"Use WAL.\",\"rationale\":\"Readers do not wait.\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (32, CAST('{"arguments":"6a6a54ffea67d945e498d50bc8d6c7bf4e9f3af77f2f9dd519f591b3f29b8d3e","reply":"[{\"id\":\"entry_1795652796266\",\"plan\":\"old\",\"category\":\"issue\",\"at\":\"2026-11-26T00:26:36.266Z\",\"content\":\"Login fails.\",\"severity\":\"high\",\"status\":\"open\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (33, CAST('{"arguments":"df535b19b26b74c0f6770d0186202e8f00b8646930f82984d018cb394f3601d0","reply":"null","undo":[{"change":"set_plan","project":1,"name":"old","completed_at":null,"archived_at":null,"is_tracked":false}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (34, CAST('{"arguments":"11cab966bb287ef23140cfd81b9f7f264286c999bd2c921f6d7142dd3d9a63b1","reply":"1","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (35, CAST('{"arguments":"7ac698da17231862fe34319a4e2efc992c67a9f14cd995b0e2863544b572d700","reply":"null","undo":[{"change":"set_plan","project":1,"name":"old","completed_at":1795652796283,"archived_at":null,"is_tracked":false}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (36, CAST('{"arguments":"196581c4bc5f3d59afc259667de001693d8b3010e07f5b973c73419fac5b9bf3","reply":"null","undo":[{"change":"set_active_plan","session":1,"plan":null}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (37, CAST('{"arguments":"1359106f2718f7a4e9b8188ebe4f80cba9980d5e9ced76158aa2897847b280fe","reply":"{\"session\":\"11111111\",\"tokens\":8,\"standing\":\"offered to the next session of this project, with notepad, notes and recap, after /clear too; write it again if the work goes on for long\"}","undo":[{"change":"set_handoff","session":1,"text":null,"at":1795652796363}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (38, CAST('{"arguments":"b6ad0dc0bcc73bea07f3ec4045ea93775aa12347630147562055ba2c87f7603d","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (39, CAST('{"arguments":"b0ad10e5dc02abbf92957d5cedbd6c7df4a0e9f9dcffe1cc3e07452d37bc7f30","reply":"null","undo":[{"change":"drop_notes","session":5,"upto":1795652796006},{"change":"drop_notepad","session":5}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (40, CAST('{"arguments":"9e255980e361355204056732358578efbf6b3a66458b19a8c66bcbf348c1296c","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (41, CAST('{"arguments":"b0ad10e5dc02abbf92957d5cedbd6c7df4a0e9f9dcffe1cc3e07452d37bc7f30","reply":"null","undo":[{"change":"drop_notes","session":6,"upto":1795652796006},{"change":"drop_notepad","session":6}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (42, CAST('{"arguments":"1881d2e9f7df29821400ee7290ac4e7ea89778ecddf5aea487944d07ed9e1dbd","reply":"{\"id\":\"note_1795652796430\",\"content\":\"Of the fork alone.\",\"tags\":[\"fork\"],\"created_at\":\"2026-11-26T00:26:36.430Z\",\"updated_at\":\"2026-11-26T00:26:36.430Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"44444444\",\"open\":6}","undo":[{"change":"drop_note","session":6,"id":1795652796430}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (43, CAST('{"arguments":"919b1450c44fb4b86e4ea02bc430c28a487c63ac974e192485fe68e0b532b5c0","reply":"{\"ok\":true,\"session\":\"44444444\",\"rev\":2,\"tokens\":9,\"standing\":\"9 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":6,"splice":{"at":1,"remove":22,"insert":" page of the des"},"rev":1,"at":1795652796457}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (45, CAST('{"arguments":"c4e30059aaf85eacd13a9d7111cada45cf0707dfab91d5514eadf7870ea67ff2","reply":"[{\"what\":\"entry\",\"id\":1795652796475,\"category\":\"learning\",\"by\":null}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (46, CAST('{"arguments":"c4e30059aaf85eacd13a9d7111cada45cf0707dfab91d5514eadf7870ea67ff2","reply":"[{\"what\":\"entry\",\"id\":1795652796475,\"category\":\"learning\",\"by\":null}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (47, CAST('{"arguments":"c4e30059aaf85eacd13a9d7111cada45cf0707dfab91d5514eadf7870ea67ff2","reply":"[{\"what\":\"entry\",\"id\":1795652796475,\"category\":\"learning\",\"by\":null}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (48, CAST('{"arguments":"994541eed81bf489a77271222543fe419917c5f092cc97da408deb81f3be4631","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":4,\"tokens\":11,\"standing\":\"11 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":0,"remove":17,"insert":"A page of the desk."},"rev":3,"at":1795652796558}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (49, CAST('{"arguments":"1e89f4d6373e2a94747f88483cd4adb59436743e73feaffd276c09aaecd03c44","reply":"{\"session\":\"11111111\",\"tokens\":8,\"standing\":\"offered to the next session of this project, with notepad, notes and recap, after /clear too; write it again if the work goes on for long\"}","undo":[{"change":"set_handoff","session":1,"text":"Go on with two.","at":1795652796363}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (50, CAST('{"arguments":"fd9a74618ec8c6f31373d302f52a73c31824e8411a6120f1a99f79a249fb343d","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (51, CAST('{"arguments":"3cb427fa0cf96b7cc459d7f8e971d7e9c2ab43ce08bcbeb8007fd2beb91f21fb","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (52, CAST('{"arguments":"309259efb3bf84ba11bb5b315ccb182f441d8fcf67d29933a82066d8c693b19d","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (53, CAST('{"arguments":"3373548f5096111247d2f97f7706ed91b8857ffe97c5ca91f4335759e5771092","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (54, CAST('{"arguments":"e81a28fe7acb70e5e6c75607e062d5ea1c43600263b9528350dceba8630f8cf1","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (55, CAST('{"arguments":"7252f27962cf84b1b9f0276d06d681d5a9d2a8a36cc1c27bad6a0955db05c79d","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (56, CAST('{"arguments":"3cb427fa0cf96b7cc459d7f8e971d7e9c2ab43ce08bcbeb8007fd2beb91f21fb","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (57, CAST('{"arguments":"a19997779cd84fe6f74805e9b182d6693162bc5a89f104016052143867b3189e","reply":"{\"id\":\"note_1795652795710\",\"content\":\"Retry swallows E_DUP, see retry.rs.\",\"tags\":[\"bug\",\"api\"],\"created_at\":\"2026-11-26T00:26:35.710Z\",\"updated_at\":\"2026-11-26T00:26:35.710Z\",\"scratched\":true,\"done\":\"scratched\",\"session\":\"11111111\",\"open\":4,\"restored\":false}","undo":[{"change":"set_note","session":1,"note":{"id":1795652795710,"content":"Retry swallows E_DUP, see retry.rs.","tags":["bug","api"],"created_at":1795652795710,"updated_at":1795652795710,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (58, CAST('{"arguments":"a72365157d18d8fb0b5125bf4b14f20ebd97c8fd838f28471d5a42c28c61fac6","reply":"{\"id\":\"note_1795652796735\",\"content\":\"The newest, and gone.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:26:36.735Z\",\"updated_at\":\"2026-11-26T00:26:36.735Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652796735}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (59, CAST('{"arguments":"719f9f0961e52ccddd50bb429cdf2fb010cc97d3202569d7a8031568cb766f17","reply":"{\"id\":\"note_1795652796735\",\"session\":\"11111111\",\"open\":4,\"back\":\"vade note restore note_1795652796735\"}","undo":[{"change":"add_note","session":1,"note":{"id":1795652796735,"content":"The newest, and gone.","tags":["todo"],"created_at":1795652796735,"updated_at":1795652796735,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (60, CAST('{"arguments":"219389b223585efbfeeca4a06423fdab129a4a7bf0cff166e6874d963a045d51","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (61, CAST('{"arguments":"3cb427fa0cf96b7cc459d7f8e971d7e9c2ab43ce08bcbeb8007fd2beb91f21fb","reply":"null","undo":[]}' AS BLOB));
INSERT INTO plan (id, project, name, created_at, completed_at, archived_at, is_tracked) VALUES (1, 1, 'release', 1795652796127, NULL, NULL, 0);
INSERT INTO plan (id, project, name, created_at, completed_at, archived_at, is_tracked) VALUES (2, 1, 'old', 1795652796160, 1795652796283, 1795652796317, 0);
INSERT INTO plan (id, project, name, created_at, completed_at, archived_at, is_tracked) VALUES (3, 1, '_project', 1795652796288, NULL, NULL, 0);
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (1, 1, 1, 1795652796188, 'learning', 1795652796188, 'Money is kept in cents.', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, '9be7a915db1ecd8a3e287accf1dddba5');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (2, 1, 1, 1795652796200, 'learning', 1795652796200, 'Timers drift.', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, 'ad389a435ac9f043f96adea0f8ac1d75');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (3, 1, 1, 1795652796224, 'learning', 1795652796224, 'Timers drift on ARM alone.', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, 1795652796200, NULL, 4, '0ac95d85a0a512fce33ec9848f1a7f0a');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (4, 1, 1, 1795652796246, 'decision', 1795652796246, 'Use WAL.', NULL, NULL, '', 'Readers do not wait.', NULL, NULL, NULL, NULL, NULL, NULL, 4, 'd0e7fe7da39f8c24b15eb769874d5942');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (5, 1, 2, 1795652796266, 'issue', 1795652796266, 'Login fails.', NULL, NULL, '', NULL, NULL, 'high', 'open', NULL, NULL, NULL, 4, '127e9f654805fc9f8fcc4e259f8d9e13');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (6, 1, 3, 1795652796288, 'issue', 1795652796266, 'Login fails.', NULL, NULL, '', NULL, NULL, 'high', 'open', NULL, NULL, 1795652796266, 4, '127e9f654805fc9f8fcc4e259f8d9e13');
INSERT INTO active_plan (session, plan) VALUES (1, 1);
INSERT INTO handoff (session, updated_at, text) VALUES (1, 1795652796576, 'Go on with three.');
INSERT INTO recap (session, at, body) VALUES (1, 1795652796689, '{"size":84,"read":84,"budget":1000,"text":"","rest":[],"rest_more":0,"facts":0,"said":0,"stop":"ended","forms":[""],"is_beside_summary":false,"newer":0,"method":"best"}');
INSERT INTO recap (session, at, body) VALUES (5, 1795652796784, '{"size":84,"read":84,"budget":1000,"text":"","rest":[],"rest_more":0,"facts":0,"said":0,"stop":"ended","forms":[""],"is_beside_summary":false,"newer":0,"method":"best"}');
INSERT INTO work (session, began_at) VALUES (1, 1795652796363);
INSERT INTO work (session, began_at) VALUES (7, 1795652796645);
INSERT INTO running (session, parent, began_at, host_pid, kind, asked) VALUES (8, 1, 1795652796665, NULL, 'explorer', NULL);
INSERT INTO worked (session, at) VALUES (1, 1795652796576);
INSERT INTO worked (session, at) VALUES (7, 1795652796645);
INSERT INTO store (name, value) VALUES ('key', '191eb04c714fb7493e35fcf1f852c8487883a76d5c925be52ed7d32f702cfae8');
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('project', 2);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('journal', 61);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('session', 8);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('note', 24);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('plan', 3);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('entry', 7);
