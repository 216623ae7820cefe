//! The one question, asked on the terminal; never answered for a person who cannot be asked.

use std::io::{self, BufRead, IsTerminal};

use vademecum::ops::OpError;

use crate::cli::print;

/// What a person answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// All of it.
    All,
    /// All but the permissions.
    NoPermissions,
    /// Nothing of it.
    Nothing,
}

/// Asks whether to make the changes of `plan`; with permissions, also whether to make these.
pub(crate) fn install(plan: &str, has_permissions: bool) -> Result<Answer, OpError> {
    let choice = if has_permissions {
        "[y]es, [w]ithout the permissions (\"allow …\"), [N]o"
    } else {
        "[y]es, [N]o"
    };
    let question = format!("{plan}\nGo on? {choice}: ");
    loop {
        match word(&question)?.as_str() {
            "y" | "yes" => return Ok(Answer::All),
            "w" | "without" if has_permissions => return Ok(Answer::NoPermissions),
            "" | "n" | "no" => return Ok(Answer::Nothing),
            _ => {}
        }
    }
}

/// Asks whether to do what `plan` says.
pub(crate) fn yes(plan: &str, question: &str) -> Result<bool, OpError> {
    let question = format!("{plan}\n{question} [y]es, [N]o: ");
    loop {
        match word(&question)?.as_str() {
            "y" | "yes" => return Ok(true),
            "" | "n" | "no" => return Ok(false),
            _ => {}
        }
    }
}

fn word(question: &str) -> Result<String, OpError> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err(OpError::usage("nobody can be asked: standard input is no terminal")
            .hint("run it again with --yes, or with --dry-run to see only"));
    }
    let mut line = String::new();
    let asked = print::ask(question).and_then(|()| stdin.lock().read_line(&mut line));
    asked.map_err(|error| OpError::broken(format!("cannot ask: {error}")))?;
    Ok(line.trim().to_lowercase())
}
