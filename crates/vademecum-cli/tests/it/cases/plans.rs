//! The cases of plans (C3), and what others lost that must arrive byte for byte.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};
use vademecum::core::frame;

use super::{Case, Surface};

const ALL_TOOLS: &str = "[mcp]\ntools = 'all'";

const FILES: [&str; 3] = ["learnings.md", "decisions.md", "issues.md"];

const fn case(number: &'static str, play: fn(&mut dyn Surface)) -> Case {
    Case::new(number, play).with(ALL_TOOLS)
}

pub(super) const CASES: &[Case] = &[
    case("C3.1", |on| {
        begin(on);
        let titles = ["# Learnings\n\n", "# Decisions\n\n", "# Issues\n\n"];
        assert_eq!(FILES.map(|name| text(on, name)), titles);
    }),
    case("C3.2", |on| {
        begin(on);
        add(on, "one");
        append(on, "issues.md", "by hand\n");
        let before = FILES.map(|name| text(on, name));
        assert_eq!(on.object("init_plan", json!({"name": "a"}))["new"], false);
        assert_eq!(FILES.map(|name| text(on, name)), before);
    }),
    case("C3.3", |on| {
        begin(on);
        for name in ["add_learning", "add_decision", "add_issue"] {
            append(on, FILES[0], "- by hand, without a line end");
            let before = FILES.map(|file| text(on, file));
            on.object(name, json!({"content": "## 2026-01-01T00:00:00Z | Task: x"}));
            let after = FILES.map(|file| text(on, file));
            assert!(before.iter().zip(&after).all(|(old, new)| new.starts_with(old)), "{after:?}");
            assert_ne!(before, after);
        }
    }),
    case("C3.4", |on| {
        begin(on);
        let headers = [
            "## 2026-01-27T14:30:00Z | Task: x",
            "## 2026-01-27T14:30:01.000Z | Task: x",
            "## [2026-01-27T14:30:02Z] Task: x",
            "## 2026-01-27 14:30:03",
        ];
        for header in headers {
            append(on, FILES[0], &format!("\n{header}\n\nfrom {header}\n"));
        }
        assert_eq!(contents(on, "a"), headers.map(|header| format!("from {header}")));
    }),
    case("C3.5", |on| {
        begin(on);
        let forged = "fine\n\n---\n\n## 2026-01-01T00:00:00Z | Task: x\n\n**Tags:** a\n---\nend";
        arrives(on, forged);
    }),
    case("C3.6", |on| {
        assert_eq!(on.object("get_wisdom", json!({"plan": "b"}))["wisdom"], Value::Null);
        begin(on);
        assert_eq!(on.object("get_wisdom", json!({"plan": "b"}))["wisdom"], Value::Null);
        assert_eq!(wisdom(on, json!({"plan": "a"})), "");
    }),
    case("C3.7", |on| {
        begin(on);
        add(on, "a learning");
        on.object("add_decision", json!({"content": "a decision"}));
        on.object("add_issue", json!({"content": "an issue"}));
        let told = wisdom(on, json!({}));
        let headings: Vec<&str> = told.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(headings, ["### Known Issues", "### Decisions Made", "### Learnings"]);
    }),
    case("C3.8", |on| {
        begin(on);
        let days: Vec<String> = (1..=6).map(|n| add(on, &format!("number {n}"))).collect();
        let shown = (4..=6).map(|n| format!("\n- {}: number {n}", days[n - 1]));
        let expected = format!("### Learnings{}", shown.collect::<String>());
        let told = wisdom(on, json!({}));
        assert_eq!(told.split("\n\n").next(), Some(expected.as_str()), "{told}");
    }),
    case("C3.9", |on| {
        begin(on);
        add(on, &"long words ".repeat(60));
        for budget in [0, 1, 4, 10, 50] {
            let told = wisdom(on, json!({"max_tokens": budget}));
            assert!(told.chars().count() <= 4 * budget, "{budget}: {told}");
            assert!(budget < 4 || told.ends_with("[...truncated]"), "{budget}: {told}");
        }
    }),
    case("C3.12", |on| {
        begin(on);
        add(on, "one");
        for expected in [1, 0] {
            assert_eq!(on.object("merge_plan", json!({"plan": "a"}))["merged"], expected);
            assert_eq!(contents(on, "_project"), ["one"]);
        }
    }),
    case("C3.13", |on| {
        begin(on);
        for name in ["_project", "../x", "a b", "A"] {
            let said = on.error("init_plan", json!({"name": name}));
            assert!(
                said.starts_with(&format!("usage: plan \"{name}\" is not allowed beside"))
                    || said.starts_with(&format!("usage: plan name \"{name}\" is not allowed")),
                "{said}"
            );
        }
        let folder = on.project().join(".planning/notepads");
        assert_eq!(folder.read_dir().expect("a folder").count(), 1);
    }),
    case("C3.14, a first entry where the files are gone", |on| {
        begin(on);
        fs::remove_dir_all(on.project().join(".planning")).expect("removed");
        add(on, "the first");
        assert!(text(on, FILES[0]).starts_with("# Learnings\n\n\n## "));
    }),
    case("C3.14, what would replace", |on| {
        begin(on);
        add(on, "the first");
        let told = on.object("show_plan", json!({"plan": "a"}));
        let id = told["entries"][0]["id"].as_str().expect("an id").to_owned();
        let before = FILES.map(|file| text(on, file));
        for (name, arguments) in [
            ("update_note", json!({"id": id, "content": "another"})),
            ("scratch_note", json!({"id": id, "scratched": true})),
            ("delete_note", json!({"id": id})),
        ] {
            let only = "denied: plan notepads only grow: add a learning, decision or issue instead";
            assert!(on.error(name, arguments).starts_with(only), "{name}");
        }
        assert_eq!(FILES.map(|file| text(on, file)), before);
        assert_eq!(contents(on, "a"), ["the first"]);
    }),
    case("C3.15", |on| {
        begin(on);
        for n in 1..=3 {
            add(on, &format!("{n} {}", "x".repeat(76)));
        }
        let told = wisdom(on, json!({"max_tokens": 75}));
        assert_eq!(told.matches("\n- ").count(), 3, "{told}");
    }),
    case("C3.16", |on| {
        begin(on);
        append(on, FILES[0], "\n# Learnings\n\n\n");
        assert_eq!(contents(on, "a"), [""; 0]);
    }),
    case("signs of a replacement are text", |on| {
        begin(on);
        arrives(on, "$& $1 $$ $` $' ${name} \\1 \\& %s {}");
    }),
    case("tags of learnings are text", |on| {
        begin(on);
        arrives(
            on,
            "<learning>use .pipe()</learning> <learning category=\"x\">as above</learning>",
        );
    }),
];

fn begin(on: &mut dyn Surface) {
    assert_eq!(on.object("init_plan", json!({"name": "a"}))["new"], true);
}

/// Adds a learning; the day on which it was said.
fn add(on: &mut dyn Surface, content: &str) -> String {
    let added = on.object("add_learning", json!({"content": content}));
    added["at"].as_str().expect("a time")[..10].to_owned()
}

/// What is added, and what is appended by hand, is read again byte for byte, also when it was merged.
#[track_caller]
fn arrives(on: &mut dyn Surface, content: &str) {
    add(on, content);
    let by_hand = content.lines().next().unwrap_or_default();
    append(on, FILES[1], &format!("\n## 2026-01-27 14:30:03\n\n{by_hand}\n"));
    assert_eq!(contents(on, "a"), [by_hand, content]);
    on.object("merge_plan", json!({"plan": "a"}));
    assert_eq!(contents(on, "_project").len(), 2);
    assert!(contents(on, "_project").iter().any(|merged| merged == content));
    let told = on.object("get_wisdom", json!({"plan": "a"}))["wisdom"].clone();
    assert_eq!(read_back(&told["learnings"][0]["content"]), content);
    assert_eq!(read_back(&told["decisions"][0]["content"]), by_hand);
}

/// The contents of all entries of a plan, those said first before the others.
fn contents(on: &mut dyn Surface, plan: &str) -> Vec<String> {
    let shown = on.object("show_plan", json!({"plan": plan, "all": true, "limit": 0}));
    let entries = shown["entries"].as_array().expect("entries").iter().rev();
    entries.map(|entry| read_back(&entry["content"])).collect()
}

/// A text as it was given, whether it is shown as it is or guarded.
fn read_back(shown: &Value) -> String {
    let text = shown.as_str().expect("a text");
    frame::read(text).unwrap_or_else(|_| text.to_owned())
}

fn wisdom(on: &mut dyn Surface, arguments: Value) -> String {
    let told = on.object("get_wisdom", arguments);
    told["wisdom"]["text"].as_str().expect("a text").to_owned()
}

fn path(on: &dyn Surface, file: &str) -> PathBuf {
    on.project().join(".planning/notepads/a").join(file)
}

fn text(on: &dyn Surface, file: &str) -> String {
    fs::read_to_string(path(on, file)).expect("a file of the plan")
}

/// Appends as a shell does by `>>`.
fn append(on: &dyn Surface, file: &str, text: &str) {
    let opened = fs::OpenOptions::new().append(true).open(path(on, file));
    opened.expect("a file").write_all(text.as_bytes()).expect("appended");
}
