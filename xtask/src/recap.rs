//! Prints the recap of a transcript, or learns the weights of its ranking from many.
//!
//! `cargo xtask recap FILE [--budget N] [--method default|exact|tail|seed]`, with
//! `--without REPO --sessions FOLDER` by weights that FOLDER teaches without that repository,
//! `cargo xtask recap --learn FOLDER`, whose output is the file of weights, or
//! `cargo xtask recap --check FOLDER`, which says what of recaps does not hold.

mod check;
mod facts;
mod kept;
mod learn;
mod without;

pub(crate) use facts::{Fact, facts};

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, bail};
use vademecum_core::turn::Turn;
use vademecum_harness::transcript::{Report, Span, read};
use vademecum_recap::seed::{Outside, Seed, SeedOptions};
use vademecum_recap::{Digest, Options, Tail};

/// Prints a recap, or learns.
pub(crate) fn run(words: &[String]) -> Result<()> {
    if let Some(folder) = after(words, "--learn") {
        return learn::learn(Path::new(folder));
    }
    if let Some(folder) = after(words, "--check") {
        return check::check(Path::new(folder));
    }
    let Some(file) = words.first().filter(|word| !word.starts_with("--")) else {
        bail!("give a transcript, or --learn or --check and a folder of them");
    };
    let budget = after(words, "--budget").unwrap_or("1000").parse().context("--budget")?;
    let text = match after(words, "--method").unwrap_or("default") {
        "default" => {
            let digest = digest(Path::new(file))?;
            weighed(digest, words)?.recap(budget).text
        }
        "exact" => vademecum_ops::recaps::exact(&digest(Path::new(file))?, budget, ""),
        "tail" => {
            let mut tail = Tail::default();
            turns(Path::new(file), &mut |turn| tail.push(&turn))?;
            tail.recap(budget).text
        }
        "seed" => {
            let mut seed = Seed::default();
            turns(Path::new(file), &mut |turn| seed.push(&turn))?;
            seed.recap(&SeedOptions::default(), Outside::default(), budget).text
        }
        other => bail!("no method \"{other}\": default, exact, tail, seed"),
    };
    println!("{text}");
    Ok(())
}

/// The digest with the weights that are asked for.
fn weighed(digest: Digest, words: &[String]) -> Result<Digest> {
    let Some(repo) = after(words, "--without") else { return Ok(digest) };
    let folder = after(words, "--sessions").context("--without needs --sessions FOLDER")?;
    Ok(digest.with_weights(without::weights(Path::new(folder), repo)?))
}

fn digest(file: &Path) -> Result<Digest> {
    let roots = turns(file, &mut |_| {})?.cwds;
    let mut digest = Digest::new(&Options { roots });
    turns(file, &mut |turn| digest.push(&turn))?;
    Ok(digest)
}

/// Reads the turns of a transcript.
fn turns(file: &Path, sink: &mut dyn FnMut(Turn)) -> Result<Report> {
    let opened = File::open(file).with_context(|| file.display().to_string())?;
    let mut source = BufReader::with_capacity(256 * 1024, opened);
    Ok(read(None, Span::Whole, &mut source, sink)?)
}

/// The word that follows `flag`.
fn after<'a>(words: &'a [String], flag: &str) -> Option<&'a str> {
    let at = words.iter().position(|word| word == flag)?;
    words.get(at + 1).map(String::as_str)
}
