//! End-to-end runs: the real Claude Code and Codex, wired by `vade install`, against a mock model.
//!
//! Scenarios assert from what the model received and from what `vade` says, never from its insides.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};

use crate::step;
use crate::tools::{CLAUDE_CODE, CODEX};
use world::{Programs, World};

mod ask;
mod by_hand;
mod codex;
mod compaction;
mod doctor;
mod expect;
mod faults;
mod http;
mod idle_tax;
mod instances;
mod model;
mod process;
mod recap;
mod reply;
mod request;
mod resume_and_fork;
mod samples;
mod script;
mod siblings;
mod sub_agents;
mod wide_page;
mod world;

/// One story with its own world.
struct Scenario {
    /// The name to run it by.
    name: &'static str,
    /// Plays it and says what is worth a line.
    play: fn(&World<'_>) -> Result<String>,
}

const SCENARIOS: [Scenario; 18] = [
    Scenario { name: "compaction", play: compaction::play },
    Scenario { name: "wide-page", play: wide_page::play },
    Scenario { name: "resume-and-fork", play: resume_and_fork::play },
    Scenario { name: "sub-agents", play: sub_agents::play },
    Scenario { name: "siblings", play: siblings::told },
    Scenario { name: "running", play: siblings::running },
    Scenario { name: "by-hand", play: by_hand::play },
    Scenario { name: "idle-tax", play: idle_tax::play },
    Scenario { name: "doctor", play: doctor::play },
    Scenario { name: "faults", play: faults::play },
    Scenario { name: "recap", play: recap::play },
    Scenario { name: "killed", play: instances::killed },
    Scenario { name: "two-at-once", play: instances::two_at_once },
    Scenario { name: "finished", play: instances::finished },
    Scenario { name: "codex", play: codex::compaction::play },
    Scenario { name: "codex-wiring", play: codex::wiring::play },
    Scenario { name: "codex-sub-agents", play: codex::sub_agents::play },
    Scenario { name: "codex-siblings", play: codex::siblings::play },
];

/// Runs the scenarios named in `arguments`, or all.
///
/// `--vade PATH` tries another build of `vade` than the one of this repository.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (vade, names) = match arguments {
        [flag, path, names @ ..] if flag == "--vade" => (Some(PathBuf::from(path)), names),
        names => (None, names),
    };
    let chosen = choose(names)?;
    let target = target_folder()?;
    let programs = Programs {
        claude: CLAUDE_CODE.program(&target)?,
        codex: CODEX.program(&target)?,
        vade: vade.map_or_else(|| build_vade(&target), Ok)?,
    };

    let begin = Instant::now();
    let n_failed = chosen.iter().filter(|scenario| !scenario.passes(&programs, &target)).count();
    println!(
        "e2e: {} scenarios, {n_failed} failed, {:.1} s",
        chosen.len(),
        begin.elapsed().as_secs_f32()
    );
    ensure!(n_failed == 0, "{n_failed} end-to-end scenarios failed");
    Ok(())
}

impl Scenario {
    /// Plays in a fresh world and prints one line; the world of a failure is kept.
    fn passes(&self, programs: &Programs, target: &Path) -> bool {
        let begin = Instant::now();
        let folder = target.join("e2e").join(self.name);
        let result = World::new(programs).and_then(|world| {
            clear(&folder)?;
            let played = (self.play)(&world);
            if let Err(error) = &played {
                world.save(&folder, &format!("{error:#}"))?;
            }
            played
        });

        let seconds = begin.elapsed().as_secs_f32();
        match &result {
            Ok(figures) => println!("  ok     {:<16} {seconds:5.1} s  {figures}", self.name),
            Err(error) => println!(
                "  FAILED {:<16} {seconds:5.1} s  {}; all of it: {}",
                self.name,
                short(&format!("{error:#}")),
                folder.display()
            ),
        }
        result.is_ok()
    }
}

/// Removes what an earlier failure left.
fn clear(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}

/// The beginning of an error on one line.
fn short(error: &str) -> String {
    let line = error.replace('\n', " ");
    match line.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn choose(names: &[String]) -> Result<Vec<&'static Scenario>> {
    let known = |name: &String| SCENARIOS.iter().any(|scenario| scenario.name == name);
    if let Some(name) = names.iter().find(|name| !known(name)) {
        let all: Vec<&str> = SCENARIOS.iter().map(|scenario| scenario.name).collect();
        bail!("no scenario {name:?}: use {}", all.join(", "));
    }
    let is_chosen =
        |scenario: &&Scenario| names.is_empty() || names.iter().any(|name| name == scenario.name);
    Ok(SCENARIOS.iter().filter(is_chosen).collect())
}

/// The folder that cargo builds into: this program lies in a profile's folder below it.
fn target_folder() -> Result<PathBuf> {
    let program = env::current_exe()?;
    Ok(program.ancestors().nth(2).context("xtask does not lie in a target folder")?.to_owned())
}

fn build_vade(target: &Path) -> Result<PathBuf> {
    step::run(step::cargo().args(["build", "--quiet", "--locked", "--bin", "vade"]))?;
    Ok(target.join("debug").join("vade"))
}
