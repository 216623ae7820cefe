//! The disk is full and the server killed: what was kept is still shown, and writing goes on once there is room.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::Given;
use super::client::Answer;
use super::faults::{Small, add, add_some, check, line_of};
use super::home::Home;
use super::template::PAGE;

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000032";

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?;
    let folder = home.data();
    let Ok(small) = Small::mount(&folder, "size=3m,mode=700") else {
        return Ok("skipped: no right to mount a small file system here".to_owned());
    };
    home.hook(SESSION, "SessionStart", &json!({"source": "startup"}))?;
    let mut server = home.serve(SESSION)?;
    server.wire.object("write_notepad", &json!({"content": PAGE}))?;
    let (filler, mut lines) = ("x".repeat(700), Vec::new());
    loop {
        let word = format!("{filler}{}", lines.len());
        match add(&mut server.wire, &word)? {
            Answer::Done(note) => lines.push(line_of(&note, &word)?),
            Answer::Refused(_) => break,
        }
        ensure!(lines.len() < 5_000, "the disk does not fill up");
    }
    let (process, wire) = server.split();
    process.kill()?;
    drop(wire);

    let start = home.start_again(SESSION)?;
    ensure!(start.context.contains("wait for the ferry"), "no page: {:?}", start.context);
    let mut server = home.serve(SESSION)?;
    let listed = server.wire.object("list_notes", &json!({}))?;
    ensure!(listed["total"] == lines.len(), "{} listed of {}", listed["total"], lines.len());
    let page = server.wire.object("read_notepad", &json!({}))?;
    ensure!(page["content"] == PAGE, "the page is {page}");

    let n_before = lines.len();
    small.grow("remount,size=24m")?;
    lines.extend(add_some(&mut server.wire, "after", 20).context("after the disk grew")?);
    drop(server);
    check(&home, SESSION, &lines)?;
    Ok(format!(
        "{n_before} acknowledged until the disk was full and the server killed: page, notes and context are shown, \
         0 lost; 20 more after it grew"
    ))
}
