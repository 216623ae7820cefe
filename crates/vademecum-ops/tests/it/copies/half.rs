//! One of two stores that are copied into each other, with who works there.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use vademecum_core::hash::plain;
use vademecum_core::id::{EntryId, NoteId, Seq, WriteId};
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_ops::comparing::{Comparison, compare};
use vademecum_ops::copying::{Report, Side, copy};
use vademecum_ops::history;
use vademecum_ops::who::full_key;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{
    Author, Change, Decision, Depth, EntryFilter, NoteFilter, Origin, Scope, Store, Surface, View,
    Write, Writer, read,
};

use crate::chance::Chance;
use crate::desk::Desk;

/// Write ids that callers give.
const GIVEN: [&str; 4] = ["w-1", "w-2", "w-3", "w-4"];

/// A store, and what was forgotten in it.
pub(super) struct Half {
    pub(super) desk: Desk,
    /// Whether callers give write ids that callers of the other one give too.
    same_ids: bool,
    pub(super) name: &'static str,
    n_texts: u64,
    /// The ids that were forgotten: what has one of them is held to be the same.
    ids: BTreeSet<String>,
    /// What nothing there may say again.
    pub(super) forgotten: BTreeSet<String>,
}

/// A store as a copy sees it.
pub(super) fn side(store: &dyn Store) -> Side<'_> {
    Side { store, name: "fresh" }
}

pub(super) fn into(from: &Half, to: &dyn Store) -> Report {
    let origin = Origin { surface: Surface::Import, author: Author::User };
    copy(from.side(), side(to), (&origin, Writer::NONE), Time(1_763_700_000_000)).expect("a copy")
}

pub(super) fn copied(from: &Half, to: &Half) -> Report {
    into(from, &to.desk.store)
}

pub(super) fn compared(one: &Half, other: &Half) -> Comparison {
    compare(one.side(), other.side()).expect("a comparison")
}

pub(super) fn session() -> SessionKey {
    full_key("test:session-1").expect("a key")
}

impl Half {
    /// A store that nothing was written to.
    pub(super) fn alone(name: &'static str) -> Self {
        let mut desk = Desk::new();
        let next = AtomicU64::new(1);
        desk.world.new_id =
            Box::new(move || format!("{name}-{}", next.fetch_add(1, Ordering::SeqCst)));
        let (ids, forgotten) = (BTreeSet::new(), BTreeSet::new());
        Self { desk, same_ids: false, name, n_texts: 0, ids, forgotten }
    }

    /// Two stores with one project and one session.
    pub(super) fn pair(same_ids: bool) -> (Self, Self) {
        let [one, two] = ["one", "two"].map(|name| Self { same_ids, ..Self::alone(name) });
        one.desk.object("add_note", json!({"content": "first of all", "tags": ["a"]}));
        one.desk.object("init_plan", json!({"name": "work"}));
        copied(&one, &two);
        two.desk.person("join_project", json!({"project": "project"})).expect("a project");
        if same_ids {
            two.desk.clock.fetch_add(500, Ordering::SeqCst);
        }
        (one, two)
    }

    pub(super) fn side(&self) -> Side<'_> {
        Side { store: &self.desk.store, name: self.name }
    }

    pub(super) fn read<T>(&self, look: impl Fn(&dyn View) -> T) -> T {
        read(&self.desk.store, |view| Ok(look(view))).expect("a read")
    }

    /// Makes changes that no operation makes.
    pub(super) fn write(&self, scope: Scope, changes: &[Change]) {
        let id = (self.desk.world.new_id)();
        let request = Write {
            scope,
            id: WriteId::new(&*id).expect("an id"),
            is_fresh: false,
            arguments: plain(id.as_bytes()),
            kind: "test",
            origin: Origin { surface: Surface::Hook, author: Author::Tool },
            by: Writer::NONE,
            at: (self.desk.world.now)(),
        };
        let decide = &mut |_: &dyn View| {
            Ok(Decision::Commit { changes: changes.to_vec(), reply: "1".to_owned() })
        };
        self.desk.store.write(&request, decide).expect("a write");
    }

    /// Copies `from` into this one by a handle of its own, as another process would.
    pub(super) fn takes_apart(&self, from: &Self) -> Report {
        let open =
            |half: &Self| Sqlite::at(&half.desk.folder().join("data/vade.db"), Options::patient());
        let (from, to) = (open(from), open(self));
        let origin = Origin { surface: Surface::Import, author: Author::User };
        copy(side(&from), side(&to), (&origin, Writer::NONE), Time(1_763_700_000_000))
            .expect("a copy")
    }

    pub(super) fn newest(&self) -> Seq {
        self.desk.store.wait(Seq(0), std::time::Duration::ZERO).expect("a number")
    }

    pub(super) fn check_sound(&self) {
        let health = self.desk.store.health(Depth::Deep).expect("health");
        assert_eq!(health.faults, Vec::<String>::new());
    }

    /// The bytes of the database and of its log.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let read = |name: &str| std::fs::read(self.desk.folder().join(name)).unwrap_or_default();
        [read("data/vade.db"), read("data/vade.db-wal")].concat()
    }

    pub(super) fn holds(&self, word: &str) -> bool {
        let word = word.as_bytes();
        self.bytes().windows(word.len()).any(|at| at == word)
    }

    /// Whether it says a word now, or did in what can be brought back.
    pub(super) fn tells(&self, word: &str) -> bool {
        let is_in_history = self.read(|view| {
            let revisions = history::revisions(view, &session(), 0).expect("a history");
            let text = |rev| history::text_at(view, &session(), rev).expect("a revision");
            revisions.iter().any(|revision| text(revision.rev).contains(word))
        });
        is_in_history || self.holds(word)
    }

    /// The export, without whether a session still runs.
    pub(super) fn exported(&self) -> String {
        let export = self.desk.person("export", json!({"format": "json", "all": true}));
        let export =
            export.expect("an export").object["content"].as_str().expect("a text").to_owned();
        export.lines().filter(|line| !line.contains("\"ended_at\"")).collect()
    }

    /// What this one says now that the other may not lack after a copy.
    pub(super) fn missing(&self, other: &Self) -> Vec<String> {
        let notes = self.notes().into_iter().map(|(id, text)| (id.to_string(), text));
        let entries = self.entries().into_iter().map(|(id, text)| (id.to_string(), text));
        let of_other = notes.chain(entries).filter(|(id, _)| !other.ids.contains(id));
        let mut texts: Vec<String> = of_other.map(|(_, text)| text).collect();
        texts.retain(|text| other.forgotten.iter().all(|word| !text.contains(word)));
        let (page, words) = self.read(|view| {
            let page = view.notepad(&session()).expect("a page").map(|page| page.text);
            (page, view.handoff(&session()).expect("words").map(|words| words.text))
        });
        texts.extend(page.into_iter().chain(words));
        let version = |text: &String| text.split(' ').next_back().map(str::to_owned);
        texts.iter().filter_map(version).filter(|it| it.starts_with("ver")).collect()
    }

    pub(super) fn notes(&self) -> Vec<(NoteId, String)> {
        let all = self.read(|view| view.notes(&session(), &NoteFilter::ALL, 0).expect("notes"));
        all.into_iter().map(|note| (note.id, note.content.as_str().to_owned())).collect()
    }

    pub(super) fn entries(&self) -> Vec<(EntryId, String)> {
        let all = self.read(|view| {
            let project = view.session(&session()).expect("a session")?.project;
            let filter = EntryFilter { project: Some(project), ..EntryFilter::default() };
            Some(view.entries(filter, 0).expect("entries"))
        });
        let all = all.into_iter().flatten();
        all.map(|entry| (entry.id, entry.said.content.as_str().to_owned())).collect()
    }

    /// Every note that is there or was.
    fn known(&self) -> Vec<(NoteId, String)> {
        let were = self.read(|view| {
            let mut were = Vec::new();
            for record in view.records(&Scope::Session(session()), 0).expect("records") {
                let Some(body) = view.body(record.seq).expect("a body") else { continue };
                were.extend(body.undo.into_iter().filter_map(|change| match change {
                    Change::AddNote { note, .. } | Change::SetNote { note, .. } => {
                        Some((note.id, note.content.as_str().to_owned()))
                    }
                    _ => None,
                }));
            }
            were
        });
        self.notes().into_iter().chain(were).collect()
    }

    /// A text that nobody has written yet: a new one, or another version of `text`.
    fn text(&mut self, text: Option<&str>) -> String {
        self.n_texts += 1;
        let new = format!("lin{}{}x", self.name, self.n_texts);
        let line = text.and_then(|text| text.split(' ').next()).unwrap_or(&new);
        format!("{line} ver{}{}x", self.name, self.n_texts)
    }

    fn call(&self, name: &str, arguments: Value) {
        // What is refused is none of a copy's business.
        drop(self.desk.person(name, arguments));
    }

    /// Does one thing that chance chooses.
    pub(super) fn does(&mut self, chance: &mut Chance) {
        self.desk.clock.fetch_add(1000, Ordering::SeqCst);
        let given = usize::try_from(chance.below(8)).expect("small");
        self.desk.write_id = GIVEN.get(given).copied().filter(|_| self.same_ids);
        let known = self.known();
        let some = usize::try_from(chance.below(known.len().max(1) as u64)).expect("small");
        let note = known.get(some).cloned();
        let (id, line) =
            note.map_or((json!("note_1"), None), |(id, line)| (json!(id.to_string()), Some(line)));
        let new = self.text(None);
        let plan = ["work", "_project", "other"][usize::try_from(chance.below(3)).expect("small")];
        match chance.below(18) {
            0..3 => self.call("add_note", json!({"content": new, "tags": ["a"]})),
            3 => {
                let text = self.text(line.as_deref());
                self.call("update_note", json!({"id": id, "content": text}));
            }
            4 => self.call("scratch_note", json!({"id": id, "scratched": chance.below(2) == 0})),
            5 | 6 => self.call("delete_note", json!({"id": id})),
            7 | 8 => self.call("restore_note", json!({"id": id})),
            9 => self.call("write_notepad", json!({"content": new})),
            10 => self.call(
                "update_notepad",
                json!({"operation": "append", "content": format!("\n{new}")}),
            ),
            11 => self.call("restore_notepad", json!({"rev": 1 + chance.below(4)})),
            12 => self.call("write_handoff", json!({"content": new})),
            13 => self.plans(plan, &new, chance),
            14 => self.call("rename_project", json!({"name": format!("name {new}")})),
            15 => self.call("merge_plan", json!({"plan": plan})),
            16 => self.forgets_entry(chance),
            _ => {
                if let Some(line) = line {
                    self.forgets_note(&line);
                }
            }
        }
    }

    fn plans(&self, plan: &str, new: &str, chance: &mut Chance) {
        match chance.below(7) {
            0 => self.call("init_plan", json!({"name": "other"})),
            1 => self.call("complete_plan", json!({"plan": plan})),
            2 => self.call("use_plan", json!({"plan": plan})),
            _ => self.call("add_learning", json!({"content": new, "plan": plan})),
        }
    }

    /// Forgets all that says the same as one note, whatever it is called.
    fn forgets_note(&mut self, line: &str) {
        let line = line.split(' ').next().expect("a word").to_owned();
        for _ in 0..20 {
            let Some((id, _)) = self.known().into_iter().find(|(_, text)| text.starts_with(&line))
            else {
                break;
            };
            let forget = json!({"what": "note", "id": id.to_string(), "yes": true});
            self.desk.person("forget", forget).expect("an answer");
            self.ids.insert(id.to_string());
        }
        assert!(!self.holds(&line), "{line} is not forgotten");
        self.forgotten.insert(line);
    }

    fn forgets_entry(&mut self, chance: &mut Chance) {
        let entries = self.entries();
        let some = usize::try_from(chance.below(entries.len().max(1) as u64)).expect("small");
        let Some((_, text)) = entries.get(some) else { return };
        let line = text.split(' ').next().expect("a word").to_owned();
        for _ in 0..20 {
            let Some((id, _)) =
                self.entries().into_iter().find(|(_, text)| text.starts_with(&line))
            else {
                break;
            };
            let forget = json!({"what": "entry", "id": id.to_string(), "yes": true});
            self.desk.person("forget", forget).expect("an answer");
            self.ids.insert(id.to_string());
        }
        assert!(!self.holds(&line), "{line} is not forgotten");
        self.forgotten.insert(line);
    }
}
