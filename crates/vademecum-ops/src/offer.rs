//! Which operations models are offered under a configuration, whatever the surface.

use std::borrow::Cow;

use serde_json::{Value, json};
use vademecum_store::Surface;

use crate::call::Call;
use crate::config::{Config, Profile, Tools};
use crate::error::OpError;
use crate::fields::SESSION;
use crate::operation::{Models, Op, Reply};
use crate::registry;

/// The names of each published design, exactly.
const SEED0: [&str; 3] = ["read_notepad", "write_notepad", "update_notepad"];
const SEED1: [&str; 7] = [
    "add_note",
    "search_notes",
    "list_notes",
    "update_note",
    "delete_note",
    "scratch_note",
    "list_tags",
];
const SEED2: [&str; 1] = ["session_scratchpad"];
const SEED3: [&str; 7] = [
    "init_plan",
    "add_learning",
    "add_decision",
    "add_issue",
    "get_wisdom",
    "format_directive",
    "merge_plan",
];

/// The operations that models are offered under `config`, always in the same order.
pub fn offered(config: &Config) -> impl Iterator<Item = &'static Op> {
    registry::ALL.iter().filter(|op| is_offered(op, config))
}

/// The offered operation that a call means by `name`; other names of it are understood.
#[must_use]
pub fn find(name: &str, config: &Config) -> Option<&'static Op> {
    registry::find(name).filter(|op| is_offered(op, config))
}

/// The arguments of a published tool.
struct Published {
    name: &'static str,
    /// Those that each call has.
    required: &'static [&'static str],
    /// The others.
    optional: &'static [&'static str],
}

/// The published tools whose arguments are others by default.
const ARGUMENTS: [Published; 11] = [
    Published { name: "read_notepad", required: &[], optional: &[] },
    Published { name: "write_notepad", required: &["content"], optional: &[] },
    Published {
        name: "update_notepad",
        required: &["operation"],
        optional: &["content", "find", "replace", "replace_all"],
    },
    Published { name: "add_note", required: &["content", "tags"], optional: &[] },
    Published {
        name: "search_notes",
        required: &[],
        optional: &["query", "tags", "include_scratched"],
    },
    Published {
        name: "list_notes",
        required: &[],
        optional: &["limit", "tags", "include_scratched"],
    },
    Published { name: "update_note", required: &["id"], optional: &["content", "tags"] },
    Published { name: "delete_note", required: &["id"], optional: &[] },
    Published { name: "scratch_note", required: &["id", "scratched"], optional: &[] },
    Published { name: "list_tags", required: &[], optional: &[] },
    Published { name: "session_scratchpad", required: &["content"], optional: &["mode"] },
];

/// The schema of the arguments of `op` as models are shown it under `config`, as JSON text.
#[must_use]
pub fn input_schema(op: &Op, config: &Config) -> Cow<'static, str> {
    if takes_session(config) { op.input_schema_text() } else { published(op).to_string().into() }
}

/// Whether a model is told that a call may name its session: no published tool has that argument.
#[must_use]
pub fn takes_session(config: &Config) -> bool {
    match config.profile {
        Profile::Default | Profile::Seed4 => true,
        Profile::Seed0 | Profile::Seed1 | Profile::Seed2 | Profile::Seed3 => false,
    }
}

/// What `op` is for, as models are told it under `config`.
#[must_use]
pub fn about(op: &Op, config: &Config) -> &'static str {
    if config.profile == Profile::Seed1 && op.declaration.name == "search_notes" {
        // Notes of its design are a session's alone.
        return "Find what this session noted, by words, names, paths, tags (AND). Before redoing work.";
    }
    op.declaration.about
}

/// The schema with the published arguments alone; calls may still have ours, such as the session.
fn published(op: &Op) -> Value {
    let mut schema = op.input_schema();
    let Value::Object(object) = &mut schema else { return schema };
    object.shift_remove("additionalProperties");
    let known = ARGUMENTS.iter().find(|known| known.name == op.declaration.name);
    if let Some(known) = known.filter(|known| !known.required.is_empty()) {
        object.insert("required".to_owned(), json!(known.required));
    }
    let Some(Value::Object(properties)) = object.get_mut("properties") else { return schema };
    let is_published = |name: &str| match known {
        Some(Published { required, optional, .. }) => {
            required.contains(&name) || optional.contains(&name)
        }
        None => name != SESSION,
    };
    properties.retain(|name, _| is_published(name));
    let renamed = properties.iter().map(|(name, part)| {
        let name =
            if name == "task" && RECORDS.contains(&op.declaration.name) { TASK_ID } else { name };
        (name.to_owned(), part.clone())
    });
    *properties = renamed.collect();
    schema
}

/// The operations that record an entry, and what their design calls the task.
const RECORDS: [&str; 3] = ["add_learning", "add_decision", "add_issue"];
const TASK_ID: &str = "taskId";

/// The answer of the published design where it has a form of its own.
///
/// A person at the command line is told what went wrong, and what was done, all the same.
pub(crate) fn published_reply(
    call: &Call<'_>,
    name: &str,
    reply: Result<Reply, OpError>,
) -> Result<Reply, OpError> {
    if call.config.profile == Profile::Seed3 && name == "get_wisdom" {
        return reply.map(|reply| summary(call, reply));
    }
    if call.caller.origin.surface == Surface::Cli {
        return reply;
    }
    match call.config.profile {
        Profile::Seed0 if SEED0.contains(&name) => reply.map(|reply| of_object(reply.object)),
        Profile::Seed1 if RETURNED.contains(&name) => reply.map(|Reply { mut object, .. }| {
            if let Value::Object(members) = &mut object {
                members.retain(|member, _| !OURS.contains(&member.as_str()));
            }
            of_object(object)
        }),
        Profile::Seed3 if RECORDS.contains(&name) => {
            Ok(Reply { object: json!({ "ok": reply.is_ok() }), text: reply.is_ok().to_string() })
        }
        Profile::Default
        | Profile::Seed0
        | Profile::Seed1
        | Profile::Seed2
        | Profile::Seed3
        | Profile::Seed4 => reply,
    }
}

/// The operations on notes that return what they found or changed; the others confirm.
const RETURNED: [&str; 5] =
    ["search_notes", "list_notes", "update_note", "scratch_note", "list_tags"];

/// What our answer to a change of a note has beside the note.
const OURS: [&str; 6] = ["done", "session", "open", "restored", "all_fit", "inherited"];

/// The reply whose text is its object: some clients give their model the text alone.
fn of_object(object: Value) -> Reply {
    Reply { text: object.to_string(), object }
}

/// The published summary of wisdom: texts, and what they cost; the person reads it in our words.
fn summary(call: &Call<'_>, Reply { mut object, text }: Reply) -> Reply {
    let is_person = call.caller.origin.surface == Surface::Cli;
    match object["wisdom"]["published"].take() {
        Value::Null if !is_person => of_object(Value::Null),
        object => Reply { object, text },
    }
}

fn is_offered(op: &Op, config: &Config) -> bool {
    let name = op.declaration.name;
    let has_scratchpad = config.scratchpad_budget().is_some();
    match config.profile {
        Profile::Seed0 => SEED0.contains(&name),
        Profile::Seed1 => SEED1.contains(&name),
        Profile::Seed2 => SEED2.contains(&name) && has_scratchpad,
        Profile::Seed3 => SEED3.contains(&name),
        Profile::Default | Profile::Seed4 if name == "recall" && !config.recalls() => false,
        Profile::Default | Profile::Seed4 => match op.declaration.models {
            Models::Always | Models::Default => true,
            Models::Extra => config.tools == Tools::All,
            Models::Scratchpad => has_scratchpad,
            Models::Never => false,
        },
    }
}
