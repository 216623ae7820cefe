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
INSERT INTO project (id, name, off_at, created_at) VALUES (1, 'shop', NULL, 1795652289232);
INSERT INTO project (id, name, off_at, created_at) VALUES (2, 'diary', NULL, 1795652289857);
INSERT INTO project_key (kind, value, project) VALUES ('folder', CAST('/home/dev/diary' AS BLOB), 2);
INSERT INTO project_key (kind, value, project) VALUES ('folder', CAST('/home/dev/shop' AS BLOB), 1);
INSERT INTO project_key (kind, value, project) VALUES ('git', CAST('/home/dev/shop/.git' AS BLOB), 1);
INSERT INTO project_key (kind, value, project) VALUES ('remote', CAST('example.org/a/shop' AS BLOB), 1);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (1, 1, 'codex', '11111111-aaaa-4000-8000-000000000001', '', NULL, 'start', 1, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-11111111-aaaa-4000-8000-000000000001.jsonl' AS BLOB), NULL, 1795652289232, 1795652289232, NULL, 0, NULL, 0, NULL, 6, 4, 1795652290764);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (2, 2, 'desk', 'b5e8f96b81ac4327b4c239daca3face1', '', NULL, 'start', 0, 'desk-1', NULL, NULL, NULL, NULL, 1795652289857, 1795652289857, NULL, 0, NULL, 0, NULL, 1, 1, 1795652289864);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (4, 1, 'desk', 'e1abd1495babd2ef4e348395bb70776f', '', NULL, 'start', 0, 'desk-1', NULL, NULL, NULL, NULL, 1795652290047, 1795652290047, NULL, 0, NULL, 0, NULL, 0, 0, NULL);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (5, 1, 'codex', '22222222-bbbb-4000-8000-000000000002', '', 1, 'fork', 2, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-22222222-bbbb-4000-8000-000000000002.jsonl' AS BLOB), NULL, 1795652290397, 1795652290832, 1795652290832, 0, NULL, 0, NULL, 6, 5, 1795652289800);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (6, 1, 'codex', '44444444-dddd-4000-8000-000000000004', '', 1, 'fork', 3, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-44444444-dddd-4000-8000-000000000004.jsonl' AS BLOB), NULL, 1795652290424, 1795652290424, NULL, 0, NULL, 0, NULL, 7, 6, 1795652290446);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (7, 1, 'codex', '11111111-aaaa-4000-8000-000000000001', 'ag-1', 1, 'spawn', 0, 'desk-1', NULL, CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-11111111-aaaa-4000-8000-000000000001.jsonl' AS BLOB), NULL, 1795652290681, 1795652290681, NULL, 0, NULL, 0, NULL, 0, 0, NULL);
INSERT INTO notepad (session, rev, updated_at, text) VALUES (1, 4, 1795652290649, '# Plan
- [ ] one
');
INSERT INTO notepad (session, rev, updated_at, text) VALUES (5, 1, 1795652290408, 'A page of the desk.');
INSERT INTO notepad (session, rev, updated_at, text) VALUES (6, 2, 1795652290480, 'Another page of the fork.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (1, 1, 1795652289253, 1795652289253, 1795652289253, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (2, 1, 1795652289283, 1795652289283, 1795652289283, 1795652290730, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (3, 1, 1795652289386, 1795652289386, 1795652289386, 1795652289602, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (4, 1, 1795652289410, 1795652289410, 1795652289619, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (7, 1, 1795652289725, 1795652289725, 1795652289725, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (8, 1, 1795652289800, 1795652289800, 1795652289800, NULL, 'desk', 'From the desk.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (9, 2, 1795652289864, 1795652289864, 1795652289864, NULL, 'desk', 'In the diary.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (11, 6, 1795652289253, 1795652289253, 1795652289253, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (12, 6, 1795652289283, 1795652289283, 1795652289283, NULL, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (13, 6, 1795652289386, 1795652289386, 1795652289386, 1795652289602, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (14, 6, 1795652289410, 1795652289410, 1795652289619, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (15, 6, 1795652289725, 1795652289725, 1795652289725, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (16, 6, 1795652289800, 1795652289800, 1795652289800, NULL, 'desk', 'From the desk.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (17, 6, 1795652290446, 1795652290446, 1795652290446, NULL, 'fork', 'Of the fork alone.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (18, 5, 1795652289253, 1795652289253, 1795652289253, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (19, 5, 1795652289283, 1795652289283, 1795652289283, NULL, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (20, 5, 1795652289386, 1795652289386, 1795652289386, 1795652289602, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (21, 5, 1795652289410, 1795652289410, 1795652289619, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (22, 5, 1795652289725, 1795652289725, 1795652289725, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (23, 5, 1795652289800, 1795652289800, 1795652289800, NULL, 'desk', 'From the desk.');
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'api', 1795652289283, 1795652289283, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'bug', 1795652289283, 1795652289283, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'decision', 1795652289253, 1795652289253, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'desk', 1795652289800, 1795652289800, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'done', 1795652289619, 1795652289410, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'money', 1795652289253, 1795652289253, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'todo', 1795652289386, 1795652289386, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'todo', 1795652289725, 1795652289725, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (2, 'desk', 1795652289864, 1795652289864, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'api', 1795652289283, 1795652289283, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'bug', 1795652289283, 1795652289283, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'decision', 1795652289253, 1795652289253, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'desk', 1795652289800, 1795652289800, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'done', 1795652289619, 1795652289410, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'money', 1795652289253, 1795652289253, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'todo', 1795652289386, 1795652289386, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (5, 'todo', 1795652289725, 1795652289725, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'api', 1795652289283, 1795652289283, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'bug', 1795652289283, 1795652289283, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'decision', 1795652289253, 1795652289253, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'desk', 1795652289800, 1795652289800, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'done', 1795652289619, 1795652289410, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'fork', 1795652290446, 1795652290446, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'money', 1795652289253, 1795652289253, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'todo', 1795652289386, 1795652289386, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (6, 'todo', 1795652289725, 1795652289725, 1);
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
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (1, 'session:1', 'f12004f29bdb3f54003a90747d5ff1b0', 'note_session', 'hook/tool', 1795652289176, X'49ed8c30b0fa44631ce0c4629f324077f1e681512ab9fe902cd161a64d386c42', X'0000000000000000000000000000000000000000000000000000000000000000', X'23b8a3b83736eff5c2776ffb7717c1093167b7d9ebcd8b4bdacf74e86e945217');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (2, 'session:1', '01a21537-82e4-7cb7-b892-ef266b9c130a', 'add_note', 'cli/user', 1795652289252, X'0b405d54ae0e842216526df9074fbea7f3c171c07283e868fdf76096e1acdb52', X'23b8a3b83736eff5c2776ffb7717c1093167b7d9ebcd8b4bdacf74e86e945217', X'6eb6bef9e5a5906ed73ff7cf389378b5f7edf8b391ec3f80fd0a7dfa7ff62385');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (3, 'session:1', '01a21537-8302-7957-8046-d10028bcbd5e', 'add_note', 'cli/user', 1795652289282, X'68fe0c404f30f7bc9ec047222ad293555d9dcc579127eba4821d235b1c08d210', X'6eb6bef9e5a5906ed73ff7cf389378b5f7edf8b391ec3f80fd0a7dfa7ff62385', X'482475b6213baae4f318f3594ff16f867375b429fecc8342c6c49bea29e5cac7');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (4, 'session:1', '01a21537-8369-7300-8bca-8b6e805e3134', 'add_note', 'cli/user', 1795652289386, X'9f60d45085627c31a52948dd3cb79bc1e73fd05c9f509aeee36c7d7be50af2bd', X'482475b6213baae4f318f3594ff16f867375b429fecc8342c6c49bea29e5cac7', X'8fd075ade9c98c2b95cca8c0ffcf09539536e3f6b929ea2c9425d49f9ae85e65');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (5, 'session:1', '01a21537-837f-7f75-a10d-53eed3390c7e', 'add_note', 'cli/user', 1795652289407, X'1c0117372ecac38f0b69ad7289f618b7457a231a9ae96f39c46815451faa8ae3', X'8fd075ade9c98c2b95cca8c0ffcf09539536e3f6b929ea2c9425d49f9ae85e65', X'351913eb47e643721b38179179c53b2ea64c85f9ad9140b7ea8e158d3a31ae26');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (6, 'session:1', '01a21537-839b-7f71-9639-e23e893bec5f', 'add_note', 'cli/user', 1795652289436, X'40aa19f0e583ae67d762f60b951e2be1056e31b6ee5f8cd8b932c57120c4221f', X'351913eb47e643721b38179179c53b2ea64c85f9ad9140b7ea8e158d3a31ae26', X'2b21f13b7d711c7b8ade8f642dff239af33f42f1decfb67099c62dae7a6dc307');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (7, 'session:1', '01a21537-8423-77e5-aabd-df5e93efca51', 'add_note', 'cli/user', 1795652289571, X'4ce42d046b444f6dfe83e0b4f8dc651bd55b9e8b137c49637ba35d00178f656c', X'2b21f13b7d711c7b8ade8f642dff239af33f42f1decfb67099c62dae7a6dc307', X'02526f728610151e6695bcf99491803b2385ba42147d331b905639aee5f31b3f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (8, 'session:1', '01a21537-8441-7663-a4b9-973b5c0135cf', 'scratch_note', 'cli/user', 1795652289601, X'5336138afb5b7f27fd10f5b64bc2324ce78c7f075e3147e2f7eacfc71faf5b0c', X'02526f728610151e6695bcf99491803b2385ba42147d331b905639aee5f31b3f', X'19cbc8e4442e2986901c82fae592b0782814b57200b9251239c4d998952ff10f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (9, 'session:1', '01a21537-8453-70e9-b1b9-22b747b4f3ef', 'update_note', 'cli/user', 1795652289619, X'ece8c40f119ba5e286456101ef567f4ea0fda8ef706c5c2afc6bd9627fe3f6fd', X'19cbc8e4442e2986901c82fae592b0782814b57200b9251239c4d998952ff10f', X'f76126bdb9d3a7b5aed0ac74296e6382528590551f43eb644e940b8e4d75807a');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (10, 'session:1', '01a21537-8475-7c53-80c2-41a3cd816a45', 'delete_note', 'cli/user', 1795652289653, X'f1756198be09a02328046a3777ce84f9f8d2acf859e63a5967cc5bcbf8046e0a', X'f76126bdb9d3a7b5aed0ac74296e6382528590551f43eb644e940b8e4d75807a', X'49b0ba9012cd745fd2401bf9bc1f71f362ac44c2dd88fef1923a9b815807aeb3');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (11, 'session:1', '01a21537-8489-71d9-8668-76319f9fff4d', 'write_notepad', 'cli/user', 1795652289673, X'f5025ac585a9a3be7c67df9b769e2f7f79abc3482c1fe369eb785361fba2e022', X'49b0ba9012cd745fd2401bf9bc1f71f362ac44c2dd88fef1923a9b815807aeb3', X'c26a2feb0b4eff1ee812cbcbc28d01629f94e9d8083b439f7e8ced256542d998');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (12, 'session:1', '01a21537-849e-7aef-b0c4-ae9fd12ecbb3', 'write_notepad', 'cli/user', 1795652289694, X'7fe5a7155cf420c1f88fbaa9a53198be273fc58e129a312d9e288f87af1f55ea', X'c26a2feb0b4eff1ee812cbcbc28d01629f94e9d8083b439f7e8ced256542d998', X'abe33482bab2440c9dd7a506198a6c9d698f2f4030215d5e84c27ebdca787ad9');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (13, 'session:1', 'mine-1', 'add_note', 'cli/user', 1795652289725, X'bc8b41b9fd51066bada6676775ee38e5b2ccd2ea066c3f5ee4775866d9c1c37b', X'abe33482bab2440c9dd7a506198a6c9d698f2f4030215d5e84c27ebdca787ad9', X'508a8982103f54e2f47f81a5bb332c831a94ecc5bd2a50f01a0a6b4b649b9a61');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (14, 'session:1', '01a21537-84db-74ff-9ff7-c898cd1c0d20', 'note_lapse', 'cli/tool', 1795652289755, X'456dc8bb532f21ca27388fb9fd4d8c1a788e28f747b0799618ae3b481eee9a20', X'508a8982103f54e2f47f81a5bb332c831a94ecc5bd2a50f01a0a6b4b649b9a61', X'5d7bc381cda68d00f65cdd49df9056beea2177a874cc94074b88a7d759c2edad');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (15, 'session:1', '01a21537-84e0-7457-859e-2f1bbe072f8f', 'forget', 'cli/user', 1795652289760, X'b004cb7ab31cdd719026030ac2eb985d3b27199afdd95b02c096fbafb1cdb884', X'5d7bc381cda68d00f65cdd49df9056beea2177a874cc94074b88a7d759c2edad', X'2194f7f440736b6ead74aab9a139f38176a478fe11c97c954356072cac5cf91b');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (16, 'session:1', '01a21537-8506-76b5-98f7-f4af7d8404c5', 'add_note', 'cli/user', 1795652289798, X'4592f5d882c1cf27e06982aff32b31c50493099e9d5c3a1b3b97281393da640a', X'2194f7f440736b6ead74aab9a139f38176a478fe11c97c954356072cac5cf91b', X'669dbff31563c006a475c0bca463d241d8c0e12be1a58702b8c4828409775106');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (17, 'session:1', '01a21537-8522-78d6-a024-225ef4e69855', 'write_notepad', 'cli/user', 1795652289826, X'0670764f88ecff6a5f239bcb818fe27ec30eb2503e88d8e085f93b1911526a5a', X'669dbff31563c006a475c0bca463d241d8c0e12be1a58702b8c4828409775106', X'796804a6715ad7bff92148484e412b0ec93ecd1071735ae8d590e170415c500a');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (18, 'store', '01a21537-8541-7e6a-9020-05fbaa582c1e', 'begin_session', 'cli/user', 1795652289857, X'd9b7684d8d68fd288ea64c73724ce7a63c808d76a05f44fb60adfd553741a2d5', X'0000000000000000000000000000000000000000000000000000000000000000', X'0dd45135b1c4d9d25280322d7f32db178fd1e47dc607bea92e034a818ab1cea5');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (19, 'session:2', '01a21537-8543-78bb-9673-c7db1e151487', 'add_note', 'cli/user', 1795652289859, X'93193012b37d0eadd851df87c86d6760ef69df5cf60aef3f2f489859b445d2f2', X'0000000000000000000000000000000000000000000000000000000000000000', X'bc4874b94f5ce4554d911fb3bf098fee1f9f5860253d303213d70c5ebb0fc790');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (20, 'session:3', '90c212c4d0a74fa5306a353a39c676b7', 'note_session', 'hook/tool', 1795652289879, X'9b8df37d280f7f0178bf284d3e5b84e647f477eddcd7e8764c43b9d653479c25', X'0000000000000000000000000000000000000000000000000000000000000000', X'c07ff554614fa50592cb814a3d21fe0b471465a85bc7152a1320e6e959fe3778');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (21, 'session:3', '01a21537-8575-755d-9aed-2e52fd49952b', 'add_note', 'cli/user', 1795652289910, X'd6660b0b4b7ea81bb05bbedfa9d2f53f6d759818c8dfdfa11cd33e69896622fe', X'c07ff554614fa50592cb814a3d21fe0b471465a85bc7152a1320e6e959fe3778', X'08d880c915cf7d7771b166c8080b7b5ddc6e31707e4a32172ad7d5b6ef7a0748');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (22, 'project:1', '01a21537-85ca-7ccf-81c4-9dd55d795f3c', 'init_plan', 'cli/user', 1795652289994, X'10f42e6582cf49b8602b0344bdf44a7f9b09f4cc37ca782ba21f681df352380c', X'0000000000000000000000000000000000000000000000000000000000000000', X'53156da91f4109745c322d03a7d67d9689370041e5bd0ebb2dd44856d9971e69');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (23, 'project:1', '01a21537-85e3-7601-8286-91c543ea7720', 'init_plan', 'cli/user', 1795652290019, X'e9687d72a713bad2304ee675984ee8fb49d5ef65a82014993e5ab1939c8c2d01', X'53156da91f4109745c322d03a7d67d9689370041e5bd0ebb2dd44856d9971e69', X'23a7f557d612b5d11e37061d00775f896198ba56121f63dace4ddb4775ce7291');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (24, 'project:1', '01a21537-85fe-7c40-9015-3f7867004b33', 'add_learning', 'cli/user', 1795652290046, X'c77755582c4322df964b8c06d9559f9191057737b0c8ebda4cd19bc18c2b9c3f', X'23a7f557d612b5d11e37061d00775f896198ba56121f63dace4ddb4775ce7291', X'a05c02ccabeeb2fb5ebaeafa3991f11641a55ce7c6e3b1679b20de05c5354584');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (25, 'project:1', '01a21537-8622-7ced-881d-bd83b8121e7f', 'add_learning', 'cli/user', 1795652290082, X'c49724fb6bc269d24d94dae84450cc2257e17011be80c90b3c835ff39113e2c3', X'a05c02ccabeeb2fb5ebaeafa3991f11641a55ce7c6e3b1679b20de05c5354584', X'c8af2d50cf1547ba364bdfb0dc169216066ef96a49f4f5bc1f25d1216be9d8ed');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (26, 'project:1', '01a21537-863f-7699-aa66-0c35309ad6be', 'add_learning', 'cli/user', 1795652290111, X'd16530c1e69c86bd8ec5fa4feb8f5420c8d7b6f449df39f41ceb00ed18b5baf2', X'c8af2d50cf1547ba364bdfb0dc169216066ef96a49f4f5bc1f25d1216be9d8ed', X'518f79e253123f25e564e8674a22dde6be317e1b082b33d88781678cd78d842a');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (27, 'session:1', '01a21537-864c-76ae-8767-d343c9a0cc18', 'note_lapse', 'cli/tool', 1795652290124, X'0e933cd2f39dfe4e729499d799e3757bfb46e862238a8cfe153268faf7491e49', X'796804a6715ad7bff92148484e412b0ec93ecd1071735ae8d590e170415c500a', X'b06840c99fe0cbdea9df66a02c344bafdac43f73da9fa54db0107b249c622bea');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (28, 'project:1', '01a21537-866c-75c8-bd5f-f3d2411a5653', 'add_decision', 'cli/user', 1795652290156, X'd71f50f7df2c9c3db091b0151ef6157f8998ffe9a49b6594d017a5437a831f76', X'518f79e253123f25e564e8674a22dde6be317e1b082b33d88781678cd78d842a', X'67edb70681edd2e44dfddb00844e49922ea4216e19dc274b2df8f05180beb91a');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (29, 'project:1', '01a21537-8694-7f65-8327-caf8578022e1', 'add_issue', 'cli/user', 1795652290196, X'd2503d79e895c8be0021928fd005574b6bf488bbcf093e9e6b982a8e6a394f94', X'67edb70681edd2e44dfddb00844e49922ea4216e19dc274b2df8f05180beb91a', X'df54c5f64b2e8fdc72fd489c2124eef8b1616ed6f7a58e60dba412d63e08fc27');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (30, 'project:1', '01a21537-86bd-7921-b360-e40c43147d4d', 'complete_plan', 'cli/user', 1795652290237, X'4b36a7db98fdc35a52f7d7ba0625b70c3c9af95c254136d61134edbc4bc95c8c', X'df54c5f64b2e8fdc72fd489c2124eef8b1616ed6f7a58e60dba412d63e08fc27', X'46372ccab8c149bb2c646f577db66054769ccca0c4b765274ca2873d3b138ada');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (31, 'project:1', '01a21537-86cd-7e87-a317-f69eb662e8cf', 'merge', 'cli/user', 1795652290253, X'34a1bb1b250daaf3f4769b5af3b24e1a372c5d74a7bc9d2d1cc7e49d0d874993', X'46372ccab8c149bb2c646f577db66054769ccca0c4b765274ca2873d3b138ada', X'fce465e7ea45cdc700daea62d68c5a75199f5c24f55c56c9461e8ba4dc39596f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (32, 'project:1', '01a21537-86ec-78e4-8175-77786bedbd02', 'archive_plan', 'cli/user', 1795652290284, X'926777f570f1d3ec7054f1a6975f14ffd5710489bf38ec028acd579267888e5d', X'fce465e7ea45cdc700daea62d68c5a75199f5c24f55c56c9461e8ba4dc39596f', X'176986f539630b80f93ff577600a7368462f7fd64b8ffdb44c6b5af7f95a557a');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (33, 'session:1', '01a21537-870b-7a1d-84e6-a6f659c5d78f', 'use_plan', 'cli/user', 1795652290315, X'3dab54a5da6b555c9077892485dac9278a67a61c16d1bda3606b72c29500eab4', X'b06840c99fe0cbdea9df66a02c344bafdac43f73da9fa54db0107b249c622bea', X'248c6b70626190dd031c48076d234236860dd1567ab9f343df89cd06a4a74bbe');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (34, 'session:1', '01a21537-872b-7338-8ba8-c30b0199c4b2', 'write_handoff', 'cli/user', 1795652290348, X'ca7f8d80b00d37c35e16e819849024c38bde3779370f3e208dde5ae8bc569923', X'248c6b70626190dd031c48076d234236860dd1567ab9f343df89cd06a4a74bbe', X'b5c19d022b28bf41fdfadaf667b63a39a41c2c6f75c4fa4a73c24c012e7b4420');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (35, 'session:5', 'b0a589ac374da48a62d309f84d5dc492', 'note_session', 'hook/tool', 1795652290397, X'ef8e4258ab610479e3b26a23a4d0c3a48f7397b1bd8ed78e525be4c88cd621d5', X'0000000000000000000000000000000000000000000000000000000000000000', X'53efcd88d65aafb48c73e11663adff0cd8ef88bca26f28d99a164a83cec27db5');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (36, 'session:5', '01a21537-8768-7a57-be7c-7fa402702039', 'copy_session', 'hook/tool', 1795652290408, X'3099b0ec05dc432652c1058bf19d334ad7cf5b7ba8d718c93ebab4fa298e76eb', X'53efcd88d65aafb48c73e11663adff0cd8ef88bca26f28d99a164a83cec27db5', X'd5aa1d8875922fccd2cabedebc432ec53e1a75882eba20a35b2a3651a960f755');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (37, 'session:6', 'aa00448ebb9137a2b5d575aa9a0faec0', 'note_session', 'hook/tool', 1795652290424, X'cd4aee3659ab524fce597224f9a5112b3e6e16faae00c020f1b67132682f1883', X'0000000000000000000000000000000000000000000000000000000000000000', X'8b1b687b0930c56891daef62416cbe27405b051dfd74aaa65b7a5b72cc9b4fa5');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (38, 'session:6', '01a21537-8780-7934-9f3e-4b011eac6b9d', 'copy_session', 'hook/tool', 1795652290432, X'e69057b0897cf73b8bfa34a7783fbdbf779e94f1f14de568abbafd3ba4a885f6', X'8b1b687b0930c56891daef62416cbe27405b051dfd74aaa65b7a5b72cc9b4fa5', X'14a7e38bd5c2b1253fbf2b1fb109493a0700d4cf37b7c98e0a4617025e2d5218');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (39, 'session:6', '01a21537-878d-7bfc-bbcc-40ea9e4cfcf2', 'add_note', 'cli/user', 1795652290446, X'4598448f0fffcf80ebf5e32fb37b99deb2d925ce3fc8c286c23c147b3063043b', X'14a7e38bd5c2b1253fbf2b1fb109493a0700d4cf37b7c98e0a4617025e2d5218', X'5b8822063e405958f4c17a8213e677829840c5e04a9d27e02287b169e7b3ce4d');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (40, 'session:6', '01a21537-87b0-721b-9f76-261eafae80d3', 'write_notepad', 'cli/user', 1795652290480, X'8776410fa798d23b1244cb39fb5e4d96894c2ca8aaaa062b0f854832ed87790d', X'5b8822063e405958f4c17a8213e677829840c5e04a9d27e02287b169e7b3ce4d', X'91728b17bdc6b2343cf576f58086731e3d083b2ff3bee411a08d95edba0a15b2');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (41, 'project:1', '01a21537-87cc-7112-abae-dd470baa3b33', 'add_learning', 'cli/user', 1795652290508, X'cc53f4db05d5367bfd74e53fa2f2811dc5d3bf8270c9f4279c7ec3ed9a68d941', X'176986f539630b80f93ff577600a7368462f7fd64b8ffdb44c6b5af7f95a557a', X'b4558f71a47b87d4922ee494288a30553f01f78a131ef88b90acbe02970de8a9');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (42, 'session:6', '01a21537-87fe-770e-ac69-cc5abaed528c', 'note_lapse', 'cli/tool', 1795652290558, X'dd19e006105cd242593a9b5e8feb9d91979108cbafc7c991212f0206ac1e4a93', X'91728b17bdc6b2343cf576f58086731e3d083b2ff3bee411a08d95edba0a15b2', X'cd62d7d90951330c4b40a36ed459836577969ba1310f2de29492c934464443b5');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (43, 'session:5', '01a21537-8808-7695-bf04-38db08c5b50a', 'note_lapse', 'cli/tool', 1795652290568, X'dd19e006105cd242593a9b5e8feb9d91979108cbafc7c991212f0206ac1e4a93', X'd5aa1d8875922fccd2cabedebc432ec53e1a75882eba20a35b2a3651a960f755', X'2385afd777cc16cea7d20dcfee4f06362ecdaaa17e0ae1a917927c9fa6083c96');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (44, 'session:1', '01a21537-880c-7154-bfda-38b76ced564d', 'note_lapse', 'cli/tool', 1795652290572, X'dd19e006105cd242593a9b5e8feb9d91979108cbafc7c991212f0206ac1e4a93', X'b5c19d022b28bf41fdfadaf667b63a39a41c2c6f75c4fa4a73c24c012e7b4420', X'7cd3077820b1a7ca151efa7d4726c7bdbdd7d1f07f5ad1cf83b91487ad739722');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (45, 'session:1', '01a21537-8854-7169-8eb5-4da940dad806', 'restore_notepad', 'cli/user', 1795652290644, X'87e74872f861604e4d282e4a69f3049cd80c4f231432438a66a7bebe132381ef', X'7cd3077820b1a7ca151efa7d4726c7bdbdd7d1f07f5ad1cf83b91487ad739722', X'c2b0572e9e16c120009413a9be3950193c573d2d667b63859d4d30f2e1de746e');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (46, 'session:7', '99026f6e96f22ad457feb99c1c78d9d0', 'note_session', 'hook/tool', 1795652290681, X'b31c755c27d7928001ac9542a68de5d9dc2841d4fc5d50492eb0c0fa7d8124ab', X'0000000000000000000000000000000000000000000000000000000000000000', X'f5b13ca0ed0553c6aaf7d8b31d9a44019b37b6d73c822be9c371964bbd628a9f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (47, 'session:1', '01a21537-889a-7c3a-ad91-a8bbca87eac9', 'keep_recap', 'hook/tool', 1795652290714, X'5bfc25f13ab5ae3998bdef588a3147b1ca2533418dd4632499575b0adb4c7372', X'c2b0572e9e16c120009413a9be3950193c573d2d667b63859d4d30f2e1de746e', X'd14f554d259e50a0d7a06fd0fce61b0aa0967ffa30fc91d1bd0c4923668ea4b7');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (48, 'session:1', '01a21537-88aa-75f8-9007-438e121f5d3c', 'scratch_note', 'cli/user', 1795652290730, X'fcf1e760fb339b9f857aaa3486cbdaaa8aef5fd1e994a51e674bdc710e2936dd', X'd14f554d259e50a0d7a06fd0fce61b0aa0967ffa30fc91d1bd0c4923668ea4b7', X'21fdbe89e5f0aedceb5e4e2a8944a98b01f71daea12965cd9cf793aa9e9907ce');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (49, 'session:1', '01a21537-88cb-7932-9651-1a225961d57e', 'add_note', 'cli/user', 1795652290763, X'c738672e5aaf1a8422caa8aab2806e152cfeea0bd4b609693da04310d70454f0', X'21fdbe89e5f0aedceb5e4e2a8944a98b01f71daea12965cd9cf793aa9e9907ce', X'3dd0e7e27db8e74ced148a5d7fb785aea1a4bc74de0466c26e998fa5b74e1ba6');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (50, 'session:1', '01a21537-88eb-77fc-8869-de7e62a257a3', 'delete_note', 'cli/user', 1795652290795, X'c062e760a67583f1e64d056b3a4e02ca14e149a989df08a3b964c8a8757e25a3', X'3dd0e7e27db8e74ced148a5d7fb785aea1a4bc74de0466c26e998fa5b74e1ba6', X'6459b4bbe92ddbd3d46e50dd7fd91fcc3a760fe7b642a1c5aa83ae77482d2815');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (51, 'session:5', '1ef30fa809f5f0d61941f9a458568b01', 'note_session', 'hook/tool', 1795652290833, X'26aa36200d8444a6bd7078ecc6a124a245b0449cf4c3b5f8e38f5cef9b443080', X'2385afd777cc16cea7d20dcfee4f06362ecdaaa17e0ae1a917927c9fa6083c96', X'9aa9e1830d1cc6130ae6f640f2b3886d5995f85451583c338196fea460c8e96b');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (52, 'session:5', '01a21537-891a-7a46-8fb1-578c8464adba', 'keep_recap', 'hook/tool', 1795652290842, X'5bfc25f13ab5ae3998bdef588a3147b1ca2533418dd4632499575b0adb4c7372', X'9aa9e1830d1cc6130ae6f640f2b3886d5995f85451583c338196fea460c8e96b', X'd591b74124cd7fad5e496295134fded4f0eba27cf66d9b533681c143863ede4f');
INSERT INTO journal_body (seq, body) VALUES (1, CAST('{"arguments":"f12004f29bdb3f54003a90747d5ff1b0e3e32dce4810f4ce048fd514d7b0e18f","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (2, CAST('{"arguments":"de898c5da4e7a4cbaab407a18dc0ee6610a819e2c87416302fb703b2276a9763","reply":"{\"id\":\"note_1795652289253\",\"content\":\"Money is kept in cents.\",\"tags\":[\"decision\",\"money\"],\"created_at\":\"2026-11-26T00:18:09.253Z\",\"updated_at\":\"2026-11-26T00:18:09.253Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":1}","undo":[{"change":"drop_note","session":1,"id":1795652289253}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (3, CAST('{"arguments":"a139b572ecf20566029a2fd80a01e0af7eabf7427b0b421f48d48b6ad6cb2961","reply":"{\"id\":\"note_1795652289283\",\"content\":\"Retry swallows E_DUP, see retry.rs.\",\"tags\":[\"bug\",\"api\"],\"created_at\":\"2026-11-26T00:18:09.283Z\",\"updated_at\":\"2026-11-26T00:18:09.283Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":2}","undo":[{"change":"drop_note","session":1,"id":1795652289283}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (4, CAST('{"arguments":"f6d2bda6ac0bc5e32c0bdc2c8723fef9361df2b8f2fb7bc5697d9e9a8b00ed6e","reply":"{\"id\":\"note_1795652289386\",\"content\":\"Ask about ümläuts and 日本語.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:09.386Z\",\"updated_at\":\"2026-11-26T00:18:09.386Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":3}","undo":[{"change":"drop_note","session":1,"id":1795652289386}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (5, CAST('{"arguments":"d42bdfe6f43659320ded63ec47b2e7aa9e2f8cc7c3a048d00f456577c9e987c5","reply":"{\"id\":\"note_1795652289410\",\"content\":\"Wrong from the start.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:09.410Z\",\"updated_at\":\"2026-11-26T00:18:09.410Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":4}","undo":[{"change":"drop_note","session":1,"id":1795652289410}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (7, CAST('{"arguments":"78b74c5f06347229a9f1364113725576418c51ef3cf0e51509b0f8e86fe4d144","reply":"{\"id\":\"note_1795652289572\",\"content\":\"Will be gone, the newest.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:09.572Z\",\"updated_at\":\"2026-11-26T00:18:09.572Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":6}","undo":[{"change":"drop_note","session":1,"id":1795652289572}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (8, CAST('{"arguments":"cd1c4653a8de2ffd6aef5c54bcf81bcdd498235e4656305f64f70b7ee6b268ab","reply":"{\"id\":\"note_1795652289386\",\"content\":\"Ask about ümläuts and 日本語.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:09.386Z\",\"updated_at\":\"2026-11-26T00:18:09.386Z\",\"scratched\":true,\"done\":\"scratched\",\"session\":\"11111111\",\"open\":5,\"restored\":false}","undo":[{"change":"set_note","session":1,"note":{"id":1795652289386,"content":"Ask about ümläuts and 日本語.","tags":["todo"],"created_at":1795652289386,"updated_at":1795652289386,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (9, CAST('{"arguments":"9c2e60c5b3d2e49b48364f781872fcc1b7ab853c292a0ed53f8da7cfc303c4c9","reply":"{\"id\":\"note_1795652289410\",\"content\":\"Right in the end.\",\"tags\":[\"done\"],\"created_at\":\"2026-11-26T00:18:09.410Z\",\"updated_at\":\"2026-11-26T00:18:09.619Z\",\"scratched\":false,\"done\":\"updated (content, tags)\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"set_note","session":1,"note":{"id":1795652289410,"content":"Wrong from the start.","tags":["todo"],"created_at":1795652289410,"updated_at":1795652289410,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (10, CAST('{"arguments":"e6afbac8f41a8c9e6409e7c88df7538b7a5a10bb3fb1355d2ffe711489698ef0","reply":"{\"id\":\"note_1795652289572\",\"session\":\"11111111\",\"open\":4,\"back\":\"vade note restore note_1795652289572\"}","undo":[{"change":"add_note","session":1,"note":{"id":1795652289572,"content":"Will be gone, the newest.","tags":["todo"],"created_at":1795652289572,"updated_at":1795652289572,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (11, CAST('{"arguments":"b97f09c0367abbc926e7b68a4f415fffec2f3ca0b4cfa03fd78d87976ced4261","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":1,\"tokens\":11,\"standing\":\"11 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"drop_notepad","session":1}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (12, CAST('{"arguments":"e7b31ec1d890bfb5faa732a0f57e6b8fdd6af33b7ca3647e94390dd62b4d8e57","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":2,\"tokens\":18,\"standing\":\"18 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":10,"remove":16,"insert":" ] one"},"rev":1,"at":1795652289694}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (13, CAST('{"arguments":"96271624ee564d3f44f48320bdf24c0e0af45cb3a5b3d1e87013173193b32574","reply":"{\"id\":\"note_1795652289725\",\"content\":\"With a write id.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:09.725Z\",\"updated_at\":\"2026-11-26T00:18:09.725Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652289725}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (14, CAST('{"arguments":"5a11f5dc0f9ffb6ee6c948da904b972140a0d18e3d3f6cffd22ce76645331c1e","reply":"[{\"what\":\"note\",\"id\":1795652289436}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (16, CAST('{"arguments":"42bd118ab712a31b177285d5af6b72b1827d58c9a066f6412ee84206178cf72a","reply":"{\"id\":\"note_1795652289800\",\"content\":\"From the desk.\",\"tags\":[\"desk\"],\"created_at\":\"2026-11-26T00:18:09.800Z\",\"updated_at\":\"2026-11-26T00:18:09.800Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652289800}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (17, CAST('{"arguments":"de68bd27d93a928fc269f58179a0df76f3a33bd59657d50243176281f62236e7","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":3,\"tokens\":8,\"standing\":\"8 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":0,"remove":19,"insert":"# Plan\n- [x] one\n- [ ] two\n"},"rev":2,"at":1795652289826}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (18, CAST('{"arguments":"3ee0a93d2e69371870c79407c435d3d0c404015a863b6b89f69114203525e22a","reply":"{\"harness\":\"desk\",\"external\":\"b5e8f96b81ac4327b4c239daca3face1\",\"agent\":null}","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (19, CAST('{"arguments":"782522b5479255efb9a3108427106ae8deff11cbef69524de1b7f24763ff50f4","reply":"{\"id\":\"note_1795652289864\",\"content\":\"In the diary.\",\"tags\":[\"desk\"],\"created_at\":\"2026-11-26T00:18:09.864Z\",\"updated_at\":\"2026-11-26T00:18:09.864Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"desk\",\"open\":1,\"restored\":false}","undo":[{"change":"drop_note","session":2,"id":1795652289864}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (22, CAST('{"arguments":"7975b38a88b83bcdcfb801613872d7691377a12685719ed5dbe51c867b35f85b","reply":"true","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (23, CAST('{"arguments":"936a8ce3740ae5efec8e330001dd562af4e1d9d83d94176a6a95445b3d11ef71","reply":"true","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (24, CAST('{"arguments":"e78d6fb84eee9e5ae5a2edb44ce3e183b8e86f9c440dd080765ac0d86de8e11f","reply":"[{\"id\":\"entry_1795652290047\",\"plan\":\"release\",\"category\":\"learning\",\"at\":\"2026-11-26T00:18:10.047Z\",\"content\":\"Money is kept in cents.\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (25, CAST('{"arguments":"4d27355a1fc9ca4058a05591ba02b4d22d9d7fc3ca31e8d5657ba2bd41c1ed89","reply":"[{\"id\":\"entry_1795652290083\",\"plan\":\"release\",\"category\":\"learning\",\"at\":\"2026-11-26T00:18:10.083Z\",\"content\":\"Timers drift.\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (26, CAST('{"arguments":"cdda0165f67494a78763d46d7db94f3cbe76c65d9dfcd726a57847380ab08551","reply":"[{\"id\":\"entry_1795652290112\",\"plan\":\"release\",\"category\":\"learning\",\"at\":\"2026-11-26T00:18:10.112Z\",\"content\":\"Timers drift on ARM alone.\",\"supersedes\":\"entry_1795652290083\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (27, CAST('{"arguments":"12c3237106f7d0d9ed6f3141b1bee8f5c6ddbf216e40312bc4b4354d7a5f915f","reply":"[{\"what\":\"entry\",\"id\":1795652290083,\"category\":\"learning\",\"by\":1795652290112}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (28, CAST('{"arguments":"57df05c0be70b1e7dd746b5e4a9fc47c514e6b2aef7a9df83d41e14c482ffed5","reply":"[{\"id\":\"entry_1795652290157\",\"plan\":\"release\",\"category\":\"decision\",\"at\":\"2026-11-26T00:18:10.157Z\",\"content\":\"Use WAL.\",\"rationale\":\"Readers do not wait.\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (29, CAST('{"arguments":"6a6a54ffea67d945e498d50bc8d6c7bf4e9f3af77f2f9dd519f591b3f29b8d3e","reply":"[{\"id\":\"entry_1795652290197\",\"plan\":\"old\",\"category\":\"issue\",\"at\":\"2026-11-26T00:18:10.197Z\",\"content\":\"Login fails.\",\"severity\":\"high\",\"status\":\"open\"},false]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (30, CAST('{"arguments":"df535b19b26b74c0f6770d0186202e8f00b8646930f82984d018cb394f3601d0","reply":"null","undo":[{"change":"set_plan","project":1,"name":"old","completed_at":null,"archived_at":null,"is_tracked":false}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (31, CAST('{"arguments":"11cab966bb287ef23140cfd81b9f7f264286c999bd2c921f6d7142dd3d9a63b1","reply":"1","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (32, CAST('{"arguments":"7ac698da17231862fe34319a4e2efc992c67a9f14cd995b0e2863544b572d700","reply":"null","undo":[{"change":"set_plan","project":1,"name":"old","completed_at":1795652290238,"archived_at":null,"is_tracked":false}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (33, CAST('{"arguments":"196581c4bc5f3d59afc259667de001693d8b3010e07f5b973c73419fac5b9bf3","reply":"null","undo":[{"change":"set_active_plan","session":1,"plan":null}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (34, CAST('{"arguments":"1359106f2718f7a4e9b8188ebe4f80cba9980d5e9ced76158aa2897847b280fe","reply":"{\"session\":\"11111111\",\"tokens\":8,\"standing\":\"offered to the next session of this project, with notepad, notes and recap, after /clear too; write it again if the work goes on for long\"}","undo":[{"change":"set_handoff","session":1,"text":null,"at":1795652290352}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (35, CAST('{"arguments":"b0a589ac374da48a62d309f84d5dc4925b1fc942d6c973c358623633ae614011","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (36, CAST('{"arguments":"b0ad10e5dc02abbf92957d5cedbd6c7df4a0e9f9dcffe1cc3e07452d37bc7f30","reply":"null","undo":[{"change":"drop_notes","session":5,"upto":1795652289800},{"change":"drop_notepad","session":5}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (37, CAST('{"arguments":"aa00448ebb9137a2b5d575aa9a0faec00317427d5f65310a72b0c40e364c3292","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (38, CAST('{"arguments":"b0ad10e5dc02abbf92957d5cedbd6c7df4a0e9f9dcffe1cc3e07452d37bc7f30","reply":"null","undo":[{"change":"drop_notes","session":6,"upto":1795652289800},{"change":"drop_notepad","session":6}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (39, CAST('{"arguments":"1881d2e9f7df29821400ee7290ac4e7ea89778ecddf5aea487944d07ed9e1dbd","reply":"{\"id\":\"note_1795652290446\",\"content\":\"Of the fork alone.\",\"tags\":[\"fork\"],\"created_at\":\"2026-11-26T00:18:10.446Z\",\"updated_at\":\"2026-11-26T00:18:10.446Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"44444444\",\"open\":6}","undo":[{"change":"drop_note","session":6,"id":1795652290446}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (40, CAST('{"arguments":"919b1450c44fb4b86e4ea02bc430c28a487c63ac974e192485fe68e0b532b5c0","reply":"{\"ok\":true,\"session\":\"44444444\",\"rev\":2,\"tokens\":9,\"standing\":\"9 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":6,"splice":{"at":1,"remove":22,"insert":" page of the des"},"rev":1,"at":1795652290480}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (42, CAST('{"arguments":"8d05c05dea160dbc932f2343f14230d3b8bf1fd451e8133f4e5958b322fecb6d","reply":"[{\"what\":\"entry\",\"id\":1795652290509,\"category\":\"learning\",\"by\":null}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (43, CAST('{"arguments":"8d05c05dea160dbc932f2343f14230d3b8bf1fd451e8133f4e5958b322fecb6d","reply":"[{\"what\":\"entry\",\"id\":1795652290509,\"category\":\"learning\",\"by\":null}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (44, CAST('{"arguments":"8d05c05dea160dbc932f2343f14230d3b8bf1fd451e8133f4e5958b322fecb6d","reply":"[{\"what\":\"entry\",\"id\":1795652290509,\"category\":\"learning\",\"by\":null}]","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (45, CAST('{"arguments":"994541eed81bf489a77271222543fe419917c5f092cc97da408deb81f3be4631","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":4,\"tokens\":11,\"standing\":\"11 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":0,"remove":17,"insert":"A page of the desk."},"rev":3,"at":1795652290649}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (46, CAST('{"arguments":"99026f6e96f22ad457feb99c1c78d9d0522f0345699ddcf894ebcb604240e531","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (47, CAST('{"arguments":"3cb427fa0cf96b7cc459d7f8e971d7e9c2ab43ce08bcbeb8007fd2beb91f21fb","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (48, CAST('{"arguments":"e84f5a8933f1c614e6a76a467b3617108768f17c9eec7cfdb9a242faf0afac28","reply":"{\"id\":\"note_1795652289283\",\"content\":\"Retry swallows E_DUP, see retry.rs.\",\"tags\":[\"bug\",\"api\"],\"created_at\":\"2026-11-26T00:18:09.283Z\",\"updated_at\":\"2026-11-26T00:18:09.283Z\",\"scratched\":true,\"done\":\"scratched\",\"session\":\"11111111\",\"open\":4,\"restored\":false}","undo":[{"change":"set_note","session":1,"note":{"id":1795652289283,"content":"Retry swallows E_DUP, see retry.rs.","tags":["bug","api"],"created_at":1795652289283,"updated_at":1795652289283,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (49, CAST('{"arguments":"a72365157d18d8fb0b5125bf4b14f20ebd97c8fd838f28471d5a42c28c61fac6","reply":"{\"id\":\"note_1795652290764\",\"content\":\"The newest, and gone.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:10.764Z\",\"updated_at\":\"2026-11-26T00:18:10.764Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652290764}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (50, CAST('{"arguments":"cfb43db64facfaffadea62c122a194a0e477d8d52c14294d761553a412cc7ff8","reply":"{\"id\":\"note_1795652290764\",\"session\":\"11111111\",\"open\":4,\"back\":\"vade note restore note_1795652290764\"}","undo":[{"change":"add_note","session":1,"note":{"id":1795652290764,"content":"The newest, and gone.","tags":["todo"],"created_at":1795652290764,"updated_at":1795652290764,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (51, CAST('{"arguments":"1ef30fa809f5f0d61941f9a458568b018e53569153d9fe9c2f1d2e33eb5cf72d","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (52, CAST('{"arguments":"3cb427fa0cf96b7cc459d7f8e971d7e9c2ab43ce08bcbeb8007fd2beb91f21fb","reply":"null","undo":[]}' AS BLOB));
INSERT INTO plan (id, project, name, created_at, completed_at, archived_at, is_tracked) VALUES (1, 1, 'release', 1795652289994, NULL, NULL, 0);
INSERT INTO plan (id, project, name, created_at, completed_at, archived_at, is_tracked) VALUES (2, 1, 'old', 1795652290020, 1795652290238, 1795652290285, 0);
INSERT INTO plan (id, project, name, created_at, completed_at, archived_at, is_tracked) VALUES (3, 1, '_project', 1795652290253, NULL, NULL, 0);
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (1, 1, 1, 1795652290047, 'learning', 1795652290047, 'Money is kept in cents.', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, '9be7a915db1ecd8a3e287accf1dddba5');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (2, 1, 1, 1795652290083, 'learning', 1795652290083, 'Timers drift.', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, 'ad389a435ac9f043f96adea0f8ac1d75');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (3, 1, 1, 1795652290112, 'learning', 1795652290112, 'Timers drift on ARM alone.', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, 1795652290083, NULL, 4, '0ac95d85a0a512fce33ec9848f1a7f0a');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (4, 1, 1, 1795652290157, 'decision', 1795652290157, 'Use WAL.', NULL, NULL, '', 'Readers do not wait.', NULL, NULL, NULL, NULL, NULL, NULL, 4, 'd0e7fe7da39f8c24b15eb769874d5942');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (5, 1, 2, 1795652290197, 'issue', 1795652290197, 'Login fails.', NULL, NULL, '', NULL, NULL, 'high', 'open', NULL, NULL, NULL, 4, '127e9f654805fc9f8fcc4e259f8d9e13');
INSERT INTO entry (row, project, plan, id, category, at, content, task, pattern, tags, rationale, alternatives, severity, status, workaround, supersedes, merged_from, session, sameness) VALUES (6, 1, 3, 1795652290253, 'issue', 1795652290197, 'Login fails.', NULL, NULL, '', NULL, NULL, 'high', 'open', NULL, NULL, 1795652290197, 4, '127e9f654805fc9f8fcc4e259f8d9e13');
INSERT INTO active_plan (session, plan) VALUES (1, 1);
INSERT INTO handoff (session, updated_at, text) VALUES (1, 1795652290352, 'Go on with two.');
INSERT INTO recap (session, at, body) VALUES (1, 1795652290714, '{"size":84,"read":84,"budget":1000,"text":"","rest":[],"rest_more":0,"facts":0,"said":0,"stop":"ended","forms":[""],"is_beside_summary":false,"newer":0,"method":"best"}');
INSERT INTO recap (session, at, body) VALUES (5, 1795652290842, '{"size":84,"read":84,"budget":1000,"text":"","rest":[],"rest_more":0,"facts":0,"said":0,"stop":"ended","forms":[""],"is_beside_summary":false,"newer":0,"method":"best"}');
INSERT INTO work (session, began_at) VALUES (1, 1795652290352);
INSERT INTO running (session, parent, began_at, host_pid, kind, asked) VALUES (7, 1, 1795652290679, NULL, 'explorer', NULL);
INSERT INTO worked (session, at) VALUES (1, 1795652290352);
INSERT INTO project_id (project, id) VALUES (1, 'e1abd1495babd2ef4e348395bb70776f');
INSERT INTO project_id (project, id) VALUES (2, 'b5e8f96b81ac4327b4c239daca3face1');
INSERT INTO store (name, value) VALUES ('key', '755cc27d327782b4d680110fa0fa6a3dd534c6886ecc2b3fcf12a1ed623fe954');
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('project', 2);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('session', 7);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('journal', 52);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('note', 24);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('plan', 3);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('entry', 7);
