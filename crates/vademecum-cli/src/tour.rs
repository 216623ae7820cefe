//! The command `vade tour`: a recorded session, replayed through our own hooks and MCP server, in a folder that goes again.

mod folder;
mod replay;
mod run;
mod server;
mod show;

use std::path::PathBuf;

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use vademecum::core::tokens;
use vademecum::ops::{Reply, World};

use folder::Folder;
use replay::Replay;

pub(crate) use folder::{KEEP, keep};

/// One thing that the harness did, and what came back.
#[derive(Debug, Clone, PartialEq)]
struct Step {
    /// What the harness did.
    moment: String,
    /// What the model read of it; empty if nothing.
    answer: String,
    /// Whether the answer is worth more than its first line.
    kind: Kind,
    /// The time from the start of the process, or of the call, to its answer.
    milliseconds: f64,
}

/// What an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A hook's context, in front of the model.
    Context,
    /// The warning before a compaction.
    Warning,
    /// Words for the harness's summariser.
    Words,
    /// The reply of a tool.
    Tool,
}

impl Step {
    fn tokens(&self) -> usize {
        tokens::estimate(&self.answer)
    }
}

/// What a tour shows.
#[derive(Debug, Clone, PartialEq, Default)]
struct Tour {
    /// All of it, in order.
    steps: Vec<Step>,
    /// The context right after the compaction.
    after: String,
    /// The line that the person saw then.
    line: String,
    /// The harness's own summary.
    summary: String,
    /// The context of the session that came next.
    next: String,
}

/// Replays the recorded session; when it returns, nothing of it is left.
pub(crate) fn run(world: &World) -> anyhow::Result<Reply> {
    let program = program()?;
    let folder = Folder::new(&program, world)?;
    let played = Replay::new(&program, folder.path()).and_then(Replay::play);
    // The folder goes whether the replay went well or not.
    folder.remove()?;
    let tour = played?;
    ensure!(!tour.after.is_empty(), "no context came back after the compaction; run: vade doctor");
    Ok(Reply { text: show::text(&tour), object: object(&tour) })
}

#[expect(clippy::disallowed_methods, reason = "the tour starts its own program")]
fn program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("the path of this program is not known")
}

fn object(tour: &Tour) -> Value {
    let steps = tour.steps.iter().map(|step| {
        json!({
            "moment": step.moment,
            "answer": step.answer,
            "tokens": step.tokens(),
            "milliseconds": step.milliseconds,
        })
    });
    let lost = show::lost(tour);
    let lost = lost.iter().map(|fact| json!({ "block": fact.block, "text": fact.text }));
    json!({
        "lost_by_the_summary": lost.collect::<Vec<_>>(),
        "steps": steps.collect::<Vec<_>>(),
        "after_compaction": tour.after,
        "line_for_the_person": tour.line,
        "without_vade": tour.summary,
        "next_session": tour.next,
    })
}
