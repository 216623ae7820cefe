//! What is announced, or was answered before, is answered the same.

use vademecum_core::entry::{Category, Entry, Said, Text};
use vademecum_core::id::{EntryId, ProjectId, Seq};
use vademecum_core::plan::PlanName;
use vademecum_core::session::SessionKey;
use vademecum_core::splice::Splice;
use vademecum_core::sub_agent::Running;

use super::scene::{START, begun, commit, folder, key, note, project};
use crate::answers::{Answering, Answers};
use crate::change::Change;
use crate::error::StoreError;
use crate::store::{Store, read};
use crate::view::{EntryFilter, JournalFilter, NoteFilter, SessionFilter, View, Whose, Words};
use crate::write::Scope;

pub(super) const CASES: &[super::Case] =
    &[("what is announced, or was answered, is answered the same", same)];

/// Something of each kind, in one write.
fn fill(store: &dyn Store) -> (ProjectId, SessionKey) {
    let project = project(store, "/p");
    let (key, agent) = (key("s", None), key("s", Some("a")));
    let said = Said::bare(Category::Decision, Text::new("stay").expect("a text"));
    let name = PlanName::project();
    let running =
        Running { began_at: START, host_pid: Some(1), kind: None, asked: Some("look".to_owned()) };
    let session = || key.clone();
    let changes = [
        begun(project, &key),
        begun(project, &agent),
        Change::AddNote { session: session(), note: note(1, "first", &["a", "b"]) },
        Change::EditNotepad {
            session: session(),
            splice: Splice { at: 0, remove: 0, insert: "# Now\n".to_owned() },
            rev: 1,
            at: START,
        },
        Change::SetHandoff { session: session(), text: Some("go on".to_owned()), at: START },
        Change::SetRecap { session: session(), body: "{}".to_owned(), at: START },
        Change::SetWorked { session: session(), at: START },
        Change::SetRunning { session: agent, running: Some(running) },
        Change::AddPlan { project, name: name.clone(), is_tracked: true, at: START },
        Change::AddEntry { project, entry: Entry::new(EntryId(7), name, START, said) },
    ];
    commit(store, Scope::Project(project), "all", &changes);
    let note = Change::SetNote { session: session(), note: note(1, "second", &["a"]) };
    commit(store, Scope::Session(session()), "one", &[note]);
    (project, key)
}

/// The answers to one question of each kind, in words.
fn asked(
    view: &dyn View,
    (project, key): (ProjectId, &SessionKey),
) -> Result<Vec<String>, StoreError> {
    let filter = SessionFilter { project: Some(project), ..SessionFilter::ALL };
    let entries = EntryFilter { project: Some(project), in_force: true, ..EntryFilter::default() };
    let journal = JournalFilter { bodies: 1 << 20, ..JournalFilter::default() };
    Ok(vec![
        // First of all: whose it is has to be found out.
        format!("{:?}", view.journal(&journal)?),
        format!("{:?}", view.store()?),
        format!("{:?}", view.project_by_keys(&[folder("/p")])?),
        format!("{:?}", view.projects(None)?),
        format!("{:?}", view.project_keys(project)?),
        format!("{:?}", view.session(key)?),
        format!("{:?}", view.line_of(key, 9)?),
        format!("{:?}", view.sessions(filter)?),
        format!("{:?}", view.card(key)?),
        format!("{:?}", view.page(key, 100)?),
        format!("{:?}", view.notes(key, &NoteFilter::ALL, 0)?),
        format!("{:?}", view.tag_counts(key, None, true)?),
        format!("{:?}", view.plans(project, None)?),
        format!("{:?}", view.entries(entries, 0)?),
        format!("{:?}", view.last_entry(project)?),
        format!("{:?}", view.entry_count(entries)?),
        format!("{:?}", view.handoffs(Words::Of(key))?),
        format!("{:?}", view.recap(key)?),
        format!("{:?}", view.running(Whose::Parent(key))?),
    ])
}

fn same(store: &dyn Store) {
    let (project, key) = fill(store);
    let of = (project, &key);
    let plain = read(store, |view| asked(view, of)).expect("answers");
    let announced = read(store, |view| {
        view.expect(&|view| drop(asked(view, of)));
        asked(view, of)
    });
    assert_eq!(announced.expect("answers"), plain);
    let noted = read(store, |view| {
        let noting = Answering::noting(view);
        assert_eq!(asked(&noting, of)?, plain);
        Ok(noting.into_answers())
    });
    let json = serde_json::to_string(&noted.expect("answers")).expect("JSON");
    let answers: Answers = serde_json::from_str(&json).expect("answers");
    let known = Answering::of(&answers);
    assert_eq!(asked(&known, of).expect("answers"), plain);
    assert!(!known.lacks());
    let other = JournalFilter { after: Some(Seq(1)), ..JournalFilter::default() };
    assert!(known.journal(&other).is_err() && known.lacks());
}
