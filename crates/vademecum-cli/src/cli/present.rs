//! Lists as a terminal shows them: columns with headers, local times, ages, colour. Pipes get the plain text.

mod table;

use serde_json::Value;
use vademecum::core::frame;
use vademecum::core::time::{Time, age};
use vademecum::ops::ops::show_session::ShowSession;
use vademecum::ops::shapes::counted;
use vademecum::ops::{Op, Operation, Reply};
use vademecum::world;

use super::print::Paint;
use table::{Cell, Table};

/// What a column shows of each row.
#[derive(Debug, Clone, Copy)]
enum Show {
    /// A name by which the row is called.
    Name,
    /// A text, on one line.
    Line,
    /// A text with its lines; the last column.
    Text,
    /// Words, as tags are.
    Words,
    /// A number.
    Number,
    /// When something was, and how long that is ago.
    When,
    /// A flag, which is shown as its column's name.
    Flag,
}

/// How the answer of an operation is laid out.
struct Layout {
    /// The operation.
    op: &'static str,
    /// The field with the rows.
    rows: &'static str,
    /// Header, field and look of each column; a column that is empty in every row is left out.
    columns: &'static [(&'static str, &'static str, Show)],
    /// Whether the first line of the text says how many there are.
    has_head: bool,
}

const NOTES: &[(&str, &str, Show)] = &[
    ("ID", "id", Show::Name),
    ("CHANGED", "updated_at", Show::When),
    ("TAGS", "tags", Show::Words),
    ("scratched", "scratched", Show::Flag),
    ("NOTE", "content", Show::Text),
];

const LAYOUTS: [Layout; 10] = [
    Layout { op: "list_notes", rows: "notes", columns: NOTES, has_head: true },
    Layout { op: "search_notes", rows: "notes", columns: NOTES, has_head: true },
    Layout {
        op: "list_tags",
        rows: "tags",
        columns: &[
            ("TAG", "tag", Show::Name),
            ("OPEN", "open", Show::Number),
            ("NOTES", "count", Show::Number),
        ],
        has_head: false,
    },
    Layout {
        op: "list_sessions",
        rows: "sessions",
        columns: &[
            ("SESSION", "session", Show::Name),
            ("PROJECT", "project", Show::Line),
            ("STATE", "state", Show::Line),
            ("BEGAN", "started_at", Show::When),
            ("LAST ACTIVE", "seen_at", Show::When),
            ("PAGE", "notepad_rev", Show::Number),
            ("NOTES", "notes", Show::Number),
            ("OPEN", "open", Show::Number),
            ("NAME", "name", Show::Line),
        ],
        has_head: false,
    },
    Layout {
        op: "list_instances",
        rows: "instances",
        columns: &[
            ("NO", "instance", Show::Number),
            ("SESSION", "session", Show::Name),
            ("STATE", "state", Show::Line),
            ("BEGAN", "started_at", Show::When),
            ("CONTINUES", "continues", Show::Number),
            ("handoff", "has_handoff", Show::Flag),
            ("ASKED FOR", "goal", Show::Text),
        ],
        has_head: false,
    },
    Layout {
        op: "session_timeline",
        rows: "events",
        columns: &[
            ("WHEN", "at", Show::When),
            ("WHAT", "kind", Show::Line),
            ("", "text", Show::Text),
        ],
        has_head: false,
    },
    Layout {
        op: "notepad_history",
        rows: "revisions",
        columns: &[
            ("REV", "rev", Show::Number),
            ("WRITTEN", "at", Show::When),
            ("BY", "origin", Show::Line),
            ("OPERATION", "operation", Show::Line),
            ("CHARACTERS", "chars", Show::Number),
            ("CHANGE", "change", Show::Line),
            ("FIRST LINE", "first_line", Show::Text),
        ],
        has_head: false,
    },
    Layout {
        op: "note_history",
        rows: "revisions",
        columns: &[
            ("REV", "rev", Show::Number),
            ("WRITTEN", "at", Show::When),
            ("BY", "origin", Show::Line),
            ("OPERATION", "operation", Show::Line),
            ("TAGS", "/note/tags", Show::Words),
            ("scratched", "/note/scratched", Show::Flag),
            ("NOTE", "/note/content", Show::Text),
        ],
        has_head: false,
    },
    Layout {
        op: "list_plans",
        rows: "plans",
        columns: &[
            ("PLAN", "plan", Show::Name),
            ("STAGE", "stage", Show::Line),
            ("active", "active", Show::Flag),
            ("ISSUES", "issues", Show::Number),
            ("DECISIONS", "decisions", Show::Number),
            ("LEARNINGS", "learnings", Show::Number),
            ("BEGAN", "created_at", Show::When),
        ],
        has_head: false,
    },
    Layout {
        op: "list_projects",
        rows: "projects",
        columns: &[
            ("ID", "id", Show::Name),
            ("PROJECT", "name", Show::Name),
            ("SESSIONS", "sessions", Show::Number),
            ("LAST ACTIVE", "seen_at", Show::When),
            ("FOLDER", "folders", Show::Words),
            ("gone", "is_gone", Show::Flag),
        ],
        has_head: false,
    },
];

/// The answer of `op` as a terminal shows it; none where its text is shown as it is.
pub(super) fn shown(op: &Op, reply: &Reply, now: Time, paint: Paint) -> Option<String> {
    if let Some(line) = kept(&reply.object) {
        return Some(line);
    }
    if op.declaration.name == ShowSession::DECLARATION.name {
        return session(reply, now);
    }
    let layout = LAYOUTS.iter().find(|layout| layout.op == op.declaration.name)?;
    let rows = reply.object.get(layout.rows)?.as_array().filter(|rows| !rows.is_empty())?;
    // The text of one revision is no list, and whole texts stand in no table.
    let is_whole = rows.iter().any(|row| row.get("body").is_some());
    if reply.object.get("content").is_some() || is_whole {
        return None;
    }
    let columns = layout.columns.iter().filter(|(_, field, _)| {
        rows.iter().any(|row| part(row, field).is_some_and(|value| !is_nothing(value)))
    });
    let columns: Vec<_> = columns.collect();
    let heads = columns.iter().map(|(head, _, _)| head.to_uppercase()).collect();
    let cells = |row: &Value| {
        columns.iter().map(|(head, field, show)| show.cell(part(row, field), head, now)).collect()
    };
    let table = Table { heads, rows: rows.iter().map(cells).collect() };
    let head = reply.text.lines().next().filter(|_| layout.has_head);
    let head = head.map(|head| format!("{}\n", frame::visible(head))).unwrap_or_default();
    Some(format!("{head}{}", table.text(world::columns(), paint)))
}

/// A session with its page and notes; when it began stands in its first line.
fn session(reply: &Reply, now: Time) -> Option<String> {
    let (first, rest) = reply.text.split_once('\n')?;
    let began = reply.object.get("started_at")?.as_str()?;
    let first = first.replacen(began, &when(Time::parse(began)?, now), 1);
    Some(frame::visible(&format!("{first}\n{rest}\n")).into_owned())
}

/// The field of a row; one within another begins with a slash.
fn part<'v>(row: &'v Value, field: &str) -> Option<&'v Value> {
    if field.starts_with('/') { row.pointer(field) } else { row.get(field) }
}

/// What was done to a note: the rest of the reply is for models.
fn kept(object: &Value) -> Option<String> {
    let part = |name: &str| object.get(name).and_then(Value::as_str);
    let open = usize::try_from(object.get("open")?.as_u64()?).ok()?;
    let line = format!("{} {}; {}", part("done")?, part("id")?, counted(open, "open note"));
    Some(format!("{}\n", frame::visible(&line)))
}

/// Help with its headings painted.
pub(super) fn help(text: &str, paint: Paint) -> String {
    let line = |line: &str| {
        let end = line.find(':').filter(|_| !line.starts_with(' ')).map_or(0, |at| at + 1);
        let is_heading = line.starts_with("Usage:") || end == line.len();
        let (head, rest) = line.split_at(if is_heading { end } else { 0 });
        format!("{}{rest}\n", paint.head(head))
    };
    frame::visible(text).lines().map(line).collect()
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(parts) => parts.is_empty(),
        Value::Bool(true) | Value::Number(_) | Value::Object(_) => false,
    }
}

impl Show {
    fn cell(self, value: Option<&Value>, head: &str, now: Time) -> Cell {
        let value = value.unwrap_or(&Value::Null);
        let text = value.as_str().unwrap_or_default();
        let line =
            |text: &str| frame::visible(text).split_whitespace().collect::<Vec<_>>().join(" ");
        match self {
            Self::Name => Cell::Name(line(text)),
            Self::Line => Cell::Plain(line(text)),
            Self::Text => Cell::Text(frame::visible(text).trim_end().to_owned()),
            Self::Words => {
                let words = value.as_array().into_iter().flatten().filter_map(Value::as_str);
                Cell::Plain(words.map(line).collect::<Vec<_>>().join(", "))
            }
            Self::Number if value.is_null() => Cell::Plain(String::new()),
            Self::Number => Cell::Number(value.to_string()),
            Self::When => {
                Cell::Faint(Time::parse(text).map_or_else(String::new, |at| when(at, now)))
            }
            Self::Flag if value.as_bool() == Some(true) => Cell::Faint(head.to_lowercase()),
            Self::Flag => Cell::Faint(String::new()),
        }
    }
}

/// The time here, and how long it is ago: `14:03, 2 hours ago`, `22 Nov 14:03`.
fn when(at: Time, now: Time) -> String {
    const DAY_MS: i64 = 86_400_000;
    let since = now.since(at);
    let local = world::local(at, now);
    if (0..DAY_MS).contains(&since) { format!("{local}, {} ago", age(since)) } else { local }
}
