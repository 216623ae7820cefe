//! All that a store answers at the end of a sequence, line by line, but for what engines may have of their own.

use vademecum_core::project::Project;
use vademecum_core::search::Query;
use vademecum_core::session::Session;
use vademecum_store::{
    Depth, EntryFilter, JournalEntry, JournalFilter, NoteFilter, SessionFilter, Store, StoreError,
    View, Whose, Words, conformance, read,
};

/// Words that are looked for in each session.
const QUERIES: &[&str] =
    &["queue", "parse config", "login.go", "漢字", "STRASSE", "e", "the lock fails"];

/// All that `store` answers; panics where it does not agree with itself.
pub(crate) fn told(store: &dyn Store) -> Vec<String> {
    // A store that is not well is a difference too, whose sequence is looked for like that of any other.
    let faults = store.health(Depth::Deep).expect("health").faults;
    if !faults.is_empty() {
        return faults;
    }
    conformance::check_sound(store);
    read(store, |view| {
        let mut told = Vec::new();
        let card = view.store()?;
        let intents: Vec<&String> = card.unfinished.intents.iter().map(|(_, what)| what).collect();
        told.push(format!("store: off {:?}, to forget {intents:?}", card.off_at));
        for project in view.projects(None)? {
            told.extend(of_project(view, &project)?);
        }
        for session in view.sessions(SessionFilter::ALL)? {
            told.extend(of_session(view, &session)?);
        }
        let all =
            JournalFilter { oldest_first: true, bodies: u64::MAX, ..JournalFilter::default() };
        told.extend(view.journal(&all)?.iter().map(of_entry));
        Ok(told)
    })
    .expect("a read")
}

fn of_project(view: &dyn View, project: &Project) -> Result<Vec<String>, StoreError> {
    let id = project.id;
    let mut told = vec![format!("{project:?}"), format!("keys {:?}", view.project_keys(id)?)];
    for (by_instance, include_archived, include_agents, limit) in [
        (true, true, true, 0),
        (false, false, true, 0),
        (false, true, false, 2),
        (true, false, false, 1),
    ] {
        let filter = SessionFilter {
            project: Some(id),
            prefix: None,
            harness: (limit == 2).then_some("desk"),
            include_archived,
            include_agents,
            by_instance,
            limit,
        };
        let keys: Vec<String> =
            view.sessions(filter)?.iter().map(|session| session.key.to_string()).collect();
        told.push(format!("{filter:?}: {keys:?}"));
    }
    told.push(format!("running {:?}", view.running(Whose::Project(id))?));
    told.push(format!("last entry {:?}", view.last_entry(id)?));
    let of_project = EntryFilter { project: Some(id), ..EntryFilter::default() };
    for in_force in [false, true] {
        for by_id in [false, true] {
            let filter = EntryFilter { in_force, by_id, ..of_project };
            told.push(format!("entries {:?}", view.entries(filter, 0)?));
            told.push(format!("{} entries", view.entry_count(filter)?));
        }
    }
    for plan in view.plans(id, None)? {
        told.push(format!("{plan:?}"));
        told.push(format!("{:?}", view.entries(EntryFilter::of(&plan), 3)?));
    }
    for words in QUERIES {
        let found = view.project_candidates(id, &Query::parse(words), &[])?;
        let mut documents: Vec<String> =
            found.documents.iter().map(|document| format!("{document:?}")).collect();
        documents.sort_unstable();
        let (counts, is_complete) = (found.found, found.is_complete);
        told.push(format!("{words:?}: {counts:?} {is_complete} {documents:?}"));
    }
    Ok(told)
}

fn of_session(view: &dyn View, session: &Session) -> Result<Vec<String>, StoreError> {
    let key = &session.key;
    let mut told = vec![
        format!("{session:?}"),
        format!("{:?}", view.card(key)?),
        format!("{:?}", view.page(key, usize::MAX)?),
        format!("{:?}", view.page(key, 7)?),
        format!("words {:?}", view.handoffs(Words::Of(key))?),
        format!("words of agents {:?}", view.handoffs(Words::OfAgents(key))?),
        format!("{:?}", view.recap(key)?),
        format!("running {:?}", view.running(Whose::Parent(key))?),
        format!("line {:?}", view.line_of(key, 9)?),
    ];
    for (filter, limit) in [
        (NoteFilter::ALL, 0),
        (NoteFilter::default(), 2),
        (NoteFilter { by_id: true, ..NoteFilter::ALL }, 3),
        (NoteFilter::open(&["decision"]), 0),
        (NoteFilter { include_scratched: true, ..NoteFilter::open(&["bug", "api"]) }, 0),
    ] {
        told.push(format!("notes {filter:?}, {limit}: {:?}", view.notes(key, &filter, limit)?));
        told.extend(
            QUERIES
                .iter()
                .map(|words| found(view, session, words, &filter))
                .collect::<Result<Vec<_>, _>>()?,
        );
    }
    for include_scratched in [false, true] {
        told.push(format!("tags {:?}", view.tag_counts(key, None, include_scratched)?));
        told.push(format!("todo {:?}", view.tag_counts(key, Some("todo"), include_scratched)?));
    }
    Ok(told)
}

/// What is found for some words: the notes have no order, and no two notes one id.
fn found(
    view: &dyn View,
    session: &Session,
    words: &str,
    filter: &NoteFilter,
) -> Result<String, StoreError> {
    let query = Query::parse(words);
    let mut found = view.candidates(&session.key, &query, filter)?;
    found.notes.sort_by_key(|note| note.id);
    Ok(format!("{words:?}: {found:?}"))
}

/// An entry of the journal without its hashes: each engine seals with what it keeps.
fn of_entry(entry: &JournalEntry) -> String {
    let JournalEntry { record, size, body } = entry;
    format!(
        "{} {} {} {} {} {:?} {} {body:?}",
        record.seq.0,
        record.scope,
        record.kind,
        record.origin.word(),
        record.write_id,
        record.at,
        size.is_some(),
    )
}
