//! Steps about what is kept as a whole: sessions, projects, the switch, forgetting, export and import.

use serde_json::{Value, json};

use super::plot::{FOLDERS, Plot, object};
use super::step::{Deed, Step};
use super::words::Words as _;

impl Plot {
    /// Something with sessions, projects or the store.
    pub(crate) fn keeping(&mut self) -> Step {
        match self.below(40) {
            0..4 => {
                let arguments = self.sessions();
                self.call("list_sessions", arguments)
            }
            4..6 => {
                let arguments = self.instances();
                self.call("list_instances", arguments)
            }
            6..9 => self.call("show_session", json!({})),
            9 => self.person("new_session", json!({})),
            10 | 11 => self.call("archive_session", json!({})),
            12..14 => self.person("list_projects", json!({})),
            14 => {
                let name = self.one(&["billing", "Billing", "one", "two", "", "漢字"]);
                self.person("rename_project", json!({ "name": name }))
            }
            15..18 => self.joined(),
            18..21 => {
                let arguments = self.flag("explain");
                self.call("status", arguments)
            }
            21 => {
                let arguments = self.flag("all");
                self.person("switch_off", arguments)
            }
            22 => {
                let arguments = self.flag("all");
                self.person("switch_on", arguments)
            }
            23..26 => self.forgotten(),
            26..28 => self.pruned(),
            28..33 => self.exported(),
            33..36 => self.imported(),
            36 => self.moved(),
            37 => self.child(),
            _ => self.call("recap", json!({ "budget": 200 })),
        }
    }

    fn sessions(&mut self) -> Value {
        let mut flag = || if self.once_in(3) { Value::Bool(true) } else { Value::Null };
        let (open, agents, all) = (flag(), flag(), flag());
        let limit = if self.once_in(2) { self.limit().into() } else { Value::Null };
        object([("open", open), ("agents", agents), ("all", all), ("limit", limit)])
    }

    fn instances(&mut self) -> Value {
        let unused = if self.once_in(2) { true.into() } else { Value::Null };
        let limit = if self.once_in(2) { self.limit().into() } else { Value::Null };
        object([("unused", unused), ("limit", limit)])
    }

    fn joined(&mut self) -> Step {
        let project = self.one(&["one", "two", "three", "billing", "elsewhere", "nothing"]);
        let yes = if self.once_in(3) { Value::Null } else { true.into() };
        self.person("join_project", object([("project", project.into()), ("yes", yes)]))
    }

    fn forgotten(&mut self) -> Step {
        let actor = self.noted();
        let entries = self.entries.clone();
        let (what, id) = match self.below(8) {
            0..3 => ("note", self.note_of(&actor)),
            3..6 => ("entry", self.some(&entries).unwrap_or_else(|| "entry_1".to_owned())),
            6 => ("session", self.name()),
            _ => ("project", String::new()),
        };
        let yes = if self.once_in(8) { Value::Null } else { true.into() };
        let id = if id.is_empty() { Value::Null } else { id.into() };
        let arguments = object([("what", what.into()), ("id", id), ("yes", yes)]);
        self.call_of(&actor, true, "forget", arguments)
    }

    fn pruned(&mut self) -> Step {
        let older = self.one(&["0h", "1h", "1d", "2w", "x"]);
        let dry_run = if self.once_in(3) { true.into() } else { Value::Null };
        let all = if self.once_in(2) { true.into() } else { Value::Null };
        let arguments = object([("older", older.into()), ("dry_run", dry_run), ("all", all)]);
        self.person("prune", arguments)
    }

    fn exported(&mut self) -> Step {
        let format = self.one(&["json", "json", "jsonl", "markdown"]);
        let all = if self.once_in(3) { Value::Null } else { true.into() };
        self.person("export", object([("format", format.into()), ("all", all)]))
    }

    fn imported(&mut self) -> Step {
        let exports = self.exports.clone();
        let Some(content) = self.some(&exports) else { return self.exported() };
        let dry_run = if self.once_in(4) { true.into() } else { Value::Null };
        self.person("import", object([("content", content.into()), ("dry_run", dry_run)]))
    }

    /// A session comes with more notes than a search looks at, most of them with the same words.
    pub(crate) fn flood(&mut self) -> Step {
        let actor = self.actor();
        let n = 620 + self.below(100);
        let notes: Vec<Value> = (0..n)
            .map(|n| {
                let at = format!("2025-11-20T{:02}:{:02}:{:02}.000Z", n / 3600, n / 60 % 60, n % 60);
                let content = format!("queue {} {}", self.word(), self.word());
                let tags = if self.once_in(9) { vec!["bug".to_owned()] } else { self.tags() };
                let tags = if tags.iter().any(String::is_empty) { vec!["api".to_owned()] } else { tags };
                json!({
                    "id": format!("note_{}", 1_763_596_800_000 + n * 1_000), "content": content, "tags": tags,
                    "created_at": at, "updated_at": at, "scratched": self.once_in(7),
                })
            })
            .collect();
        self.notes.entry(actor.key.clone()).or_default().push("note_1763596805000".to_owned());
        let session =
            json!({ "name": actor.key, "started_at": "2025-11-20T00:00:00.000Z", "notes": notes });
        let package = json!({ "vademecum": 1, "project": "demo", "sessions": [session] });
        self.call_of(&actor, true, "import", json!({ "content": package.to_string() }))
    }

    /// A folder gets another name, and another one its own, which is nothing where there is none.
    fn moved(&mut self) -> Step {
        let (from, to) = self.one(&[("two", "moved"), ("moved", "two"), ("three", "moved")]);
        Step { folder: FOLDERS[0], deed: Deed::Move(from, to), fault: None }
    }

    fn child(&mut self) -> Step {
        let (parent, child) = (self.actor(), self.actor());
        let deed = Deed::Child(child.key, parent.key, self.below(3));
        Step { folder: parent.folder, deed, fault: None }
    }
}
