//! The log is cut, flipped or overwritten, its index made random: what is left is a prefix, and writing goes on.

use std::fs;

use anyhow::{Context as _, Result, ensure};

use super::chance::Chance;
use super::template::{Log, N_NOTES, SESSION, Template};
use super::{Extent, Given};

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let n_rounds = match given.extent {
        Extent::Quick => 24,
        Extent::Full => 200,
    };
    let template = Template::new(&given.vade, Log::Full)?;
    let log = template.kept("vade.db-wal")?;
    ensure!(!log.is_empty(), "nothing is in the log");
    let mut chance = Chance::of(given.seed);
    let (mut n_whole, mut n_refused) = (0, 0);
    for n in 0..n_rounds {
        template.restore()?;
        hurt(&template, &log, n, &mut chance)?;
        let left = left(&template).with_context(|| format!("damage {n}"))?;
        n_whole += usize::from(left == Some(N_NOTES));
        n_refused += usize::from(left.is_none());
    }
    Ok(format!(
        "{n_rounds} damages of log and index: {n_whole} times all notes, {n_refused} times refused in words, else a \
         prefix; the next write is seen"
    ))
}

fn hurt(template: &Template, log: &[u8], n: usize, chance: &mut Chance) -> Result<()> {
    let mut bytes = log.to_vec();
    let at = usize::try_from(chance.below(u64::try_from(log.len())?))?;
    let mut random = || chance.below(256).to_le_bytes()[0];
    match n % 4 {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 0x10,
        2 => {
            let end = log.len().min(at + 512);
            bytes[at..end].fill_with(&mut random);
        }
        _ => {
            let index = template.home.data().join("vade.db-shm");
            let mut bytes = fs::read(&index)?;
            bytes.fill_with(&mut random);
            fs::write(index, bytes)?;
        }
    }
    Ok(fs::write(template.home.data().join("vade.db-wal"), bytes)?)
}

/// How many of the notes are left, the first ones; none if reading is refused.
fn left(template: &Template) -> Result<Option<usize>> {
    let home = &template.home;
    let words = ["note", "list", "--limit", "100"];
    let (listed, code) = home.cli(SESSION, &words)?;
    if code != Some(0) {
        ensure!(code == Some(7), "list ended with {code:?}: {listed}");
        let looked = home.output(SESSION, &["doctor"])?.status;
        ensure!(looked.code() == Some(7), "list says {listed}, doctor ended with {looked}");
        return Ok(None);
    }
    let notes = listed["notes"].as_array().context("no list")?;
    let mut contents: Vec<&str> =
        notes.iter().filter_map(|note| note["content"].as_str()).collect();
    contents.reverse();
    let wanted: Vec<String> = (0..contents.len()).map(|n| format!("before-{n}")).collect();
    ensure!(contents == wanted, "no prefix: {contents:?}");
    let n_left = contents.len();
    let (answer, code) = home.cli(SESSION, &["note", "add", "after", "--tag", "finding"])?;
    ensure!(code == Some(0), "a note is refused with {code:?}: {answer}");
    let (listed, _) = home.cli(SESSION, &words)?;
    ensure!(listed["total"] == n_left + 1, "{n_left} and one more are {listed}");
    home.check_sound()?;
    Ok(Some(n_left))
}
