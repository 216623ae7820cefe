//! Steps about notes and pages.

use serde_json::{Value, json};

use super::plot::{Actor, Plot, object};
use super::step::Step;
use super::words::Words as _;

impl Plot {
    /// Something with notes.
    pub(crate) fn about_notes(&mut self) -> Step {
        let place = if self.notes.is_empty() { self.below(9) } else { self.below(30) };
        if matches!(place, 16 | 17) {
            return self.restored_note();
        }
        let actor = if place < 9 { self.actor() } else { self.noted() };
        let id = self.note_of(&actor);
        let (operation, arguments) = match place {
            0..9 => ("add_note", self.new_note()),
            9..11 => ("update_note", self.changed_note(&id)),
            11..14 => ("scratch_note", json!({ "id": id, "scratched": !self.once_in(3) })),
            14 | 15 => ("delete_note", json!({ "id": id })),
            18 => ("note_history", json!({ "id": id })),
            19..22 => ("list_notes", self.list()),
            22..28 => ("search_notes", self.search()),
            _ => ("list_tags", self.flag("include_scratched")),
        };
        let is_person = self.once_in(5);
        self.call_of(&actor, is_person, operation, arguments)
    }

    /// A note is brought back, most often one that was changed.
    fn restored_note(&mut self) -> Step {
        let changed = self.changed.clone();
        let by_key = |key: &str, cast: &[Actor]| cast.iter().find(|it| it.key == key).cloned();
        let found = self.some(&changed).and_then(|(key, id)| Some((by_key(&key, &self.cast)?, id)));
        let (actor, id) = found.unwrap_or_else(|| {
            let actor = self.noted();
            let id = self.note_of(&actor);
            (actor, id)
        });
        let rev = if self.once_in(2) { Value::Null } else { (1 + self.below(3)).into() };
        let is_person = self.once_in(5);
        self.call_of(&actor, is_person, "restore_note", object([("id", id.into()), ("rev", rev)]))
    }

    /// An earlier page is written again.
    fn restored_page(&mut self) -> Step {
        let pages = &self.pages;
        let has_two = |actor: &&Actor| pages.get(&actor.key).is_some_and(|rev| 1 < *rev);
        let some: Vec<Actor> = self.cast.iter().filter(has_two).cloned().collect();
        let any = self.actor();
        let actor = self.some(&some).unwrap_or(any);
        let newest = self.pages.get(&actor.key).copied().unwrap_or(1);
        let rev = 1 + self.below(newest + 1);
        let is_person = self.once_in(5);
        self.call_of(&actor, is_person, "restore_notepad", json!({ "rev": rev }))
    }

    /// One of the cast that has notes, as far as there is one.
    pub(crate) fn noted(&mut self) -> Actor {
        let has_notes = |actor: &&Actor| self.notes.contains_key(&actor.key);
        let noted: Vec<Actor> = self.cast.iter().filter(has_notes).cloned().collect();
        let any = self.actor();
        if self.once_in(8) { any } else { self.some(&noted).unwrap_or(any) }
    }

    /// A note that the session has, or had; seldom another's or none.
    pub(crate) fn note_of(&mut self, actor: &Actor) -> String {
        let own = self.notes.get(&actor.key).cloned().unwrap_or_default();
        let all: Vec<String> = self.notes.values().flatten().cloned().collect();
        let from = if own.is_empty() || self.once_in(10) { all } else { own };
        let odd = "note_1".to_owned();
        self.some(&from).unwrap_or(odd)
    }

    fn new_note(&mut self) -> Value {
        let tags = if self.once_in(6) { Value::Null } else { self.tags().into() };
        object([("content", self.text().into()), ("tags", tags)])
    }

    fn changed_note(&mut self, id: &str) -> Value {
        let content = if self.once_in(3) { Value::Null } else { self.text().into() };
        let tags = if self.once_in(2) { Value::Null } else { self.tags().into() };
        object([("id", id.into()), ("content", content), ("tags", tags)])
    }

    fn list(&mut self) -> Value {
        let tags = if self.once_in(2) { Value::Null } else { self.tags().into() };
        let scratched = if self.once_in(2) { Value::Null } else { self.once_in(2).into() };
        let limit = if self.once_in(3) { Value::Null } else { self.limit().into() };
        object([("tags", tags), ("include_scratched", scratched), ("limit", limit)])
    }

    fn search(&mut self) -> Value {
        let mut search = self.list();
        if !self.once_in(6) {
            search["query"] = self.query().into();
        }
        search
    }

    /// A small number, or nothing.
    pub(crate) fn maybe(&mut self, n: u64) -> Value {
        if self.once_in(2) { Value::Null } else { self.below(n).into() }
    }

    /// A switch, or nothing.
    pub(crate) fn flag(&mut self, name: &str) -> Value {
        let value = if self.once_in(2) { Value::Null } else { self.once_in(2).into() };
        object([(name, value)])
    }

    /// Something with a page.
    pub(crate) fn about_page(&mut self) -> Step {
        let (operation, arguments) = match self.below(24) {
            0..5 => {
                let if_rev = if self.once_in(5) { self.maybe(5) } else { Value::Null };
                ("write_notepad", object([("content", self.page().into()), ("if_rev", if_rev)]))
            }
            5..12 => ("update_notepad", self.edit()),
            12 => {
                let mode = self.one(&["replace", "append"]);
                ("session_scratchpad", json!({ "content": self.page(), "mode": mode }))
            }
            13..15 => ("read_notepad", json!({})),
            15..18 => {
                let (rev, limit) = (self.maybe(6), self.maybe(4));
                ("notepad_history", object([("rev", rev), ("limit", limit)]))
            }
            18..20 => {
                let (from, to) = (self.maybe(6), self.maybe(6));
                ("diff_notepad", object([("from", from), ("to", to)]))
            }
            20..23 => return self.restored_page(),
            _ => ("get_context", self.flag("explain")),
        };
        self.call(operation, arguments)
    }

    /// What an edit looks for: most of it stands on many a page.
    fn found(&mut self) -> String {
        let word = self.word();
        self.one(&["\n", "e", "- [ ] ", "## "]).to_owned()
            + if self.once_in(4) { &word } else { "" }
    }

    fn edit(&mut self) -> Value {
        let operation = self.one(&["append", "append", "prepend", "delete", "find_replace"]);
        if operation == "find_replace" {
            let all = if self.once_in(2) { Value::Null } else { true.into() };
            let (find, replace) = (self.found().into(), self.word().into());
            let parts = [("find", find), ("replace", replace), ("replace_all", all)];
            return with(object(parts), "operation", operation);
        }
        let content = if operation == "delete" { self.found() } else { self.page() };
        json!({ "operation": operation, "content": content })
    }
}

fn with(mut object: Value, name: &str, value: &str) -> Value {
    object[name] = value.into();
    object
}
