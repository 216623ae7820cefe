//! Calls one operation through the library, many times in one process.
#![expect(clippy::disallowed_methods, reason = "it measures time")]

use std::path::Path;
use std::time::Instant;

use vademecum::ops::who::Clues;
use vademecum::ops::{Call, Caller, Config, registry};
use vademecum::port::{Author, Origin, Surface};
use vademecum::{Patience, open, world};

/// `bench-calls DATABASE SESSION OPERATION ARGUMENTS TIMES` prints the nanoseconds of each call.
fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, session, name, arguments, n_times] = words.as_slice() else {
        anyhow::bail!("usage: bench-calls DATABASE SESSION OPERATION ARGUMENTS TIMES");
    };
    let (world, config) = (world::real(None), Config::default());
    let store = open(Path::new(path), Patience::Command);
    let op = registry::find(name).expect("an operation");
    let arguments: serde_json::Value = serde_json::from_str(arguments)?;
    let caller = Caller {
        origin: Origin { surface: Surface::Library, author: Author::Agent },
        clues: Clues { told: Some(format!("claude-code:{session}")), ..Clues::default() },
        write_id: None,
    };
    for _ in 0..n_times.parse()? {
        let begin = Instant::now();
        let call = Call::new(&store, &world, &config, caller.clone());
        op.run(&call, arguments.clone()).map_err(|error| anyhow::anyhow!("{error}"))?;
        println!("{}", begin.elapsed().as_nanos());
    }
    Ok(())
}
