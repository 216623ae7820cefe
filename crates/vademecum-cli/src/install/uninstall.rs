//! Takes vade out of a harness again, and lists what became of every file ever made.

mod kept;
mod rows;

use std::path::PathBuf;

use vademecum::harness::hook::Harness;
use vademecum::ops::{OpError, Reply, World};

use self::rows::Rows;
use super::manifest::Records;
use super::{End, ask, short};

/// What a person asked for.
#[derive(Debug, Clone)]
pub(crate) struct Uninstall {
    /// Out of what; all harnesses where all that was kept goes.
    pub(crate) harness: Harness,
    /// Removes all that was ever kept, too.
    pub(crate) is_purge: bool,
    /// Only shows what would change.
    pub(crate) is_dry: bool,
    /// Asks nothing.
    pub(crate) is_sure: bool,
    /// The store.
    pub(crate) database: Option<PathBuf>,
    /// The store on a server, whose rows stay.
    pub(crate) server: Option<String>,
}

/// What no purge reaches.
const HERE: &str = " on this machine (the server of the store keeps what it has)";

/// What a purge does not touch, since it is not ours.
const TRANSCRIPTS: &str =
    "the transcripts of Claude Code and Codex are theirs and stay, with what vade told in them";

impl Uninstall {
    /// Takes vade out of the harness; says what became of each file.
    pub(crate) fn run(&self, world: &World) -> Result<Reply, OpError> {
        let records = Records::of(&world.folders.data);
        let mut manifest = records.load()?;
        let rows = Rows::new(self, world, &records, &manifest)?;
        let home = &world.folders.home;
        if rows.is_idle() {
            return Ok(rows.reply(
                home,
                End::Same,
                true,
                "nothing to change: vade is not installed",
            ));
        }
        if self.is_dry {
            return Ok(rows.reply(home, End::Dry, true, "dry run: nothing was changed"));
        }
        if !self.is_sure && !ask::yes(&rows.text(home, End::Dry), &self.question())? {
            return Ok(rows.reply(home, End::Declined, false, "nothing was changed"));
        }
        rows.apply(&records, &mut manifest)?;
        if !self.is_purge {
            records.save(&manifest)?;
        }
        Ok(rows.reply(home, End::Done, self.is_sure, &self.farewell(&rows, world)))
    }

    fn question(&self) -> String {
        let title = self.harness.title();
        if self.is_purge {
            let here = if self.server.is_some() { HERE } else { "" };
            format!("Take vade out of every harness, and erase for ever all that it kept{here}?")
        } else {
            format!("Take vade out of {title}?")
        }
    }

    fn farewell(&self, rows: &Rows, world: &World) -> String {
        let title = self.harness.title();
        let but = if rows.leave_changes() { " but for what you changed" } else { "" };
        if self.is_purge {
            let here = if self.server.is_some() { HERE } else { "" };
            format!(
                "vade is out of every harness{but} and nothing that it kept is left{here}; restart what runs\n{TRANSCRIPTS}"
            )
        } else {
            let rest = if rows.removes_program() {
                let folder = short(&world.folders.data, &world.folders.home);
                format!("what it kept stays in {folder}, for a later install or for you to delete")
            } else {
                "vade uninstall --purge erases what stays".to_owned()
            };
            format!("vade is out of {title}{but}; restart what runs; {rest}")
        }
    }
}
