//! Sessions: one run of one agent, and the line of runs that it stands in.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::id::{ProjectId, Seq};
use crate::time::Time;
use crate::words;

/// What makes a session unique: the harness, the harness's id, and the agent inside it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SessionKey {
    /// The id of the harness, such as `claude-code`; `desk` for a person at the command line.
    pub harness: String,
    /// The harness's own id of the session.
    pub external: String,
    /// The id of a sub-agent, or none for the session itself.
    pub agent: Option<String>,
}

impl SessionKey {
    /// The harness name of a person at the command line.
    pub const DESK: &'static str = "desk";

    /// The harness name of a session that a person began by name.
    pub const PERSON: &'static str = "person";

    /// The harness name of a client that says nothing of its sessions: vade names them.
    pub const CLIENT: &'static str = "mcp";

    /// Whether a harness, or a host of one's own, puts back what the session keeps.
    ///
    /// Nobody does for a person, and for a client whose sessions vade itself names.
    #[must_use]
    pub fn is_restored(&self) -> bool {
        ![Self::DESK, Self::PERSON, Self::CLIENT].contains(&self.harness.as_str())
    }

    /// The key of the person's own session of a project.
    #[must_use]
    pub fn desk(project: ProjectId) -> Self {
        Self { harness: Self::DESK.to_owned(), external: project.to_string(), agent: None }
    }

    /// The key of a desk whose project is not known yet, which no session has.
    #[must_use]
    pub fn new_desk() -> Self {
        Self { harness: Self::DESK.to_owned(), external: "new".to_owned(), agent: None }
    }

    /// The key of the session that a sub-agent runs in; none for a session itself.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.agent.as_ref()?;
        Some(Self { agent: None, ..self.clone() })
    }
}

/// The full name, `harness:id` or `harness:id/agent`.
impl fmt::Display for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { harness, external, agent } = self;
        match agent {
            Some(agent) => write!(f, "{harness}:{external}/{agent}"),
            None => write!(f, "{harness}:{external}"),
        }
    }
}

words! {
    /// How a session began.
    Began {
        /// A new run.
        Start = "start",
        /// A new run after the user cleared the conversation.
        Clear = "clear",
        /// A run that an earlier version of the store or another surface named first.
        Resume = "resume",
        /// A copy of another session, history included.
        Fork = "fork",
        /// A sub-agent of another session.
        Spawn = "spawn",
    }
}

/// One run of one agent, as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The project that it works on.
    pub project: ProjectId,
    /// What makes it unique.
    pub key: SessionKey,
    /// The session that it was spawned or forked from, or that it follows.
    pub parent: Option<SessionKey>,
    /// How it began.
    pub began: Began,
    /// Its place in the project's line of sessions, from 1.
    pub instance: u32,
    /// The host that it ran on, by its own name: where the number of a process means something.
    pub host_name: String,
    /// When it began.
    pub started_at: Time,
    /// When it was last heard of.
    pub seen_at: Time,
    /// When it ended; none while it runs.
    pub ended_at: Option<Time>,
    /// What its harness told of it.
    pub place: Place,
    /// Where its context stands.
    pub standing: Standing,
}

/// What a harness tells of a session; each part may be unknown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Place {
    /// The model, in the harness's words.
    pub model: Option<String>,
    /// The folder that it works in, as bytes.
    pub cwd: Option<Vec<u8>>,
    /// The harness's own record, as bytes of its path.
    pub transcript: Option<Vec<u8>>,
    /// The process of the harness.
    pub host_pid: Option<u32>,
}

impl Place {
    /// This place, with what `news` knows put over it.
    #[must_use]
    pub fn with(self, news: &Self) -> Self {
        Self {
            model: news.model.clone().or(self.model),
            cwd: news.cwd.clone().or(self.cwd),
            transcript: news.transcript.clone().or(self.transcript),
            host_pid: news.host_pid.or(self.host_pid),
        }
    }
}

/// Where the context of a session stands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Standing {
    /// How often it was compacted.
    pub compactions: u32,
    /// The number of compactions at which the last warning was given; none if never.
    pub warned_at: Option<u32>,
    /// The last write that its model knows of.
    pub told: Seq,
    /// The model's last answer before the last compaction: what it says of tokens holds no more.
    pub answer: Option<String>,
}

impl Session {
    /// The short name that a model and a person use: how the external id begins, and the agent behind a slash.
    #[must_use]
    pub fn handle(&self) -> String {
        handle(&self.key)
    }

    /// Whether it is known in which project it stands: of one that no store knows yet it may not be.
    #[must_use]
    pub fn has_project(&self) -> bool {
        self.project != ProjectId::NONE
    }

    /// Whether it has ended: its notes and notepad are kept and no longer shown.
    #[must_use]
    pub fn is_archived(&self) -> bool {
        self.ended_at.is_some()
    }
}

/// The short name of the session with this key.
///
/// Ids that begin with the time are alike for a minute in their first 8 characters: of those 13 are taken.
/// A desk is called so.
#[must_use]
pub fn handle(key: &SessionKey) -> String {
    if key.harness == SessionKey::DESK {
        return SessionKey::DESK.to_owned();
    }
    let n_characters = if begins_with_time(&key.external) { 13 } else { 8 };
    let short: String = key.external.chars().take(n_characters).collect();
    match &key.agent {
        Some(agent) => format!("{short}/{agent}"),
        None => short,
    }
}

/// Whether an id is a UUID of version 7, whose first 12 digits are milliseconds.
fn begins_with_time(id: &str) -> bool {
    let id = id.as_bytes();
    id.len() == 36 && id[8] == b'-' && id[14] == b'7'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_tell_sessions_of_one_minute_apart() {
        for (external, agent, expected) in [
            ("752d4c1e-0a51-4f0e-9c0b-7d3f2b1c0a99", None, "752d4c1e"),
            ("01a2075b-8c40-7a63-be1b-13bf7ee71549", None, "01a2075b-8c40"),
            ("01a2075b-83e4-7d91-b724-c7bfda73f21f", Some("a1"), "01a2075b-83e4/a1"),
            ("12", None, "12"),
        ] {
            let agent = agent.map(str::to_owned);
            let key = SessionKey { harness: "codex".into(), external: external.into(), agent };
            assert_eq!(handle(&key), expected);
        }
    }
}
