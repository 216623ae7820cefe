//! A file of a harness that is wholly ours, as that of a slash command; one of somebody else is left alone.

use super::shell::quoted;
use super::{After, Plan, Wiring};

/// What stands in a comment of each such file, so that it is known for ours. Who takes that line out owns the file.
const MARK: &str = "# made by vade install";

/// What stands for our program in a text.
const PROGRAM: &str = "{vade}";

/// A command that a person types in a harness: one file of ours.
#[derive(Debug, PartialEq, Eq)]
pub struct Command {
    /// Where its file lies, below the harness's folder.
    pub path: &'static str,
    /// Its text, with a word for the program.
    pub text: &'static str,
}

impl Command {
    /// Plans the file: made where there is none, brought up to date where it is ours.
    #[must_use]
    pub fn plan(&self, existing: Option<&[u8]>, wiring: &Wiring) -> Plan {
        let wanted = self.with(&quoted(wiring.command())).into_bytes();
        let change = match existing {
            None => "add this command",
            Some(bytes) if bytes.trim_ascii().is_empty() => "add this command",
            Some(bytes) if bytes == wanted || !is_ours(bytes) => return SAME,
            Some(_) => "update this command",
        };
        Plan { after: After::Write(wanted), changes: vec![change.to_owned()] }
    }

    /// Plans it away, if it stands as some vade wrote it: what a person changed is theirs.
    #[must_use]
    pub fn unplan(&self, existing: Option<&[u8]>) -> Plan {
        let is_as_written =
            existing.and_then(|bytes| str::from_utf8(bytes).ok()).is_some_and(|text| self.is(text));
        if is_as_written {
            Plan { after: After::Remove, changes: vec!["remove this command".to_owned()] }
        } else {
            SAME
        }
    }

    fn with(&self, program: &str) -> String {
        self.text.replace(PROGRAM, program)
    }

    /// Whether `text` is this one, whatever program it names.
    fn is(&self, text: &str) -> bool {
        let Some((before, behind)) = self.text.split_once(PROGRAM) else {
            return text == self.text;
        };
        let line_end = |text: &str| text.find('\n').unwrap_or(text.len());
        let Some(rest) = text.strip_prefix(before) else { return false };
        // The program and what stands behind it on the line, without the latter.
        let line = &rest[..line_end(rest)];
        let program = line.strip_suffix(&behind[..line_end(behind)]);
        program.is_some_and(|program| self.with(program) == text)
    }
}

const SAME: Plan = Plan { after: After::Same, changes: Vec::new() };

fn is_ours(bytes: &[u8]) -> bool {
    bytes.split(|&byte| byte == b'\n').any(|line| line.trim_ascii() == MARK.as_bytes())
}
