//! One seed: a repository is made, spoiled, and met by every hook, every tool and many commands.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::before;
use super::child::{self, End, Limits, MEMORY, Stdin};
use super::commands::{self, Known};
use super::events::Sent;
use super::hazard::Hazard;
use super::looked::Looked;
use super::marks::Kind;
use super::places::{HIDING, PLACES, Place};
use super::scene::Scene;
use super::snapshot::{Allowed, Snapshot};
use super::swap::Swapper;
use crate::torture::chance::Chance;

/// What a seed is played with.
#[derive(Clone, Copy)]
pub(super) struct Play<'a> {
    pub(super) vade: &'a Path,
    /// How large the program is.
    pub(super) size: u64,
    pub(super) events: &'a [Sent],
    /// Of the hazards of this seed only this one.
    pub(super) only: Option<usize>,
    /// Looks into every file after every command, to know which one it was.
    pub(super) is_careful: bool,
}

/// Something hostile in this repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// In a place.
    In(Place, Hazard),
    /// Links where a program that names its drafts by its process would write.
    Drafts,
}

/// Which promise was broken, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Promise {
    /// Nothing outside is written.
    Untouched,
    /// Nothing that stands outside is said.
    Unsaid,
    /// Nothing that stands outside is kept.
    Unkept,
    /// No process takes more memory than it may, is ended by the system or panics.
    Whole,
    /// Nothing takes longer than a second, but on a busy machine.
    InTime,
}

/// A broken promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Violation {
    pub(super) promise: Promise,
    pub(super) command: Vec<OsString>,
    pub(super) what: String,
}

/// What came of a seed.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub(super) items: Vec<Item>,
    pub(super) violations: Vec<Violation>,
    pub(super) n_commands: usize,
    /// How many of them did what they were asked for.
    pub(super) n_done: usize,
    pub(super) longest: Duration,
    pub(super) memory: u64,
}

/// So many commands of the command line, by chance; hooks and tools run whole.
const N_LINES: usize = 14;

/// A seed that is being played.
pub(super) struct Round<'a> {
    play: &'a Play<'a>,
    pub(super) scene: Scene,
    before: Snapshot,
    allowed: Allowed,
    looked: Looked,
    pub(super) played: Played,
}

/// Plays one seed.
pub(super) fn play(play: &Play<'_>, seed: u64) -> Result<Played> {
    let mut chance = Chance::of(seed);
    let scene = Scene::new(play.vade, &mut chance)?;
    let items = items(seed);
    let mut known = Known::new(before::set_up(&scene, &mut chance)?);
    let chosen =
        items.iter().enumerate().filter(|(at, _)| play.only.is_none_or(|only| only == *at));
    let chosen: Vec<Item> = chosen.map(|(_, item)| *item).collect();
    let mut content = Chance::of(!seed);
    for item in &chosen {
        if let Item::In(place, hazard) = item {
            hazard.put(&scene, place, &mut content).with_context(|| format!("{item:?}"))?;
        }
    }
    let allowed = scene.allowed();
    let before = Snapshot::of(&scene.home(), &allowed)?;
    let swappers = swappers(&scene, &chosen, &allowed)?;
    let played = Played { items, ..Played::default() };
    let mut looked = Looked::default();
    for folder in [scene.outside("."), scene.tree(), scene.git()] {
        looked.changed(&folder);
    }
    let mut round = Round { play, scene, before, allowed, looked, played };
    let has_drafts = chosen.contains(&Item::Drafts);
    if chance.below(2) == 0 {
        round.hooks()?;
        round.server(&mut chance, &mut known, has_drafts)?;
    } else {
        round.server(&mut chance, &mut known, has_drafts)?;
        round.hooks()?;
    }
    round.lines(&mut chance, &mut known)?;
    drop(swappers);
    round.look_into_files(&[]);
    Ok(round.played)
}

/// One to four hostile things.
fn items(seed: u64) -> Vec<Item> {
    let chance = &mut Chance::of(seed.rotate_left(32));
    let mut items: Vec<Item> = Vec::new();
    for n in 0..=chance.below(4) {
        // They hide all others from the program, so they come first, more often, and in few ways at once.
        let all = if n == 0 && chance.below(5) == 0 { HIDING } else { PLACES };
        let place = *super::pick(chance, all);
        let hazard = Hazard::choose(&place, chance);
        if n == 0 || !HIDING.contains(&place) {
            items.push(Item::In(place, hazard));
        }
    }
    if chance.below(6) == 0 {
        items.push(Item::Drafts);
    }
    // A folder first: what is in it is then put elsewhere or not at all.
    items.sort_by_key(|item| match item {
        Item::In(place, _) => PLACES.iter().position(|other| other == place),
        Item::Drafts => None,
    });
    items.dedup_by_key(|item| match item {
        Item::In(place, _) => Some(*place),
        Item::Drafts => None,
    });
    items
}

fn swappers(scene: &Scene, items: &[Item], allowed: &Allowed) -> Result<Vec<Swapper>> {
    let changing = items.iter().filter_map(|item| match item {
        Item::In(place, Hazard::Changing) => Some(place),
        Item::In(..) | Item::Drafts => None,
    });
    // A hazard that came later may have put a link above the place: the swap itself would lead outside.
    let is_there = |place: &&Place| {
        let at = scene.path(place);
        // What is watched must not change by us: the folder of a work tree that is not this one's.
        let is_ours = allowed.whole.iter().any(|ours| at.starts_with(ours));
        is_ours && fs::symlink_metadata(&at).is_ok() && !scene.is_led_astray(&at)
    };
    changing.filter(is_there).map(|place| Swapper::start(scene, place)).collect()
}

impl Round<'_> {
    fn hooks(&mut self) -> Result<()> {
        let play = self.play;
        for sent in play.events {
            let mut command = self.scene.command();
            command.args(["hook", sent.harness, &sent.event]);
            if sent.harness == "claude-code" {
                command.env("CLAUDE_PROJECT_DIR", &self.scene.entry);
            } else {
                command.env_remove("CLAUDE_CODE_SESSION_ID");
            }
            let name = vec!["hook".into(), sent.harness.into(), sent.event.clone().into()];
            let payload = sent.payload(&self.scene);
            let end = self.run(command, Stdin::Whole(&payload), &name)?;
            if let Some(code) = end.code.filter(|code| *code != 0) {
                self.broken(Promise::Whole, &name, format!("a hook ended with {code}"));
            }
        }
        Ok(())
    }

    fn lines(&mut self, chance: &mut Chance, known: &mut Known) -> Result<()> {
        let lines = commands::all(chance, known);
        // By a stride, so that what takes away keeps its place at the end.
        let stride = u64::try_from(lines.len().div_ceil(N_LINES))?;
        let around = format!("{}\n", self.scene.marks.of(Kind::Around));
        for line in lines {
            if chance.below(stride) == 0 {
                let mut command = self.scene.command();
                command.args(&line.words);
                if chance.below(3) == 0 {
                    // The desk of whatever the place is taken for, which no session of ours holds to its project.
                    command.env_remove("CLAUDE_CODE_SESSION_ID");
                }
                self.run(command, Stdin::Open(around.as_bytes()), &line.words)?;
            }
        }
        Ok(())
    }

    /// Runs one command and holds it to everything.
    fn run(
        &mut self,
        command: std::process::Command,
        stdin: Stdin<'_>,
        name: &[OsString],
    ) -> Result<End> {
        let said = self.scene.said();
        let limits = Limits::of(name.first(), self.play.size);
        let end = child::run(command, stdin, &said, limits.time)?;
        let [stdout, stderr] = said.texts()?;
        self.played.n_commands += 1;
        self.played.n_done += usize::from(end.code == Some(0));
        self.check_end(&end, &stderr, name);
        self.check_said(&stdout, name);
        self.check_said(&stderr, name);
        self.check_outside(name)?;
        Ok(end)
    }

    pub(super) fn check_end(&mut self, end: &End, stderr: &[u8], name: &[OsString]) {
        let allowed = Limits::of(name.first(), self.play.size).memory;
        // What a command may take more than others is not counted.
        self.played.memory = self.played.memory.max(end.memory.saturating_sub(allowed - MEMORY));
        if end.hung {
            self.slow(name);
        } else {
            self.played.longest = self.played.longest.max(end.took);
        }
        if allowed < end.memory {
            self.broken(Promise::Whole, name, format!("took {} MiB of memory", end.memory >> 20));
        }
        if let Some(signal) = end.signal {
            self.broken(Promise::Whole, name, format!("was ended by signal {signal}"));
        }
        if memchr::memmem::find(stderr, b"panicked at").is_some() {
            self.broken(
                Promise::Whole,
                name,
                format!("panicked: {}", String::from_utf8_lossy(stderr)),
            );
        }
    }

    pub(super) fn check_said(&mut self, text: &[u8], name: &[OsString]) {
        if let Some(found) =
            self.scene.marks.found(text, &[Kind::Outside, Kind::Around, Kind::Kept])
        {
            self.broken(Promise::Unsaid, name, format!("said what stands in {found}"));
        }
    }

    pub(super) fn check_outside(&mut self, name: &[OsString]) -> Result<()> {
        let now = Snapshot::of(&self.scene.home(), &self.allowed)?;
        let changes = now.changes(&self.before);
        if !changes.is_empty() {
            self.broken(Promise::Untouched, name, format!("outside: {}", changes.join("; ")));
            self.before = now;
        }
        if self.play.is_careful {
            self.look_into_files(name);
        }
        Ok(())
    }

    /// Looks for what was outside in all that may be written and was, since it was last looked at.
    fn look_into_files(&mut self, name: &[OsString]) {
        let outside = [Kind::Outside, Kind::Around];
        let all = [Kind::Outside, Kind::Around, Kind::Kept];
        let scene = &self.scene;
        let places =
            [(scene.data(), &outside[..]), (scene.tree(), &all[..]), (scene.git(), &all[..])];
        let mut found = Vec::new();
        for (folder, kinds) in places {
            for file in self.looked.changed(&folder) {
                // The program may take a file away while we look.
                let mark = self.scene.marks.in_file(&file, kinds).unwrap_or(None);
                found.extend(
                    mark.map(|mark| format!("{} holds what stands in {mark}", file.display())),
                );
            }
        }
        for what in found {
            self.broken(Promise::Unkept, name, what);
        }
    }

    pub(super) fn broken(&mut self, promise: Promise, name: &[OsString], what: String) {
        let violation = Violation { promise, command: name.to_vec(), what };
        self.played.violations.push(violation);
    }

    pub(super) fn slow(&mut self, name: &[OsString]) {
        self.broken(Promise::InTime, name, "did not end within a second".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn two_thousand_seeds_spoil_every_place_in_many_ways() {
        let all: Vec<Item> = (0..2_000).flat_map(items).collect();
        for place in PLACES {
            let here = |item: &&Item| matches!(item, Item::In(other, _) if other == place);
            let ways: BTreeSet<String> =
                all.iter().filter(here).map(|item| format!("{item:?}")).collect();
            assert!(10 <= ways.len(), "{place:?} is spoiled in {} ways", ways.len());
        }
        assert!(all.contains(&Item::Drafts));
    }
}
