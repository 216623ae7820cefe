//! What is set, whether vade is on here, and what waits to be taken in.

use vademecum::core::time::Time;
use vademecum::ops::moments::queued;
use vademecum::ops::place::Place;
use vademecum::port::{Store, StoreError, read};

use super::{Doctor, Finding};

pub(super) fn check(doctor: &Doctor<'_>, store: &dyn Store) -> Vec<Finding> {
    let findings = [Some(config(doctor)), switch(doctor, store), Some(spool(doctor))];
    findings.into_iter().flatten().collect()
}

fn config(doctor: &Doctor<'_>) -> Finding {
    const ABOUT: &str = "config";
    match &doctor.config {
        Ok(config) if config.sources.is_empty() => Finding::ok(ABOUT, "nothing is set, defaults"),
        Ok(config) => {
            let set =
                config.sources.iter().map(|source| format!("{} ({})", source.key, source.from));
            Finding::ok(ABOUT, set.collect::<Vec<_>>().join(", "))
        }
        Err(error) => {
            let mend = error.hint.clone().unwrap_or_else(|| "mend the file".to_owned());
            Finding::bad(ABOUT, one_line(&error.message), mend)
        }
    }
}

/// The first and the last line of a message; between them a parser draws the place.
fn one_line(message: &str) -> String {
    let mut lines = message.lines().map(str::trim);
    match (lines.next(), lines.next_back()) {
        (Some(first), Some(last)) => format!("{first}: {last}"),
        (_, _) => message.to_owned(),
    }
}

/// Whether vade is on; none where the store cannot be read, which is told of above.
fn switch(doctor: &Doctor<'_>, store: &dyn Store) -> Option<Finding> {
    const ABOUT: &str = "project";
    let place = Place::of(&doctor.world.folders.work);
    let looked = read(store, |view| {
        let project = view.project_by_keys(&place.keys())?;
        Ok::<_, StoreError>((view.off_at()?, project.and_then(|project| project.off_at)))
    });
    let since = |at: Time| at.to_rfc3339();
    Some(match looked.ok()? {
        (Some(at), _) => {
            let text = format!("vade is off everywhere since {}", since(at));
            Finding::warn(ABOUT, text, "vade on --all")
        }
        (None, Some(at)) => {
            let text = format!("vade is off in {} since {}", place.name(), since(at));
            Finding::warn(ABOUT, text, "vade on")
        }
        (None, None) => Finding::ok(ABOUT, format!("vade is on in {}", place.name())),
    })
}

fn spool(doctor: &Doctor<'_>) -> Finding {
    const ABOUT: &str = "spool";
    let queued = queued(&doctor.world.folders.data);
    let Some(first) = queued.first() else { return Finding::ok(ABOUT, "nothing waits") };
    let text = format!("{} waiting since {}: {}", queued.len(), first.at.to_rfc3339(), first.fault);
    Finding::warn(ABOUT, text, "see what is bad above; the next session takes in what waits")
}
