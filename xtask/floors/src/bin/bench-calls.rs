//! Calls one operation through the library, many times in one process; or forks one session as often.
#![expect(clippy::disallowed_methods, reason = "it measures time")]

use std::path::Path;
use std::time::Instant;

use vademecum::core::session::SessionKey;
use vademecum::ops::children::{self, Given};
use vademecum::ops::who::Clues;
use vademecum::ops::{Call, Caller, Config, OpError, registry};
use vademecum::port::{Author, Origin, Surface};
use vademecum::store::open_file;
use vademecum::{Patience, world};

/// `bench-calls DATABASE SESSION OPERATION ARGUMENTS TIMES` prints the nanoseconds of each call.
///
/// `fork` stands for an operation: it makes a session with copies of page and notes, as hooks and the controller do.
fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, session, name, arguments, n_times] = words.as_slice() else {
        anyhow::bail!("usage: bench-calls DATABASE SESSION OPERATION ARGUMENTS TIMES");
    };
    let (world, config) = (world::real(None), Config::default());
    let store = open_file(Path::new(path), Patience::Command);
    let arguments: serde_json::Value = serde_json::from_str(arguments)?;
    let caller = Caller {
        origin: Origin { surface: Surface::Library, author: Author::Agent },
        clues: Clues { told: Some(format!("claude-code:{session}")), ..Clues::default() },
        write_id: None,
    };
    for n in 0..n_times.parse()? {
        let begin = Instant::now();
        let call = Call::new(&store, &world, &config, caller.clone());
        let made = match name.as_str() {
            "fork" => fork(&call, session, n),
            name => {
                let op = registry::find(name).expect("an operation");
                op.run(&call, arguments.clone()).map(drop)
            }
        };
        made.map_err(|error| anyhow::anyhow!("{error}"))?;
        println!("{}", begin.elapsed().as_nanos());
    }
    Ok(())
}

/// Makes the n-th fork of the session.
fn fork(call: &Call<'_>, session: &str, n: u32) -> Result<(), OpError> {
    let key =
        |external: String| SessionKey { harness: "claude-code".to_owned(), external, agent: None };
    let (fork, parent) = (key(format!("fork-{n:08}")), key(session.to_owned()));
    children::begin(call, &fork, &parent, Given::Everything)
}
