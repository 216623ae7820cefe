//! Codex: its hooks, its rollouts, its settings, and how far compaction is.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use vademecum_files::open_named;

pub mod contexts;
pub mod delegation;
pub mod hooks;
pub mod server;
pub mod skills;
pub mod transcript;
pub mod usage;

/// The name of this harness in session keys, hook arguments and settings.
pub const ID: &str = "codex";

/// The namespace in which its models see the tools of the server `vade`.
pub const TOOL_PREFIX: &str = "mcp__vade__";

/// The name of its process; the one that hosts many sessions at once is called so too.
pub const PROCESS: &str = "codex";

/// The longest context that we send, in UTF-8 bytes.
///
/// Codex counts a token for each four bytes and lets 2,500 through; a longer text is replaced by its
/// first and last lines and the path of a file.
pub const CONTEXT_BYTES: usize = 9_200;

/// The name that our MCP server has in the harness.
pub const SERVER: &str = "vade";

/// The name of a session of ours by Codex's ids of it; inside a sub-agent the thread is its own.
#[must_use]
pub fn session_name(session: Option<&str>, thread: Option<&str>) -> Option<String> {
    match (session, thread) {
        (Some(session), Some(thread)) if session != thread => {
            Some(format!("{ID}:{session}/{thread}"))
        }
        (Some(id), _) | (None, Some(id)) => Some(format!("{ID}:{id}")),
        (None, None) => None,
    }
}

/// The environment, by the name of a variable.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The folder of a user's Codex: `$CODEX_HOME`, else `~/.codex`.
#[must_use]
pub fn folder(env: Env<'_>, home: &Path) -> PathBuf {
    let chosen = env("CODEX_HOME").filter(|folder| !folder.is_empty());
    chosen.map_or_else(|| home.join(".codex"), PathBuf::from)
}

/// The first line of a rollout holds the whole of the instructions; a longer one is not read.
const FIRST_LINE_MAX: u64 = 1024 * 1024;

/// What the first line of a rollout says of its session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The id of the session that it was copied from; none for most.
    pub forked_from: Option<String>,
    /// Whether nobody attends it: `codex exec`.
    pub is_unattended: bool,
}

/// Reads where the session with this rollout comes from.
pub fn origin(rollout: &Path) -> std::io::Result<Origin> {
    #[derive(Deserialize)]
    struct First {
        payload: Payload,
    }
    #[derive(Deserialize)]
    struct Payload {
        forked_from_id: Option<String>,
        // Of a sub-agent it is an object.
        source: Option<serde_json::Value>,
    }
    let mut line = Vec::new();
    let mut file = BufReader::new(open_named(rollout)?).take(FIRST_LINE_MAX);
    file.read_until(b'\n', &mut line)?;
    let first: Option<First> = serde_json::from_slice(&line).ok();
    Ok(first.map_or_else(Origin::default, |first| Origin {
        forked_from: first.payload.forked_from_id,
        is_unattended: first.payload.source.is_some_and(|source| source == "exec"),
    }))
}
