//! What is set, whether vade is on here, and what waits to be taken in.

use vademecum::core::project::shown;
use vademecum::core::time::Time;
use vademecum::ops::identity::FILE;
use vademecum::ops::moments::{RecallUse, recall_use, waiting};
use vademecum::ops::ops::list_projects::other_than;
use vademecum::ops::place::Place;
use vademecum::port::{Store, StoreError, read};

use super::{Doctor, Finding, lasting};

pub(super) fn check(doctor: &Doctor<'_>, store: &dyn Store) -> Vec<Finding> {
    let findings = [
        Some(config(doctor)),
        switch(doctor, store),
        moved(doctor, store),
        unfinished(doctor, store),
    ];
    let findings = findings.into_iter().chain([identity(doctor), recall(doctor, store)]);
    findings.flatten().chain(spool(doctor)).collect()
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
            let mend = error.hint.clone().unwrap_or_else(|| "correct the file".to_owned());
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
        let project = view.project_by_keys(&place.clues(&doctor.world.machines()))?;
        let name = project.as_ref().map_or_else(|| place.name(), |project| shown(&project.name));
        Ok::<_, StoreError>((
            view.store()?.off_at,
            project.and_then(|project| project.off_at),
            name,
        ))
    });
    let since = |at: Time| at.to_rfc3339();
    Some(match looked.ok()? {
        (Some(at), _, _) => {
            let text = format!("vade is off everywhere since {}", since(at));
            Finding::warn(ABOUT, text, "vade on --all")
        }
        (None, Some(at), name) => {
            let text = format!("vade is off in {name} since {}", since(at));
            Finding::warn(ABOUT, text, "vade on")
        }
        (None, None, name) => Finding::ok(ABOUT, format!("vade is on in {name}")),
    })
}

/// The project that may have been moved to this folder, or is shared and meant by it; none where this one is known for longer.
fn moved(doctor: &Doctor<'_>, store: &dyn Store) -> Option<Finding> {
    let place = Place::of(&doctor.world.folders.work);
    let moved = read(store, |view| {
        let here =
            view.project_by_keys(&place.clues(&doctor.world.machines()))?.map(|project| project.id);
        other_than(view, doctor.world, here)
    });
    let moved = moved.ok()??;
    let (text, mend) = moved.split_once(": if ")?;
    Some(Finding::warn("project", text, format!("if {}", mend.replacen(", run", ":", 1))))
}

/// What was begun to be forgotten; none where nothing is, or the store cannot be read.
fn unfinished(doctor: &Doctor<'_>, store: &dyn Store) -> Option<Finding> {
    let intents = lasting::of(doctor, store).intents;
    let text = match intents.len() {
        1 => "one thing was begun to be forgotten and is not gone".to_owned(),
        n => format!("{n} things were begun to be forgotten and are not gone"),
    };
    (!intents.is_empty()).then(|| Finding::bad("forget", text, "vade status goes on with it"))
}

/// What is wrong with the file that says who writes here.
fn identity(doctor: &Doctor<'_>) -> Option<Finding> {
    let error = doctor.world.known_identity().err()?;
    let file = doctor.short(&doctor.world.folders.data.join(FILE));
    let text = format!("{error}: what is written says of no person and no machine");
    Some(Finding::warn(
        "identity",
        text,
        format!("mv {file} {file}.old: the next write makes another"),
    ))
}

/// How much of what prompts here were told unasked was used; none where nothing was told.
fn recall(doctor: &Doctor<'_>, store: &dyn Store) -> Option<Finding> {
    const ABOUT: &str = "recall";
    let place = Place::of(&doctor.world.folders.work);
    let project =
        read(store, |view| view.project_by_keys(&place.clues(&doctor.world.machines()))).ok()??;
    let config = doctor.config.as_ref().ok()?;
    let recalled = recall_use(config, &doctor.world.folders.data, project.id)?;
    let RecallUse { told, used } = recalled;
    Some(if recalled.is_silent() {
        let text =
            format!("silent here: {used} of the last {told} that prompts were told were used");
        Finding::warn(ABOUT, text, "vade search WORDS, or a model's recall, lets it speak again")
    } else {
        Finding::ok(ABOUT, format!("{used} of the last {told} told were used"))
    })
}

fn spool(doctor: &Doctor<'_>) -> Vec<Finding> {
    const ABOUT: &str = "spool";
    let waiting = waiting(&doctor.world.folders.data);
    let mut findings = Vec::new();
    if 0 < waiting.n_unreadable {
        let n = waiting.n_unreadable;
        let lines = if n == 1 { "1 line was".to_owned() } else { format!("{n} lines were") };
        let text = format!("{lines} set aside: torn, or of another version of vade");
        findings.push(Finding::warn(
            ABOUT,
            text,
            "a newer vade takes in what it knows; forget removes them",
        ));
    }
    findings.push(match waiting.oldest {
        None => Finding::ok(ABOUT, "nothing waits"),
        Some(oldest) => {
            let (n, since) = (waiting.n_events, oldest.at.to_rfc3339());
            let other = doctor.another_store(oldest.store.as_ref());
            let of = other.as_ref().map(|its| format!(" for the store {its}")).unwrap_or_default();
            let text = format!("{n} waiting since {since}{of}: {}", oldest.fault);
            let mend = match other {
                Some(its) => format!("VADE_STORE='{its}' vade status"),
                None => "vade status takes them in, unless what is bad above stands in the way"
                    .to_owned(),
            };
            Finding::warn(ABOUT, text, mend)
        }
    });
    findings
}
