//! Steps about plans, their entries, and what a session leaves to the next.

use serde_json::{Value, json};

use super::plot::{Plot, object};
use super::step::Step;
use super::words::Words as _;

const PLANS: &[&str] = &["03-01-refunds", "03-01-Refunds", "search", "ledger.v2", "_project"];

const SEVERITIES: &[&str] = &["low", "medium", "high", "critical"];

impl Plot {
    /// Something with plans, or with words for the next session.
    pub(crate) fn about_plans(&mut self) -> Step {
        let place = self.below(40);
        let needs_plan = (13..18).contains(&place) && self.plans.is_empty();
        let (operation, arguments) = match place {
            _ if needs_plan => ("init_plan", self.begun_plan()),
            0..10 => self.entry(),
            10..13 => ("init_plan", self.begun_plan()),
            13 => ("use_plan", object([("plan", self.maybe_plan())])),
            14 | 15 => ("merge_plan", json!({ "plan": self.plan() })),
            16 => ("complete_plan", json!({ "plan": self.plan() })),
            17 => ("archive_plan", json!({ "plan": self.plan() })),
            18 | 19 => self.promoted(),
            20..23 => ("show_plan", self.shown_plan()),
            23 | 24 => ("list_plans", self.flag("include_archived")),
            25 | 26 => ("get_wisdom", self.wisdom()),
            27 => ("format_directive", self.directive()),
            28 => ("check_plan", with_plan(self.flag("heal"), self.maybe_plan())),
            29..33 => ("write_handoff", self.words_left()),
            33..38 => ("read_handoff", self.handoff()),
            _ => ("dismiss_handoff", object([("from", self.maybe_name())])),
        };
        self.call(operation, arguments)
    }

    fn plan(&mut self) -> String {
        let begun = self.plans.clone();
        let other = self.one(PLANS).to_owned();
        if self.once_in(8) { other } else { self.some(&begun).unwrap_or(other) }
    }

    fn maybe_plan(&mut self) -> Value {
        if self.plans.is_empty() && !self.once_in(8) {
            return Value::Null;
        }
        if self.once_in(2) { Value::Null } else { self.plan().into() }
    }

    fn maybe_name(&mut self) -> Value {
        if self.once_in(2) { Value::Null } else { self.name().into() }
    }

    fn begun_plan(&mut self) -> Value {
        let name = self.one(PLANS);
        let track = if self.once_in(3) { true.into() } else { Value::Null };
        object([("name", name.into()), ("track", track)])
    }

    fn maybe_text(&mut self, once_in: u64) -> Value {
        if self.once_in(once_in) { self.text().into() } else { Value::Null }
    }

    /// A learning, a decision or an issue; it may correct another one.
    fn entry(&mut self) -> (&'static str, Value) {
        let entries = self.entries.clone();
        let corrects = if self.once_in(3) { self.some(&entries) } else { None };
        let content = if self.once_in(5) { "the same".to_owned() } else { self.text() };
        let tags = if self.once_in(2) { self.tags().into() } else { Value::Null };
        let pattern = if self.once_in(3) { "src/sum.rs:4-9".into() } else { Value::Null };
        let mut entry = object([
            ("content", content.into()),
            ("plan", self.maybe_plan()),
            ("task", if self.once_in(3) { "03-01".into() } else { Value::Null }),
            ("pattern", pattern),
            ("tags", tags),
            ("supersedes", corrects.into()),
        ]);
        match self.below(3) {
            0 => ("add_learning", entry),
            1 => {
                extend(&mut entry, "rationale", self.maybe_text(2));
                extend(&mut entry, "alternatives", self.maybe_text(3));
                ("add_decision", entry)
            }
            _ => {
                let severity = if self.once_in(2) { self.one(SEVERITIES) } else { "high" };
                extend(&mut entry, "severity", severity.into());
                let states = [Value::Null, "open".into(), "workaround".into(), "resolved".into()];
                extend(&mut entry, "status", self.one(&states));
                extend(&mut entry, "workaround", self.maybe_text(3));
                ("add_issue", entry)
            }
        }
    }

    fn promoted(&mut self) -> (&'static str, Value) {
        let actor = self.noted();
        let id = self.note_of(&actor);
        let kinds = [Value::Null, "learning".into(), "decision".into(), "issue".into()];
        let category = self.one(&kinds);
        let plan = self.maybe_plan();
        ("promote_note", object([("id", id.into()), ("plan", plan), ("category", category)]))
    }

    fn shown_plan(&mut self) -> Value {
        let kinds = [Value::Null, "learning".into(), "decision".into(), "issue".into()];
        let category = self.one(&kinds);
        let all = if self.once_in(2) { true.into() } else { Value::Null };
        let limit = if self.once_in(2) { self.limit().into() } else { Value::Null };
        let plan = self.maybe_plan();
        object([("plan", plan), ("category", category), ("all", all), ("limit", limit)])
    }

    fn wisdom(&mut self) -> Value {
        let files = if self.once_in(3) { json!(["src/sum.rs"]) } else { Value::Null };
        let tokens = if self.once_in(2) { json!(40 + self.below(400)) } else { Value::Null };
        let format = if self.once_in(3) { "block".into() } else { Value::Null };
        object([
            ("plan", self.maybe_plan()),
            ("task", self.maybe_text(2)),
            ("files", files),
            ("max_tokens", tokens),
            ("format", format),
        ])
    }

    fn directive(&mut self) -> Value {
        let tokens = if self.once_in(2) { json!(40 + self.below(400)) } else { Value::Null };
        let (prompt, plan) = (self.maybe_text(1), self.maybe_plan());
        object([("prompt", prompt), ("plan", plan), ("max_tokens", tokens)])
    }

    fn words_left(&mut self) -> Value {
        let content = if self.once_in(6) { String::new() } else { self.text() };
        json!({ "content": content })
    }

    fn handoff(&mut self) -> Value {
        let budget = if self.once_in(3) { json!(50 + self.below(500)) } else { Value::Null };
        let rest = if self.once_in(5) { true.into() } else { Value::Null };
        object([("from", self.maybe_name()), ("budget", budget), ("rest", rest)])
    }
}

fn extend(object: &mut Value, name: &str, value: Value) {
    if !value.is_null() {
        object[name] = value;
    }
}

fn with_plan(mut object: Value, plan: Value) -> Value {
    extend(&mut object, "plan", plan);
    object
}
