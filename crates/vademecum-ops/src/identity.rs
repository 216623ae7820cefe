//! Who writes and on which machine: two random ids, made once and kept in a file of the data folder.
//!
//! The file is the person's: in a copy of the folder on another machine they stay the same person, and the machine gets an
//! id of its own.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use vademecum_core::hash::{hex, plain};
use vademecum_core::id::{MachineId, PersonId};
use vademecum_files::{FileError, Root};
use vademecum_store::Writer;

use crate::world::World;

/// The name of the file, in the data folder.
pub const FILE: &str = "identity.json";

/// The file has some hundred bytes; a later program may keep more there.
const MAX_BYTES: u64 = 1 << 16;

/// So many machines that the folder was copied from are known: each is looked up at a path that this one does not know.
const MOST_BEFORE: usize = 8;

/// How long is waited for another process that makes the file.
const PATIENCE: Duration = Duration::from_millis(50);

/// What is known of the identity, once it was read.
#[derive(Debug, Default)]
pub struct Identity(Mutex<Option<Known>>);

/// Who writes in a data folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The person, on whatever machine.
    pub person: PersonId,
    /// Who; none while the machine has no id of its own.
    pub writer: Option<Writer>,
    /// The machines of the folder, the last first.
    pub machines: Vec<MachineId>,
}

/// Why there is no identity.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The file or its folder cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// It holds something else.
    #[error("{FILE} in the data folder holds no ids: {0}")]
    Damaged(#[from] serde_json::Error),
}

/// What the file holds.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    person: PersonId,
    machine: MachineId,
    /// By what the machine is known again; none where nothing tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    /// The ids of the machines that the folder was copied from, the last first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    before: Vec<MachineId>,
}

impl World {
    /// The machines that a path of this folder may be known by: this one, and those that the folder was copied from.
    ///
    /// Nothing is made for who only looks.
    #[must_use]
    pub fn machines(&self) -> Vec<MachineId> {
        let known = self.known_identity().ok().flatten();
        known.map_or_else(Vec::new, |known| known.machines)
    }

    /// Who writes here, made known where they are not; nobody where no file can be kept.
    ///
    /// A write is worth more than to know whose it is. `doctor` says what is wrong with the file.
    #[must_use]
    pub fn writer(&self) -> Writer {
        let kept = match self.known_identity() {
            Ok(Some(Known { writer: Some(writer), .. })) => writer,
            Ok(_) if self.is_read_only() => Writer::NONE,
            Ok(_) => self.make_writer().unwrap_or_default(),
            Err(_) => Writer::NONE,
        };
        let person = self.store.get().and_then(|store| store.person).unwrap_or(kept.person);
        Writer { person, ..kept }
    }

    /// The person that the data folder knows; nobody where they have written nothing yet.
    pub(crate) fn kept_person(&self) -> PersonId {
        self.known_identity().ok().flatten().map_or(PersonId::NONE, |known| known.person)
    }

    /// What is known of who writes here.
    pub fn known_identity(&self) -> Result<Option<Known>, IdentityError> {
        let mut cached = self.identity.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.is_none() {
            let root = Root::open_private(&self.folders.data)?;
            let kept: Option<Kept> = root.map(|root| read(&root)).transpose()?.flatten();
            let Some(kept) = kept else { return Ok(None) };
            let known = self.known(&kept);
            if known.writer.is_none() {
                // Another process may make it at any time.
                return Ok(Some(known));
            }
            *cached = Some(known);
        }
        Ok(cached.clone())
    }

    fn known(&self, kept: &Kept) -> Known {
        let before = kept.before.iter().take(MOST_BEFORE).copied();
        let machines = std::iter::once(kept.machine).chain(before).collect();
        let writer = Writer { person: kept.person, machine: kept.machine };
        Known { person: kept.person, writer: self.is_of(kept).then_some(writer), machines }
    }

    fn make_writer(&self) -> Result<Writer, IdentityError> {
        let root = Root::private(&self.folders.data)?;
        let _lock = root.lock(PATIENCE)?;
        let kept = match read::<Kept>(&root)? {
            // Another process was faster.
            Some(kept) if self.is_of(&kept) => kept,
            known => self.made(&root, known)?,
        };
        let known = self.known(&kept);
        let writer = known.writer.unwrap_or_default();
        *self.identity.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        Ok(writer)
    }

    /// Makes what is not known yet: all of it, or the id of another machine.
    fn made(&self, root: &Root, known: Option<Kept>) -> Result<Kept, IdentityError> {
        let (machine, host) = (MachineId(self.random_id()), self.host_mark());
        let kept = match known {
            Some(Kept { person, machine: last, mut before, .. }) => {
                before.insert(0, last);
                before.truncate(MOST_BEFORE);
                Kept { person, machine, host, before }
            }
            None => Kept { person: PersonId(self.random_id()), machine, host, before: Vec::new() },
        };
        // What a later program keeps there stays.
        let mut all: Map<String, Value> = read(root)?.unwrap_or_default();
        let own: Map<String, Value> = serde_json::from_value(serde_json::to_value(&kept)?)?;
        all.extend(own);
        root.replace(FILE, &serde_json::to_vec(&all)?)?;
        Ok(kept)
    }

    /// Whether what is kept is of this machine; one that does not say which it is passes for any.
    fn is_of(&self, kept: &Kept) -> bool {
        let is_same = |(known, here): (String, String)| known == here;
        kept.host.clone().zip(self.host_mark()).is_none_or(is_same)
    }

    /// By what the machine is known again, as a hash: the file tells nobody what the operating system calls it.
    fn host_mark(&self) -> Option<String> {
        let own = (self.host_id)()?;
        Some(hex(&plain(&[b"vade host ", own.as_slice()].concat()), 16))
    }

    /// 16 bytes that nobody else has, whoever makes some: of two ids, since one begins with the clock.
    pub(crate) fn random_id(&self) -> [u8; 16] {
        let hash = plain(format!("{}{}", (self.new_id)(), (self.new_id)()).as_bytes());
        *hash.first_chunk().expect("a hash is longer than an id")
    }
}

fn read<T: DeserializeOwned>(root: &Root) -> Result<Option<T>, IdentityError> {
    let bytes = root.read(FILE, MAX_BYTES)?;
    Ok(bytes.map(|bytes| serde_json::from_slice(&bytes)).transpose()?)
}
