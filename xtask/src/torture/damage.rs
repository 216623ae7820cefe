//! The database is damaged anywhere: hooks answer in time, `doctor` sees it, `--repair` makes a store of it again.

use std::fs;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::chance::Chance;
use super::home::limit_of;
use super::template::{Log, SESSION, Template};
use super::{Extent, Given};

const PAGE_BYTES: usize = 4096;

/// What is done to the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Flip,
    Page,
    Zeros,
    Cut,
}

impl Kind {
    /// One of them, the way the adversary shared them out: 120, 50, 50 and 30 of 250.
    fn of(chance: &mut Chance) -> Self {
        match chance.below(25) {
            0..12 => Self::Flip,
            12..17 => Self::Page,
            17..22 => Self::Zeros,
            _ => Self::Cut,
        }
    }

    fn hurt(self, bytes: &mut Vec<u8>, chance: &mut Chance) -> Result<()> {
        let end = u64::try_from(bytes.len())?;
        let at = usize::try_from(chance.below(end))?;
        match self {
            Self::Flip => bytes[at] ^= 1 << chance.below(8),
            Self::Page => {
                let page = at / PAGE_BYTES * PAGE_BYTES;
                let page = bytes.get_mut(page..page + PAGE_BYTES).context("a page")?;
                page.fill_with(|| chance.below(256).to_le_bytes()[0]);
            }
            Self::Zeros => {
                let end = bytes.len().min(at + 512);
                bytes[at..end].fill(0);
            }
            Self::Cut => bytes.truncate(at),
        }
        Ok(())
    }
}

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let n_rounds = match given.extent {
        Extent::Quick => 15,
        Extent::Full => 250,
    };
    let template = Template::new(&given.vade, Log::Empty)?;
    let whole = template.kept("vade.db")?;
    let mut chance = Chance::of(given.seed);
    let (mut n_seen, mut n_pages, mut slowest) = (0, 0, Duration::ZERO);
    for n in 0..n_rounds {
        template.restore()?;
        let kind = Kind::of(&mut chance);
        let mut bytes = whole.clone();
        kind.hurt(&mut bytes, &mut chance)?;
        fs::write(template.home.data().join("vade.db"), &bytes)?;
        let what = || format!("damage {n}");
        let hurt = looked_at(&template).with_context(what)?;
        slowest = slowest.max(hurt.hook);
        n_seen += usize::from(hurt.is_seen);
        if matches!(kind, Kind::Page | Kind::Cut) && bytes != whole {
            n_pages += 1;
            ensure!(hurt.is_seen, "{}: doctor sees nothing wrong with a lost page", what());
        }
        mended(&template).with_context(what)?;
    }
    Ok(format!(
        "{n_rounds} damages: {n_rounds} hooks with exit 0, the slowest {} ms; doctor saw {n_seen}, with all {n_pages} \
         lost pages; {n_rounds} repaired and written to, 0 panics",
        slowest.as_millis()
    ))
}

struct Hurt {
    hook: Duration,
    is_seen: bool,
}

fn looked_at(template: &Template) -> Result<Hurt> {
    let resume = json!({"source": "resume"});
    let hooked = template.home.hook(SESSION, "SessionStart", &resume)?;
    ensure!(hooked.took <= limit_of("SessionStart"), "the hook took {:?}", hooked.took);
    ensure!(!hooked.said.contains("panicked"), "{}", hooked.said);
    let looked = template.home.output(SESSION, &["doctor", "--deep"])?;
    let code = looked.status.code();
    let said = String::from_utf8_lossy(&looked.stderr);
    ensure!(matches!(code, Some(0 | 7)), "doctor ended with {}: {said}", looked.status);
    let list = template.home.output(SESSION, &["note", "list"])?;
    let said = String::from_utf8_lossy(&list.stderr);
    ensure!(
        list.status.code().is_some_and(|code| code < 100),
        "list ended with {}: {said}",
        list.status
    );
    Ok(Hurt { hook: hooked.took, is_seen: code == Some(7) })
}

fn mended(template: &Template) -> Result<()> {
    let repaired = template.home.output(SESSION, &["doctor", "--repair"])?;
    let said = String::from_utf8_lossy(&repaired.stderr);
    let told = String::from_utf8_lossy(&repaired.stdout);
    ensure!(repaired.status.success(), "repair ended with {}: {said}{told}", repaired.status);
    let (answer, code) =
        template.home.cli(SESSION, &["note", "add", "after", "--tag", "finding"])?;
    ensure!(code == Some(0), "after the repair a note is refused with {code:?}: {answer}");
    let (listed, code) = template.home.cli(SESSION, &["note", "list"])?;
    ensure!(code == Some(0) && listed.to_string().contains("after"), "{code:?}: {listed}");
    Ok(())
}
