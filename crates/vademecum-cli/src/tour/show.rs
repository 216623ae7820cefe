//! What a tour looks like on paper.

use vademecum::core::tokens;

use super::run::HARNESS;
use super::{Kind, Step, Tour};

/// The tour as a person reads it.
pub(super) fn text(tour: &Tour) -> String {
    let after = tokens::estimate(&tour.after);
    let without = tokens::estimate(&tour.summary);
    let next = tokens::estimate(&tour.next);
    let facts: Vec<String> = (1..)
        .zip(lost(tour))
        .map(|(number, fact)| format!("  {number}. {} ({})", fact.text, fact.block))
        .collect();
    [
        format!(
            "A session of {HARNESS} with a scripted model, recorded once and replayed now through this program's\n\
             own hooks and MCP server. Its context filled up, and the harness replaced it by a summary ({without} tokens):\n\n{}",
            quoted(bare(&tour.summary))
        ),
        format!("Details that the summary does not have, and the block of vade's that does:\n\n{}", facts.join("\n")),
        format!(
            "Beside the summary the model reads this ({after} tokens):\n\n{}",
            quoted(&tour.after)
        ),
        format!("and the person reads:\n\n{}", quoted(&tour.line)),
        format!("The next session in this project starts with an offer ({next} tokens):\n\n{}", quoted(&tour.next)),
        format!("Step by step:\n\n{}", table(&tour.steps)),
        total(&tour.steps),
        NEXT.to_owned(),
    ]
    .join("\n\n")
}

/// So many facts are shown: what a person reads in a minute.
const FACTS: usize = 3;

/// A line of the context that says what the summary does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lost {
    /// The block that it stands in.
    pub(super) block: &'static str,
    /// What it says.
    pub(super) text: String,
}

/// The lines that the summary covers least, in the order of the context.
pub(super) fn lost(tour: &Tour) -> Vec<Lost> {
    let summary = tour.summary.to_lowercase();
    let (mut block, mut found) = ("", Vec::new());
    for line in tour.after.lines() {
        block =
            BLOCKS.iter().find(|(head, _)| line.starts_with(head)).map_or(block, |(_, name)| name);
        // Behind the id and the tags of a note stands what it says.
        let text = match line.strip_prefix("note_") {
            Some(note) => note.split_once("] ").map_or(note, |(_, text)| text),
            None => line.trim_start_matches(['-', '[', ']', 'x', ' ']),
        };
        let is_word = |c: char| c.is_alphanumeric() || "_./".contains(c);
        let words =
            text.split(|c: char| !is_word(c)).map(|word| word.trim_matches('.').to_lowercase());
        let n_new = words.filter(|word| 4 < word.len() && !summary.contains(word.as_str())).count();
        if !block.is_empty() && !line.starts_with(['#', '[']) {
            found.push((n_new, found.len(), Lost { block, text: text.to_owned() }));
        }
    }
    found.sort_by_key(|(n_new, at, _)| (std::cmp::Reverse(*n_new), *at));
    found.truncate(FACTS);
    found.sort_by_key(|(_, at, _)| *at);
    found.into_iter().map(|(_, _, lost)| lost).collect()
}

/// How the blocks of a context begin that hold what the agent wrote, and what they are called.
const BLOCKS: [(&str, &str); 2] = [("## Session Notepad", "notepad"), ("## Open notes", "notes")];

const NEXT: &str = "\
Next
  vade install claude-code --dry-run   what would change, and nothing does
  vade install claude-code             the same, asked once; then restart Claude Code
  vade doctor                          whether the contexts reached the model";

fn table(steps: &[Step]) -> String {
    let head = row("the harness", "what the model reads of it", "tokens", "ms");
    let rows = steps.iter().map(|step| {
        let milliseconds = format!("{:.0}", step.milliseconds);
        row(&step.moment, &said(step), &step.tokens().to_string(), &milliseconds)
    });
    std::iter::once(head).chain(rows).collect::<Vec<_>>().join("\n")
}

fn row(moment: &str, said: &str, tokens: &str, milliseconds: &str) -> String {
    format!("  {moment:<33} {said:<58} {tokens:>6} {milliseconds:>4}")
}

/// An answer in a few words.
fn said(step: &Step) -> String {
    if step.answer.is_empty() {
        return "nothing".to_owned();
    }
    match step.kind {
        Kind::Context if step.moment.starts_with("MCP") => "instructions".to_owned(),
        Kind::Context => match step.answer.lines().count() {
            1 => "one line".to_owned(),
            n => format!("a context of {n} lines"),
        },
        Kind::Warning => "a warning: save what is only in the conversation".to_owned(),
        Kind::Words => "for the summariser: what need not be summarised".to_owned(),
        Kind::Tool => step.answer.split(" (").next().unwrap_or_default().to_owned(),
    }
}

/// A summary without the tags around it.
fn bare(summary: &str) -> &str {
    let inside = summary.strip_prefix("<summary>").and_then(|rest| rest.strip_suffix("</summary>"));
    inside.unwrap_or(summary)
}

fn quoted(text: &str) -> String {
    let lines = text.lines().map(|line| format!("  | {line}").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

fn total(steps: &[Step]) -> String {
    let time: f64 = steps.iter().map(|step| step.milliseconds).sum();
    format!(
        "{} steps in {time:.0} ms, no network, no model. The throw-away folder is gone.",
        steps.len()
    )
}
