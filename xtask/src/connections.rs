//! The program without what is optional can be built, and has no call that opens a connection.

use std::fs;

use anyhow::{Result, ensure};
use object::{Object as _, ObjectSymbol};

use crate::step;

/// What opens a connection, takes one, or looks for the place of a host.
const OPENING: [&str; 6] = ["socket", "connect", "getaddrinfo", "sendto", "listen", "accept4"];

/// Builds that program and looks through what it takes from the system's library.
pub(crate) fn stage() -> Result<()> {
    if cfg!(not(target_os = "linux")) {
        println!("skipped: programs of other systems are not read; CI runs it");
        return Ok(());
    }
    let mut build = step::cargo();
    build.args(["build", "--quiet", "--locked", "--package", "vademecum-cli"]);
    step::run(build.arg("--no-default-features"))?;
    let without = taken(&fs::read(step::target().join("debug/vade"))?)?;
    // Whoever runs the program as it is built by default finds it again.
    let with = taken(&fs::read(step::build_vade()?)?)?;
    let is_taken = |all: &[String], name: &str| all.iter().any(|taken| taken == name);
    ensure!(is_taken(&without, "socketpair"), "the pair of a process with itself is not seen");
    ensure!(is_taken(&with, "connect"), "what opens connections is not seen");
    for name in OPENING {
        ensure!(!is_taken(&without, name), "the program without servers calls {name}");
    }
    println!("the program without servers has none of {}", OPENING.join(", "));
    Ok(())
}

/// The functions that a program takes from others.
fn taken(bytes: &[u8]) -> Result<Vec<String>> {
    let program = object::File::parse(bytes)?;
    let taken = program.dynamic_symbols().filter(ObjectSymbol::is_undefined);
    taken.map(|symbol| Ok(symbol.name()?.to_owned())).collect()
}
