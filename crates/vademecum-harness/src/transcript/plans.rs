//! Lists of what is to be done, as the tools of each harness set them.

use serde_json::Value;
use vademecum_core::turn::{Action, Item, Progress};

use super::Arguments;

/// The whole list of a call like `TodoWrite` or `update_plan`; none if it has none.
pub(super) fn whole(arguments: &Arguments<'_>) -> Option<Action> {
    let fields = ["todos", "plan", "items"];
    let listed = fields.iter().find_map(|name| arguments.raw(name));
    let items = match listed.and_then(list) {
        Some(items) => items,
        None => ticked(&arguments.text(&fields)?),
    };
    Some(Action::Planned { items, is_whole: true })
}

fn list(json: &str) -> Option<Vec<Item>> {
    const TEXTS: [&str; 6] = ["content", "step", "text", "title", "subject", "description"];
    let items: Vec<Value> = serde_json::from_str(json).ok()?;
    let item = |item: &Value| {
        let said = |name: &str| match &item[name] {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        let text = TEXTS.map(said).into_iter().find(|text| !text.is_empty());
        Item { id: said("id"), text: text.unwrap_or_default(), state: progress(&said("status")) }
    };
    Some(items.iter().filter(|it| it.is_object()).map(item).collect())
}

/// The items of a Markdown list with boxes.
fn ticked(text: &str) -> Vec<Item> {
    let item = |line: &str| {
        let rest = line.trim_start().trim_start_matches(['-', '*', '+']).trim_start();
        let mut inside = rest.strip_prefix('[')?.chars();
        let state = match inside.next()? {
            'x' | 'X' => Progress::Done,
            '~' | '/' | '>' => Progress::Active,
            _ => Progress::Pending,
        };
        let text = inside.as_str().strip_prefix(']')?.trim();
        Some(Item { id: String::new(), text: text.to_owned(), state })
    };
    text.lines().filter_map(item).collect()
}

/// An item that Claude Code's `TaskCreate` makes; its id is known when that answered.
pub(super) fn created(arguments: &Arguments<'_>) -> Option<Action> {
    let text = arguments.text(&["subject", "title", "description"])?.into_owned();
    let item = Item { id: String::new(), text, state: Progress::Pending };
    Some(Action::Planned { items: vec![item], is_whole: false })
}

/// An item that Claude Code's `TaskUpdate` changes; `None` where its state stays as it was.
pub(super) fn updated(arguments: &Arguments<'_>) -> Option<Action> {
    let id = arguments.text(&["taskId", "task_id", "id"])?.into_owned();
    let state = progress(&arguments.text(&["status"])?);
    let text = arguments.text(&["subject"]).unwrap_or_default().into_owned();
    Some(Action::Planned { items: vec![Item { id, text, state }], is_whole: false })
}

/// The items in the answer of a tool like `TaskList`: `#1 [pending] Write it [blocked by #2]`.
pub(super) fn listed(text: &str) -> Vec<Item> {
    let item = |line: &str| {
        let (id, rest) = line.trim().strip_prefix('#')?.split_once(" [")?;
        let (status, text) = rest.split_once("] ")?;
        let text = text.rsplit_once(" [blocked by ").map_or(text, |(text, _)| text).to_owned();
        Some(Item { id: id.to_owned(), text, state: progress(status) })
    };
    text.lines().filter_map(item).collect()
}

/// The items that a query sets in the table `todos`: the list of Copilot.
pub(super) fn queried(query: &str) -> Option<Action> {
    let mut is_quoted = false;
    let ends = |c| {
        is_quoted ^= c == '\'';
        c == ';' && !is_quoted
    };
    let items: Vec<Item> = query.split(ends).flat_map(set_by).collect();
    (!items.is_empty()).then_some(Action::Planned { items, is_whole: false })
}

fn set_by(statement: &str) -> Vec<Item> {
    let Some((head, rest)) = statement.split_once(" todos") else { return Vec::new() };
    if head.trim().to_ascii_lowercase().starts_with("insert") {
        let fields = rest.split(['(', ')']).nth(1).unwrap_or_default();
        let fields: Vec<&str> = fields.split(',').map(str::trim).collect();
        let item = |row: &[String]| {
            let at = |name| fields.iter().position(|field| *field == name);
            let field = |name| at(name).and_then(|at| row.get(at)).cloned().unwrap_or_default();
            Item { id: field("id"), text: field("title"), state: progress(&field("status")) }
        };
        return quoted(rest).chunks(fields.len()).map(item).collect();
    }
    let (Some((_, rest)), true) = (rest.split_once("status"), head.trim().len() == 6) else {
        return Vec::new();
    };
    let mut words = quoted(rest).into_iter();
    let state = progress(&words.next().unwrap_or_default());
    words.map(|id| Item { id, text: String::new(), state }).collect()
}

/// The texts between single quotation marks, in which `''` is one of them.
fn quoted(sql: &str) -> Vec<String> {
    let (mut texts, mut inside) = (Vec::new(), None::<String>);
    let mut chars = sql.chars().peekable();
    while let Some(c) = chars.next() {
        match &mut inside {
            Some(text) if c != '\'' || chars.next_if_eq(&c).is_some() => text.push(c),
            Some(_) => texts.extend(inside.take()),
            None => inside = (c == '\'').then(String::new),
        }
    }
    texts
}

/// How far an item is, in the words of any harness.
pub(super) fn progress(status: &str) -> Progress {
    match status.to_ascii_lowercase().replace('-', "_").as_str() {
        "completed" | "complete" | "done" | "finished" | "resolved" => Progress::Done,
        "in_progress" | "inprogress" | "active" | "doing" | "started" => Progress::Active,
        "deleted" | "cancelled" | "canceled" | "dropped" | "skipped" => Progress::Dropped,
        _ => Progress::Pending,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(action: Option<Action>, expected: &[(&str, &str, Progress)]) {
        let Some(Action::Planned { items, .. }) = action else { panic!("a plan") };
        let items: Vec<_> =
            items.iter().map(|item| (item.id.as_str(), item.text.as_str(), item.state)).collect();
        assert_eq!(items, expected);
    }

    #[test]
    fn lists_of_every_harness_are_read() {
        let of = Arguments::of_json;
        let todos = of(
            r#"{"todos":[{"content":"a","status":"completed"},7,{"id":"2","content":"b","status":"in_progress"}]}"#,
        );
        check(whole(&todos), &[("", "a", Progress::Done), ("2", "b", Progress::Active)]);
        let plan = of(r#"{"plan":[{"step":"c","status":"pending"}],"explanation":"x"}"#);
        check(whole(&plan), &[("", "c", Progress::Pending)]);
        let markdown = of("{\"todos\":\"- [x] d\\n- [ ] e\\nf\"}");
        check(whole(&markdown), &[("", "d", Progress::Done), ("", "e", Progress::Pending)]);
        check(created(&of(r#"{"subject":"g"}"#)), &[("", "g", Progress::Pending)]);
        check(updated(&of(r#"{"taskId":3,"status":"deleted"}"#)), &[("3", "", Progress::Dropped)]);
        assert_eq!(updated(&of(r#"{"taskId":"3","addBlockedBy":["1"]}"#)), None);
        let all = listed("#1 [completed] h\n#2 [in_progress] i [1] [blocked by #1]\nno more");
        let all = Some(Action::Planned { items: all, is_whole: true });
        check(all, &[("1", "h", Progress::Done), ("2", "i [1]", Progress::Active)]);
    }

    #[test]
    fn a_list_in_a_table_is_read() {
        let made = "INSERT INTO todos (id, title, description) VALUES\n ('a', 'it''s', 'x; y'), ('b', 'u', 'v');\nINSERT INTO todo_deps (todo_id, depends_on) VALUES ('b', 'a')";
        check(queried(made), &[("a", "it's", Progress::Pending), ("b", "u", Progress::Pending)]);
        let moved = "UPDATE todos SET status = 'done', updated_at = now WHERE id IN ('a', 'b')";
        check(queried(moved), &[("a", "", Progress::Done), ("b", "", Progress::Done)]);
        assert_eq!(queried("SELECT * FROM todos WHERE status = 'done'"), None);
    }
}
