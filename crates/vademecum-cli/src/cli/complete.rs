//! What a shell offers behind a word: ids, sessions, plans, revisions and tags, as the store has them now.

use std::ffi::OsStr;

use clap_complete::CompletionCandidate;
use serde_json::{Value, json};
use vademecum::ops::registry;

use super::globals::{Globals, Scanned};
use super::setup::Setup;

/// So many rows of each kind are offered.
const MOST: usize = 50;

/// What is listed for an argument: the operation, its rows, the value and the words beside it.
#[derive(Debug, Clone, Copy)]
struct Source {
    op: &'static str,
    rows: &'static str,
    value: &'static str,
    beside: &'static str,
}

/// The notes of the session that is meant.
pub(super) fn notes(current: &OsStr) -> Vec<CompletionCandidate> {
    let notes = Source { op: "list_notes", rows: "notes", value: "id", beside: "content" };
    notes.offered(current, &json!({ "limit": MOST }))
}

/// The sessions of the project.
pub(super) fn sessions(current: &OsStr) -> Vec<CompletionCandidate> {
    let sessions =
        Source { op: "list_sessions", rows: "sessions", value: "session", beside: "name" };
    sessions.offered(current, &json!({ "limit": MOST }))
}

/// The plans of the project.
pub(super) fn plans(current: &OsStr) -> Vec<CompletionCandidate> {
    let plans = Source { op: "list_plans", rows: "plans", value: "plan", beside: "stage" };
    plans.offered(current, &json!({}))
}

/// The tags of the session that is meant.
pub(super) fn tags(current: &OsStr) -> Vec<CompletionCandidate> {
    Source { op: "list_tags", rows: "tags", value: "tag", beside: "" }.offered(current, &json!({}))
}

/// The revisions of the page of the session that is meant.
pub(super) fn revisions(current: &OsStr) -> Vec<CompletionCandidate> {
    let revisions =
        Source { op: "notepad_history", rows: "revisions", value: "rev", beside: "first_line" };
    revisions.offered(current, &json!({ "limit": MOST }))
}

/// The projects of the store.
pub(super) fn projects(current: &OsStr) -> Vec<CompletionCandidate> {
    Source { op: "list_projects", rows: "projects", value: "name", beside: "" }
        .offered(current, &json!({}))
}

impl Source {
    /// The values that begin with `current`; nothing where anything goes wrong.
    fn offered(self, current: &OsStr, arguments: &Value) -> Vec<CompletionCandidate> {
        // As JSON nothing is asked and nothing is said.
        let setup = Setup::new(&Scanned { json: true, ..Scanned::default() });
        let reply = registry::find(self.op)
            .and_then(|op| setup.call(op, arguments.clone(), &Globals::default()).ok());
        let Some(reply) = reply else { return Vec::new() };
        let current = current.to_string_lossy();
        let rows = reply.object[self.rows].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let candidate = |row: &Value| {
            let value = text(&row[self.value]);
            let beside = row.get(self.beside).and_then(Value::as_str).unwrap_or_default();
            let beside = vademecum::core::frame::line(beside, 60);
            value.starts_with(&*current).then(|| {
                let help = (!beside.is_empty()).then(|| beside.into());
                CompletionCandidate::new(value).help(help)
            })
        };
        rows.iter().filter_map(candidate).collect()
    }
}
