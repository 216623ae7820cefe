//! Stores on the server of the tests: each in a schema of its own, which is dropped with the scene.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use tokio_postgres::{NoTls, SimpleQueryMessage};
use vademecum_core::hash::plain;
use vademecum_core::id::{NoteId, ProjectId, WriteId};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::time::Time;
use vademecum_postgres::{Address, Options, Postgres};
use vademecum_store::{
    Author, Change, Decision, Origin, Outcome, Scope, Store, StoreError, Surface, Write, Writer,
};

/// The server's address, as `cargo xtask test` gives it.
const VARIABLE: &str = "VADE_TEST_POSTGRES";

/// The number of the last schema that this process has made.
static LAST: AtomicU32 = AtomicU32::new(0);

/// A server, and the schemas that were made on it.
pub(crate) struct Server {
    pub(crate) url: String,
    schemas: Arc<Mutex<Vec<String>>>,
    /// Who opens the stores; the keeper of the server if it is nobody else.
    person: Option<String>,
}

/// The address of PgBouncer before that server: in transaction mode, with one connection.
const POOLER: &str = "VADE_TEST_PGBOUNCER";

/// The server; none, with a word why, where none is named. In CI that is an error.
pub(crate) fn server() -> Option<Server> {
    named(VARIABLE)
}

/// The server by way of a pooler.
pub(crate) fn pooler() -> Option<Server> {
    named(POOLER)
}

fn named(variable: &str) -> Option<Server> {
    #[expect(clippy::disallowed_methods, reason = "a test is told of its server by a variable")]
    let (url, is_ci) = (std::env::var(variable), std::env::var_os("CI").is_some());
    let Ok(url) = url else {
        assert!(!is_ci, "{variable} is not set: cargo xtask test starts a server");
        println!("skipped: {variable} names no server; cargo xtask test starts one");
        return None;
    };
    Some(Server { url, schemas: Arc::default(), person: None })
}

impl Server {
    /// The server as somebody uses it who has no rights beyond their own: for the keeper no policy holds.
    pub(crate) fn of_person(mut self) -> Self {
        let role =
            format!("person_{}_{}", std::process::id(), LAST.fetch_add(1, Ordering::Relaxed));
        self.raw(&format!("CREATE ROLE {role} LOGIN PASSWORD '{role}'"));
        self.person = Some(role);
        self
    }

    /// The server's address for a role whose password is its name.
    pub(crate) fn url_of(&self, role: &str) -> String {
        let place = self.url.rsplit_once('@').expect("a user").1;
        format!("postgres://{role}:{role}@{place}")
    }

    /// The address of a new store.
    pub(crate) fn place(&self) -> Address {
        let n = LAST.fetch_add(1, Ordering::Relaxed);
        let schema = format!("t{}_{n}", std::process::id());
        self.schemas.lock().expect("a list").push(schema.clone());
        if let Some(role) = &self.person {
            self.raw(&format!("CREATE SCHEMA {schema} AUTHORIZATION {role}"));
        }
        self.address(&format!("schema={schema}"))
    }

    /// The schema of the store that was made last.
    pub(crate) fn last(&self) -> String {
        self.schemas.lock().expect("a list").last().expect("a store").clone()
    }

    /// Another handle on the store that was made last.
    pub(crate) fn again(&self) -> Postgres {
        Postgres::at(self.address(&format!("schema={}", self.last())), Options::patient())
    }

    /// Where the server listens.
    pub(crate) fn socket(&self) -> String {
        let rest = self.url.rsplit_once('@').expect("a user").1;
        rest.split('/').next().expect("a host").to_owned()
    }

    /// The address of the store that was made last, by way of another port.
    pub(crate) fn through(&self, port: u16) -> Address {
        let url = self.url.replace(&self.socket(), &format!("127.0.0.1:{port}"));
        let url = format!("{url}?schema={}", self.last());
        Address::parse(&url, &|_| None).expect("an address")
    }

    /// The server's address with settings behind.
    pub(crate) fn address(&self, settings: &str) -> Address {
        let url = self.person.as_ref().map_or_else(|| self.url.clone(), |role| self.url_of(role));
        let sign = if url.contains('?') { '&' } else { '?' };
        Address::parse(&format!("{url}{sign}{settings}"), &|_| None).expect("an address")
    }

    /// Ways to open handles on one new store after the other; the one before is dropped.
    pub(crate) fn places(&self) -> impl FnMut() -> Box<dyn Fn() -> Postgres + Send + Sync> {
        || {
            self.drop_all();
            let address = self.place();
            Box::new(move || Postgres::at(address.clone(), Options::patient()))
        }
    }

    /// The same, in one schema that is emptied each time: to make one takes a hundred times as long.
    pub(crate) fn emptied(&self) -> impl FnMut() -> Box<dyn Fn() -> Postgres + Send + Sync> {
        let address = self.place();
        let schema = address.schema().to_owned();
        let make = Postgres::at(address.clone(), Options::patient());
        make.intend("make it").expect("a store");
        let listed = format!("SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'");
        let names: Vec<String> = texts(&self.raw(&listed));
        // What others refer to goes last, and the store's own row stays.
        let last = ["plan", "session", "project"];
        let first = names
            .iter()
            .map(String::as_str)
            .filter(|name| !last.contains(name) && *name != "store");
        let mut empty: Vec<String> =
            first.chain(last).map(|name| format!("DELETE FROM {schema}.{name}")).collect();
        empty.push(format!(
            "UPDATE {schema}.store SET last_seq = 0, last_holder = 0, last_plan = 0, last_intent = 0,
                 has_bytes = false"
        ));
        let empty = empty.join("; ");
        // A connection of its own for each handle would take most of the time: the server reads its catalogue anew.
        move || {
            self.raw(&empty);
            let store = make.clone();
            // It learns that nothing was ever written.
            vademecum_store::read(&store, |view| view.store()).expect("a store");
            Box::new(move || store.clone())
        }
    }

    /// Runs commands as any other program of the database can.
    pub(crate) fn raw(&self, sql: &str) -> Vec<SimpleQueryMessage> {
        raw(&self.url, sql).expect("a command")
    }

    fn drop_all(&self) {
        let schemas = std::mem::take(&mut *self.schemas.lock().expect("a list"));
        for schema in schemas {
            self.raw(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE"));
        }
    }
}

/// What the server at this address answers to commands.
pub(crate) fn raw(url: &str, sql: &str) -> Result<Vec<SimpleQueryMessage>, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("a connection");
        let speak = tokio::spawn(connection);
        let rows = client.simple_query(sql).await.map_err(|error| format!("{error:?}"));
        drop(client);
        speak.await.expect("a task").expect("an end");
        rows
    })
}

/// The first columns of the rows.
pub(crate) fn texts(messages: &[SimpleQueryMessage]) -> Vec<String> {
    let text = |message: &SimpleQueryMessage| match message {
        SimpleQueryMessage::Row(row) => Some(row.get(0)?.to_owned()),
        _ => None,
    };
    messages.iter().filter_map(text).collect()
}

impl Drop for Server {
    fn drop(&mut self) {
        self.drop_all();
        if let Some(role) = &self.person {
            self.raw(&format!("DROP OWNED BY {role}; DROP ROLE {role}"));
        }
    }
}

pub(crate) const PROJECT: ProjectId = ProjectId([1; 16]);

/// A new store with a project and the session `s`.
pub(crate) fn with_session(server: &Server) -> (Postgres, SessionKey) {
    let store = Postgres::at(server.place(), Options::patient());
    commit(&store, Scope::Store, "project", &[add_project()]).expect("a project");
    let key = key("s");
    let begin = add_session(&key);
    commit(&store, Scope::Session(key.clone()), "begin", &[begin]).expect("a session");
    (store, key)
}

pub(crate) fn add_project() -> Change {
    Change::AddProject { id: PROJECT, name: "p".to_owned(), keys: Vec::new(), at: Time(1) }
}

/// Makes a session known.
pub(crate) fn add_session(key: &SessionKey) -> Change {
    Change::AddSession {
        project: PROJECT,
        key: key.clone(),
        parent: None,
        began: Began::Start,
        instance: 1,
        host_name: "host".to_owned(),
        place: Place::default(),
        at: Time(1),
    }
}

pub(crate) fn key(external: &str) -> SessionKey {
    SessionKey { harness: "test".to_owned(), external: external.to_owned(), agent: None }
}

pub(crate) fn add_note(session: &SessionKey, id: i64, content: &str) -> Change {
    let note = Note {
        id: NoteId(id),
        content: Content::new(content).expect("a legal content"),
        tags: Tags::new(&["kept"]).expect("legal tags"),
        created_at: Time(id),
        updated_at: Time(id),
        scratched_at: None,
    };
    Change::AddNote { session: session.clone(), note }
}

/// A write whose arguments are its id.
pub(crate) fn request(scope: Scope, id: &str) -> Write {
    Write {
        scope,
        is_fresh: false,
        id: WriteId::new(id).expect("a legal id"),
        arguments: plain(id.as_bytes()),
        kind: "test",
        origin: Origin { surface: Surface::Library, author: Author::Tool },
        by: Writer::NONE,
        at: Time(1),
    }
}

pub(crate) fn decision(changes: &[Change]) -> Decision {
    Decision::Commit { changes: changes.to_vec(), reply: "1".to_owned() }
}

/// Commits changes under a write id.
pub(crate) fn commit(
    store: &dyn Store,
    scope: Scope,
    id: &str,
    changes: &[Change],
) -> Result<Outcome, StoreError> {
    store.write(&request(scope, id), &mut |_| Ok(decision(changes)))
}
