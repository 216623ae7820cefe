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

/// How long is waited for another process that makes the file.
const PATIENCE: Duration = Duration::from_millis(50);

/// What is known of the identity, once it was read.
#[derive(Debug, Default)]
pub struct Identity(Mutex<Option<Writer>>);

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
}

impl World {
    /// The machine, if its id was made; nothing is made for who only looks.
    #[must_use]
    pub fn machine(&self) -> Option<MachineId> {
        self.known_writer().ok().flatten().map(|writer| writer.machine)
    }

    /// Who writes here, made known where they are not; nobody where no file can be kept.
    ///
    /// A write is worth more than to know whose it is. `doctor` says what is wrong with the file.
    #[must_use]
    pub fn writer(&self) -> Writer {
        match self.known_writer() {
            Ok(Some(known)) => known,
            Ok(None) => self.make_writer().unwrap_or_default(),
            Err(_) => Writer::NONE,
        }
    }

    /// Who writes here, as far as that is known.
    pub fn known_writer(&self) -> Result<Option<Writer>, IdentityError> {
        let mut cached = self.identity.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.is_none() {
            let root = Root::open_private(&self.folders.data)?;
            let kept: Option<Kept> = root.map(|root| read(&root)).transpose()?.flatten();
            *cached = kept.filter(|kept| self.is_of(kept)).map(|kept| kept.writer());
        }
        Ok(*cached)
    }

    fn make_writer(&self) -> Result<Writer, IdentityError> {
        let root = Root::private(&self.folders.data)?;
        let _lock = root.lock(PATIENCE)?;
        let kept: Kept = match read(&root)? {
            // Another process was faster.
            Some(kept) if self.is_of(&kept) => kept,
            known => self.made(&root, known)?,
        };
        let writer = kept.writer();
        *self.identity.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(writer);
        Ok(writer)
    }

    /// Makes what is not known yet: all of it, or the id of another machine.
    fn made(&self, root: &Root, known: Option<Kept>) -> Result<Kept, IdentityError> {
        let person = known.map_or_else(|| PersonId(self.random_id()), |known| known.person);
        let kept = Kept { person, machine: MachineId(self.random_id()), host: self.host_mark() };
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

impl Kept {
    fn writer(&self) -> Writer {
        Writer { person: self.person, machine: self.machine }
    }
}

fn read<T: DeserializeOwned>(root: &Root) -> Result<Option<T>, IdentityError> {
    let bytes = root.read(FILE, MAX_BYTES)?;
    Ok(bytes.map(|bytes| serde_json::from_slice(&bytes)).transpose()?)
}
