//! Who may do less than the owner, and what others left in the database: nothing is lost, shown or called empty by it.

use std::sync::Arc;

use vademecum_core::entry::{Category, Entry, Said, Text};
use vademecum_core::id::{EntryId, ProjectId};
use vademecum_core::plan::PlanName;
use vademecum_core::project::{KeyKind, ProjectKey};
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::splice::Splice;
use vademecum_core::sub_agent::Running;
use vademecum_core::time::Time;
use vademecum_postgres::{Address, Options, Postgres};
use vademecum_store::{
    Change, Depth, EntryFilter, Erase, Invited, Members, NoteFilter, Scope, Store, StoreError, read,
};

use crate::scene::{
    PROJECT, Server, add_note, add_project, add_session, commit, key, pooler, raw, server, texts,
    with_session,
};

/// What a person of a store is granted.
pub(crate) const PERSON: [&str; 2] =
    ["USAGE ON SCHEMA s", "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA s"];

/// A role that was granted something in the schema of the store that was made last.
pub(crate) struct Role<'a> {
    server: &'a Server,
    pub(crate) name: String,
}

impl<'a> Role<'a> {
    pub(crate) fn new(server: &'a Server, name: &str, grants: &[&str]) -> Self {
        let schema = server.last();
        let name = format!("{name}_{schema}");
        let grants = grants.iter().map(|grant| format!("GRANT {grant} TO {name};"));
        let grants = grants.collect::<String>().replace("SCHEMA s", &format!("SCHEMA {schema}"));
        server.raw(&format!("CREATE ROLE {name} LOGIN PASSWORD '{name}'; {grants}"));
        Self { server, name }
    }

    /// A handle on the store.
    pub(crate) fn store(&self) -> Postgres {
        let url = format!("{}?schema={}", self.server.url_of(&self.name), self.server.last());
        let address = Address::parse(&url, &|_| None).expect("an address");
        Postgres::at(address, Options::patient())
    }

    /// What the server answers to commands of the role's own, without our program.
    pub(crate) fn raw(&self, sql: &str) -> Result<Vec<String>, String> {
        let path = format!("SET search_path = {}; {sql}", self.server.last());
        raw(&self.server.url_of(&self.name), &path).map(|rows| texts(&rows))
    }
}

impl Drop for Role<'_> {
    fn drop(&mut self) {
        self.server.raw(&format!("DROP OWNED BY {0}; DROP ROLE {0}", self.name));
    }
}

#[test]
fn who_may_not_use_the_schema_is_told_so_and_not_that_it_is_empty() {
    let Some(server) = server() else { return };
    let (_store, session) = with_session(&server);
    let role = Role::new(&server, "closed", &["SELECT ON ALL TABLES IN SCHEMA s"]);
    let closed = role.store();
    let error =
        read(&closed, |view| view.notes(&session, &NoteFilter::ALL, 0)).expect_err("closed");
    assert!(error.to_string().contains("this user may not use its schema"), "{error}");
    assert!(closed.health(Depth::Deep).is_err());
}

#[test]
fn a_table_that_is_gone_is_damage_and_no_empty_store() {
    let Some(server) = server() else { return };
    let (store, session) = with_session(&server);
    server.raw(&format!("DROP TABLE {}.note", server.last()));
    let error = read(&store, |view| view.notes(&session, &NoteFilter::ALL, 0)).expect_err("gone");
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    let health = store.health(Depth::Quick).expect("health");
    assert_eq!(health.faults, ["the table note is gone"]);
}

fn begin_project(store: &Postgres, project: ProjectId) {
    let Change::AddProject { name, keys, at, .. } = add_project() else { unreachable!() };
    let made = Change::AddProject { id: project, name, keys, at };
    commit(store, Scope::Store, &format!("project {project}"), &[made]).expect("a project");
}

/// Makes a project, and the session `s` there.
pub(crate) fn begin(store: &Postgres, project: ProjectId) {
    begin_project(store, project);
    let Change::AddSession { key, parent, began, instance, host_name, place, at, .. } =
        add_session(&key("s"))
    else {
        unreachable!()
    };
    let begun = Change::AddSession { project, key, parent, began, instance, host_name, place, at };
    commit(store, Scope::Session(crate::scene::key("s")), "begin", &[begun]).expect("a session");
}

/// Begins a plan of a project, with one entry.
pub(crate) fn begin_plan(store: &Postgres, project: ProjectId, session: &SessionKey, text: &str) {
    let name = PlanName::new("a").expect("a name");
    let said = Said::bare(Category::Learning, Text::new(text).expect("a text"));
    let entry = Entry {
        session: Some(Arc::new(session.clone())),
        ..Entry::new(EntryId(1), name.clone(), Time(1), said)
    };
    let plan = Change::AddPlan { project, name, is_tracked: false, at: Time(1) };
    let changes = [plan, Change::AddEntry { project, entry }];
    commit(store, Scope::Project(project), "plan", &changes).expect("a plan");
}

/// A project and a session there, with something in each table.
fn fill(store: &Postgres, session: &SessionKey, text: &str) {
    begin_plan(store, PROJECT, session, text);
    let agent = SessionKey { agent: Some("a".to_owned()), ..session.clone() };
    let begun = Change::AddSession {
        project: PROJECT,
        key: agent.clone(),
        parent: Some(session.clone()),
        began: Began::Spawn,
        instance: 2,
        host_name: String::new(),
        place: Place::default(),
        at: Time(1),
    };
    let running =
        Running { began_at: Time(1), host_pid: None, kind: Some(text.to_owned()), asked: None };
    let splice = Splice::between("", text);
    let keys = vec![ProjectKey { kind: KeyKind::Folder, machine: None, value: b"/p".to_vec() }];
    commit(store, Scope::Store, "keys", &[Change::AddProjectKeys { project: PROJECT, keys }])
        .expect("keys");
    let own = session.clone();
    commit(
        store,
        Scope::Session(own.clone()),
        "all",
        &[
            add_note(&own, 1, text),
            begun,
            Change::SetRunning { session: agent, running: Some(running) },
            Change::EditNotepad { session: own.clone(), splice, rev: 1, at: Time(1) },
            Change::SetHandoff { session: own.clone(), text: Some(text.to_owned()), at: Time(1) },
            Change::SetRecap { session: own, body: text.to_owned(), at: Time(1) },
        ],
    )
    .expect("all");
    store.intend(text).expect("an intention");
}

const TABLES: [&str; 16] = [
    "entry",
    "handoff",
    "intent",
    "journal",
    "line",
    "member",
    "note",
    "notepad",
    "other_scope",
    "plan",
    "project",
    "project_key",
    "recap",
    "running",
    "session",
    "tag_count",
];

/// What is refused to who was not invited, of a project and a session of `ann`.
fn refused(number: &str, session: &str, ann: &str) -> Vec<String> {
    let line = |holder: &str| {
        format!(
            "INSERT INTO line SELECT {holder}, decode(repeat('ac', 16), 'hex'), 1, decode(repeat('ac', 16), 'hex'), false FROM store"
        )
    };
    vec![
        format!(
            "INSERT INTO member (project, person, owner) VALUES ({number}, session_user, session_user)"
        ),
        format!(
            "INSERT INTO member (project, person, owner) VALUES ({number}, session_user, '{}')",
            ann
        ),
        format!("INSERT INTO plan SELECT 99, {number}, 'x', 'x', 1, NULL, NULL, false"),
        "INSERT INTO other_scope (digest, text, holder, owner) VALUES ('x', 'x', 999, 'ann')"
            .to_owned(),
        format!("SET SESSION AUTHORIZATION {}", ann),
        format!("SET ROLE {}", ann),
        "ALTER TABLE note DISABLE ROW LEVEL SECURITY".to_owned(),
        "SET row_security = off; SELECT 1 FROM note".to_owned(),
        format!("INSERT INTO session SELECT -1, 'd', 'f', {number}, 'h', 'e', 'a', NULL, 'b', 0, 'h', 0, 0, NULL, 'p', 's'"),
        format!("INSERT INTO project_key VALUES ('d', 'k', 'v', 'm', {number})"),
        format!("INSERT INTO handoff VALUES ({session}, 1, 'x')"),
        format!("INSERT INTO notepad VALUES ({session}, 1, 1, 'x')"),
        format!("INSERT INTO recap VALUES ({session}, 1, 'x')"),
        format!("INSERT INTO tag_count VALUES ({session}, sha256('kept'), 'kept', 0, 0)"),
        format!("INSERT INTO note VALUES ({session}, -1, 2, 1, 1, NULL, '{{}}', 'x')"),
        format!("INSERT INTO note_key VALUES ({session}, -1, 2, '{{}}')"),
        format!("INSERT INTO project (id, uid, name, created_at) VALUES ({session}, decode(repeat('ac', 16), 'hex'), 'q', 1)"),
        // What stands in the way of who erases, writes or lists.
        format!("INSERT INTO running SELECT id, {session}, 1, '{{}}' FROM session"),
        format!("INSERT INTO note_key SELECT id, -1, 2, '{{}}' FROM session; UPDATE note_key SET session = {session}, place = 3 WHERE id = -1"),
        line("last_holder + 1"),
        line(session),
        format!("INSERT INTO journal SELECT last_seq + 1, {session}, false, 1, 'k', 's', 'a', decode(repeat('ac', 32), 'hex'), 'w', decode(repeat('ac', 16), 'hex'), decode(repeat('ac', 16), 'hex'), NULL, NULL, NULL, false FROM store"),
        "UPDATE line SET head_hash = 'x'".to_owned(),
        "UPDATE project SET name = decode('ff', 'hex')".to_owned(),
        "UPDATE project SET name = convert_to(repeat('x', 5000), 'UTF8')".to_owned(),
        r"UPDATE project SET name = convert_to(E'a\nvade: run it', 'UTF8')".to_owned(),
        r"UPDATE project SET name = convert_to(E'a\rb', 'UTF8')".to_owned(),
        r"UPDATE project SET name = convert_to(E'\x1b[31m', 'UTF8')".to_owned(),
        r"UPDATE project SET name = decode('61c285', 'hex')".to_owned(),
        r"UPDATE project SET name = decode('e280a8', 'hex')".to_owned(),
        "INSERT INTO plan SELECT last_plan + 1, project.id, decode('ff', 'hex'), 'x', 1, NULL, NULL, false FROM store, project".to_owned(),
        r"INSERT INTO plan SELECT last_plan + 1, project.id, E'a\\012', 'y', 1, NULL, NULL, false FROM store, project".to_owned(),
        "INSERT INTO plan SELECT last_plan + 1, project.id, '../x', 'z', 1, NULL, NULL, false FROM store, project".to_owned(),
        "INSERT INTO journal SELECT last_seq + 1, (SELECT min(id) FROM session), false, 1, decode('ff', 'hex'), 's', 'a', decode(repeat('ac', 32), 'hex'), 'x', decode(repeat('ac', 16), 'hex'), decode(repeat('ac', 16), 'hex'), NULL, NULL, NULL, false FROM store".to_owned(),
        "UPDATE store SET key = sha256('x')".to_owned(),
        "UPDATE store SET version = 3000".to_owned(),
        "UPDATE store SET last_seq = 1".to_owned(),
        "WITH had AS (UPDATE store SET has_bytes = true) SELECT 1; UPDATE store SET has_bytes = false".to_owned(),
    ]
}

/// Nobody reads or changes what is another's, with our program or with SQL of their own; an invitation shares the project.
#[test]
fn nobody_reaches_what_is_anothers() {
    let Some(server) = server() else { return };
    let keeper = Postgres::at(server.place(), Options::patient());
    keeper.intend("make it").expect("a store");
    let [ann, ben] = ["ann", "ben"].map(|name| Role::new(&server, name, &PERSON));
    let (anns, bens) = (ann.store(), ben.store());
    begin(&anns, PROJECT);
    begin(&bens, ProjectId([2; 16]));
    fill(&anns, &key("s"), "the word of ann");
    let seen = |role: &Role<'_>| {
        let sql =
            TABLES.map(|table| format!("SELECT count(*)::text FROM {table}")).join(" UNION ALL ");
        role.raw(&sql).expect("a look")
    };
    let number = ann.raw("SELECT id::text FROM project").expect("a look").remove(0);
    let session = ann.raw("SELECT min(id)::text FROM session").expect("a look").remove(0);
    // Ben has the project and the session that he made himself, and their journal.
    let own = ["0", "0", "0", "2", "2", "0", "0", "0", "1", "0", "1", "0", "0", "0", "1", "0"];
    assert_eq!(seen(&ben), own);
    assert_eq!(
        seen(&ann),
        ["1", "1", "1", "5", "3", "0", "1", "1", "1", "1", "1", "1", "1", "1", "2", "1"]
    );

    for sql in refused(&number, &session, &ann.name) {
        assert!(ben.raw(&sql).is_err(), "{sql}");
    }
    for table in TABLES.iter().chain(&["note_key", "store"]) {
        let sql = format!(
            "WITH gone AS (DELETE FROM {table} WHERE owner <> session_user RETURNING 1) SELECT count(*)::text FROM gone"
        );
        let gone = ben.raw(&sql);
        assert!(gone.as_ref().is_err() || gone == Ok(vec!["0".to_owned()]), "{table}: {gone:?}");
    }
    let keys = ben.raw("SELECT count(*)::text FROM note_key").expect("hashes");
    assert_eq!(keys, ["1"], "what tells how many there are, and no word");

    let pages = |store: &Postgres| read(store, |view| view.page(&key("s"), 99)).expect("a page");
    assert!(pages(&anns).is_some() && pages(&bens).is_none());
    // Invited, ben has what is the project's, and nothing more.
    ann.raw(&format!(
        "INSERT INTO member (project, person, owner) VALUES ({number}, '{}', session_user)",
        ben.name
    ))
    .expect("invited");
    let shared = ["1", "0", "0", "3", "3", "1", "0", "0", "1", "1", "2", "0", "0", "0", "1", "0"];
    assert_eq!(seen(&ben), shared);
    assert!(pages(&bens).is_none());
    let refused = [
        "UPDATE project SET owner = session_user WHERE owner <> session_user",
        "UPDATE project SET uid = decode(repeat('ac', 16), 'hex') WHERE owner <> session_user",
        "UPDATE entry SET said = 'x'",
        "UPDATE journal SET owner = session_user, is_shared = false WHERE owner <> session_user",
        "UPDATE journal SET reply = 'x' WHERE owner <> session_user",
        "UPDATE line SET head = 0 WHERE owner <> session_user",
        "INSERT INTO entry SELECT project, 99, plan, category, at, false, NULL, NULL, session, sameness, said FROM entry",
    ];
    for sql in refused {
        assert!(ben.raw(sql).is_err(), "{sql}");
    }
    assert_eq!(
        ben.raw("WITH gone AS (DELETE FROM journal RETURNING 1) SELECT count(*)::text FROM gone"),
        Ok(vec!["0".to_owned()])
    );
    // Taken back, ben has what they had; and nobody invites themselves again.
    ann.raw("DELETE FROM member").expect("taken back");
    assert_eq!(seen(&ben), own);
    let again =
        "INSERT INTO member (project, person, owner) SELECT id, session_user, owner FROM project";
    ben.raw(&again.replace("FROM project", &format!("FROM project WHERE id = {number}")))
        .expect("nothing is there");
    assert_eq!(seen(&ben), own);
    for store in [&anns, &bens, &keeper] {
        assert_eq!(store.health(Depth::Deep).expect("health").faults, [""; 0]);
    }
}

/// Whoever takes numbers or switches vade off keeps nobody else from anything.
#[test]
fn nobody_stands_in_anothers_way() {
    let Some(server) = server() else { return };
    let keeper = Postgres::at(server.place(), Options::patient());
    keeper.intend("make it").expect("a store");
    let [ann, ben] = ["ann", "ben"].map(|name| Role::new(&server, name, &PERSON));
    let (anns, bens) = (ann.store(), ben.store());
    begin(&anns, PROJECT);
    begin(&bens, ProjectId([2; 16]));
    // What one switches off is off for that one.
    let off = Change::SetOff { project: None, off_at: Some(Time(1)) };
    commit(&bens, Scope::Store, "off", &[off]).expect("off");
    let is_off =
        |store: &Postgres| read(store, |view| view.store()).expect("a card").off_at.is_some();
    assert!(is_off(&bens) && !is_off(&anns));
    // Whoever takes the next numbers keeps nobody from writing.
    for sql in [
        "INSERT INTO intent (id, what) SELECT last_intent + 1, 'x' FROM store",
        "INSERT INTO project (id, uid, name, created_at) SELECT last_holder + 1, decode(repeat('ac', 16), 'hex'), 'q', 1 FROM store",
        "INSERT INTO journal SELECT last_seq + 1, (SELECT min(id) FROM session), false, 1, 'k', 's', 'a', decode(repeat('ac', 32), 'hex'), 'w', decode(repeat('ac', 16), 'hex'), decode(repeat('ac', 16), 'hex'), NULL, NULL, NULL, false FROM store",
    ] {
        ben.raw(sql).expect("taken");
        anns.intend(sql).expect("an intention");
        commit(
            &anns,
            Scope::Session(key("s")),
            sql,
            &[add_note(&key("s"), 9_000 + i64::try_from(sql.len()).expect("short"), "text")],
        )
        .expect("a note");
    }
    begin_project(&anns, ProjectId([3; 16]));
}

/// What would keep others from numbers that are theirs to come, by statements of one who has a session, a plan and an intention.
const AHEAD: [&str; 17] = [
    "UPDATE session SET id = (SELECT last_holder + 1 FROM store) WHERE n_notes = 0",
    "UPDATE project SET id = (SELECT last_holder + 1 FROM store) WHERE owner = session_user",
    "UPDATE plan SET id = (SELECT last_plan + 1 FROM store)",
    "UPDATE intent SET id = (SELECT last_intent + 1 FROM store)",
    "UPDATE journal SET seq = (SELECT last_seq + 1 FROM store) WHERE seq = (SELECT max(seq) FROM journal)",
    "INSERT INTO other_scope (digest, text, holder) SELECT 'x', 'x', last_holder + 1 FROM store;
     UPDATE other_scope SET holder = (SELECT last_holder + 1 FROM store) WHERE digest = 'x'",
    // Rows for a session to come, under a number that goes back.
    "CREATE TEMP TABLE own AS SELECT id FROM session WHERE n_notes = 0;
     UPDATE session SET id = (SELECT last_holder + 1 FROM store) WHERE id = (SELECT id FROM own);
     INSERT INTO note_key (session, id, place, keys) SELECT last_holder + 1, 0, 1, '{}' FROM store;
     UPDATE session SET id = (SELECT id FROM own) WHERE id = (SELECT last_holder + 1 FROM store)",
    // The last number of all, and those of others.
    "INSERT INTO intent (id, what) VALUES (9223372036854775807, 'x')",
    "INSERT INTO project (id, uid, name, created_at) VALUES (9223372036854775807, decode(repeat('ad', 16), 'hex'), 'q', 1)",
    "INSERT INTO other_scope (digest, text, holder) VALUES ('y', 'y', 9223372036854775807)",
    "INSERT INTO other_scope (digest, text, holder) VALUES ('y', 'y', 1)",
    "INSERT INTO plan SELECT 9223372036854775807, id, 'x', 'x', 1, NULL, NULL, false FROM project LIMIT 1",
    "INSERT INTO session SELECT 9223372036854775807, 'd', 'f', project, 'h', 'e', 'a', NULL, 'b', 0, 'h', 0, 0, NULL, 'p', 's' FROM session LIMIT 1",
    "INSERT INTO journal SELECT 9223372036854775807, (SELECT min(id) FROM session), false, 1, 'k', 's', 'a', decode(repeat('ac', 32), 'hex'), 'x', decode(repeat('ac', 16), 'hex'), decode(repeat('ac', 16), 'hex'), NULL, NULL, NULL, false",
    "UPDATE store SET last_seq = 9223372036854775807, last_holder = 9223372036854775807",
    "UPDATE store SET last_plan = last_plan + 1, last_intent = 9223372036854775807",
    "CREATE TEMP TABLE own (n bigint);
     CREATE TRIGGER own AFTER INSERT ON own REFERENCING NEW TABLE AS added
         FOR EACH STATEMENT EXECUTE FUNCTION count_number('version', 'n');
     INSERT INTO own SELECT generate_series(2001, 3000)",
];

/// Begins a project, a session, a plan and an intention: one of each number.
fn work(store: &Postgres, n: u8) -> Result<(), StoreError> {
    let project = ProjectId([100 + n; 16]);
    let session = key(&format!("w{n}"));
    let Change::AddProject { name, keys, at, .. } = add_project() else { unreachable!() };
    let made = Change::AddProject { id: project, name, keys, at };
    commit(store, Scope::Store, &format!("project {n}"), &[made])?;
    let scope = Scope::Session(session.clone());
    commit(store, scope.clone(), "begin", &[add_session(&session)])?;
    commit(store, scope, "note", &[add_note(&session, 1, "text")])?;
    let name = PlanName::new("a").expect("a name");
    let plan = Change::AddPlan { project, name, is_tracked: false, at: Time(1) };
    commit(store, Scope::Project(project), "plan", &[plan])?;
    store.intend(&n.to_string()).map(drop)
}

/// Nobody lays a row under a number that is another's to come, or takes all numbers that there are.
#[test]
fn nobody_takes_numbers_ahead() {
    let Some(server) = server() else { return };
    let keeper = Postgres::at(server.place(), Options::patient());
    keeper.intend("make it").expect("a store");
    let [ann, ben] = ["ann", "ben"].map(|name| Role::new(&server, name, &PERSON));
    let (anns, bens) = (ann.store(), ben.store());
    begin(&anns, PROJECT);
    anns.invite(PROJECT, &ben.name).expect("invited");
    work(&bens, 100).expect("what ben has");
    let empty = key("empty");
    commit(&bens, Scope::Session(empty.clone()), "begin", &[add_session(&empty)]).expect("it");
    for (n, sql) in (0..).zip(AHEAD) {
        let refused = ben.raw(sql);
        let done = work(&anns, n);
        assert!(refused.is_err() && done.is_ok(), "{sql}: {refused:?}, {done:?}");
    }
    for store in [&anns, &bens] {
        assert_eq!(store.health(Depth::Deep).expect("health").faults, [""; 0]);
    }
}

/// Who was invited to a project closes it for nobody, and whoever cannot write there is told why.
#[test]
fn who_is_invited_closes_no_project() {
    let Some(server) = server() else { return };
    let keeper = Postgres::at(server.place(), Options::patient());
    keeper.intend("make it").expect("a store");
    let [ann, ben] = ["ann", "ben"].map(|name| Role::new(&server, name, &PERSON));
    let anns = ann.store();
    begin(&anns, PROJECT);
    fill(&anns, &key("s"), "the word of ann");
    anns.invite(PROJECT, &ben.name).expect("invited");
    let adds = |name: &str| {
        let (name, id) = (PlanName::new(name).expect("a name"), name.to_owned());
        let add = Change::AddPlan { project: PROJECT, name, is_tracked: false, at: Time(1) };
        commit(&anns, Scope::Project(PROJECT), &id, &[add]).map(drop)
    };
    for (n, sql) in (0..).zip([
        "UPDATE line SET head = 9000000000000000000 WHERE is_shared",
        "UPDATE line SET head = head + 1 WHERE is_shared",
        "UPDATE line SET head_hash = decode(repeat('ac', 16), 'hex') WHERE is_shared",
        "UPDATE project SET last_entry = 9223372036854775807",
        "UPDATE project SET last_entry = NULL",
        "UPDATE plan SET name = decode('ff', 'hex')",
        "UPDATE plan SET folded = 'b0'",
    ]) {
        let refused = ben.raw(sql);
        let done = adds(&format!("b{n}"));
        assert!(refused.is_err() && done.is_ok(), "{sql}: {refused:?}, {done:?}");
    }
    // What only a keeper can do is told as what it is.
    let schema = server.last();
    server.raw(&format!("UPDATE {schema}.line SET head = 9000000000000000000 WHERE is_shared"));
    let error = adds("c").expect_err("a line that ends nowhere").to_string();
    assert!(
        error.contains("ends at entry 9000000000000000000, which is not there or not the last"),
        "{error}"
    );
}

/// Who worked in a project and is invited no longer is told what is the matter.
#[test]
fn who_is_invited_no_longer_is_told_so() {
    let Some(server) = server() else { return };
    let keeper = Postgres::at(server.place(), Options::patient());
    keeper.intend("make it").expect("a store");
    let [ann, ben] = ["ann", "ben"].map(|name| Role::new(&server, name, &PERSON));
    let (anns, bens) = (ann.store(), ben.store());
    begin(&anns, PROJECT);
    anns.invite(PROJECT, &ben.name).expect("invited");
    let session = key("t");
    commit(&bens, Scope::Session(session.clone()), "t", &[add_session(&session)]).expect("it");
    let adds = |name: &str| {
        let (name, id) = (PlanName::new(name).expect("a name"), name.to_owned());
        let add = Change::AddPlan { project: PROJECT, name, is_tracked: false, at: Time(1) };
        commit(&bens, Scope::Project(PROJECT), &id, &[add])
    };
    adds("a").expect("a plan");
    anns.uninvite(PROJECT, &ben.name).expect("uninvited");
    let refused = adds("b");
    assert!(matches!(refused, Err(StoreError::Uninvited)), "{refused:?}");
}

/// A job that reads: it is invited as a person is, and writes nothing.
#[test]
fn a_role_that_may_only_select_reads_what_it_was_invited_to() {
    let Some(server) = server() else { return };
    let keeper = Postgres::at(server.place(), Options::patient());
    keeper.intend("make it").expect("a store");
    let ann = Role::new(&server, "ann", &PERSON);
    let ci = Role::new(&server, "ci", &["USAGE ON SCHEMA s", "SELECT ON ALL TABLES IN SCHEMA s"]);
    let (anns, store, session) = (ann.store(), ci.store(), key("s"));
    commit(&anns, Scope::Store, "project", &[add_project()]).expect("a project");
    commit(&anns, Scope::Session(session.clone()), "begin", &[add_session(&session)]).expect("it");
    fill(&anns, &session, "the word of ann");
    let n_entries = || {
        let all = EntryFilter { project: Some(PROJECT), ..EntryFilter::default() };
        read(&store, |view| view.entry_count(all)).expect("a read")
    };
    assert_eq!(n_entries(), 0);
    assert_eq!(anns.invite(PROJECT, "nobody_of_that_name").expect("an answer"), Invited::Nobody);
    for told in [Invited::Done, Invited::Before] {
        assert_eq!(anns.invite(PROJECT, &ci.name).expect("an answer"), told);
    }
    assert_eq!(n_entries(), 1);
    let notes = read(&store, |view| view.notes(&session, &NoteFilter::ALL, 0)).expect("a read");
    assert_eq!((notes, store.health(Depth::Deep).expect("health").faults), (vec![], vec![]));
    let refused = [
        commit(&store, Scope::Session(key("t")), "p", &[add_session(&key("t"))]).map(drop),
        store.invite(PROJECT, &ann.name).map(drop),
        store.intend("forget").map(drop),
    ];
    for refused in refused {
        assert!(matches!(refused, Err(StoreError::ReadOnly)), "{refused:?}");
    }
    assert!(ci.raw("SELECT wipe()").is_err());
    let members = anns.members(PROJECT).expect("an answer").expect("members");
    assert_eq!(members, Members { owner: ann.name.clone(), invited: vec![ci.name.clone()] });
    for told in [Invited::Done, Invited::Before] {
        assert_eq!(anns.uninvite(PROJECT, &ci.name).expect("an answer"), told);
    }
    assert_eq!((n_entries(), store.members(PROJECT).expect("an answer")), (0, None));
}

/// Only the owner of tables writes them anew: a function does it for all.
#[test]
fn who_does_not_own_the_tables_forgets_their_own_and_nobody_elses() {
    let Some(server) = server() else { return };
    let keeper = Postgres::at(server.place(), Options::patient());
    keeper.intend("make it").expect("a store");
    let [ann, ben] = ["ann", "ben"].map(|name| Role::new(&server, name, &PERSON));
    let stores = [ann.store(), ben.store()];
    let session = key("s");
    for (store, project) in stores.iter().zip([PROJECT, ProjectId([2; 16])]) {
        begin(store, project);
        let scope = Scope::Session(session.clone());
        commit(store, scope, "n", &[add_note(&session, 1, "text")]).expect("a note");
    }
    let [anns, bens] = &stores;
    anns.erase(&Erase::Project(PROJECT), None).expect("erased");
    assert!(!read(anns, |view| view.store()).expect("a card").unfinished.has_bytes);
    let left = |store: &Postgres| {
        let notes = read(store, |view| view.notes(&session, &NoteFilter::ALL, 0)).expect("a read");
        (read(store, |view| view.projects(None)).expect("a read").len(), notes.len())
    };
    assert_eq!((left(anns), left(bens)), ((0, 0), (1, 1)));
}

/// `ANALYZE` runs by itself, and what it samples outlives the rows.
#[test]
fn the_server_keeps_no_samples_of_what_was_written() {
    let Some(server) = server() else { return };
    let (store, session) = with_session(&server);
    for id in 1..=20 {
        let add = [add_note(&session, id, &format!("sampled-{id}"))];
        commit(&store, Scope::Session(session.clone()), &id.to_string(), &add).expect("a note");
    }
    let schema = server.last();
    let tables = format!("SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'");
    for table in texts(&server.raw(&tables)) {
        server.raw(&format!("ANALYZE {schema}.{table}"));
    }
    // As the server writes bytes: `sampled-`.
    let planted = "73616d706c65642d";
    let sampled = format!(
        "SELECT tablename || '.' || attname FROM pg_stats WHERE schemaname = '{schema}'
         AND concat(histogram_bounds::text, most_common_vals::text, most_common_elems::text) LIKE '%{planted}%'"
    );
    assert_eq!(texts(&server.raw(&sampled)), [""; 0]);
    let any = format!("SELECT attname FROM pg_stats WHERE schemaname = '{schema}'");
    assert_ne!(texts(&server.raw(&any)), [""; 0], "nothing was sampled at all");
}

/// A pooler gives whoever comes next a connection with what others left on it.
#[test]
fn a_temporary_table_of_somebody_else_is_not_taken_for_ours() {
    let Some(server) = pooler() else { return };
    let (store, session) = with_session(&server);
    let schema = server.last();
    server.raw(&format!("CREATE TEMP TABLE note (LIKE {schema}.note INCLUDING ALL)"));
    commit(&store, Scope::Session(session.clone()), "n", &[add_note(&session, 1, "text")])
        .expect("a note");
    assert_eq!(texts(&server.raw("SELECT count(*)::text FROM pg_temp.note")), ["0"]);
    assert_eq!(texts(&server.raw(&format!("SELECT count(*)::text FROM {schema}.note"))), ["1"]);
    server.raw("DROP TABLE pg_temp.note");
}
