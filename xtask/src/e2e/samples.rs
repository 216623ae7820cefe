//! What the scripted agents write: text with everything that a careless copy would change.

use anyhow::Result;
use serde_json::json;

use super::expect::holds;
use super::script::{Call, Script, vade};

/// A page as an agent keeps it, with accents, code, trailing blanks and no last line end.
pub(super) const PAGE: &str = "## Plan\n- [x] sum the ledger: `awk '{n += $2} END {print n}'`\n- [ ] \"leeks\" — 7 or 8?  \n\n\
     ## Findings\n\t$& and $1 stay as they are; 胡萝卜 = 3; 🥕 too\n\n```sh\nsort -k2 ledger.txt\n```\nnext: ask the café";

/// Notes as an agent keeps them, with their tags.
pub(super) const NOTES: [(&str, &[&str]); 3] = [
    (
        "Leeks are counted twice in May: the supplier resends invoices under a new number.",
        &["bug", "ledger"],
    ),
    (
        "Decided to key on the supplier's own id, since 番号 changes on every resend.",
        &["decision", "ledger"],
    ),
    ("todo: rename `ledger.txt` once the \"May\" rows are checked 🥬", &["todo"]),
];

/// Makes a call that writes the page.
#[must_use]
pub(super) fn write_page(content: &str) -> Call {
    vade("write_notepad", json!({ "content": content }))
}

/// Makes a call that adds one note.
#[must_use]
pub(super) fn add_note(content: &str, tags: &[&str]) -> Call {
    vade("add_note", json!({ "content": content, "tags": tags }))
}

/// Makes the calls that add each of [`NOTES`].
#[must_use]
pub(super) fn add_notes() -> Vec<Call> {
    NOTES.iter().map(|(content, tags)| add_note(content, tags)).collect()
}

/// A script that writes the page and the notes, and no more.
#[must_use]
pub(super) fn keep_all() -> Script {
    keep(Script::new()).say("Written.")
}

/// Goes on with `script` by writing the page and the notes.
#[must_use]
pub(super) fn keep(script: Script) -> Script {
    script.call(write_page(PAGE)).batch(add_notes())
}

/// Checks that `context` holds the page and every note, byte for byte.
pub(super) fn check_all(context: &str) -> Result<()> {
    holds("the context", context, PAGE)?;
    NOTES.iter().try_for_each(|(content, _)| holds("the context", context, content))
}

/// Context sizes that pass the warning line (62,000) one by one and the compaction line (67,000) at last.
pub(super) const TOTALS: [u64; 12] = [
    20_000, 40_000, 55_000, 60_000, 61_500, 62_500, 63_500, 64_500, 65_500, 66_500, 66_900, 68_000,
];
