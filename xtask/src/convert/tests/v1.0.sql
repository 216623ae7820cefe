PRAGMA application_id = 1986094181;
PRAGMA user_version = 1000;

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
CREATE INDEX session_line ON session (project, started_at, id);
CREATE INDEX note_newest ON note (session, updated_at, id);
CREATE INDEX note_open ON note (session, updated_at, id) WHERE scratched_at IS NULL;
CREATE INDEX journal_scope ON journal (scope, seq);
CREATE INDEX journal_outside ON journal (scope, seq)
WHERE origin NOT GLOB '*/agent' AND origin NOT GLOB 'hook/*';

INSERT INTO project (id, name, off_at, created_at) VALUES (1, 'shop', NULL, 1795652286262);
INSERT INTO project (id, name, off_at, created_at) VALUES (2, 'diary', NULL, 1795652286810);
INSERT INTO project_key (kind, value, project) VALUES ('folder', CAST('/home/dev/diary' AS BLOB), 2);
INSERT INTO project_key (kind, value, project) VALUES ('folder', CAST('/home/dev/shop' AS BLOB), 1);
INSERT INTO project_key (kind, value, project) VALUES ('git', CAST('/home/dev/shop/.git' AS BLOB), 1);
INSERT INTO project_key (kind, value, project) VALUES ('remote', CAST('example.org/a/shop' AS BLOB), 1);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (1, 1, 'claude-code', '11111111-aaaa-4000-8000-000000000001', '', NULL, 'start', 1, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-11111111-aaaa-4000-8000-000000000001.jsonl' AS BLOB), NULL, 1795652286304, 1795652286991, 1795652286991, 0, NULL, 0, NULL, 5, 3, 1795652286931);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (3, 2, 'desk', '2', '', NULL, 'start', 1, 'desk-1', NULL, NULL, NULL, NULL, 1795652286817, 1795652286817, NULL, 0, NULL, 0, NULL, 1, 1, 1795652286821);
INSERT INTO session (id, project, harness, external, agent, parent, began, instance, machine, model, cwd, transcript, host_pid, started_at, seen_at, ended_at, compactions, warned_at, told_seq, answer, n_notes, n_open, last_note) VALUES (4, 1, 'claude-code', '33333333-cccc-4000-8000-000000000003', '', NULL, 'start', 3, 'desk-1', 'gpt', CAST('/home/dev/shop' AS BLOB), CAST('/home/dev/rollouts/rollout-33333333-cccc-4000-8000-000000000003.jsonl' AS BLOB), NULL, 1795652286843, 1795652286843, NULL, 0, NULL, 0, NULL, 1, 1, 1795652286854);
INSERT INTO notepad (session, rev, updated_at, text) VALUES (1, 2, 1795652286611, '# Plan
- [x] one
- [ ] two
');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (1, 1, 1795652286315, 1795652286315, 1795652286315, NULL, 'decision,money', 'Money is kept in cents.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (2, 1, 1795652286339, 1795652286339, 1795652286339, 1795652286910, 'bug,api', 'Retry swallows E_DUP, see retry.rs.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (3, 1, 1795652286367, 1795652286367, 1795652286367, 1795652286479, 'todo', 'Ask about ümläuts and 日本語.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (4, 1, 1795652286380, 1795652286380, 1795652286511, NULL, 'done', 'Right in the end.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (7, 1, 1795652286654, 1795652286654, 1795652286654, NULL, 'todo', 'With a write id.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (9, 3, 1795652286821, 1795652286821, 1795652286821, NULL, 'desk', 'In the diary.');
INSERT INTO note (row, session, id, created_at, updated_at, scratched_at, tags, content) VALUES (10, 4, 1795652286854, 1795652286854, 1795652286854, NULL, 'x', 'Of a session that is forgotten.');
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'api', 1795652286339, 1795652286339, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'bug', 1795652286339, 1795652286339, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'decision', 1795652286315, 1795652286315, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'done', 1795652286511, 1795652286380, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'money', 1795652286315, 1795652286315, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'todo', 1795652286367, 1795652286367, 0);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (1, 'todo', 1795652286654, 1795652286654, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (3, 'desk', 1795652286821, 1795652286821, 1);
INSERT INTO note_tag (session, tag, updated_at, id, is_open) VALUES (4, 'x', 1795652286854, 1795652286854, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'api', 1, 0);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'bug', 1, 0);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'decision', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'done', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'money', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (1, 'todo', 2, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (3, 'desk', 1, 1);
INSERT INTO tag_count (session, tag, n_notes, n_open) VALUES (4, 'x', 1, 1);
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (1, 'store', '01a21537-7736-73da-a0ec-ef9b1621a21b', 'begin_project', 'hook/tool', 1795652286262, X'be625de06ebe4342fe4c51617980585adce0b8ee34fb94ce89f20c3b1e174098', X'0000000000000000000000000000000000000000000000000000000000000000', X'd56e6b356223e8b204007dadac328c7a7fdcec649a8a1bc672f7269e9c3e8613');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (2, 'project:1', '01a21537-7760-7173-877d-63ecf07ec301', 'begin_session', 'hook/tool', 1795652286304, X'44813e3af104f267eb0fbc3abde15f5f012504d275ddb2f4b01d1d40fd87521c', X'0000000000000000000000000000000000000000000000000000000000000000', X'71b0d965ee38eb1036c1150ad243b226edbe15a09cd457defddf8d3a87acca08');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (3, 'session:1', '01a21537-776b-749f-be59-6e4022436446', 'add_note', 'cli/user', 1795652286315, X'3363221a2d0d1070c0f10cfc3cbaf197a9ebbf71adc0f81cb45a6bd515f4c59f', X'0000000000000000000000000000000000000000000000000000000000000000', X'368c037567b91730cac2a4b11812de9cbf7e0b68189822e4c9b604af6e6654c0');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (4, 'session:1', '01a21537-7782-70e7-a227-210523cca138', 'add_note', 'cli/user', 1795652286339, X'535942b242e93b0aa894f16062144b22f48f35aaa4e4056f7eb06f7ef82f08cd', X'368c037567b91730cac2a4b11812de9cbf7e0b68189822e4c9b604af6e6654c0', X'f3d4b6be1ef751e48f7af92fb09518189ca04ce1874b1455547c23410125d75f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (5, 'session:1', '01a21537-779f-7026-90cd-02514105d08b', 'add_note', 'cli/user', 1795652286367, X'995a134f66a9412a659b895acfd936188b66984a1f155d840f764fd4b9281308', X'f3d4b6be1ef751e48f7af92fb09518189ca04ce1874b1455547c23410125d75f', X'25a49c9458226eccebc3c0ce89a4cb02f1ef11b9d369beaa972b3c01ff09333f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (6, 'session:1', '01a21537-77ab-76f0-8866-e1b347ea331d', 'add_note', 'cli/user', 1795652286379, X'd2929a839a2300f3b0eb6898c74b7f86ddaecdd8f478cc5aae3cfc9ffdaede26', X'25a49c9458226eccebc3c0ce89a4cb02f1ef11b9d369beaa972b3c01ff09333f', X'd8d6dd99d49968e791fa64077fb5a024312c80ae24c18e414ddf2efc13bec94a');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (7, 'session:1', '01a21537-77ca-7356-8039-0f94c34c3e35', 'add_note', 'cli/user', 1795652286411, X'e63c1523ea821c4b8fb26ee062530453eb0f0c4b2048c6d5bbfd24828d440c81', X'd8d6dd99d49968e791fa64077fb5a024312c80ae24c18e414ddf2efc13bec94a', X'3e47aca3a4ba22efa8df539042e348d1d55e211c0ac6169988fa6e20988db9c6');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (8, 'session:1', '01a21537-77e7-72ec-a06d-f70be97bc55a', 'add_note', 'cli/user', 1795652286439, X'd146e9a6b40cdf5146529322f443b82143060c47d54936c511e872a332eebe2c', X'3e47aca3a4ba22efa8df539042e348d1d55e211c0ac6169988fa6e20988db9c6', X'd2f1bcdbd9bf2dfc6a3540bd72b272e0823e30da1f2f979dfc8a1b131dc08634');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (9, 'session:1', '01a21537-780e-760e-b559-f3033b44d48a', 'scratch_note', 'cli/user', 1795652286479, X'9095181a994954ef967371d85017853d97a4ff0dd3b305f6c110117d0ae6f4f7', X'd2f1bcdbd9bf2dfc6a3540bd72b272e0823e30da1f2f979dfc8a1b131dc08634', X'e6988a151ea0906f3b09be2965d55103c979ef5550804d12a8109b019b4d65e5');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (10, 'session:1', '01a21537-782f-7725-8829-fbb1e42535f0', 'update_note', 'cli/user', 1795652286511, X'bd8c3d1a4fb6f230db77dfaf2d861e1156b6a84df651e90b34ae1a5f07f3aedb', X'e6988a151ea0906f3b09be2965d55103c979ef5550804d12a8109b019b4d65e5', X'281fd054cbaad37c39a3bacd6aa3903070069abb126092623dbb4a0592a2516f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (11, 'session:1', '01a21537-7852-7261-9909-2033d34d70e2', 'delete_note', 'cli/user', 1795652286547, X'9df9407fc03e865b2bf69dd32733d1c10225ef2ac8fee1d355d58b756a8a3395', X'281fd054cbaad37c39a3bacd6aa3903070069abb126092623dbb4a0592a2516f', X'b1e7e44eef80b49d324926e27684d678ec47900362f33a2bee3075658984229f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (12, 'session:1', '01a21537-7879-7338-a5af-142ee7f79272', 'write_notepad', 'cli/user', 1795652286585, X'986d695cfcf4d7eb93b012870ccd4add4e7fcb63b52a833587b22b3bbc5afb76', X'b1e7e44eef80b49d324926e27684d678ec47900362f33a2bee3075658984229f', X'813a487e25e90c3a43dcd28c2ac2fe7bfb63193de0d5fa07b0a8ba2717130cc5');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (13, 'session:1', '01a21537-7892-771c-bfa6-55076118839a', 'write_notepad', 'cli/user', 1795652286610, X'1a6065240f1ef7f912c93bad6960dc77cae0491e8f85bb99cad6eee9cf1d446a', X'813a487e25e90c3a43dcd28c2ac2fe7bfb63193de0d5fa07b0a8ba2717130cc5', X'a3a022c2963b0fbe6e4a8073349c57fe3ba78c656f88498dd33d5120ce4b238e');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (14, 'session:1', 'mine-1', 'add_note', 'cli/user', 1795652286654, X'de242e88d9dfcf503f04c2588086e9bd143f6086e53db32e10d8f859fb3e2d84', X'a3a022c2963b0fbe6e4a8073349c57fe3ba78c656f88498dd33d5120ce4b238e', X'2d5eadecf79aaf4c102b1bef8ed5a892792c4c7e7c185a5a20eeae4222d93358');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (15, 'session:1', '01a21537-78df-735f-a9b5-d262cea4a860', 'forget', 'cli/user', 1795652286687, X'3cbeaef2d21bbf78d15e83f25bfaafa5cda8cb578fbaf144e2bd87b406166d14', X'2d5eadecf79aaf4c102b1bef8ed5a892792c4c7e7c185a5a20eeae4222d93358', X'2df33686cbb5dbc87cdee99e6e2d0de41da82de33074bcdfb14946928f6583c1');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (16, 'project:1', '01a21537-7926-77b2-bb5f-899f84183b97', 'begin_session', 'cli/user', 1795652286758, X'1ccf678f3a22fab62f40e220cb88925548b98561904b422860169921f537ed66', X'71b0d965ee38eb1036c1150ad243b226edbe15a09cd457defddf8d3a87acca08', X'e69d2bd88b686463873eab30c63d016841f175c48c215699a10a0ad21853b00d');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (17, 'session:2', '01a21537-792d-710f-96ca-d2199a348151', 'add_note', 'cli/user', 1795652286765, X'5bee44d83883aabe91dd221b89ecc0b0fda4766440f12e341f1b286e8d1148e2', X'0000000000000000000000000000000000000000000000000000000000000000', X'563b9eb3db168ea20f1b98fe8402e46bc9846c49edc098402a69bde26540c4e6');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (18, 'session:2', '01a21537-793f-7214-9202-d77708b134d0', 'write_notepad', 'cli/user', 1795652286783, X'e4dedcfd5ba6e300683bff017753b1fe084e3ba954b7f1f121c0042f2a927ec4', X'563b9eb3db168ea20f1b98fe8402e46bc9846c49edc098402a69bde26540c4e6', X'9f79351e346e68587f5047ef4e1b39328a0468898e6d2d78023091c53c49c02f');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (19, 'store', '01a21537-795a-76a9-99e2-d87cdd767e70', 'begin_project', 'cli/user', 1795652286810, X'510bcfc152592cb76aa241344312593461a589e0a44d502ce7b0a73c1f5338d2', X'd56e6b356223e8b204007dadac328c7a7fdcec649a8a1bc672f7269e9c3e8613', X'82185090a6a754dcafcaba32d4aa8b007fab77dc15864e69f0081ebd7156a643');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (20, 'project:2', '01a21537-7961-7702-a610-0b8eb6d02ce5', 'begin_session', 'cli/user', 1795652286817, X'cc1f186fe3c833ebfd0782b378cc80cf22ccaa5b3b5b70d696d8578e35424611', X'0000000000000000000000000000000000000000000000000000000000000000', X'4aa8d3049a482cbe537e962f6ac8b16880ced53f7bc7df65a43d609002d72ab6');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (21, 'session:3', '01a21537-7965-70f0-b50d-d3ec72b351e7', 'add_note', 'cli/user', 1795652286821, X'8a50816e38ceb3f5b7b4bce8f996a07b75cfb35e0a61dbce5ed36067e95611b4', X'0000000000000000000000000000000000000000000000000000000000000000', X'7b4cbdb53fa5f3c4263b89eb30502c266d743a134b82bc120ac2269fafda310b');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (22, 'project:1', '01a21537-797b-719f-b90a-c62c484ce190', 'begin_session', 'hook/tool', 1795652286843, X'9127d1f585be5fa89418b6eac48354476e31a47bce04f129a9c064161767ed98', X'e69d2bd88b686463873eab30c63d016841f175c48c215699a10a0ad21853b00d', X'cde888447828a54f80af6c23522932f39a50862b40a180e19045e363825949df');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (23, 'session:4', '01a21537-7986-75d8-bf7d-0365c77e5806', 'add_note', 'cli/user', 1795652286854, X'b4103cb648d447346cdc1fd357c1dd5600f5c504889bb992c67b9ec56b98d082', X'0000000000000000000000000000000000000000000000000000000000000000', X'3e8fe27360bf5e86c401d3c80e8fee2358d98e4131916613dbf449b22b470237');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (24, 'session:1', '01a21537-79be-7760-ae47-9236ba3f87b5', 'scratch_note', 'cli/user', 1795652286910, X'717ebd5a71cc5976475333a2f8f5afac21141581655d9fe067c568bd13ba4e8f', X'2df33686cbb5dbc87cdee99e6e2d0de41da82de33074bcdfb14946928f6583c1', X'd6ab602e582b59a213136df0a502c55ecf70a4b5a661cbad33d46886420378e2');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (25, 'session:1', '01a21537-79d3-77e2-a066-d440f266090d', 'add_note', 'cli/user', 1795652286931, X'dd9cd61ddafeafd3dc49b549295904832cc7a67370aec69c87ea7b4bb96afd43', X'd6ab602e582b59a213136df0a502c55ecf70a4b5a661cbad33d46886420378e2', X'c6863a1ce9f78c0c630c4af184a604f2cb8dea628159d18528cea4e499443dc2');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (26, 'session:1', '01a21537-79ef-724b-89bd-846f273eeb12', 'delete_note', 'cli/user', 1795652286959, X'f50f235262fa2728dcb8c6605a08dca6425161b0a8c7a47ac134d5a61608ed99', X'c6863a1ce9f78c0c630c4af184a604f2cb8dea628159d18528cea4e499443dc2', X'5b760015b93a51763cb17e6aee63953d917d4a0f3a413232a591c7cf1f0e1926');
INSERT INTO journal (seq, scope, write_id, kind, origin, at, body_hash, prev_hash, hash) VALUES (27, 'session:1', '9c8a26adff4c1fb95020f74019fd838d', 'note_session', 'hook/tool', 1795652286991, X'971386a06301a6cb74621c7fb9624fe25c1398b9463a6118bb6322143e23c913', X'5b760015b93a51763cb17e6aee63953d917d4a0f3a413232a591c7cf1f0e1926', X'b02f5f4088ffd68d554e23ed834c2eeb1646bb8e33ece683c2c4ee934c90042e');
INSERT INTO journal_body (seq, body) VALUES (1, CAST('{"arguments":"dfc0d9e0090555db231b1ca303c475cefb47f7d380bbc93120682e0ad4026db4","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (2, CAST('{"arguments":"54bf12009430c1c273edc55bcde9f99ce8b2e46860addcb4959f33712aff80e5","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (3, CAST('{"arguments":"de898c5da4e7a4cbaab407a18dc0ee6610a819e2c87416302fb703b2276a9763","reply":"{\"id\":\"note_1795652286315\",\"content\":\"Money is kept in cents.\",\"tags\":[\"decision\",\"money\"],\"created_at\":\"2026-11-26T00:18:06.315Z\",\"updated_at\":\"2026-11-26T00:18:06.315Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":1}","undo":[{"change":"drop_note","session":1,"id":1795652286315}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (4, CAST('{"arguments":"a139b572ecf20566029a2fd80a01e0af7eabf7427b0b421f48d48b6ad6cb2961","reply":"{\"id\":\"note_1795652286339\",\"content\":\"Retry swallows E_DUP, see retry.rs.\",\"tags\":[\"bug\",\"api\"],\"created_at\":\"2026-11-26T00:18:06.339Z\",\"updated_at\":\"2026-11-26T00:18:06.339Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":2}","undo":[{"change":"drop_note","session":1,"id":1795652286339}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (5, CAST('{"arguments":"f6d2bda6ac0bc5e32c0bdc2c8723fef9361df2b8f2fb7bc5697d9e9a8b00ed6e","reply":"{\"id\":\"note_1795652286367\",\"content\":\"Ask about ümläuts and 日本語.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:06.367Z\",\"updated_at\":\"2026-11-26T00:18:06.367Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":3}","undo":[{"change":"drop_note","session":1,"id":1795652286367}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (6, CAST('{"arguments":"d42bdfe6f43659320ded63ec47b2e7aa9e2f8cc7c3a048d00f456577c9e987c5","reply":"{\"id\":\"note_1795652286380\",\"content\":\"Wrong from the start.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:06.380Z\",\"updated_at\":\"2026-11-26T00:18:06.380Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":4}","undo":[{"change":"drop_note","session":1,"id":1795652286380}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (8, CAST('{"arguments":"78b74c5f06347229a9f1364113725576418c51ef3cf0e51509b0f8e86fe4d144","reply":"{\"id\":\"note_1795652286439\",\"content\":\"Will be gone, the newest.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:06.439Z\",\"updated_at\":\"2026-11-26T00:18:06.439Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":6}","undo":[{"change":"drop_note","session":1,"id":1795652286439}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (9, CAST('{"arguments":"f7ac3e5428b1764c8f03d1ff55dfe5f9c5f09553a5c75ad14e35f04dcdc47717","reply":"{\"id\":\"note_1795652286367\",\"content\":\"Ask about ümläuts and 日本語.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:06.367Z\",\"updated_at\":\"2026-11-26T00:18:06.367Z\",\"scratched\":true,\"done\":\"scratched\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"set_note","session":1,"note":{"id":1795652286367,"content":"Ask about ümläuts and 日本語.","tags":["todo"],"created_at":1795652286367,"updated_at":1795652286367,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (10, CAST('{"arguments":"8c1d81d71cd497ae276985bc904a4f5ab4f6981ba71aab491b3786d7b8cff19d","reply":"{\"id\":\"note_1795652286380\",\"content\":\"Right in the end.\",\"tags\":[\"done\"],\"created_at\":\"2026-11-26T00:18:06.380Z\",\"updated_at\":\"2026-11-26T00:18:06.511Z\",\"scratched\":false,\"done\":\"updated (content, tags)\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"set_note","session":1,"note":{"id":1795652286380,"content":"Wrong from the start.","tags":["todo"],"created_at":1795652286380,"updated_at":1795652286380,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (11, CAST('{"arguments":"3d175535d60f6431062cfa9ac2d2621e6b70b3692af0fea13f6072e7084570ac","reply":"{\"id\":\"note_1795652286439\",\"session\":\"11111111\",\"open\":4}","undo":[{"change":"add_note","session":1,"note":{"id":1795652286439,"content":"Will be gone, the newest.","tags":["todo"],"created_at":1795652286439,"updated_at":1795652286439,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (12, CAST('{"arguments":"b97f09c0367abbc926e7b68a4f415fffec2f3ca0b4cfa03fd78d87976ced4261","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":1,\"tokens\":11,\"standing\":\"11 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"drop_notepad","session":1}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (13, CAST('{"arguments":"e7b31ec1d890bfb5faa732a0f57e6b8fdd6af33b7ca3647e94390dd62b4d8e57","reply":"{\"ok\":true,\"session\":\"11111111\",\"rev\":2,\"tokens\":18,\"standing\":\"18 tokens, shown whole after compaction (this session only)\"}","undo":[{"change":"edit_notepad","session":1,"splice":{"at":10,"remove":16,"insert":" ] one"},"rev":1,"at":1795652286611}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (14, CAST('{"arguments":"96271624ee564d3f44f48320bdf24c0e0af45cb3a5b3d1e87013173193b32574","reply":"{\"id\":\"note_1795652286654\",\"content\":\"With a write id.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:06.654Z\",\"updated_at\":\"2026-11-26T00:18:06.654Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":5}","undo":[{"change":"drop_note","session":1,"id":1795652286654}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (16, CAST('{"arguments":"271ace73e918b295e5086388e5d8cf26177ab6737e331e5f3885f74630a2c3ea","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (19, CAST('{"arguments":"46358af718ff83b1d560654b01f9d7e135ff715c95643856569bcd58084cf787","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (20, CAST('{"arguments":"c5712f2d87c08f4fbf8cc2dceb0bac77f2f5c40924494408b39aed4792cf68fd","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (21, CAST('{"arguments":"782522b5479255efb9a3108427106ae8deff11cbef69524de1b7f24763ff50f4","reply":"{\"id\":\"note_1795652286821\",\"content\":\"In the diary.\",\"tags\":[\"desk\"],\"created_at\":\"2026-11-26T00:18:06.821Z\",\"updated_at\":\"2026-11-26T00:18:06.821Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"2\",\"open\":1}","undo":[{"change":"drop_note","session":3,"id":1795652286821}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (22, CAST('{"arguments":"36a781e3f4be717ed2e4a4e02be61adf75511d8ded027219056ad51e8901a44d","reply":"null","undo":[]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (23, CAST('{"arguments":"e64ef132c67b1b63567c10cd152da38474ca1e8fdad9463adaf88b7c8cbedb5f","reply":"{\"id\":\"note_1795652286854\",\"content\":\"Of a session that is forgotten.\",\"tags\":[\"x\"],\"created_at\":\"2026-11-26T00:18:06.854Z\",\"updated_at\":\"2026-11-26T00:18:06.854Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"33333333\",\"open\":1}","undo":[{"change":"drop_note","session":4,"id":1795652286854}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (24, CAST('{"arguments":"6bbf04c572b27ddf57fe9fa5e30a8c4aa020d01f910ecf598e8e885edf3e7977","reply":"{\"id\":\"note_1795652286339\",\"content\":\"Retry swallows E_DUP, see retry.rs.\",\"tags\":[\"bug\",\"api\"],\"created_at\":\"2026-11-26T00:18:06.339Z\",\"updated_at\":\"2026-11-26T00:18:06.339Z\",\"scratched\":true,\"done\":\"scratched\",\"session\":\"11111111\",\"open\":3}","undo":[{"change":"set_note","session":1,"note":{"id":1795652286339,"content":"Retry swallows E_DUP, see retry.rs.","tags":["bug","api"],"created_at":1795652286339,"updated_at":1795652286339,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (25, CAST('{"arguments":"a72365157d18d8fb0b5125bf4b14f20ebd97c8fd838f28471d5a42c28c61fac6","reply":"{\"id\":\"note_1795652286931\",\"content\":\"The newest, and gone.\",\"tags\":[\"todo\"],\"created_at\":\"2026-11-26T00:18:06.931Z\",\"updated_at\":\"2026-11-26T00:18:06.931Z\",\"scratched\":false,\"done\":\"added\",\"session\":\"11111111\",\"open\":4}","undo":[{"change":"drop_note","session":1,"id":1795652286931}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (26, CAST('{"arguments":"088e92d828e2cfded2e970364dce7f331823b6dafc62e3dead9d640b67d4e4b5","reply":"{\"id\":\"note_1795652286931\",\"session\":\"11111111\",\"open\":3}","undo":[{"change":"add_note","session":1,"note":{"id":1795652286931,"content":"The newest, and gone.","tags":["todo"],"created_at":1795652286931,"updated_at":1795652286931,"scratched_at":null}}]}' AS BLOB));
INSERT INTO journal_body (seq, body) VALUES (27, CAST('{"arguments":"9c8a26adff4c1fb95020f74019fd838d4fab69a8d75aa489c96c877f658bac6f","reply":"null","undo":[]}' AS BLOB));
INSERT INTO store (name, value) VALUES ('key', '3a83efbe45aa28d4b9d44f78a46ab80bbb9b3131ee2d5d184b8e296abe0ee01e');
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('project', 2);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('journal', 27);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('session', 4);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('note', 11);
