//! Lists of what is to be done, as the tools of each harness set them.

use serde::Deserialize;
use vademecum_core::turn::{Action, Item, Progress};

use super::{Arguments, Maybe, Str, parse};

/// One item as harnesses write it.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Wire<'a> {
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    content: Str<'a>,
    #[serde(borrow)]
    step: Str<'a>,
    #[serde(borrow)]
    text: Str<'a>,
    #[serde(borrow)]
    title: Str<'a>,
    #[serde(borrow)]
    subject: Str<'a>,
    #[serde(borrow)]
    status: Str<'a>,
}

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
    let items: Vec<Maybe<Wire<'_>>> = parse(json).ok()?;
    Some(items.into_iter().filter_map(|item| item.0).map(|item| item.item()).collect())
}

impl Wire<'_> {
    fn item(&self) -> Item {
        let texts = [&self.content, &self.step, &self.text, &self.title, &self.subject];
        let text = texts.into_iter().find_map(Str::said).unwrap_or_default();
        Item { id: self.id.to_string(), text: text.to_owned(), state: progress(&self.status) }
    }
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
    }
}
