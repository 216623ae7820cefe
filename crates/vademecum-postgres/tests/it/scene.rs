//! Stores on the server of the tests: each in a schema of its own, which is dropped with the scene.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use tokio_postgres::{NoTls, SimpleQueryMessage};
use vademecum_postgres::{Address, Options, Postgres};
use vademecum_store::Store;

/// The server's address, as `cargo xtask test` gives it.
const VARIABLE: &str = "VADE_TEST_POSTGRES";

/// The number of the last schema that this process has made.
static LAST: AtomicU32 = AtomicU32::new(0);

/// A server, and the schemas that were made on it.
pub(crate) struct Server {
    url: String,
    schemas: Arc<Mutex<Vec<String>>>,
}

/// The server; none, with a word why, where none is named. In CI that is an error.
pub(crate) fn server() -> Option<Server> {
    #[expect(clippy::disallowed_methods, reason = "a test is told of its server by a variable")]
    let (url, is_ci) = (std::env::var(VARIABLE), std::env::var_os("CI").is_some());
    match url {
        Ok(url) => Some(Server { url, schemas: Arc::default() }),
        Err(_) if is_ci => panic!("{VARIABLE} is not set: cargo xtask test starts a server"),
        Err(_) => {
            println!("skipped: {VARIABLE} names no server; cargo xtask test starts one");
            None
        }
    }
}

impl Server {
    /// The address of a new store.
    pub(crate) fn place(&self) -> Address {
        let n = LAST.fetch_add(1, Ordering::Relaxed);
        let schema = format!("t{}_{n}", std::process::id());
        self.schemas.lock().expect("a list").push(schema.clone());
        self.address(&format!("schema={schema}"))
    }

    /// The server's address with settings behind.
    pub(crate) fn address(&self, settings: &str) -> Address {
        let sign = if self.url.contains('?') { '&' } else { '?' };
        Address::parse(&format!("{}{sign}{settings}", self.url), &|_| None).expect("an address")
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
        let mut empty: String =
            first.chain(last).map(|name| format!("DELETE FROM {schema}.{name};")).collect();
        empty.push_str(&format!(
            "UPDATE {schema}.store SET last_seq = 0, last_holder = 0, last_plan = 0, last_intent = 0,
                 has_bytes = false, off_at = NULL"
        ));
        move || {
            self.raw(&empty);
            let address = address.clone();
            Box::new(move || Postgres::at(address.clone(), Options::patient()))
        }
    }

    /// Runs commands as any other program of the database can.
    pub(crate) fn raw(&self, sql: &str) -> Vec<SimpleQueryMessage> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let (client, connection) =
                tokio_postgres::connect(&self.url, NoTls).await.expect("a connection");
            let speak = tokio::spawn(connection);
            let rows = client.simple_query(sql).await.expect("a command");
            drop(client);
            speak.await.expect("a task").expect("an end");
            rows
        })
    }

    fn drop_all(&self) {
        let schemas = std::mem::take(&mut *self.schemas.lock().expect("a list"));
        for schema in schemas {
            self.raw(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE"));
        }
    }
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
    }
}
