//! Forks that are told as the resume of a session, as by Claude Code 2.1.197.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde::Deserialize;
use vademecum_files::open_named;

use super::Env;

/// The first line of a branch may hold a whole context of ours; a longer one is not read.
const FIRST_LINE_MAX: u64 = 1024 * 1024;

/// The session for whose environment the harness keeps a file; none where it names no file.
///
/// At the start of a fork that is the fork, whose parent the event names. But a plain `--continue` has
/// there the id that its process made at first and uses for nothing.
#[must_use]
pub fn environment_of(env: Env<'_>) -> Option<String> {
    let file = env("CLAUDE_ENV_FILE")?;
    let folder = Path::new(&file).parent()?;
    let is_kept = folder.parent()?.ends_with("session-env");
    folder.file_name().filter(|_| is_kept)?.to_str().map(str::to_owned)
}

/// Whether arguments that end with a zero byte each ask for a fork.
#[must_use]
pub fn is_asked_for(arguments: &[u8]) -> bool {
    arguments.split(|&byte| byte == 0).any(|word| word == b"--fork-session")
}

/// The session that the record of a branch names as the one that it was copied from.
pub fn branched_from(transcript: &Path) -> std::io::Result<Option<String>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct First {
        forked_from: Option<From>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct From {
        session_id: String,
    }
    let mut line = Vec::new();
    let mut file = BufReader::new(open_named(transcript)?).take(FIRST_LINE_MAX);
    file.read_until(b'\n', &mut line)?;
    let first: Option<First> = serde_json::from_slice(&line).ok();
    Ok(first.and_then(|first| first.forked_from).map(|from| from.session_id))
}
