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

INSERT INTO project (id, name, off_at, created_at) VALUES (1, 'shop', NULL, 1795652287364);
INSERT INTO project (id, name, off_at, created_at) VALUES (2, 'diary', NULL, 1795652287937);
INSERT INTO project_key (kind, value, project) VALUES ('folder', CAST('/home/dev/diary' AS BLOB), 2);
INSERT INTO project_key (kind, value, project) VALUES ('folder', CAST('/home/dev/shop' AS BLOB), 1);
INSERT INTO project_key (kind, value, project) VALUES ('git', CAST('/home/dev/shop/.git' AS BLOB), 1);
INSERT INTO project_key (kind, value, project) VALUES ('remote', CAST('example.org/a/shop' AS BLOB), 1);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (1, 1, 'codex', '11111111-aaaa-4000-8000-000000000001', '', NULL, 'start', 1, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-11111111-aaaa-4000-8000-000000000001.jsonl' AS BLOB), NULL, 1795652287400, 1795652287400, NULL, 0, NULL, 0, NULL, 6, 4, 1795652288702);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (2, 2, 'desk', '2', '', NULL, 'start', 0, 'desk-1', NULL, NULL, NULL, NULL, 1795652287948, 1795652287948, NULL, 0, NULL, 0, NULL, 1, 1, 1795652287952);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (4, 1, 'desk', '1', '', NULL, 'start', 0, 'desk-1', NULL, NULL, NULL, NULL, 1795652288130, 1795652288130, NULL, 0, NULL, 0, NULL, 0, 0, NULL);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (5, 1, 'codex', '22222222-bbbb-4000-8000-000000000002', '', 1, 'fork', 2, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-22222222-bbbb-4000-8000-000000000002.jsonl' AS BLOB), NULL, 1795652288411, 1795652288768, 1795652288768, 0, NULL, 0, NULL, 6, 5, 1795652287889);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (6, 1, 'codex', '44444444-dddd-4000-8000-000000000004', '', 1, 'fork', 3, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-44444444-dddd-4000-8000-000000000004.jsonl' AS BLOB), NULL, 1795652288441, 1795652288441, NULL, 0, NULL, 0, NULL, 7, 6, 1795652288462);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (7, 1, 'codex', '11111111-aaaa-4000-8000-000000000001', 'ag-1', 1, 'spawn', 0, 'desk-1', NULL, CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-11111111-aaaa-4000-8000-000000000001.jsonl' AS BLOB), NULL, 1795652288632, 1795652288632, NULL, 0, NULL, 0, NULL, 0, 0, NULL);
INSERT INTO notepad (session, rev, updated_at, text) VALUES (1, 4, 1795652288610, '# Plan
- [ ] one
');
INSERT INTO notepad (session, rev, updated_at, text) VALUES (5, 1, 1795652288425, 'A page of the desk.');
INSERT INTO notepad (session, rev, updated_at, text) VALUES (6, 2, 1795652288493, 'Another page of the fork.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (1, 1, 1795652287410, 1795652287410, 1795652287410, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (2, 1, 1795652287443, 1795652287443, 1795652287443, 1795652288671, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (3, 1, 1795652287483, 1795652287483, 1795652287483, 1795652287631, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (4, 1, 1795652287522, 1795652287522, 1795652287661, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (7, 1, 1795652287791, 1795652287791, 1795652287791, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (8, 1, 1795652287889, 1795652287889, 1795652287889, NULL, 'desk', 'From the desk.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (9, 2, 1795652287952, 1795652287952, 1795652287952, NULL, 'desk', 'In the diary.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (11, 6, 1795652287410, 1795652287410, 1795652287410, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (12, 6, 1795652287443, 1795652287443, 1795652287443, NULL, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (13, 6, 1795652287483, 1795652287483, 1795652287483, 1795652287631, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (14, 6, 1795652287522, 1795652287522, 1795652287661, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (15, 6, 1795652287791, 1795652287791, 1795652287791, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (16, 6, 1795652287889, 1795652287889, 1795652287889, NULL, 'desk', 'From the desk.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (17, 6, 1795652288462, 1795652288462, 1795652288462, NULL, 'fork', 'Of the fork alone.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (18, 5, 1795652287410, 1795652287410, 1795652287410, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (19, 5, 1795652287443, 1795652287443, 1795652287443, NULL, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (20, 5, 1795652287483, 1795652287483, 1795652287483, 1795652287631, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (21, 5, 1795652287522, 1795652287522, 1795652287661, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (22, 5, 1795652287791, 1795652287791, 1795652287791, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (23, 5, 1795652287889, 1795652287889, 1795652287889, NULL, 'desk', 'From the desk.');
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'api', 1795652287443, 1795652287443, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'bug', 1795652287443, 1795652287443, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'decision', 1795652287410, 1795652287410, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'desk', 1795652287889, 1795652287889, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'done', 1795652287661, 1795652287522, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'money', 1795652287410, 1795652287410, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'todo', 1795652287483, 1795652287483, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'todo', 1795652287791, 1795652287791, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (2, 'desk', 1795652287952, 1795652287952, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'api', 1795652287443, 1795652287443, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'bug', 1795652287443, 1795652287443, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'decision', 1795652287410, 1795652287410, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'desk', 1795652287889, 1795652287889, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'done', 1795652287661, 1795652287522, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'money', 1795652287410, 1795652287410, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'todo', 1795652287483, 1795652287483, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'todo', 1795652287791, 1795652287791, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'api', 1795652287443, 1795652287443, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'bug', 1795652287443, 1795652287443, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'decision', 1795652287410, 1795652287410, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'desk', 1795652287889, 1795652287889, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'done', 1795652287661, 1795652287522, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'fork', 1795652288462, 1795652288462, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'money', 1795652287410, 1795652287410, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'todo', 1795652287483, 1795652287483, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'todo', 1795652287791, 1795652287791, 1);
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
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (1, 'store', '01a21537-7b84-77a4-826a-368b1d460351', 'begin_project', 'hook/tool', 1795652287364, X'aea08a8eda31350d39269d2b78d35ec6a83ccef525cdf3b71cdb353d2dc50860', X'0000000000000000000000000000000000000000000000000000000000000000', X'ac0786a4dffd51646473434445eb502aa03c487c7853c3d4d3cc56f5965b7960');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (2, 'project:1', '01a21537-7ba8-7e6b-a428-72befd4657f7', 'begin_session', 'hook/tool', 1795652287400, X'5c3a71691ce09ea2a5406089318b5ccb5069d49dd0a0cc37633284f9b3f6a6f8', X'0000000000000000000000000000000000000000000000000000000000000000', X'f8ae67ceacd666362e7681d1bbf39bab7c298c24dd41490fa7cecb44c2de0395');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (3, 'session:1', '01a21537-7bb2-74d9-802d-696c84226f8f', 'add_note', 'cli/user', 1795652287410, X'22c8950738e46856924b2bf3a9a68c91f28aa2714c6642489c839d3b3c0e5509', X'0000000000000000000000000000000000000000000000000000000000000000', X'dc231725e1af5a34b386abcf0a532f0553a3e9a773d1e9e3899a506ce1a8dcb4');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (4, 'session:1', '01a21537-7bd2-7109-83eb-b9e75a6c7e68', 'add_note', 'cli/user', 1795652287443, X'ed479762ba31ae571b288dd687afa0f6230e479c1275612404ef5282cb48c055', X'dc231725e1af5a34b386abcf0a532f0553a3e9a773d1e9e3899a506ce1a8dcb4', X'dc5de7d05241440e252c37a58e9f8729ba77126be3f6efe4cc34e60f77e4ddbf');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (5, 'session:1', '01a21537-7bfa-7248-8125-a3dbfbce4de7', 'add_note', 'cli/user', 1795652287482, X'4426849248c359a66b6ad2836d3036adcee312645ec493082e0080871371b450', X'dc5de7d05241440e252c37a58e9f8729ba77126be3f6efe4cc34e60f77e4ddbf', X'f1c85a6d7e9540cccd24ee69820795b173e3fd57e97bfb9ea752e036e7f18dde');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (6, 'session:1', '01a21537-7c22-7046-b5ff-af6e2abf01e2', 'add_note', 'cli/user', 1795652287522, X'd360aeb3544d2ee37db8bd172af87add7f2a4679488371eac7d90d2b640d482e', X'f1c85a6d7e9540cccd24ee69820795b173e3fd57e97bfb9ea752e036e7f18dde', X'05a469bdc4c2735a3ec0279053f836e28683fce5cc32c684056776846cc57440');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (7, 'session:1', '01a21537-7c47-73e3-ae61-028ce1e7d359', 'add_note', 'cli/user', 1795652287559, X'926cbb3e333f76ae0616f4c69f7144ce3656d96f8a180894d5abe794095f22af', X'05a469bdc4c2735a3ec0279053f836e28683fce5cc32c684056776846cc57440', X'2f00285b08b7547e311877037b6c92d094ea30bd0a20c191ab6a06de2369870a');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (8, 'session:1', '01a21537-7c71-7d48-bb74-db728a090d08', 'add_note', 'cli/user', 1795652287601, X'd24a70071944aba59ff3512f60494bc9342136561c4e7c2e65505bcca2379354', X'2f00285b08b7547e311877037b6c92d094ea30bd0a20c191ab6a06de2369870a', X'555ffbf9802564fdb2b84cf4a2ffeca3be0314c85d599dfb41cb74e8b0495dab');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (9, 'session:1', '01a21537-7c8e-7acf-919c-8968eceba4e2', 'scratch_note', 'cli/user', 1795652287630, X'60aac5d016dded13790c6cac221540600e7ac9390e227c67e20d9735fb732844', X'555ffbf9802564fdb2b84cf4a2ffeca3be0314c85d599dfb41cb74e8b0495dab', X'e1347220ac808a92f343dd6bbdcc2af71ac2797d2dde7876e3991aff1a683c72');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (10, 'session:1', '01a21537-7cad-7b57-b34c-92fb6faf4107', 'update_note', 'cli/user', 1795652287661, X'2a0286cc742239daa1f6d6d2dce3a8aca0c3c20f23c68ece080937ac6ceb7acc', X'e1347220ac808a92f343dd6bbdcc2af71ac2797d2dde7876e3991aff1a683c72', X'e4141db8d7d920da5fc3bd8b550fb514f2a3f9010bb5ecbf6358eb1551dc22e3');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (11, 'session:1', '01a21537-7cc4-7f16-8c5f-23adb78fc0a3', 'delete_note', 'cli/user', 1795652287684, X'f85aa1e3424b4e05a35c612820743bc55514e4a9492217a4b47d0c17e35bdf0d', X'e4141db8d7d920da5fc3bd8b550fb514f2a3f9010bb5ecbf6358eb1551dc22e3', X'db990ec46295830693e8592cb9d1c180b2d9140baf36b0f05c61063b8917608a');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (12, 'session:1', '01a21537-7ce6-7015-aa65-a2d97e041520', 'write_notepad', 'cli/user', 1795652287718, X'66493d5dd47659ba67f14f89c28319e104b84104b0f33e92b25b51d7fa6a7999', X'db990ec46295830693e8592cb9d1c180b2d9140baf36b0f05c61063b8917608a', X'dfd32c584c4a72c481bc1fcb3d2d6fe59b14fea9e522152c3cd42a4995941a28');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (13, 'session:1', '01a21537-7d09-7d7f-899e-2b4819e058ad', 'write_notepad', 'cli/user', 1795652287753, X'637d53305f74f8624ca18b57ccabafa0ee1d5a4ae016bd497840d34e689b5e2d', X'dfd32c584c4a72c481bc1fcb3d2d6fe59b14fea9e522152c3cd42a4995941a28', X'2437c47684e8a113cae423f1d3d3831699e0246637a4fb66b76cf3ab4ff0b2a7');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (14, 'session:1', 'mine-1', 'add_note', 'cli/user', 1795652287791, X'92c4e972a2632081f11edddc167eeb40448efc3292ef0ecb72be83ea59922d87', X'2437c47684e8a113cae423f1d3d3831699e0246637a4fb66b76cf3ab4ff0b2a7', X'1c40fbbedd639beaa94d760483637176455b6f73a5e3f15ee69a0775415bfd82');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (15, 'session:1', '01a21537-7d61-7684-84d4-b40645b5445c', 'note_lapse', 'cli/tool', 1795652287841, X'86a14143ff2d5ab259e3ce1d58c14bdc07d99a0727585a68c2776849ad4a44d6', X'1c40fbbedd639beaa94d760483637176455b6f73a5e3f15ee69a0775415bfd82', X'2eff4e2c4bbf6567aab398f1065371e8d018ad408d8c9013fe18eb05736d5278');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (16, 'session:1', '01a21537-7d64-7fcd-8889-7da11ac20ccd', 'forget', 'cli/user', 1795652287844, X'66b9cb7af6d067450b0fc65b7341011f74f8dcc418cdceb98eef2be3a5cd7f4a', X'2eff4e2c4bbf6567aab398f1065371e8d018ad408d8c9013fe18eb05736d5278', X'82aafc94ee04d5b7fe09f3a7534dabfd36836dc5a6367f9c10777b2b6361df67');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (17, 'session:1', '01a21537-7d91-713d-9f5b-dce2d8a62f9d', 'add_note', 'cli/user', 1795652287889, X'0207c0293cd873fd5c493407cb0caae713fce2e3fa81d381c97c1d4274d4016e', X'82aafc94ee04d5b7fe09f3a7534dabfd36836dc5a6367f9c10777b2b6361df67', X'7b54cd26502fd4f95077ccd9deecd04727b46115631072c892ba657e4919cc09');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (18, 'session:1', '01a21537-7dae-78de-a275-8d55de080fa7', 'write_notepad', 'cli/user', 1795652287918, X'e2e5b4967c5f5ab24641c34de855f1c4678f59899b32b6e3f606d9d4d6256759', X'7b54cd26502fd4f95077ccd9deecd04727b46115631072c892ba657e4919cc09', X'd0a106986a07b97caec192a031407d2fad597d8b0af35bd05f758af484983c4f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (19, 'store', '01a21537-7dc1-76eb-a1d1-461d0da695b5', 'begin_project', 'cli/user', 1795652287937, X'ca939786829105c0489917b007b5361f4c5bab39d8b60d8123797a8cfba4c44e', X'ac0786a4dffd51646473434445eb502aa03c487c7853c3d4d3cc56f5965b7960', X'8bda04259bf6f603c383593ef161242a55ef86071318922a21254174986a61c1');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (20, 'project:2', '01a21537-7dcc-7ac3-9083-b12a2663864a', 'begin_session', 'cli/user', 1795652287948, X'170586f3b7a939a2da04e1bf7efbf2dc67273fc59bd227a143a4fce471dcd65e', X'0000000000000000000000000000000000000000000000000000000000000000', X'7b2a2701a2c9b314dba83298b3cc99f7bcb2e78bc42746ac1e939ee9af8fd407');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (21, 'session:2', '01a21537-7dd0-782f-a24f-dceb89351675', 'add_note', 'cli/user', 1795652287952, X'eeed47db3a4b8ec0c2750bfae4b25b9d95247ff89182f46c5d8b535d9aee9d0e', X'0000000000000000000000000000000000000000000000000000000000000000', X'c11066100afeba558a327df90ebc2ff1ce03669a2e6fc6125126273bfa7218c7');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (22, 'project:1', '01a21537-7dec-790e-ad69-18869ab50e5d', 'begin_session', 'hook/tool', 1795652287980, X'1397928cb3fcc9b91a444f8d121f95ec988a847a8b1a5348ff3fece16b4ef881', X'f8ae67ceacd666362e7681d1bbf39bab7c298c24dd41490fa7cecb44c2de0395', X'25458648692c02187080d8f2a36edfac14ef8cafdf9f10fca7460a0cc9dfa279');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (23, 'session:3', '01a21537-7dff-71c5-9f60-5605940d3976', 'add_note', 'cli/user', 1795652287999, X'c1269ceddad29ee74c8182d43f871fab80294dbf7e6a1bb1db5e535138f58fae', X'0000000000000000000000000000000000000000000000000000000000000000', X'0371397c1a415fe5edb7b5d186f2273989962b2b96a9929b60bf91c667dec0d1');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (24, 'project:1', '01a21537-7e52-7efe-83d1-13c4330fc74b', 'init_plan', 'cli/user', 1795652288082, X'3b31ed8f0213a6b88cf7a6888c5ce2e530ca8887ace43e8fc687a42e7ed2c290', X'25458648692c02187080d8f2a36edfac14ef8cafdf9f10fca7460a0cc9dfa279', X'c975830267fe7586a6d67142d8638e4caeed5a957818eb9390038e9f9638fb37');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (25, 'project:1', '01a21537-7e6d-798d-8e90-396358ef4a21', 'init_plan', 'cli/user', 1795652288109, X'dd9548592ed0e0552c45a97364c8c0da49b7eac05418e670a9d7dc15ef1aafe5', X'c975830267fe7586a6d67142d8638e4caeed5a957818eb9390038e9f9638fb37', X'f2ad12a1ba569ffba48a2f76848b03cceedcb772936dbce4116128c521fa3c47');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (26, 'project:1', '01a21537-7e82-70e2-bde9-d8095f29f97a', 'begin_session', 'cli/user', 1795652288130, X'cb5f648e1c27c158bb4f731e5bd79deea4477a3db41a0dcb7d3f9dc462bf4add', X'f2ad12a1ba569ffba48a2f76848b03cceedcb772936dbce4116128c521fa3c47', X'6e2ca674891fe0c4d6b037bd80fc408329ba6dfff313baaf09ebfb75d2a84834');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (27, 'project:1', '01a21537-7e85-7f57-846e-030f2afdfae3', 'add_learning', 'cli/user', 1795652288133, X'd9fb5b791f3d7738c5dd749e0976fe4d2335d3a906c45aed9519d56d05abd236', X'6e2ca674891fe0c4d6b037bd80fc408329ba6dfff313baaf09ebfb75d2a84834', X'fa85a02b5e0f95797f17d3ead3986b2ace5721ea97ec202728bd3f263cb52409');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (28, 'project:1', '01a21537-7e9a-7879-84b7-c833ee31b43a', 'add_learning', 'cli/user', 1795652288155, X'8a3694c061a7b5955764a7dbdfb4d40c6fe49ae87c7330566bcfc09778549fb3', X'fa85a02b5e0f95797f17d3ead3986b2ace5721ea97ec202728bd3f263cb52409', X'14baf3bca9e9a04a1c98a0fc0ad2f64d60314b2856cdac7358faf05c75497bfb');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (29, 'project:1', '01a21537-7eb7-7647-9863-d27d567e5725', 'add_learning', 'cli/user', 1795652288183, X'60413048ac603355818e16eb06212c26a1b577eaf8efe32634bc05b9e889971f', X'14baf3bca9e9a04a1c98a0fc0ad2f64d60314b2856cdac7358faf05c75497bfb', X'76074ddc12902e745021112ebd0da6b3141ac6a8cf3e1fa1101ea2603c9da6ff');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (30, 'session:1', '01a21537-7ec4-767c-b094-30c2e81b82d0', 'note_lapse', 'cli/tool', 1795652288196, X'37b28fcc94c1cd49eaadcaf6b015cfb58b257cc9f36c6be37c3659f2a16ae786', X'd0a106986a07b97caec192a031407d2fad597d8b0af35bd05f758af484983c4f', X'8e3cd4a5faa2fd0bfe4bf6ab546c50b0d2c66bfe5b49f284c17bd5f23f77826b');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (31, 'project:1', '01a21537-7ee2-7941-b556-d99b752fb550', 'add_decision', 'cli/user', 1795652288226, X'604837ce5f18852d379f065580fdf30afaf5c1f6a590895ab8d69ccee6aa5ccb', X'76074ddc12902e745021112ebd0da6b3141ac6a8cf3e1fa1101ea2603c9da6ff', X'eb8f442723d8c0f520469bbc2ee7a0df08686cb7949ec5fbe5f15ab3b9011094');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (32, 'project:1', '01a21537-7efe-7548-9771-9b74aacedd8e', 'add_issue', 'cli/user', 1795652288254, X'1a4b88991fe5ae5366bef1f3319de2d92580065e04bfd1777f4e23e620499e34', X'eb8f442723d8c0f520469bbc2ee7a0df08686cb7949ec5fbe5f15ab3b9011094', X'2bb041109d416325fd2783d82b54b66469314da96d65195e5f13a80dc0f3740d');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (33, 'project:1', '01a21537-7f20-7b02-a88b-bf37a6c4eee1', 'complete_plan', 'cli/user', 1795652288288, X'dfff0972655b0fda02b551ad275c5b39ae1b0c2e7f52ca655986352a641d3388', X'2bb041109d416325fd2783d82b54b66469314da96d65195e5f13a80dc0f3740d', X'27effb1634ebbec6cf3da6a645637469e1101db3687179f9bacebd882ca1df30');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (34, 'project:1', '01a21537-7f2c-7015-a657-6ea47706e591', 'merge', 'cli/user', 1795652288300, X'bfd5e7a690c53bd231fe4f65f717d3ffb6ac62dafadedcc287f7f994c7cef591', X'27effb1634ebbec6cf3da6a645637469e1101db3687179f9bacebd882ca1df30', X'600bc8f1185cce8e44c40af55d4d2311c4582e6a186334f57346a11e00c614db');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (35, 'project:1', '01a21537-7f46-7d6a-9340-cfce23f6f08e', 'archive_plan', 'cli/user', 1795652288326, X'69c5cbcac19d790a28641b0aef7ba7c971b408a0cf4620f57217bd21f431c3ba', X'600bc8f1185cce8e44c40af55d4d2311c4582e6a186334f57346a11e00c614db', X'5d6929456106a1c66bb06fb5892531e2880bbfe1907277e7f1194be0cb6f5633');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (36, 'session:1', '01a21537-7f5e-7362-a19b-802dac7418b8', 'use_plan', 'cli/user', 1795652288350, X'fe6cf3bcaa94123492dcc1e9b7df4cc64fe7df6db24a81922cfa3d14702eef8c', X'8e3cd4a5faa2fd0bfe4bf6ab546c50b0d2c66bfe5b49f284c17bd5f23f77826b', X'9c45519b235c6ffaa44d66f6178c54642678b5a05d9358fe2a046bf3650212ee');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (37, 'session:1', '01a21537-7f7a-7b7b-af7f-a54df48b77c9', 'write_handoff', 'cli/user', 1795652288378, X'2b884868d0b12343cc85272795648c5d6e9f7070a8ffe31746ec94ecda461d61', X'9c45519b235c6ffaa44d66f6178c54642678b5a05d9358fe2a046bf3650212ee', X'dcbc773f4d7c3ccb0428ed6422bff7e38bd37b568339bd0315e5d6807755c76b');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (38, 'project:1', '01a21537-7f9b-7c42-b775-0cd346e70b16', 'begin_session', 'hook/tool', 1795652288411, X'aa9badd32c224fb70ff329356f6e5f0aff52da7b220c112440fdfe899653856a', X'5d6929456106a1c66bb06fb5892531e2880bbfe1907277e7f1194be0cb6f5633', X'4e33205d03a984eb68562493a09711b2cdd2cd97d75d04ea342445e3539bac82');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (39, 'session:5', '01a21537-7fa9-7471-b83e-5c5fbf0a6159', 'copy_session', 'hook/tool', 1795652288425, X'c5c6f6843584316540c45670796a06c992d4ce4d8dec386e6447964928b0a345', X'0000000000000000000000000000000000000000000000000000000000000000', X'de8c3b48b51dc38638831cb584faa2b70928738740031b09b111dd47fd7a3e3e');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (40, 'project:1', '01a21537-7fb8-79d0-92a2-33a04896f73a', 'begin_session', 'hook/tool', 1795652288440, X'b1186946bc1031d8aba41323f0693a0e6cf13ee2f84b11e398c8b03bdedf0ac4', X'4e33205d03a984eb68562493a09711b2cdd2cd97d75d04ea342445e3539bac82', X'7d391610371984861ba4908d878a1e7ab68a33fba7fbb8c292d75e18a0075996');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (41, 'session:6', '01a21537-7fbd-70f8-b6f1-f56d6148b89e', 'copy_session', 'hook/tool', 1795652288445, X'8b5add6c12967f95af70375b2a9071b9a703011fe3bd0163a636e42990ff3f07', X'0000000000000000000000000000000000000000000000000000000000000000', X'b223d4db9b31a2dad5c3066f12d981e26812140df79512554c360096c13f62c5');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (42, 'session:6', '01a21537-7fce-7a91-b37d-6660e1ccbf96', 'add_note', 'cli/user', 1795652288462, X'fffeb522b9a8a7d6323d214bfd32ed258188ca23b0e03b453b8bbc12bef4bfe8', X'b223d4db9b31a2dad5c3066f12d981e26812140df79512554c360096c13f62c5', X'579ead23d78ded0141de285dc249213f5ea200f4bb37c50234dc241b10736487');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (43, 'session:6', '01a21537-7fed-758e-a9bf-7bad58f84add', 'write_notepad', 'cli/user', 1795652288493, X'cb9d51a48c5a0d6b7c744b6ba9512aabc301ef694ce49f7d6bb8c1fafd1c6851', X'579ead23d78ded0141de285dc249213f5ea200f4bb37c50234dc241b10736487', X'2f1af0ea07b6ad545fb2dc69d58a15347a02f6d5bb7b1b9c1fac6893df84dea1');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (44, 'project:1', '01a21537-7ffd-7007-930c-1f5579b903c8', 'add_learning', 'cli/user', 1795652288509, X'bb601678ada8b05ee87fe7c7affafc0f2b06b24fefb70709caca13b3817a016a', X'7d391610371984861ba4908d878a1e7ab68a33fba7fbb8c292d75e18a0075996', X'eabb6c22f47c2977ec05ff532154ead6e728468ff30dc52093e05d64bd2908b6');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (45, 'session:6', '01a21537-8026-793e-a1e1-f7a193afe56a', 'note_lapse', 'cli/tool', 1795652288550, X'c229c27a580023dae592f518abd81fedbd194270e17a38adf8fa88d2f5a16dcc', X'2f1af0ea07b6ad545fb2dc69d58a15347a02f6d5bb7b1b9c1fac6893df84dea1', X'e9689bd8828d4a6f488939b32a41ec81868605a7955f63b16b87c11a3a5de9f7');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (46, 'session:5', '01a21537-8027-78da-a4be-c3626516b561', 'note_lapse', 'cli/tool', 1795652288551, X'c229c27a580023dae592f518abd81fedbd194270e17a38adf8fa88d2f5a16dcc', X'de8c3b48b51dc38638831cb584faa2b70928738740031b09b111dd47fd7a3e3e', X'5e43776beae1dcc5e1a6462afd16440c7fad761ff690bd03fe8688eaf6d6cb89');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (47, 'session:1', '01a21537-802c-742b-aea6-0ce57d53b266', 'note_lapse', 'cli/tool', 1795652288556, X'c229c27a580023dae592f518abd81fedbd194270e17a38adf8fa88d2f5a16dcc', X'dcbc773f4d7c3ccb0428ed6422bff7e38bd37b568339bd0315e5d6807755c76b', X'1dd5fba7eea26320a6ca8b454154bbf725ddaa2d3fc6d4bb1fac59c9117e2b4c');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (48, 'session:1', '01a21537-8062-788b-8900-ac3d90037ad4', 'restore_notepad', 'cli/user', 1795652288610, X'9407445093e8a8389603b73498568f2a1d150ca3592418c4f66fd4cd18663d13', X'1dd5fba7eea26320a6ca8b454154bbf725ddaa2d3fc6d4bb1fac59c9117e2b4c', X'e4031e99e7c387a0fdf9bdf9dcd3c874ae2b5c39485531e6eb327fdf1a469850');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (49, 'project:1', '01a21537-8077-746f-9a7c-750c7aad8513', 'begin_session', 'hook/tool', 1795652288632, X'ca7d8e84fe5cb30d5a440b3043f50c8be75961b04fe5cadf5c7ef5b54b727302', X'eabb6c22f47c2977ec05ff532154ead6e728468ff30dc52093e05d64bd2908b6', X'766ff5f0989095fac4daaf603177423bccc5b81905d75dc17b7d96547427e86d');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (50, 'session:7', '7261f704ff1d9c8ad9f229deddbe2f00', 'note_session', 'hook/tool', 1795652288634, X'c68017dadb2cca85a3d959d6109a1250fd347600385bd526ce860238c92d20ee', X'0000000000000000000000000000000000000000000000000000000000000000', X'342c6bb2aeccbe801b704a5939067eb4a4e232882c3c5cb4074b48a38a8008cd');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (51, 'session:1', '01a21537-8093-7a7c-bbcd-d9895f5bea70', 'keep_recap', 'hook/tool', 1795652288659, X'fc055343207b90c69451df6f55a1995af2c4df1c2e7a2985ce69abac3455625f', X'e4031e99e7c387a0fdf9bdf9dcd3c874ae2b5c39485531e6eb327fdf1a469850', X'2880bc80675ed3504b4857738cef071ce642cd75983de03d59f52b2ea8b5540d');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (52, 'session:1', '01a21537-809e-7463-8a48-7864283531d0', 'scratch_note', 'cli/user', 1795652288670, X'99e4df806bf01e0177f805ee5a585ab30962f71a943d2de44204409fd6f31df3', X'2880bc80675ed3504b4857738cef071ce642cd75983de03d59f52b2ea8b5540d', X'7b594aca24b438491018aecaf51d9b894ae3006dbf87d5a0b8ee5dda013888c4');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (53, 'session:1', '01a21537-80bd-7128-82d9-fc6aaa4e2775', 'add_note', 'cli/user', 1795652288701, X'54b2850709c96b25a7da45229992a902ce2ac8d56a0b330788f1d342957d373f', X'7b594aca24b438491018aecaf51d9b894ae3006dbf87d5a0b8ee5dda013888c4', X'e382d86d86928182681243a03d3687487f23d599059e749f75eb4e57e65afa1d');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (54, 'session:1', '01a21537-80de-7b33-b4ea-0b1a5ee1dd79', 'delete_note', 'cli/user', 1795652288734, X'e847b8ba8a63d8ace6fc445274f5652a0658d1c7610110fd3a333c0515944f70', X'e382d86d86928182681243a03d3687487f23d599059e749f75eb4e57e65afa1d', X'8cfd54803abbf338547280929a81a290fd207f019145f600fa5ed2ff1b3704d2');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (55, 'session:5', '85de73804d2f162bbff7573384a70db3', 'note_session', 'hook/tool', 1795652288768, X'b2e39ff0983aa760b2f1e621b7e78dd039a6efcdf489fa6c500fe4ef390dbd8a', X'5e43776beae1dcc5e1a6462afd16440c7fad761ff690bd03fe8688eaf6d6cb89', X'84c3149f53339b43ebd510db246ad707ed7cef820719832a2fd9de44ef785a06');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (56, 'session:5', '01a21537-810c-7950-84b5-e175e7004fd5', 'keep_recap', 'hook/tool', 1795652288780, X'fc055343207b90c69451df6f55a1995af2c4df1c2e7a2985ce69abac3455625f', X'84c3149f53339b43ebd510db246ad707ed7cef820719832a2fd9de44ef785a06', X'ce71f65dc4517181188caba5a1af208f2b99841c2aeb609f28c50cc8da3988bb');
INSERT INTO journal_body (seq, body) VALUES (1, CAST('{"arguments":"dfc0d9e0090555db231b1ca303c475cefb47f7d380bbc93120682e0ad4026db4","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (2, CAST('{"arguments":"20a41120522a279cb0322625524251389eb93d8d201946431352adfb93696910","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (3, CAST('{"arguments":"de898c5da4e7a4cbaab407a18dc0ee6610a819e2c87416302fb703b2276a9763","reply":"{\"id\":\"note_1795652287410\",\"content\":\"Money is kept in cents.\",\"tags\":[\"decision\",\"money\"],\"created_at\":\"2026-11-26T00:18:07.410Z\",\"updated_at\":\"2026-11-26T00:18:07.410Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":1}","undo":[{"change":"drop_note","session":1,"id":1795652287410}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (4, CAST('{"arguments":"a139b572ecf20566029a2fd80a01e0af7eabf7427b0b421f48d48b6ad6cb2961","reply":"{\"id\":\"note_1795652287443\",\"content\":\"Retry swallows E_DUP, see retry.rs.\",\"tags\":[\"bug\",\"api\"],\"created_at\":\"2026-11-26T00:18:07.443Z\",\"updated_at\":\"2026-11-26T00:18:07.443Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":2}","undo":[{"change":"drop_note","session":1,"id":1795652287443}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (5, CAST('{"arguments":"f6d2bda6ac0bc5e32c0bdc2c8723fef9361df2b8f2fb7bc5697d9e9a8b00ed6e","reply":"{\"id\":\"note_1795652287483\",\"content\":\"Ask about ümläuts and 日本語.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:07.483Z\",\"updated_at\":\"2026-11-26T00:18:07.483Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":3}","undo":[{"change":"drop_note","session":1,"id":1795652287483}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (6, CAST('{"arguments":"d42bdfe6f43659320ded63ec47b2e7aa9e2f8cc7c3a048d00f456577c9e987c5","reply":"{\"id\":\"note_1795652287522\",\"content\":\"Wrong from the start.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:07.522Z\",\"updated_at\":\"2026-11-26T00:18:07.522Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":4}","undo":[{"change":"drop_note","session":1,"id":1795652287522}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (8, CAST('{"arguments":"78b74c5f06347229a9f1364113725576418c51ef3cf0e51509b0f8e86fe4d144","reply":"{\"id\":\"note_1795652287602\",\"content\":\"Will be gone, the newest.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:07.602Z\",\"updated_at\":\"2026-11-26T00:18:07.602Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":6}","undo":[{"change":"drop_note","session":1,"id":1795652287602}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (9, CAST('{"arguments":"e6fae466d295a0301bf8f48fb7bc613efb4161af1b1b84d64790045c53856f28","reply":"{\"id\":\"note_1795652287483\",\"content\":\"Ask about ümläuts and 日本語.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:07.483Z\",\"updated_at\":\"2026-11-26T00:18:07.483Z\",\"scratched\":true,\"done\":\"scratched\",\"session\":\"11111111\",\"open\":5,\"restored\":false}","undo":[{"change":"set_note","session":1,"note":{"id":1795652287483,"content":"Ask about ümläuts and 日本語.","tags":["todo"],"created_at":1795652287483,"updated_at":1795652287483,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (10, CAST('{"arguments":"eef2260c152fc9831ef1196978ff07acf0821b9ed470ca1dcdac630e4ba82138","reply":"{\"id\":\"note_1795652287522\",\"content\":\"Right in the end.\",\"tags\":[\"done\"],\"created_at\":\"2026-11-26T00:18:07.522Z\",\"updated_at\":\"2026-11-26T00:18:07.661Z\",\"scratched\":false,\"done\":\"updated (content, tags)\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"set_note","session":1,"note":{"id":1795652287522,"content":"Wrong from the start.","tags":["todo"],"created_at":1795652287522,"updated_at":1795652287522,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (11, CAST('{"arguments":"7f3a38ed4d5c5bb4ffa91703d054abd34290f61c9789be4d2023d50114ea6fd4","reply":"{\"id\":\"note_1795652287602\",\"session\":\"11111111\",\"open\":4,\"back\":\"vade note restore note_1795652287602\"}","undo":[{"change":"add_note","session":1,"note":{"id":1795652287602,"content":"Will be gone, the newest.","tags":["todo"],"created_at":1795652287602,"updated_at":1795652287602,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (12, CAST('{"arguments":"b97f09c0367abbc926e7b68a4f415fffec2f3ca0b4cfa03fd78d87976ced4261","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":1,\"tokens\":11,\"standing\":\"11 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"drop_notepad","session":1}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (13, CAST('{"arguments":"e7b31ec1d890bfb5faa732a0f57e6b8fdd6af33b7ca3647e94390dd62b4d8e57","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":2,\"tokens\":18,\"standing\":\"18 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":10,"remove":16,"insert":" ] one"},"rev":1,"at":1795652287753}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (14, CAST('{"arguments":"96271624ee564d3f44f48320bdf24c0e0af45cb3a5b3d1e87013173193b32574","reply":"{\"id\":\"note_1795652287791\",\"content\":\"With a write id.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:07.791Z\",\"updated_at\":\"2026-11-26T00:18:07.791Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652287791}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (15, CAST('{"arguments":"17a1ec42e91e4893c915432f9c60395184338dfeec5e0555964351690bdf1581","reply":"[{\"what\":\"note\",\"id\":1795652287559}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (17, CAST('{"arguments":"42bd118ab712a31b177285d5af6b72b1827d58c9a066f6412ee84206178cf72a","reply":"{\"id\":\"note_1795652287889\",\"content\":\"From the desk.\",\"tags\":[\"desk\"],\"created_at\":\"2026-11-26T00:18:07.889Z\",\"updated_at\":\"2026-11-26T00:18:07.889Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652287889}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (18, CAST('{"arguments":"de68bd27d93a928fc269f58179a0df76f3a33bd59657d50243176281f62236e7","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":3,\"tokens\":8,\"standing\":\"8 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":0,"remove":19,"insert":"# Plan\n- [x] one\n- [ ] two\n"},"rev":2,"at":1795652287918}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (19, CAST('{"arguments":"46358af718ff83b1d560654b01f9d7e135ff715c95643856569bcd58084cf787","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (20, CAST('{"arguments":"c5712f2d87c08f4fbf8cc2dceb0bac77f2f5c40924494408b39aed4792cf68fd","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (21, CAST('{"arguments":"782522b5479255efb9a3108427106ae8deff11cbef69524de1b7f24763ff50f4","reply":"{\"id\":\"note_1795652287952\",\"content\":\"In the diary.\",\"tags\":[\"desk\"],\"created_at\":\"2026-11-26T00:18:07.952Z\",\"updated_at\":\"2026-11-26T00:18:07.952Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"2\",\"open\":1,\"restored\":false}","undo":[{"change":"drop_note","session":2,"id":1795652287952}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (22, CAST('{"arguments":"93689ad324edc81eecbf3267621cccec32ef2a1fc09e77c5c0a8c7380e7bd2c2","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (24, CAST('{"arguments":"7975b38a88b83bcdcfb801613872d7691377a12685719ed5dbe51c867b35f85b","reply":"true","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (25, CAST('{"arguments":"936a8ce3740ae5efec8e330001dd562af4e1d9d83d94176a6a95445b3d11ef71","reply":"true","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (26, CAST('{"arguments":"271ace73e918b295e5086388e5d8cf26177ab6737e331e5f3885f74630a2c3ea","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (27, CAST('{"arguments":"e78d6fb84eee9e5ae5a2edb44ce3e183b8e86f9c440dd080765ac0d86de8e11f","reply":"[{\"id\":\"entry_1795652288133\",\"plan\":\"release\",\"category\":\"learning\",\"at\":\"2026-11-26T00:18:08.133Z\",\"content\":\"Money is kept in cents.\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (28, CAST('{"arguments":"4d27355a1fc9ca4058a05591ba02b4d22d9d7fc3ca31e8d5657ba2bd41c1ed89","reply":"[{\"id\":\"entry_1795652288155\",\"plan\":\"release\",\"category\":\"learning\",\"at\":\"2026-11-26T00:18:08.155Z\",\"content\":\"Timers drift.\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (29, CAST('{"arguments":"ac45d1d1004006d918cd398d2df6b191ae57908e7a7fd4d20d325abd63fdffbf","reply":"[{\"id\":\"entry_1795652288188\",\"plan\":\"release\",\"category\":\"learning\",\"at\":\"2026-11-26T00:18:08.188Z\",\"content\":\"Timers drift on ARM alone.\",\"supersedes\":\"entry_1795652288155\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (30, CAST('{"arguments":"a18e6995175064d4446fabfa298bd929259f5e464a5aac04926ef8ccb9291173","reply":"[{\"what\":\"entry\",\"id\":1795652288155,\"category\":\"learning\",\"by\":1795652288188}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (31, CAST('{"arguments":"57df05c0be70b1e7dd746b5e4a9fc47c514e6b2aef7a9df83d41e14c482ffed5","reply":"[{\"id\":\"entry_1795652288227\",\"plan\":\"release\",\"category\":\"decision\",\"at\":\"2026-11-26T00:18:08.227Z\",\"content\":\"Use WAL.\",\"rationale\":\"Readers do not wait.\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (32, CAST('{"arguments":"6a6a54ffea67d945e498d50bc8d6c7bf4e9f3af77f2f9dd519f591b3f29b8d3e","reply":"[{\"id\":\"entry_1795652288255\",\"plan\":\"old\",\"category\":\"issue\",\"at\":\"2026-11-26T00:18:08.255Z\",\"content\":\"Login fails.\",\"severity\":\"high\",\"status\":\"open\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (33, CAST('{"arguments":"df535b19b26b74c0f6770d0186202e8f00b8646930f82984d018cb394f3601d0","reply":"null","undo":[{"change":"set_plan","project":1,"name":"old","completed_at":null,"archived_at":null,"is_tracked":false}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (34, CAST('{"arguments":"11cab966bb287ef23140cfd81b9f7f264286c999bd2c921f6d7142dd3d9a63b1","reply":"1","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (35, CAST('{"arguments":"7ac698da17231862fe34319a4e2efc992c67a9f14cd995b0e2863544b572d700","reply":"null","undo":[{"change":"set_plan","project":1,"name":"old","completed_at":1795652288289,"archived_at":null,"is_tracked":false}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (36, CAST('{"arguments":"196581c4bc5f3d59afc259667de001693d8b3010e07f5b973c73419fac5b9bf3","reply":"null","undo":[{"change":"set_active_plan","session":1,"plan":null}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (37, CAST('{"arguments":"1359106f2718f7a4e9b8188ebe4f80cba9980d5e9ced76158aa2897847b280fe","reply":"{\"session\":\"11111111\",\"tokens\":8,\"standing\":\"offered to the next session of this project, with notepad, notes and recap, after /clear too; write it again if the work goes on for long\"}","undo":[{"change":"set_handoff","session":1,"text":null,"at":1795652288378}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (38, CAST('{"arguments":"b6ad0dc0bcc73bea07f3ec4045ea93775aa12347630147562055ba2c87f7603d","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (39, CAST('{"arguments":"b0ad10e5dc02abbf92957d5cedbd6c7df4a0e9f9dcffe1cc3e07452d37bc7f30","reply":"null","undo":[{"change":"drop_notes","session":5,"upto":1795652287889},{"change":"drop_notepad","session":5}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (40, CAST('{"arguments":"9e255980e361355204056732358578efbf6b3a66458b19a8c66bcbf348c1296c","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (41, CAST('{"arguments":"b0ad10e5dc02abbf92957d5cedbd6c7df4a0e9f9dcffe1cc3e07452d37bc7f30","reply":"null","undo":[{"change":"drop_notes","session":6,"upto":1795652287889},{"change":"drop_notepad","session":6}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (42, CAST('{"arguments":"1881d2e9f7df29821400ee7290ac4e7ea89778ecddf5aea487944d07ed9e1dbd","reply":"{\"id\":\"note_1795652288462\",\"content\":\"Of the fork alone.\",\"tags\":[\"fork\"],\"created_at\":\"2026-11-26T00:18:08.462Z\",\"updated_at\":\"2026-11-26T00:18:08.462Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"44444444\",\"open\":6}","undo":[{"change":"drop_note","session":6,"id":1795652288462}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (43, CAST('{"arguments":"919b1450c44fb4b86e4ea02bc430c28a487c63ac974e192485fe68e0b532b5c0","reply":"{\"ok\":true,\"session\":\"44444444\",\"rev\":2,\"tokens\":9,\"standing\":\"9 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":6,"splice":{"at":1,"remove":22,"insert":" page of the des"},"rev":1,"at":1795652288493}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (45, CAST('{"arguments":"210b87668a5f94199ed15d8b7965c18cd6733eb6b8a661f7461ead53ea2810bc","reply":"[{\"what\":\"entry\",\"id\":1795652288509,\"category\":\"learning\",\"by\":null}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (46, CAST('{"arguments":"210b87668a5f94199ed15d8b7965c18cd6733eb6b8a661f7461ead53ea2810bc","reply":"[{\"what\":\"entry\",\"id\":1795652288509,\"category\":\"learning\",\"by\":null}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (47, CAST('{"arguments":"210b87668a5f94199ed15d8b7965c18cd6733eb6b8a661f7461ead53ea2810bc","reply":"[{\"what\":\"entry\",\"id\":1795652288509,\"category\":\"learning\",\"by\":null}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (48, CAST('{"arguments":"994541eed81bf489a77271222543fe419917c5f092cc97da408deb81f3be4631","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":4,\"tokens\":11,\"standing\":\"11 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":0,"remove":17,"insert":"A page of the desk."},"rev":3,"at":1795652288610}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (49, CAST('{"arguments":"e81a28fe7acb70e5e6c75607e062d5ea1c43600263b9528350dceba8630f8cf1","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (50, CAST('{"arguments":"7261f704ff1d9c8ad9f229deddbe2f00b89d7223da9e970e903c82735fa81406","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (51, CAST('{"arguments":"3cb427fa0cf96b7cc459d7f8e971d7e9c2ab43ce08bcbeb8007fd2beb91f21fb","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (52, CAST('{"arguments":"944b5801ebc7d3015acef3e289f6bce437e50b778c6f0e40f4f9840bcbbd17a2","reply":"{\"id\":\"note_1795652287443\",\"content\":\"Retry swallows E_DUP, see retry.rs.\",\"tags\":[\"bug\",\"api\"],\"created_at\":\"2026-11-26T00:18:07.443Z\",\"updated_at\":\"2026-11-26T00:18:07.443Z\",\"scratched\":true,\"done\":\"scratched\",\"session\":\"11111111\",\"open\":4,\"restored\":false}","undo":[{"change":"set_note","session":1,"note":{"id":1795652287443,"content":"Retry swallows E_DUP, see retry.rs.","tags":["bug","api"],"created_at":1795652287443,"updated_at":1795652287443,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (53, CAST('{"arguments":"a72365157d18d8fb0b5125bf4b14f20ebd97c8fd838f28471d5a42c28c61fac6","reply":"{\"id\":\"note_1795652288702\",\"content\":\"The newest, and gone.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:08.702Z\",\"updated_at\":\"2026-11-26T00:18:08.702Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652288702}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (54, CAST('{"arguments":"746d838c4a8990cdfd653c549a43e686b0e418c95f81c63cecab49e6d697eccc","reply":"{\"id\":\"note_1795652288702\",\"session\":\"11111111\",\"open\":4,\"back\":\"vade note restore note_1795652288702\"}","undo":[{"change":"add_note","session":1,"note":{"id":1795652288702,"content":"The newest, and gone.","tags":["todo"],"created_at":1795652288702,"updated_at":1795652288702,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (55, CAST('{"arguments":"85de73804d2f162bbff7573384a70db30ff6cba83a600f4c0c2a0af5d3ef0c13","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (56, CAST('{"arguments":"3cb427fa0cf96b7cc459d7f8e971d7e9c2ab43ce08bcbeb8007fd2beb91f21fb","reply":"null","undo":[]}' AS BLOB));
INSERT INTO plan (id, project, name, created_at, completed_at, archived_at, is_tracked) VALUES (1, 1, 'release', 1795652288082, NULL, NULL, 0);
INSERT INTO plan (id, project, name, created_at, completed_at, archived_at, is_tracked) VALUES (2, 1, 'old', 1795652288110, 1795652288289, 1795652288326, 0);
INSERT INTO plan (id, project, name, created_at, completed_at, archived_at, is_tracked) VALUES (3, 1, '_project', 1795652288300, NULL, NULL, 0);
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (1, 1, 1, 1795652288133, 'learning', 1795652288133, 'Money is kept in cents.', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, '9be7a915db1ecd8a3e287accf1dddba5');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (2, 1, 1, 1795652288155, 'learning', 1795652288155, 'Timers drift.', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, 'ad389a435ac9f043f96adea0f8ac1d75');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (3, 1, 1, 1795652288188, 'learning', 1795652288188, 'Timers drift on ARM alone.', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, 1795652288155, NULL, 4, '0ac95d85a0a512fce33ec9848f1a7f0a');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (4, 1, 1, 1795652288227, 'decision', 1795652288227, 'Use WAL.', NULL, NULL, '', 'Readers do not wait.', NULL, NULL, NULL, NULL, NULL, NULL, 4, 'd0e7fe7da39f8c24b15eb769874d5942');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (5, 1, 2, 1795652288255, 'issue', 1795652288255, 'Login fails.', NULL, NULL, '', NULL, NULL, 'high', 'open', NULL, NULL, NULL, 4, '127e9f654805fc9f8fcc4e259f8d9e13');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (6, 1, 3, 1795652288301, 'issue', 1795652288255, 'Login fails.', NULL, NULL, '', NULL, NULL, 'high', 'open', NULL, NULL, 1795652288255, 4, '127e9f654805fc9f8fcc4e259f8d9e13');
INSERT INTO active_plan (session, plan) VALUES (1, 1);
INSERT INTO handoff (session, updated_at, text) VALUES (1, 1795652288378, 'Go on with two.');
INSERT INTO recap (session, at, body) VALUES (1, 1795652288659, '{"size":84,"read":84,"budget":1000,"text":"","rest":[],"rest_more":0,"facts":0,"said":0,"stop":"ended","forms":[""],"is_beside_summary":false,"newer":0,"method":"best"}');
INSERT INTO recap (session, at, body) VALUES (5, 1795652288780, '{"size":84,"read":84,"budget":1000,"text":"","rest":[],"rest_more":0,"facts":0,"said":0,"stop":"ended","forms":[""],"is_beside_summary":false,"newer":0,"method":"best"}');
INSERT INTO work (session, began_at) VALUES (1, 1795652288378);
INSERT INTO running (session, parent, began_at, host_pid, kind, asked) VALUES (7, 1, 1795652288628, NULL, 'explorer', NULL);
INSERT INTO worked (session, at) VALUES (1, 1795652288378);
INSERT INTO store (name, value) VALUES ('key', '807252724dff6c0862d7253e01f7dfb936324537903f2b4db394deee9401f0c0');
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('project', 2);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('journal', 56);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('session', 7);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('note', 24);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('plan', 3);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('entry', 7);
