//! A store in which each table has something of a project.

use std::sync::Arc;

use vademecum_core::entry::{
    Category, Entry, Labels, Line, Matter, Said, Severity, Status, Stood, Text,
};
use vademecum_core::id::{EntryId, NoteId, ProjectId};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::plan::PlanName;
use vademecum_core::project::{KeyKind, ProjectKey};
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::splice::Splice;
use vademecum_core::sub_agent::Running;
use vademecum_core::time::Time;
use vademecum_sqlite::Sqlite;
use vademecum_store::{Change, Scope};

use crate::scene::commit;

/// A word of letters, so that it is a key of the index too.
pub(crate) const SECRET: &str = "plantedsecret";

pub(crate) const PROJECT: ProjectId = ProjectId([9; 16]);

fn key(external: &str, agent: Option<&str>) -> SessionKey {
    let external = format!("{SECRET}-{external}");
    SessionKey { harness: "test".to_owned(), external, agent: agent.map(str::to_owned) }
}

fn session(key: &SessionKey, parent: Option<&SessionKey>) -> Change {
    let place = Place {
        cwd: Some(format!("/home/{SECRET}").into_bytes()),
        transcript: Some(format!("/home/{SECRET}.jsonl").into_bytes()),
        model: Some(SECRET.to_owned()),
        ..Place::default()
    };
    Change::AddSession {
        project: PROJECT,
        key: key.clone(),
        parent: parent.cloned(),
        began: if key.agent.is_some() { Began::Spawn } else { Began::Start },
        instance: 1,
        host_name: SECRET.to_owned(),
        place,
        at: Time(1),
    }
}

fn note(id: i64) -> Note {
    Note {
        id: NoteId(id),
        content: Content::new(format!("a {SECRET} of note {id}")).expect("a content"),
        tags: Tags::new(&[SECRET]).expect("a tag"),
        created_at: Time(id),
        updated_at: Time(id),
        scratched_at: None,
    }
}

fn entry(id: i64) -> Entry {
    let text = |what: &str| Text::new(format!("{SECRET} {what}")).expect("a text");
    let line = || Some(Line::new(SECRET).expect("a line"));
    let workaround = Some(text("way around"));
    let matter = Matter::Issue { severity: Some(Severity::Low), status: Status::Open, workaround };
    let said = Said {
        content: text("issue"),
        matter,
        task: line(),
        pattern: line(),
        tags: Labels::new(&[SECRET]).expect("a tag"),
        ..Said::bare(Category::Issue, text("issue"))
    };
    let plan = PlanName::new(SECRET).expect("a name");
    let session = Some(Arc::new(key("one", None)));
    let stood = Stood::some(line(), None).map(Box::new);
    Entry { session, stood, ..Entry::new(EntryId(id), plan, Time(id), said) }
}

/// Puts the word into every table that has room for it.
pub(crate) fn fill(store: &Sqlite) {
    let (one, agent) = (key("one", None), key("one", Some("a")));
    let keys = vec![ProjectKey {
        kind: KeyKind::Folder,
        machine: None,
        value: format!("/home/{SECRET}").into_bytes(),
    }];
    let begin = Change::AddProject { id: PROJECT, name: SECRET.to_owned(), keys, at: Time(1) };
    commit(store, Scope::Store, "begin", &[begin, session(&one, None)]).expect("a session");
    let plan = PlanName::new(SECRET).expect("a name");
    let running = Running {
        began_at: Time(2),
        host_pid: None,
        kind: Some(SECRET.to_owned()),
        asked: Some(SECRET.to_owned()),
    };
    let page = format!("a page on {SECRET}");
    let changes = [
        session(&agent, Some(&one)),
        Change::SetRunning { session: agent, running: Some(running) },
        Change::AddPlan { project: PROJECT, name: plan.clone(), is_tracked: false, at: Time(1) },
        Change::SetActivePlan { session: one.clone(), plan: Some(plan) },
        Change::AddEntry { project: PROJECT, entry: entry(1) },
        Change::EditNotepad {
            session: one.clone(),
            splice: Splice::between("", &page),
            rev: 1,
            at: Time(2),
        },
        Change::SetHandoff { session: one.clone(), text: Some(page.clone()), at: Time(2) },
        Change::SetRecap { session: one.clone(), body: format!("\"{SECRET}\""), at: Time(2) },
    ];
    commit(store, Scope::Session(one.clone()), "fill", &changes).expect("a write");
    // What the page said is in the journal.
    for (rev, old, new) in [(2, page.as_str(), "clean"), (3, "clean", page.as_str())] {
        let splice = Splice::between(old, new);
        let edit = Change::EditNotepad { session: one.clone(), splice, rev, at: Time(3) };
        let id = format!("edit {rev}");
        commit(store, Scope::Session(one.clone()), &id, &[edit]).expect("a write");
    }
    // A slice of them is in the index, the others wait; a fork lacks most.
    let notes = |ids: std::ops::Range<i64>| -> Vec<Change> {
        ids.map(|id| Change::AddNote { session: one.clone(), note: note(id) }).collect()
    };
    commit(store, Scope::Session(one.clone()), "notes", &notes(1..40)).expect("a write");
    let fork = key("fork", None);
    commit(
        store,
        Scope::Session(fork.clone()),
        "fork",
        &[
            session(&fork, None),
            Change::Fork {
                session: fork.clone(),
                from: one,
                page: true,
                notes: true,
                at_once: Some(5),
                at: Time(3),
            },
        ],
    )
    .expect("a fork");
    let entries = (2..5).map(|id| Change::AddEntry { project: PROJECT, entry: entry(id) });
    for (n, entry) in entries.enumerate() {
        // A write id is never erased.
        let id = format!("entry {n}");
        commit(store, Scope::Project(PROJECT), &id, &[entry]).expect("a write");
    }
}
