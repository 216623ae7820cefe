//! The sessions that may hold what is forgotten: their transcripts are their harness's, and are named.

use std::collections::BTreeSet;

use vademecum_core::session::{Began, Session, SessionKey};

/// The sessions whose conversations hold it.
pub(super) struct Holders<'a> {
    all: &'a [Session],
    keys: BTreeSet<SessionKey>,
}

impl<'a> Holders<'a> {
    /// None of `all` yet.
    pub(super) fn among(all: &'a [Session]) -> Self {
        Self { all, keys: BTreeSet::new() }
    }

    /// Adds a session.
    pub(super) fn add(&mut self, key: &SessionKey) {
        self.keys.insert(key.clone());
    }

    /// One sentence for each transcript of theirs, and of those that began as their copies.
    ///
    /// All are named, however many: whoever wants the words gone must find each. Those that `named` names
    /// have a sentence of their own.
    pub(super) fn transcripts(mut self, named: &[&Session]) -> Vec<String> {
        self.add_copies();
        let path = |session: &'a Session| session.place.transcript.as_deref();
        // A sub-agent's may be its parent's.
        let mut is_named: BTreeSet<&[u8]> =
            named.iter().filter_map(|session| session.place.transcript.as_deref()).collect();
        let mut said = Vec::new();
        for session in self.all.iter().filter(|session| self.keys.contains(&session.key)) {
            let Some(path) = path(session).filter(|path| is_named.insert(path)) else { continue };
            let (name, path) = (&session.key, String::from_utf8_lossy(path));
            said.push(format!(
                "session {name} said it or was told it, and its transcript may quote it: {path}"
            ));
        }
        said
    }

    /// A copy has the history of its parent, and so has a copy of that.
    fn add_copies(&mut self) {
        loop {
            let before = self.keys.len();
            for session in self.all.iter().filter(|session| session.began == Began::Fork) {
                if session.parent.as_ref().is_some_and(|parent| self.keys.contains(parent)) {
                    self.keys.insert(session.key.clone());
                }
            }
            if self.keys.len() == before {
                return;
            }
        }
    }
}
