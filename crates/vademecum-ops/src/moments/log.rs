//! The list of contexts that were sent, by which `vade doctor` finds those that did not arrive.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use vademecum_core::id::{EntryId, Seq};
use vademecum_core::session::SessionKey;
use vademecum_files::FileError;

use super::list::{self, List};

const LIST: List = List("receipts.jsonl");

/// One context that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// When (RFC 3339).
    pub at: String,
    /// The full name of the session.
    pub session: String,
    /// The harness's name of the moment.
    pub event: String,
    /// The hash that the context ends with.
    pub receipt: String,
    /// How long it was, in the harness's unit.
    pub units: usize,
    /// Whether it told all that the conversation lacked, the model's own writes too.
    #[serde(default)]
    pub is_full: bool,
    /// Up to which write of the session it tells; none where an earlier program sent it.
    #[serde(default)]
    pub upto: Option<Seq>,
    /// Behind which write it begins, where it tells no more than what others changed.
    #[serde(default)]
    pub from: Seq,
    /// Up to which entry of the project it tells; none where it tells of no entries.
    #[serde(default)]
    pub entry: Option<EntryId>,
    /// The sub-agents that it tells of as running.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub running: Vec<String>,
    /// Those that it tells of as running no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<String>,
    /// The session of whose work it tells first; it goes with that one when it is forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered: Option<SessionKey>,
}

/// Appends one line. It is no promise: what cannot be written is not missed by anybody but doctor.
pub(super) fn append(data: &Path, sent: &Sent) {
    LIST.append(data, sent);
}

/// The contexts that were sent, oldest first; lines that are no such thing are left out.
#[must_use]
pub fn sent(data: &Path) -> Vec<Sent> {
    list::parsed(&LIST.text(data)).collect()
}

/// Those alone that tell of open work: hardly any of a long list, of which no more is parsed.
pub(super) fn offers(data: &Path) -> Vec<Sent> {
    let field = b"\"offered\":";
    let text = LIST.text(data);
    let lines = text.split(|&byte| byte == b'\n');
    let offers = lines.filter(|line| line.windows(field.len()).any(|bytes| bytes == field));
    offers.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// A line without the ids of such sub-agents, nor the session whose work it told of where that is gone.
///
/// That it told of work stays, and so does what a later program wrote.
fn without(line: &[u8], is_gone: impl Fn(&String) -> bool, is_offered: bool) -> Option<Vec<u8>> {
    let mut fields: Map<String, Value> = serde_json::from_slice(line).ok()?;
    for list in ["running", "stopped"] {
        if let Some(Value::Array(ids)) = fields.get_mut(list) {
            ids.retain(|id| !matches!(id, Value::String(id) if is_gone(id)));
        }
    }
    if is_offered {
        fields.insert("offered".to_owned(), Value::Null);
    }
    let mut line = serde_json::to_vec(&fields).ok()?;
    line.push(b'\n');
    Some(line)
}

/// Takes every line of these sessions out of the list, and their names out of the others.
pub(super) fn forget(data: &Path, sessions: &[String]) -> Result<(), FileError> {
    let is_gone = |name: &str| sessions.iter().any(|session| session == name);
    LIST.retain(data, |line| {
        let sent: Sent = serde_json::from_slice(line).ok()?;
        if is_gone(&sent.session) {
            return None;
        }
        let is_agent = |id: &String| is_gone(&format!("{}/{id}", sent.session));
        let is_offered = sent.offered.as_ref().is_some_and(|key| is_gone(&key.to_string()));
        let tells = is_offered || sent.running.iter().chain(&sent.stopped).any(is_agent);
        if tells { without(line, is_agent, is_offered) } else { Some(line.to_vec()) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of a later program, with what this one does not know.
    fn line(session: &str, rest: &str) -> String {
        format!(
            "{{\"at\":\"t\",\"session\":\"{session}\",\"event\":\"e\",\"receipt\":\"r\",\"units\":1{rest},\"weave\":[2.50]}}\n"
        )
    }

    #[test]
    fn a_forgotten_session_is_taken_out_of_the_lines_of_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let gone = "\"offered\":{\"harness\":\"h\",\"external\":\"gone\",\"agent\":null}";
        let told = line("h:mine", &format!(",{gone}"));
        let lines = [
            line("h:other", ",\"running\":[\"a1\"]"),
            line("h:gone", ""),
            told,
            line("h:mine", ",\"running\":[\"a1\",\"a2\"],\"stopped\":[\"a1\"]"),
        ];
        let path = folder.path().join(LIST.0);
        std::fs::write(&path, lines.concat()).expect("a list");
        let names = ["h:gone".to_owned(), "h:mine/a1".to_owned()];
        forget(folder.path(), &names).expect("forgotten");
        let text = std::fs::read_to_string(&path).expect("a list");
        let left: Vec<&str> = text.split_inclusive('\n').collect();
        assert_eq!(left.len(), 3, "{text}");
        assert_eq!(left[0], lines[0], "an agent of another session has the same name");
        let parsed = sent(folder.path());
        assert_eq!((&parsed[1].offered, left[1].contains("\"offered\":null")), (&None, true));
        assert_eq!((&parsed[2].running[..], parsed[2].stopped.len()), (&["a2".to_owned()][..], 0));
        assert!(!text.contains("gone") && left.iter().all(|line| line.contains("weave")), "{text}");
    }
}
