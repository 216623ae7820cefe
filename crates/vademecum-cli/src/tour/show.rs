//! What a tour looks like on paper.

use vademecum::core::tokens;

use super::run::HARNESS;
use super::{Kind, Step, Tour};

/// The tour as a person reads it.
pub(super) fn text(tour: &Tour) -> String {
    let after = tokens::estimate(&tour.after);
    let without = tokens::estimate(&tour.summary);
    let next = tokens::estimate(&tour.next);
    [
        format!(
            "A session of {HARNESS} with a scripted model, recorded once and replayed now.\n\
             Its hooks and its MCP server are this program, started as the harness starts them."
        ),
        table(&tour.steps),
        format!(
            "Right after the compaction the model reads this ({after} tokens), beside the summary:\n\n{}",
            quoted(&tour.after)
        ),
        format!("and the person reads:\n\n{}", quoted(&tour.line)),
        format!(
            "Without vade there is only the harness's summary ({without} tokens; here the script's words):\n\n{}",
            quoted(bare(&tour.summary))
        ),
        format!("The next session in this project starts with an offer ({next} tokens):\n\n{}", quoted(&tour.next)),
        total(&tour.steps),
        NEXT.to_owned(),
    ]
    .join("\n\n")
}

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
