//! What a recap costs beyond reading its transcript, on a long session of our own making.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::figure::{Bound, Figure, Unit};
use super::instructions::count;
use super::stores::{SESSION, Size};
use super::world::World;

/// So many times the session asks, reads, edits, runs and says: some 2 MB.
const ROUNDS: usize = 420;

/// So many instructions a recap may cost for each MB of its transcript, beyond parsing it.
const PER_MB: f64 = 40e6;

/// One recap of 1,000 tokens, against parsing the same transcript into types.
pub(super) fn recap(world: &World) -> Result<Vec<Figure>> {
    let path = world.path("long.jsonl");
    let n_bytes = write_transcript(&path, ROUNDS)?;
    let floor = count(world.counted("floor-parse", Size::Empty)?.arg(&path))?;
    let value = recapped(world, &path)?;
    let figure = |name, value| Figure::new(name, Unit::Instructions, value);
    #[expect(clippy::cast_precision_loss, reason = "a size is a ratio here")]
    let megabytes = n_bytes as f64 / 1e6;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let most = (PER_MB * megabytes) as u64;
    Ok(vec![
        figure("recap", value).against("floor-parse", floor),
        figure("recap beyond parsing", value.saturating_sub(floor)).within(Bound::Most(most)),
    ])
}

fn recapped(world: &World, path: &Path) -> Result<u64> {
    let mut command = world.counted("vade", Size::Empty)?;
    command.args(["recap", "--budget", "1000", "--format", "text"]);
    count(command.arg(path))
}

/// Writes a session that works through the files of a project, round by round; how long it is.
pub(super) fn write_transcript(path: &Path, n_rounds: usize) -> Result<usize> {
    let mut file = File::create(path)?;
    let mut lines = Lines::default();
    let mut n_bytes = 0;
    for round in 0..n_rounds {
        lines.round(round);
        n_bytes += lines.text.len();
        file.write_all(lines.text.as_bytes())?;
        lines.text.clear();
    }
    Ok(n_bytes)
}

/// Some 3 KB of a file as a harness shows it, the same each time it is read.
fn source(file: usize) -> String {
    let line = |n: usize| {
        format!(
            "{n:>6}\tfn check_{file}_{n}(&self) -> Result<(), Error> {{ self.port.look({n}) }}\n"
        )
    };
    (1..=36).map(line).collect()
}

/// The lines of a transcript of Claude Code, each with its parent.
#[derive(Default)]
struct Lines {
    text: String,
    n_lines: usize,
}

impl Lines {
    /// The user asks now and then; the agent says, reads, edits and runs.
    fn round(&mut self, round: usize) {
        let file =
            format!("src/{}/part_{:02}.rs", ["store", "search", "hooks"][round % 3], round % 40);
        if round.is_multiple_of(30) {
            let ask =
                format!("Move the checks of {file} behind the port, and keep every test green.");
            self.push("user", &json!(ask));
        }
        let say =
            format!("Next is {file}: the check of step {round} still reads the clock itself.");
        self.push("assistant", &json!([{"type": "text", "text": say}]));
        self.call(
            "Read",
            &json!({"file_path": format!("/home/dev/project/{file}")}),
            &source(round % 40),
        );
        let (old, new) =
            (format!("let now_{round} = clock();"), format!("let now_{round} = self.now();"));
        let edit = json!({"file_path": format!("/home/dev/project/{file}"), "old_string": old, "new_string": new});
        self.call("Edit", &edit, "The file has been updated.");
        let run = json!({"command": format!("cargo test -p part-{} step_{round}", round % 40)});
        let failed = if round.is_multiple_of(7) {
            "error[E0308]: mismatched types\n  --> src/store/part_00.rs:12:5\n"
        } else {
            ""
        };
        self.call(
            "Bash",
            &run,
            &format!("{failed}running 12 tests\n{}", "test step ... ok\n".repeat(12)),
        );
    }

    fn push(&mut self, role: &str, content: &Value) {
        let parent = self.n_lines.checked_sub(1).map(|last| format!("line-{last}"));
        let line = json!({
            "type": role, "uuid": format!("line-{}", self.n_lines), "parentUuid": parent,
            "sessionId": SESSION, "cwd": "/home/dev/project", "timestamp": "2026-11-22T08:00:00.000Z",
            "message": {"role": role, "content": content},
        });
        self.text.push_str(&line.to_string());
        self.text.push('\n');
        self.n_lines += 1;
    }

    fn call(&mut self, name: &str, input: &Value, result: &str) {
        let id = format!("toolu_{}", self.n_lines);
        self.push(
            "assistant",
            &json!([{"type": "tool_use", "id": id, "name": name, "input": input}]),
        );
        self.push("user", &json!([{"type": "tool_result", "tool_use_id": id, "content": result}]));
    }
}
