//! Brings a store of schema 1.x over into a new store of the present schema; the old one is only read.
//!
//! All of it goes through the port, so that this knows the old tables and none of the new ones.

mod bring;
mod compare;
mod draft;
mod journal;
mod old;
mod source;
mod target;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail};
use vademecum_core::time::Time;

use self::draft::{Begun, Draft};
use self::target::Target;

/// What is called before each thing that changes a file; an error of it ends the conversion there, as a kill would.
type Steps<'a> = &'a mut dyn FnMut(&str) -> Result<()>;

/// `FROM TO`: the file of the old store, and the file of the new one, which is made.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [from, to] = arguments else {
        let n = arguments.len();
        bail!("two paths are taken, {n} given: run: cargo xtask convert FROM TO");
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?;
    let now = Time(i64::try_from(now.as_millis())?);
    let report = convert(Path::new(from), Path::new(to), now, &mut |_| Ok(()))?;
    print!("{report}");
    Ok(())
}

/// What was brought over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Report {
    /// The schema of the old store; empty where all was done before.
    version: String,
    to: PathBuf,
    /// How many of each, and the word for one.
    counts: Vec<(u64, &'static str)>,
    /// What a reader should know, one sentence each.
    notices: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.version.is_empty() {
            return writeln!(f, "{} was finished before", self.to.display());
        }
        writeln!(f, "from {} to {}", self.version, self.to.display())?;
        for (n, word) in &self.counts {
            writeln!(f, "  {n:>8} {word}")?;
        }
        self.notices.iter().try_for_each(|notice| writeln!(f, "{notice}"))
    }
}

/// Makes the store at `to` of the one at `from`, compares both in full, and gives it its name.
fn convert(from: &Path, to: &Path, now: Time, steps: Steps<'_>) -> Result<Report> {
    // Log, key and lock file lie beside the file itself, not beside a link to it.
    let found = fs::canonicalize(from).with_context(|| {
        format!("cannot read {}: name the file of a store, such as vade.db", from.display())
    })?;
    let from = found.as_path();
    let draft = match Draft::begin(from, to, steps)? {
        Begun::Anew(draft) => draft,
        Begun::Finished => return Ok(Report { to: to.to_owned(), ..Report::default() }),
    };
    let made = in_draft(from, &draft, now, steps);
    let mut report = match made {
        Ok(report) => report,
        Err(error) => {
            // What stands in the way of taking it away comes after the reason.
            let left = draft.give_up(steps).err().map(|left| format!("; {left}"));
            let left = left.unwrap_or_default();
            return Err(error.context(format!("{} was left as it was{left}", from.display())));
        }
    };
    draft.finish(steps)?;
    report.notices.extend(left_beside(from));
    Ok(Report { to: to.to_owned(), ..report })
}

/// Makes the new store in its draft, and compares the two.
fn in_draft(from: &Path, draft: &Draft, now: Time, steps: Steps<'_>) -> Result<Report> {
    let old = source::take(from, &draft.source(), steps)?;
    draft.put_key(old.key(), steps)?;
    let mut target = Target::new(&draft.store(), now, steps);
    bring::head(&old, &mut target)?;
    bring::state(&old, &mut target)?;
    let places = journal::bring(&old, &mut target)?;
    bring::standing(&old, &places, &mut target)?;
    drop(target);
    let counts = compare::whole(&old, &draft.store(), &places)?;
    let lost = "the key of the old store was lost: a new one was made, and the journal says so";
    let notices = old.key().is_none().then(|| lost.to_owned()).into_iter().collect();
    Ok(Report { version: old.version().to_owned(), to: PathBuf::new(), counts, notices })
}

/// What lies beside the old store that a person may want beside the new one.
fn left_beside(from: &Path) -> Option<String> {
    let folder = from.parent().unwrap_or(Path::new("."));
    let is_there = |name: &&str| folder.join(name).exists();
    let found: Vec<&str> = ["install", "spool", "drafts"].into_iter().filter(is_there).collect();
    let names = found.join(", ");
    let all =
        format!("beside the old store lie {names}: copy them beside the new one to keep them");
    (!found.is_empty()).then_some(all)
}
