//! A note is forgotten while a reader is open: it is said that bytes are left, and the next write removes them.

use std::fs;

use anyhow::{Result, ensure};
use vademecum_store::read;

use super::Given;
use super::home::Home;

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000033";

const WORD: &str = "quagmire-5f1c0e9d";

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?;
    let add = ["note", "add", WORD, "--tag", "finding"];
    let (note, _) = home.cli(SESSION, &add)?;
    let id = note["id"].as_str().unwrap_or_default();
    let forgot = read(&home.store(), |view| {
        let filter = vademecum_store::SessionFilter::default();
        view.sessions(filter)?;
        let forgot = home.output(SESSION, &["forget", "note", id, "--yes"]);
        // The reader still sees what it saw.
        view.sessions(vademecum_store::SessionFilter::default())?;
        Ok(forgot)
    })??;
    let said = [forgot.stdout, forgot.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    ensure!(said.contains("still read"), "it is not said that bytes are left: {said}");
    // The canary: were they not left, this would show nothing.
    ensure!(!residue(&home)?.is_empty(), "nothing was left beside an open reader");
    let after = ["note", "add", "after", "--tag", "finding"];
    ensure!(home.cli(SESSION, &after)?.1 == Some(0), "the next write is refused");
    let residue = residue(&home)?;
    ensure!(residue.is_empty(), "left in {}", residue.join(", "));
    home.check_sound()?;
    Ok("what a reader holds is said, and gone with the next write: 0 bytes".to_owned())
}

/// The files of the store that hold the word.
fn residue(home: &Home) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(home.data())? {
        let path = entry?.path();
        let holds = |bytes: Vec<u8>| bytes.windows(WORD.len()).any(|part| part == WORD.as_bytes());
        if path.is_file() && holds(fs::read(&path)?) {
            found.push(path.display().to_string());
        }
    }
    Ok(found)
}
