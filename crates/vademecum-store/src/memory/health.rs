//! What a store in memory says of its own state.

use std::sync::Arc;

use vademecum_core::hash::Key;
use vademecum_core::id::Seq;

use super::state::State;
use crate::chain;
use crate::journal::Record;
use crate::store::{Depth, Health};

/// Looks at the state as deep as it is asked; there is no schema, since nothing outlives the program.
pub(super) fn check(state: &State, key: &Key, depth: Depth) -> Health {
    let engine = format!("memory {}", env!("CARGO_PKG_VERSION"));
    let faults = match depth {
        Depth::Unsaid => Vec::new(),
        Depth::Quick => broken_chains(state, key),
        Depth::Deep => {
            [broken_chains(state, key), changed_bodies(state, key), wrong_counts(state)].concat()
        }
    };
    Health { engine, schema: None, faults, of_others: Vec::new(), notices: Vec::new() }
}

/// One line for each scope whose chain does not hold, and for each that is not in the journal as it is.
fn broken_chains(state: &State, key: &Key) -> Vec<String> {
    let records = |line: &[Arc<Record>]| -> Vec<Seq> { line.iter().map(|it| it.seq).collect() };
    let mut all = Vec::new();
    let mut bad = Vec::new();
    for line in state.journal.lines.values() {
        all.extend(records(&line.records));
        let records = line.records.iter().map(Arc::as_ref);
        bad.extend(chain::first_bad(key, Seq(0), line.start, records));
    }
    all.sort();
    bad.sort_by_key(|record| record.seq);
    let bad = bad.iter().map(|record| format!("journal entry {} was changed", record.seq.0));
    let is_whole = all == records(&state.journal.records);
    let lost =
        (!is_whole).then(|| "the journal does not hold the entries of its scopes".to_owned());
    bad.chain(lost).collect()
}

/// One line for each body that is not the one its entry was made with.
fn changed_bodies(state: &State, key: &Key) -> Vec<String> {
    let journal = &state.journal;
    let hash_of = |seq| {
        let found = journal.records.binary_search_by_key(&seq, |record| record.seq);
        found.ok().map(|at| journal.records[at].body_hash)
    };
    let changed = journal
        .bodies()
        .filter(|(seq, body)| hash_of(*seq) != Some(chain::body_hash(key, &body.bytes())));
    changed.map(|(seq, _)| format!("the body of journal entry {} was changed", seq.0)).collect()
}

/// One line for each kind of what is kept twice and does not agree.
fn wrong_counts(state: &State) -> Vec<String> {
    let names = &state.names;
    let sessions = state.sessions.iter();
    let has_session_names = names.sessions.len() == state.sessions.len()
        && sessions.clone().all(|(number, it)| names.sessions.get(&it.about.key) == Some(number));
    let has_project_names = names.projects.len() == state.projects.len()
        && state.projects.iter().all(|(it, of)| names.projects.get(&of.about.id) == Some(it));
    let has_projects = sessions.clone().all(|(_, it)| state.projects.contains_key(&it.project))
        && names.keys.values().all(|project| state.projects.contains_key(project));
    let has_strays = sessions.clone().any(|(_, session)| session.notes.has_stray());
    [
        (!has_session_names, "a session is not found by its key"),
        (!has_project_names, "a project is not found by its id"),
        (!has_projects, "a session or a key is of no project"),
        (has_strays, "a note has an id beyond the last one"),
    ]
    .into_iter()
    .filter(|(is_wrong, _)| *is_wrong)
    .map(|(_, what)| what.to_owned())
    .collect()
}
