//! A sequence of steps as chance has it: told by its number and by what was answered so far, and by nothing else.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value, json};

use super::chance::Chance;
use super::step::{Asked, Caller, Deed, Fault, Step};
use super::words::Words;

/// The sessions that may take part, each with the folder that it works in.
///
/// The first two have one handle; the same folder is another work tree of a project, or a project of its own.
pub(crate) const CAST: &[(&str, &str)] = &[
    ("claude-code:752d4c1e-0000-4000-8000-000000000001", "one"),
    ("claude-code:752d4c1e-0000-4000-8000-000000000002", "one"),
    ("claude-code:752d4c1e-0000-4000-8000-000000000001/a1", "one"),
    ("claude-code:752d4c1e-0000-4000-8000-000000000001/a2", "one"),
    ("codex:01a201bf-0702-77d1-9776-a7f321cd6b87", "side"),
    ("codex:01a201bf-0702-77d1-9776-a7f321cd6b87/01a201bf-087e-7df3-ba14-fa546ce171e6", "side"),
    ("claude-code:9b3f1a2c-0000-4000-8000-000000000003", "two"),
    ("codex:01a301bf-0702-77d1-9776-a7f321cd6b88", "two"),
    ("mcp:5f0e1b7a9c3d2e4f", "two"),
];

/// The session that a client of no harness has.
pub(crate) const CLIENT: &str = "mcp:5f0e1b7a9c3d2e4f";

/// The folders that a person may be in; the last are no projects at first.
pub(crate) const FOLDERS: &[&str] = &["one", "side", "two", "three", "moved"];

/// One sequence in so many takes in more notes than a search looks at; they cost as much as ten others.
const FLOOD: u64 = 100;

/// One of the cast.
#[derive(Debug, Clone)]
pub(crate) struct Actor {
    pub(crate) key: String,
    pub(crate) folder: &'static str,
}

impl Actor {
    /// Harness, its id, and the sub-agent's id.
    pub(crate) fn parts(&self) -> (&str, &str, Option<&str>) {
        let (harness, rest) = self.key.split_once(':').unwrap_or(("", &self.key));
        match rest.split_once('/') {
            Some((external, agent)) => (harness, external, Some(agent)),
            None => (harness, rest, None),
        }
    }
}

/// The sequence so far.
pub(crate) struct Plot {
    pub(crate) chance: Chance,
    pub(crate) cast: Vec<Actor>,
    /// What is decided already, such as the repeat of what failed.
    pub(crate) decided: VecDeque<Step>,
    /// The notes that a session was told of.
    pub(crate) notes: BTreeMap<String, Vec<String>>,
    /// Sessions and those of their notes that were changed, crossed out or deleted.
    pub(crate) changed: Vec<(String, String)>,
    /// How often the page of a session was written.
    pub(crate) pages: BTreeMap<String, u64>,
    pub(crate) entries: Vec<String>,
    pub(crate) plans: Vec<String>,
    /// What exports gave, the last three.
    pub(crate) exports: Vec<String>,
    /// The last writes that have an id.
    pub(crate) writes: Vec<Step>,
    /// The last context that a hook gave to a session.
    pub(crate) contexts: BTreeMap<String, String>,
    /// The last turn that stands in the record of a session.
    pub(crate) turns: BTreeMap<String, u64>,
    pub(crate) is_off: bool,
    pub(crate) n: u64,
}

impl Words for Plot {
    fn chance(&mut self) -> &mut Chance {
        &mut self.chance
    }
}

impl Plot {
    pub(crate) fn new(seed: u64) -> Self {
        let mut plot = Self {
            chance: Chance::of(seed),
            cast: Vec::new(),
            decided: VecDeque::new(),
            notes: BTreeMap::new(),
            changed: Vec::new(),
            pages: BTreeMap::new(),
            entries: Vec::new(),
            plans: Vec::new(),
            exports: Vec::new(),
            writes: Vec::new(),
            contexts: BTreeMap::new(),
            turns: BTreeMap::new(),
            is_off: false,
            n: 0,
        };
        let n = 2 + plot.below(4);
        for _ in 0..n {
            let (key, folder) = plot.one(CAST);
            plot.cast.push(Actor { key: key.to_owned(), folder });
        }
        plot
    }

    /// What is done next.
    pub(crate) fn next(&mut self) -> Step {
        self.n += 1;
        if let Some(step) = self.decided.pop_front() {
            return step;
        }
        if self.is_off && self.once_in(2) {
            return self.switched_on();
        }
        if self.n == 6 && self.once_in(FLOOD) {
            return self.flood();
        }
        match self.below(100) {
            0..30 => self.about_notes(),
            30..42 => self.about_page(),
            42..58 => self.about_plans(),
            58..76 => self.moment(),
            76..92 => self.keeping(),
            92..95 => self.again(),
            _ => self.tick(),
        }
    }

    /// Takes in what a step answered.
    pub(crate) fn hears(&mut self, step: &Step, reply: &Value) {
        match &step.deed {
            Deed::Call(asked) => self.hears_answer(asked, reply),
            Deed::Hook(happened) => self.hears_context(happened, reply),
            Deed::Clock(_) | Deed::Child(..) | Deed::Lines(..) | Deed::Move(..) => {}
        }
    }

    fn hears_answer(&mut self, asked: &Asked, reply: &Value) {
        let object = &reply["object"];
        let id = object["id"].as_str().unwrap_or_default().to_owned();
        if let Some(rev) = object["rev"].as_u64() {
            self.pages.insert(who(asked), rev);
        }
        if matches!(asked.operation, "update_note" | "scratch_note" | "delete_note")
            && !id.is_empty()
        {
            self.changed.push((who(asked), id.clone()));
        }
        if id.starts_with("note_") {
            self.notes.entry(who(asked)).or_default().push(id);
        } else if id.starts_with("entry_") {
            self.entries.push(id);
        }
        match asked.operation {
            "init_plan" => self.plans.extend(object["plan"].as_str().map(str::to_owned)),
            "export" => {
                self.exports.extend(object["content"].as_str().map(str::to_owned));
                let n_over = self.exports.len().saturating_sub(3);
                self.exports.drain(..n_over);
            }
            "switch_off" => self.is_off = !object.is_null(),
            "switch_on" => self.is_off &= object.is_null(),
            _ => {}
        }
    }

    pub(crate) fn actor(&mut self) -> Actor {
        let place = self.place(self.cast.len());
        self.cast[place].clone()
    }

    /// A session as somebody may name it: a full name, a handle, or one that is not there.
    pub(crate) fn name(&mut self) -> String {
        let actor = self.actor();
        let (_, external, agent) = actor.parts();
        let n = self.one(&[3, 4, 8, 13, 36]);
        let handle: String = external.chars().take(n).collect();
        match (self.below(6), agent) {
            (0, _) => "desk".to_owned(),
            (1, _) => "nobody".to_owned(),
            (2 | 3, Some(agent)) => format!("{handle}/{agent}"),
            (2 | 3, None) => handle,
            _ => actor.key,
        }
    }

    /// A call of one of the cast, or of a person about it.
    pub(crate) fn call(&mut self, operation: &'static str, arguments: Value) -> Step {
        let actor = self.actor();
        let is_person = self.once_in(4);
        self.call_of(&actor, is_person, operation, arguments)
    }

    /// The same of this one.
    pub(crate) fn call_of(
        &mut self,
        actor: &Actor,
        is_person: bool,
        operation: &'static str,
        arguments: Value,
    ) -> Step {
        let named = match (is_person, self.below(14)) {
            (true, 0..10) => Some(actor.key.clone()),
            (true, 10) | (false, 0) => Some(self.name()),
            (false, 1) if operation.ends_with("_session") => Some(self.name()),
            _ => None,
        };
        let caller = match actor.key.as_str() {
            _ if is_person => Caller::Person,
            CLIENT => Caller::Client(actor.key.clone()),
            key => Caller::Model(key.to_owned()),
        };
        self.asked(actor.folder, Asked { caller, named, operation, arguments, write_id: None })
    }

    /// A call of a person somewhere.
    pub(crate) fn person(&mut self, operation: &'static str, arguments: Value) -> Step {
        let folder = if self.once_in(4) { self.one(FOLDERS) } else { self.actor().folder };
        let named = self.once_in(4).then(|| self.name());
        let caller = Caller::Person;
        self.asked(folder, Asked { caller, named, operation, arguments, write_id: None })
    }

    /// Gives a call a write id now and then, and lets some of those fail once.
    fn asked(&mut self, folder: &'static str, asked: Asked) -> Step {
        let step = Step { folder, deed: Deed::Call(asked), fault: None };
        let is_failing = self.once_in(14);
        if !is_failing && !self.once_in(5) {
            return step;
        }
        let id = format!("write-{}", self.n);
        let named = with_write_id(step, id);
        self.writes.push(named.clone());
        if is_failing { self.failing(named) } else { named }
    }

    /// A step in which the store fails, and behind it the same step where it does not.
    pub(crate) fn failing(&mut self, step: Step) -> Step {
        let fault = Fault { point: self.below(3), nth: self.place(8) };
        self.decided.push_back(step.clone());
        Step { fault: Some(fault), ..step }
    }

    /// A write is made once more: as it was, or with its id and other arguments.
    fn again(&mut self) -> Step {
        let writes = self.writes.clone();
        let Some(mut step) = self.some(&writes) else { return self.tick() };
        if let (Deed::Call(asked), true) = (&mut step.deed, self.once_in(4))
            && let Some(content) = asked.arguments.get_mut("content")
        {
            *content = self.text().into();
        }
        step
    }

    /// The clock goes on, mostly: it may stand, leap or be set back.
    fn tick(&mut self) -> Step {
        let minute = 60_000;
        let by = match self.below(12) {
            0 => -1,
            1 => -minute * 90,
            2 => -86_400_000 * 3,
            3 => 86_400_000 * 2,
            4 => 86_400_000 * 20,
            5 | 6 => minute * 45,
            7 => 3,
            _ => 1_000,
        };
        Step { folder: "one", deed: Deed::Clock(by), fault: None }
    }

    fn switched_on(&mut self) -> Step {
        let arguments = if self.once_in(2) { json!({ "all": true }) } else { json!({}) };
        self.person("switch_on", arguments)
    }
}

/// The same call under a write id.
fn with_write_id(mut step: Step, id: String) -> Step {
    if let Deed::Call(asked) = &mut step.deed {
        asked.write_id = Some(id);
    }
    step
}

/// Whose notes a call is about, as far as its caller says so.
fn who(asked: &Asked) -> String {
    let caller = match &asked.caller {
        Caller::Model(key) | Caller::Client(key) => key.clone(),
        Caller::Person => String::new(),
    };
    asked.named.clone().unwrap_or(caller)
}

/// An object of these parts, without those that are null.
pub(crate) fn object<const N: usize>(parts: [(&str, Value); N]) -> Value {
    let given = parts.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(given.map(|(name, value)| (name.to_owned(), value)).collect())
}
