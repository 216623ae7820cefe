//! Who shares a project of a store on a server.

use vademecum_core::project::Project;
use vademecum_ops::OpError;
use vademecum_store::{Invited, Members, StoreError};

use crate::store::{Address, Opened, Patience, open};

/// A store whose projects can be shared.
#[derive(Debug)]
pub struct Sharing(Opened);

impl Sharing {
    /// The store at an address; a usage error where it is in a file, and so one person's.
    pub fn of(address: &Address) -> Result<Self, OpError> {
        match address {
            Address::File(_) => {
                let message =
                    format!("{address} is a file, and so one person's: nobody is invited there");
                Err(OpError::usage(message).hint(
                    "docs/postgres.md: a store on a server is shared; vade store copy FILE postgres://… brings this one there",
                ))
            }
            Address::Server(_) => Ok(Self(open(address, Patience::Command))),
        }
    }

    /// Shares a project, as far as this person has it, with another.
    pub fn invite(&self, project: &Project, person: &str) -> Result<Invited, OpError> {
        match &self.0 {
            Opened::File(_) => Ok(Invited::Nobody),
            #[cfg(feature = "postgres")]
            Opened::Server(store) => Ok(store.invite(project.id, person)?),
        }
    }

    /// Takes an invitation back.
    pub fn uninvite(&self, project: &Project, person: &str) -> Result<Invited, OpError> {
        match &self.0 {
            Opened::File(_) => Ok(Invited::Nobody),
            #[cfg(feature = "postgres")]
            Opened::Server(store) => Ok(store.uninvite(project.id, person)?),
        }
    }

    /// Who shares a project.
    pub fn members(&self, project: &Project) -> Result<Members, OpError> {
        let members: Result<Option<Members>, StoreError> = match &self.0 {
            Opened::File(_) => Ok(None),
            #[cfg(feature = "postgres")]
            Opened::Server(store) => store.members(project.id),
        };
        members?
            .ok_or_else(|| OpError::missing(format!("the project {} is not here", project.name)))
    }
}
