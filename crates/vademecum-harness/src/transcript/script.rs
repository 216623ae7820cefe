//! What a script in JavaScript does that calls tools: its strings, each with the name before it.

use vademecum_core::turn::{Action, Item};

use super::{patch, plans, shell};

/// The actions of a script like `tools.exec_command({cmd: "…"})`; empty if none can be told.
pub(super) fn actions(script: &str) -> Vec<Action> {
    let strings = strings(script);
    let mut actions = Vec::new();
    for (name, text) in &strings {
        if text.contains(patch::BEGIN) {
            actions.extend(patch::actions(text));
        } else if matches!(*name, "cmd" | "command") && !text.trim().is_empty() {
            actions.extend(shell::actions(text));
        }
    }
    let items = items(&strings);
    if !items.is_empty() {
        actions.push(Action::Planned { items, is_whole: true });
    }
    let only_polls =
        script.contains("tools.write_stdin(") && !script.contains("tools.exec_command(");
    let is_typing = strings.iter().any(|(name, text)| *name == "chars" && !text.is_empty());
    if actions.is_empty() && only_polls && !is_typing {
        actions.push(Action::Looked);
    }
    actions
}

/// The items of a plan: a step and a status each, in either order.
fn items(strings: &[(&str, String)]) -> Vec<Item> {
    let of_plan: Vec<_> =
        strings.iter().filter(|(name, _)| matches!(*name, "step" | "status")).collect();
    let item = |pair: &[&(&str, String)]| {
        let ([("step", step), ("status", status)] | [("status", status), ("step", step)]) = pair
        else {
            return None;
        };
        let state = plans::progress(status);
        Some(Item { id: String::new(), text: step.clone(), state })
    };
    of_plan.chunks(2).filter_map(item).collect()
}

/// Every string of a script, with the name that stands before its `:`, `=` or `(`.
fn strings(script: &str) -> Vec<(&str, String)> {
    let bytes = script.as_bytes();
    let mut strings = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' | b'`' => {
                let (text, end) = string(script, at);
                let is_key =
                    matches!(byte, b'"' | b'\'') && script[end..].trim_start().starts_with(':');
                if !is_key {
                    strings.push((name_before(&script[..at]), text));
                }
                at = end;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = script[at..].find('\n').map_or(bytes.len(), |newline| at + newline);
            }
            _ => at += 1,
        }
    }
    strings
}

/// The string that opens at `at`, unescaped, and where it ends.
fn string(script: &str, at: usize) -> (String, usize) {
    let mut text = String::new();
    let mut chars = script[at..].char_indices();
    let quote = chars.next().map_or('"', |(_, quote)| quote);
    while let Some((found, c)) = chars.next() {
        match c {
            _ if c == quote => return (text, at + found + c.len_utf8()),
            '\\' => match chars.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, 't')) => text.push('\t'),
                Some((_, 'r')) => text.push('\r'),
                Some((_, '\n')) | None => {}
                Some((_, escaped)) => text.push(escaped),
            },
            _ => text.push(c),
        }
    }
    (text, script.len())
}

/// The name in `name:`, `"name":`, `name =` and `name(` at the end of `before`.
fn name_before(before: &str) -> &str {
    let before = before.trim_end();
    let Some(before) = before.strip_suffix([':', '=', '(']) else { return "" };
    let before = before.trim_end().trim_end_matches(['"', '\'']);
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let start = before.trim_end_matches(is_name).len();
    &before[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(script: &str, expected: &[&str]) {
        let actions = actions(script).into_iter().map(|action| match action {
            Action::Ran { command, .. } => command,
            Action::Edited { path } => format!("edited {path}"),
            Action::Looked => "looked".to_owned(),
            Action::Planned { items, .. } => {
                let items = items.iter().map(|item| format!("{} {:?}", item.text, item.state));
                items.collect::<Vec<_>>().join(", ")
            }
            other => format!("{other:?}"),
        });
        assert_eq!(actions.collect::<Vec<_>>(), expected, "{script}");
    }

    #[test]
    fn commands_are_found_in_every_kind_of_string() {
        check(
            r#"const r = await tools.exec_command({cmd:"rg -n \"a|b\" c","workdir":"/x"}); text(r)"#,
            &["rg -n \"a|b\" c"],
        );
        check(r#"await tools.exec_command({"cmd": 'it\'s', yield_time_ms: 1})"#, &["it's"]);
        check("const cmd = `a\nb ${x}`; tools.exec_command({cmd})", &["a\nb ${x}"]);
        check(
            "// cmd:\"no\"\ntools.exec_command({cmd:\"a\"}); tools.exec_command({cmd:\"b\"})",
            &["a", "b"],
        );
        check("tools.exec_command({cmd:\"open", &["open"]);
    }

    #[test]
    fn patches_plans_and_polls_are_told() {
        check(
            "tools.apply_patch(\"*** Begin Patch\\n*** Update File: a\\n*** End Patch\")",
            &["edited a"],
        );
        check("tools.write_stdin({session_id:1,chars:\"\"})", &["looked"]);
        check("tools.write_stdin({session_id:1,chars:\"y\\n\"})", &[]);
        check("text(ALL_TOOLS.filter(x => x))", &[]);
        let plan = r#"tools.update_plan({"plan":[{"step":"a","status":"completed"},{"step":"b","status":"pending"}]})"#;
        check(plan, &["a Done, b Pending"]);
    }
}
