//! A file of a harness that is wholly ours, as that of a slash command; one of somebody else is left alone.

use vademecum_core::hash;

use super::shell::quoted;
use super::{After, Plan, Wiring};

/// What stands in a comment of each such file, and before the hash of the rest of it: who changes a word of it owns the file.
const MARK: &str = "# made by vade install";

/// So many bytes of the hash: enough to know a change, which nobody hides.
const HASH_BYTES: usize = 4;

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
    /// Whether a file of this name is somebody else's, or ours changed by hand.
    #[must_use]
    pub fn is_of_a_person(existing: Option<&[u8]>) -> bool {
        existing.is_some_and(|bytes| !bytes.trim_ascii().is_empty() && !is_as_written(bytes))
    }

    /// Plans the file: made where there is none, brought up to date where it is ours.
    #[must_use]
    pub fn plan(&self, existing: Option<&[u8]>, wiring: &Wiring) -> Plan {
        let wanted = self.with(&quoted(wiring.command())).into_bytes();
        let change = match existing {
            None => "add this command",
            Some(bytes) if bytes.trim_ascii().is_empty() => "add this command",
            Some(bytes) if bytes == wanted || Self::is_of_a_person(existing) => return SAME,
            Some(_) => "update this command",
        };
        Plan { after: After::Write(wanted), changes: vec![change.to_owned()] }
    }

    /// Plans it away, if it stands as some vade wrote it: what a person changed is theirs.
    #[must_use]
    pub fn unplan(existing: Option<&[u8]>) -> Plan {
        if existing.is_some_and(is_as_written) {
            Plan { after: After::Remove, changes: vec!["remove this command".to_owned()] }
        } else {
            SAME
        }
    }

    fn with(&self, program: &str) -> String {
        let text = self.text.replace(PROGRAM, program);
        let signed = format!("{MARK} {}", signature(&text));
        text.replacen(MARK, &signed, 1)
    }
}

const SAME: Plan = Plan { after: After::Same, changes: Vec::new() };

/// Whether the file stands as some vade wrote it, of whatever version.
fn is_as_written(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else { return false };
    let Some((before, rest)) = text.split_once(MARK) else { return false };
    let (hash, behind) = rest.split_once('\n').unwrap_or((rest, ""));
    let unsigned = format!("{before}{MARK}\n{behind}");
    hash.strip_prefix(' ') == Some(signature(&unsigned).as_str())
}

fn signature(text: &str) -> String {
    hash::hex(&hash::plain(text.as_bytes()), HASH_BYTES)
}
