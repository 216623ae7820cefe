//! Every command there is, by the declarations and by the program's own help, each with arguments that are legal.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use serde_json::{Map, Value, json};
use vademecum_ops::fields::{self, FieldKind};
use vademecum_ops::operation::Effect;
use vademecum_ops::{Op, registry};

use super::scene::word;
use crate::torture::chance::Chance;

/// What calls of this seed may name: notes that are there.
pub(super) struct Known {
    notes: Vec<String>,
    n_plans: usize,
}

/// One command line.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) words: Vec<OsString>,
    pub(super) effect: Effect,
}

/// The commands of the command line alone, each with the ways to call it.
const OWN: &[(&str, &[&str])] = &[
    ("tour", &[""]),
    // Without a file it waits for who types.
    ("view", &["--html view.html", "--html view.html --force --since 7d"]),
    ("install", &["claude-code --dry-run", "codex --dry-run", "codex --yes"]),
    ("uninstall", &["claude-code --dry-run", "codex --yes"]),
    ("doctor", &["", "--deep"]),
    ("backup", &["../../.local/share/vademecum/mine.db", "--restore backup.db"]),
    ("store copy", &["../../.local/share/vademecum/vade.db ../../.local/share/vademecum/mine.db"]),
    ("store check", &["../../.local/share/vademecum/vade.db ../../.local/share/vademecum/vade.db"]),
    ("store status", &[""]),
    ("store make", &[""]),
    // A store in a file is refused.
    ("project invite", &["", "somebody"]),
    ("project uninvite", &["somebody"]),
    ("note edit", &["NOTE"]),
    ("notepad edit", &[""]),
    ("decision list", &["", "--all"]),
    ("issue list", &["", "--all --limit 0"]),
    ("learning list", &["", "--limit 1"]),
    ("blame", &["src/lib.rs", ". --limit 0"]),
    ("fix", &["error: cannot find value", "42"]),
    ("how", &["cargo test", "git"]),
    ("status", &["", "--all"]),
    ("recap", &["", "transcript.jsonl", "transcript.jsonl --method seed"]),
    ("sandbox run", &["run.js", "--code return(1)"]),
    ("config path", &[""]),
    ("call", &["status {}"]),
    ("completions", &["bash"]),
    ("man", &[""]),
    // Words of their own: every seed sends events and asks a server.
    ("mcp", &[]),
    ("hook", &[]),
    ("statusline", &[""]),
];

impl Known {
    pub(super) fn new(notes: Vec<String>) -> Self {
        Self { notes, n_plans: 0 }
    }

    /// A note that no call was about yet, as long as there is one.
    fn note(&mut self) -> String {
        let note =
            if 1 < self.notes.len() { self.notes.pop() } else { self.notes.first().cloned() };
        note.unwrap_or_else(|| "note_1734604200000".to_owned())
    }
}

/// Every command of this version, in an order by chance, with those that take something away at the end.
pub(super) fn all(chance: &mut Chance, known: &mut Known) -> Vec<Line> {
    let mut lines: Vec<Line> = registry::ALL.iter().map(|op| of_op(op, chance, known)).collect();
    for (name, ways) in OWN.iter().filter(|(_, ways)| !ways.is_empty()) {
        let way = super::pick(chance, ways).replace("NOTE", &known.note());
        let words = name.split(' ').chain(way.split(' ').filter(|word| !word.is_empty()));
        lines.push(Line { words: words.map(word).collect(), effect: Effect::Reads });
    }
    super::shuffle(chance, &mut lines);
    lines.sort_by_key(|line| line.effect == Effect::Destroys);
    lines
}

/// An operation as its command, else as a call.
fn of_op(op: &Op, chance: &mut Chance, known: &mut Known) -> Line {
    let arguments = arguments(op, chance, known);
    let words =
        fields::words(op, &arguments).filter(|_| 0 < chance.below(4)).unwrap_or_else(|| {
            let text = Value::Object(arguments).to_string();
            vec!["call".to_owned(), op.declaration.name.to_owned(), text]
        });
    Line { words: words.iter().map(word).collect(), effect: op.declaration.effect }
}

/// The declared example, about what is there, with other choices by chance.
pub(super) fn arguments(op: &Op, chance: &mut Chance, known: &mut Known) -> Map<String, Value> {
    let example = serde_json::from_str(op.declaration.example).unwrap_or(Value::Null);
    let Value::Object(mut arguments) = example else { return Map::new() };
    for field in fields::of(op) {
        let is_given = arguments.contains_key(&field.name);
        let value = match (field.name.as_str(), &field.kind) {
            ("id", _) if is_given => Some(json!(known.note())),
            ("plan", _) if is_given || 0 < chance.below(3) => {
                Some(json!(super::pick(chance, &["alpha", "alpha", "alpha", "_project"])))
            }
            ("name", _) if is_given => {
                known.n_plans += 1;
                Some(json!(format!("plan-{}", known.n_plans)))
            }
            // What is not only looked at is what hurts.
            ("dry_run", _) => Some(json!(chance.below(3) == 0)),
            (_, FieldKind::Choice(words)) if chance.below(3) == 0 => {
                Some(json!(super::pick(chance, words)))
            }
            _ => None,
        };
        arguments.extend(value.map(|value| (field.name, value)));
    }
    match op.declaration.name {
        "adopt" => adopted(&mut arguments),
        "forget" => forgotten(&mut arguments, chance),
        _ => {}
    }
    arguments
}

/// What each tool keeps has its own place.
fn adopted(arguments: &mut Map<String, Value>) {
    let path = match arguments.get("from").and_then(Value::as_str) {
        Some("transcripts") => ".",
        Some("openclaw") => "openclaw.jsonl",
        Some("forge") => "forge.json",
        Some("omo") => ".omo",
        Some("planning") => ".planning",
        _ => ".omc",
    };
    arguments.insert("path".to_owned(), json!(path));
}

/// A session or a project is forgotten as a whole, and seldom: little is left to be hurt.
fn forgotten(arguments: &mut Map<String, Value>, chance: &mut Chance) {
    if arguments.get("what") != Some(&json!("note")) {
        arguments.remove("id");
        if chance.below(4) != 0 {
            arguments.remove("yes");
        }
    }
}

/// Fails on a command that the program has and neither declarations nor this file know.
pub(super) fn check_complete(vade: &Path) -> Result<usize> {
    let mut leaves = Vec::new();
    below(vade, &[], &mut leaves)?;
    for leaf in &leaves {
        let is_op = registry::ALL.iter().any(|op| {
            op.declaration.command.is_some_and(|command| command.words.join(" ") == *leaf)
        });
        ensure!(
            is_op || OWN.iter().any(|(own, _)| own == leaf),
            "\"vade {leaf}\" is new: say in OWN how a hostile repository meets it"
        );
    }
    Ok(leaves.len())
}

/// The commands below `words`, as help lists them.
fn below(vade: &Path, words: &[&str], leaves: &mut Vec<String>) -> Result<()> {
    let output = Command::new(vade).args(words).arg("--help").output()?;
    let text = String::from_utf8(output.stdout)?;
    // Commands stand in groups before the options; an argument stands there in brackets.
    let listed = text.lines().take_while(|line| *line != "Options:");
    let listed: Vec<&str> = listed
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    if listed.is_empty() {
        leaves.push(words.join(" "));
    }
    for name in listed {
        below(vade, &[words, &[name]].concat(), leaves)?;
    }
    Ok(())
}
