//! Calls of a server of the Model Context Protocol on a store in PostgreSQL, against the same rows asked and written bare.

use std::process::Command;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::figure::{Bound, Figure, Unit};
use super::instructions::note;
use super::stores::Size;
use super::talk::Talk;
use super::wall::{asked, middle, nanoseconds, pairs, printed, timed};
use super::world::World;
use crate::postgres::{Cluster, PERSON};
use crate::step;

/// A name that one note holds alone.
const NAME: &str = "restore_backlog_of";

/// A word that all notes hold.
const COMMON: &str = "queue";

/// So many notes are added, the one with the name among the first.
const ADDED: u64 = 1_000;

/// The same notes again, in the order in which they were added, until there are a million. Their keys are the same.
const A_MILLION: &str = "
    SET session_replication_role = replica;
    INSERT INTO vademecum.note
        SELECT session, id + n * 1000000, place + n * 10000, created_at, updated_at + n, scratched_at, tags, content, owner
        FROM vademecum.note, generate_series(1, 1110) AS n WHERE place BETWEEN 101 AND 1000;
    INSERT INTO vademecum.note_key
        SELECT session, id + n * 1000000, place + n * 10000, keys, owner
        FROM vademecum.note_key, generate_series(1, 1110) AS n WHERE place BETWEEN 101 AND 1000;
    UPDATE vademecum.session SET last_place = (SELECT max(place) FROM vademecum.note),
        last_id = (SELECT max(id) FROM vademecum.note), n_notes = (SELECT count(*) FROM vademecum.note),
        n_open = (SELECT count(*) FROM vademecum.note);
    ANALYZE vademecum.note; ANALYZE vademecum.note_key;";

/// A note, a list, a name and a word, with a thousand notes and with a million.
pub(super) fn calls(world: &World) -> Result<Vec<Figure>> {
    let cluster = match Cluster::start()? {
        Ok(cluster) => cluster,
        Err(lack) => bail!("no server to ask: {lack}"),
    };
    let near = Near { world, cluster: &cluster };
    let mut talk = Talk::start(near.vade().arg("mcp"))?;
    for idx in 0..ADDED {
        let mut given = note(idx);
        if idx == 50 {
            given["content"] = json!(format!("{NAME} the {COMMON} is written down here"));
        }
        talk.call("add_note", &given)?;
    }
    let mut idx = ADDED;
    let add = pairs(
        || {
            let times = (0..40).map(|_| {
                idx += 1;
                timed(|| talk.call("add_note", &note(idx)))
            });
            middle(&times.collect::<Result<Vec<_>>>()?)
        },
        || near.floor(&["add", "40"]),
    )?;
    let mut figures =
        vec![add.figure("add_note, store on a server", FLOOR)?.within(Bound::Ratio(2.5))];
    figures.extend(
        near.looks(&mut talk, ["list, on a server", "name, on a server", "word, on a server"])?,
    );
    talk.end()?;
    cluster.ask(A_MILLION)?;
    cluster.ask("DROP SCHEMA bare CASCADE")?;
    let mut talk = Talk::start(near.vade().arg("mcp"))?;
    let of_many = ["list, of a million", "name, of a million", "word, of a million"];
    figures.extend(near.looks(&mut talk, of_many)?);
    talk.end()?;
    Ok(figures)
}

const FLOOR: &str = "floor-server";

/// A server on this machine.
struct Near<'a> {
    world: &'a World<'a>,
    cluster: &'a Cluster,
}

impl Near<'_> {
    fn looks(&self, talk: &mut Talk, names: [&'static str; 3]) -> Result<Vec<Figure>> {
        let [list, name, word] = names;
        let mut look = |tool: &str, arguments: &Value, floor: &[&str]| {
            pairs(|| asked(talk, tool, arguments), || self.floor(floor))
        };
        let listed = look("list_notes", &json!({}), &["list", "10"])?;
        let by_name = look("search_notes", &json!({"query": NAME}), &["find", "10", NAME])?;
        let said = asked(talk, "search_notes", &json!({"query": COMMON}))?;
        Ok(vec![
            listed.figure(list, FLOOR)?.within(Bound::Ratio(1.5)),
            by_name.figure(name, FLOOR)?.within(Bound::Ratio(2.5)),
            Figure::new(word, Unit::Nanoseconds, nanoseconds(said)).within(Bound::Most(50_000_000)),
        ])
    }

    fn floor(&self, words: &[&str]) -> Result<std::time::Duration> {
        let mut command = self.world.command(FLOOR, Size::Empty)?;
        printed(command.arg(self.address()).args(words))
    }

    fn address(&self) -> String {
        let (port, password) = (self.cluster.port(), self.cluster.password());
        format!("postgres://{PERSON}:{password}@127.0.0.1:{port}/postgres")
    }

    fn vade(&self) -> Command {
        let program = step::target().join("release/vade");
        let mut command = self.world.settled(Command::new(program), Size::Empty);
        command.env("XDG_DATA_HOME", self.world.path("near")).env("VADE_STORE", self.address());
        command
    }
}
