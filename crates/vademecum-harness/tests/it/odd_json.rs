//! Generated settings files, laid out in every way that is still JSON.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A settings file without any entry of ours.
pub(crate) fn settings() -> impl Strategy<Value = String> {
    let hooks = btree_map(event(), vec(group(), 0..3).prop_map(Value::from), 0..4);
    let rules = prop_oneof![Just("Bash(ls:*)"), Just("mcp__other__x"), Just("WebFetch")];
    let allow = vec(rules.prop_map(Value::from), 0..4).prop_map(|allow| json!({ "allow": allow }));
    let permissions = prop_oneof![allow, Just(json!({})), Just(json!({"deny": ["Bash"]}))];
    let hooks = hooks.prop_map(|hooks| Value::Object(hooks.into_iter().collect()));
    file(vec![("hooks", hooks.boxed()), ("permissions", permissions.boxed())])
}

/// A `.claude.json` without our server.
pub(crate) fn servers() -> impl Strategy<Value = String> {
    let servers = btree_map("[a-u]{1,3}", value(), 0..3);
    let servers = servers.prop_map(|servers| Value::Object(servers.into_iter().collect()));
    file(vec![("mcpServers", servers.boxed())])
}

fn file(parts: Vec<(&'static str, BoxedStrategy<Value>)>) -> impl Strategy<Value = String> {
    let parts: Vec<_> =
        parts.into_iter().map(|(key, value)| (Just(key), prop::option::of(value))).collect();
    let others = btree_map("[a-g]{1,2}|é\"\\\\|", value(), 0..3);
    (parts, others, any::<bool>(), layout()).prop_map(|(parts, others, is_first, layout)| {
        let parts = parts.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        let object: Map<String, Value> = if is_first {
            parts.chain(others).collect()
        } else {
            others.into_iter().chain(parts).collect()
        };
        layout.file(&Value::Object(object))
    })
}

fn event() -> impl Strategy<Value = String> {
    prop_oneof![Just("SessionStart"), Just("PreToolUse"), Just("PostToolBatch"), Just("Stop")]
        .prop_map(str::to_owned)
}

fn group() -> impl Strategy<Value = Value> {
    let handler = prop_oneof![
        Just(json!({"type": "command", "command": "echo '{}' # vade hook"})),
        Just(json!({"type": "http", "url": "http://127.0.0.1"})),
    ];
    vec(handler, 0..3).prop_map(|handlers| json!({ "matcher": "a|b", "hooks": handlers }))
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z{}\\[\\]\",:\\\\\n é😀]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            btree_map("[a-c]{1}", inner, 0..3)
                .prop_map(|object| Value::Object(object.into_iter().collect())),
        ]
    })
}

/// How a file is laid out.
#[derive(Debug, Clone)]
enum Layout {
    /// As programs do it, with this indentation and line break.
    Lines { unit: &'static str, newline: &'static str, end: &'static str, has_mark: bool },
    /// With white space by chance, taken in turn.
    Chance(Vec<&'static str>),
}

fn layout() -> impl Strategy<Value = Layout> {
    let lines = (
        prop::sample::select(vec!["  ", "    ", "\t", ""]),
        prop::sample::select(vec!["\n", "\r\n", "", " "]),
        prop::sample::select(vec!["", "\n", "\r\n", "  "]),
        any::<bool>(),
    );
    let spaces = vec![" ", "", "", "\n", "\t", "\r\n", "  \n\n "];
    prop_oneof![
        lines.prop_map(|(unit, newline, end, has_mark)| Layout::Lines {
            unit,
            newline,
            end,
            has_mark
        }),
        vec(prop::sample::select(spaces), 1..9).prop_map(Layout::Chance),
    ]
}

impl Layout {
    fn file(&self, value: &Value) -> String {
        match self {
            Self::Lines { unit, newline, end, has_mark } => {
                let text = serde_json::to_string_pretty(value).expect("JSON");
                let lines = text.lines().map(|line| {
                    let rest = line.trim_start();
                    let unit = if newline.contains('\n') { unit } else { "" };
                    unit.repeat((line.len() - rest.len()) / 2) + rest
                });
                let mark = if *has_mark { "\u{feff}" } else { "" };
                format!("{mark}{}{end}", lines.collect::<Vec<_>>().join(newline))
            }
            Self::Chance(spaces) => {
                let mut spaces = spaces.iter().cycle();
                let mut text = String::new();
                scatter(value, &mut spaces, &mut text);
                text
            }
        }
    }
}

fn scatter<'a>(
    value: &Value,
    spaces: &mut impl Iterator<Item = &'a &'static str>,
    text: &mut String,
) {
    let mut space = |text: &mut String| text.push_str(spaces.next().expect("it goes round"));
    space(text);
    match value {
        Value::Array(items) => {
            text.push('[');
            for (idx, item) in items.iter().enumerate() {
                text.push_str(if idx == 0 { "" } else { "," });
                scatter(item, spaces, text);
            }
            text.push_str(spaces.next().expect("it goes round"));
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (idx, (key, value)) in members.iter().enumerate() {
                text.push_str(if idx == 0 { "" } else { "," });
                scatter(&Value::from(key.as_str()), spaces, text);
                text.push(':');
                scatter(value, spaces, text);
            }
            text.push_str(spaces.next().expect("it goes round"));
            text.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            text.push_str(&value.to_string());
        }
    }
    text.push_str(spaces.next().expect("it goes round"));
}
