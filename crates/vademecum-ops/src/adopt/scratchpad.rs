//! The scratchpad that OpenClaw keeps in a session's JSONL: of each slot the last entry holds.

use std::collections::BTreeMap;

use serde_json::Value;

/// What the entries of scratchpads are called, alone or with a slot behind a colon.
const NAME: &str = "openclaw:scratchpad";

/// What a file of JSONL holds of scratchpads.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Pad {
    /// The page made of the slots; empty if there is none.
    pub(crate) page: String,
    /// How many lines were no JSON and were left out.
    pub(crate) damaged: usize,
}

/// Reads every line; damaged ones are counted, and what is no scratchpad is passed over.
pub(crate) fn read(text: &str) -> Pad {
    let mut slots = BTreeMap::<String, String>::new();
    let mut damaged = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str::<Value>(line) {
            Ok(entry) => slots.extend(slot(&entry)),
            Err(_) => damaged += 1,
        }
    }
    Pad { page: page(&slots), damaged }
}

/// The slot that an entry fills, and with what.
fn slot(entry: &Value) -> Option<(String, String)> {
    let name = ["customType", "key", "type"].iter().find_map(|field| {
        let name = entry.get(field)?.as_str()?.strip_prefix(NAME)?;
        if name.is_empty() { Some(name) } else { name.strip_prefix(':') }
    })?;
    let data = ["data", "content", "value"].iter().find_map(|field| entry.get(field))?;
    let content = data.as_str().or_else(|| data.get("content")?.as_str())?;
    let slot = if name.is_empty() { "notes" } else { name };
    Some((slot.to_owned(), content.to_owned()))
}

/// The plan, the notes, the references, then any other, each under its name where there is more than one.
fn page(slots: &BTreeMap<String, String>) -> String {
    const KNOWN: [&str; 3] = ["plan", "notes", "refs"];
    let filled = |name: &&str| slots.get(*name).is_some_and(|text| !text.trim().is_empty());
    let others = slots.keys().map(String::as_str).filter(|name| !KNOWN.contains(name));
    let names: Vec<&str> = KNOWN.into_iter().chain(others).filter(|name| filled(name)).collect();
    let parts = names.iter().map(|name| {
        let text = &slots[*name];
        if names.len() == 1 { text.clone() } else { format!("## {name}\n{text}") }
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, page: &str, damaged: usize) {
        assert_eq!(read(text), Pad { page: page.to_owned(), damaged });
    }

    #[test]
    fn the_last_entry_of_a_slot_holds() {
        let entry = |name: &str, data: &str| {
            format!("{{\"type\":\"custom\",\"customType\":\"{name}\",\"data\":{data}}}\n")
        };
        let first = entry("openclaw:scratchpad", "\"old\"");
        let last = entry("openclaw:scratchpad", "{\"content\":\"new\"}");
        let other = "{\"type\":\"message\",\"content\":\"hi\"}\n";
        check(&format!("{first}{other}{last}"), "new", 0);
        let plan = entry("openclaw:scratchpad:plan", "\"1. x\"");
        check(&format!("{plan}{last}"), "## plan\n1. x\n\n## notes\nnew", 0);
        check(&format!("{last}{}", &first[..30]), "new", 1);
        // A slot that nobody knows is kept too; what only begins alike is none.
        let unknown = entry("openclaw:scratchpad:risks", "\"a lock\"");
        let alike = entry("openclaw:scratchpads", "\"theirs\"");
        let page = "## plan\n1. x\n\n## notes\nnew\n\n## risks\na lock";
        check(&format!("{unknown}{alike}{plan}{last}"), page, 0);
        check("", "", 0);
    }
}
