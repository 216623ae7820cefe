//! The tasks of this repository: `cargo xtask TASK`.

#![expect(
    clippy::disallowed_methods,
    reason = "a task runs programs, times them and looks at the environment"
)]

mod bench;
mod connections;
mod convert;
mod deny;
mod e2e;
mod fuzz;
mod generate;
mod locomo;
mod needs;
mod page;
mod postgres;
mod recap;
mod retrieval;
mod secrets;
mod stages;
mod step;
mod tidy;
mod tools;
mod torture;
mod transcripts;
mod tree;
mod twins;
mod wisdom;

use std::process::ExitCode;

/// One task, by the name that follows `cargo xtask`.
struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> anyhow::Result<()>,
}

/// Every task; a new one is its own file and one line here.
const TASKS: &[Task] = &[
    Task { name: "bench", about: "Measure the product against its floors", run: bench::run },
    Task { name: "convert", about: "Bring a store of version 1 over", run: convert::run },
    Task { name: "deny", about: "Hold what is linked to deny.toml", run: deny::run },
    Task {
        name: "e2e",
        about: "Drive the real Claude Code and Codex against a mock model",
        run: e2e::run,
    },
    Task { name: "fuzz", about: "Read hurt transcripts, run hostile programs", run: fuzz::run },
    Task { name: "generate", about: "Write the generated pages anew", run: generate::run },
    Task {
        name: "locomo",
        about: "Say how well a project's search finds what was said in dialogues",
        run: locomo::run,
    },
    Task {
        name: "retrieval",
        about: "Say how well a project's search finds earlier work",
        run: retrieval::run,
    },
    Task { name: "page", about: "Open the page of HTML in a real Chromium", run: page::run },
    Task { name: "picture", about: "Make the picture of the page anew", run: page::picture },
    Task { name: "recap", about: "Print a recap, check many, learn weights", run: recap::run },
    Task { name: "secrets", about: "Say how many secrets are left", run: secrets::run },
    Task { name: "test", about: "Run every test, with what it needs", run: stages::run },
    Task { name: "tidy", about: "Hold the tree to its rules", run: tidy::run },
    Task { name: "torture", about: "Hurt a store in every way we know", run: torture::run },
    Task { name: "transcripts", about: "Say what is read of transcripts", run: transcripts::run },
    Task { name: "twins", about: "Compare the program with an older one", run: twins::run },
    Task { name: "wisdom", about: "Measure what choosing by the task is worth", run: wisdom::run },
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = words.split_first() else {
        eprint!("{}", usage());
        return ExitCode::from(2);
    };
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        eprint!("no task \"{name}\"\n{}", usage());
        return ExitCode::from(2);
    };
    match (task.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let lines = TASKS.iter().map(|task| format!("  {:<11} {}\n", task.name, task.about));
    format!("cargo xtask TASK\n{}", lines.collect::<String>())
}
