//! What a project's own file must not set is refused, and hooks go on without it.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::json;

use super::Given;
use super::home::Home;
use super::template::PAGE;

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000037";

/// Files that a repository might bring.
const FILES: &[&str] = &[
    "[store]\nurl = \"sqlite:/tmp/elsewhere.db\"\n",
    "[mcp]\ntools = \"all\"\n",
    "[recap]\nembed_cmd = [\"touch\", \"PWNED\"]\n",
    "[recap]\nsummarize_cmd = [\"touch\", \"PWNED\"]\n",
    "[plans]\nroot = \"../outside\"\n",
    "[plans]\nroot = \"/tmp/outside\"\n",
    "[plans]\nroot = \".git\"\n",
    "[plans]\nroot = \".git/hooks\"\n",
    "unknown = 1\n",
    "not even TOML",
];

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?;
    home.hook(SESSION, "SessionStart", &json!({"source": "startup"}))?;
    ensure!(home.cli(SESSION, &["notepad", "write", PAGE])?.1 == Some(0), "no page");
    let file = home.path("project/.vademecum.toml");
    for text in FILES {
        fs::write(&file, text)?;
        let (answer, code) = home.cli(SESSION, &["note", "list"])?;
        ensure!(code != Some(0), "{text:?} is taken: {answer}");
        let start = home.start_again(SESSION)?;
        ensure!(start.context.contains("wait for the ferry"), "{text:?}: {:?}", start.context);
        ensure!(start.context.contains("fault: "), "{text:?} is not said: {:?}", start.context);
        ensure!(!home.path("project/PWNED").exists(), "{text:?} was run");
    }
    // The canary: a file that is allowed stops nothing.
    fs::write(&file, "[plans]\nroot = \".notes\"\n")?;
    ensure!(home.cli(SESSION, &["note", "list"])?.1 == Some(0), "what is allowed is refused");
    Ok(format!("{} files refused, hooks go on with the page and say so", FILES.len()))
}
