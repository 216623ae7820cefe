//! Who shares a project of a store on a server.

use vademecum_core::project::{Project, shown};
use vademecum_ops::OpError;
use vademecum_store::{Invited, Members};

#[cfg(feature = "postgres")]
use vademecum_postgres::{Options, Postgres};

use crate::store::Address;

/// Without the feature there is no store on a server.
#[cfg(not(feature = "postgres"))]
mod never {
    use vademecum_core::id::ProjectId;
    use vademecum_store::{Invited, Members, StoreError};

    #[derive(Debug)]
    pub(super) enum Postgres {}

    impl Postgres {
        pub(super) fn invite(&self, _: ProjectId, _: &str) -> Result<Invited, StoreError> {
            match *self {}
        }

        pub(super) fn uninvite(&self, _: ProjectId, _: &str) -> Result<Invited, StoreError> {
            match *self {}
        }

        pub(super) fn members(&self, _: ProjectId) -> Result<Option<Members>, StoreError> {
            match *self {}
        }
    }
}

#[cfg(not(feature = "postgres"))]
use never::Postgres;

/// A store whose projects can be shared.
#[derive(Debug)]
pub struct Sharing(Postgres);

impl Sharing {
    /// The store at an address; a usage error where it is in a file, and so one person's.
    pub fn of(address: &Address) -> Result<Self, OpError> {
        match address {
            Address::File(path) => {
                let message = format!(
                    "{} is a file, and so one person's: nobody is invited there",
                    path.display()
                );
                Err(OpError::usage(message).hint(
                    "docs/postgres.md: a store on a server is shared; vade store copy FILE postgres://… brings this one there",
                ))
            }
            #[cfg(not(feature = "postgres"))]
            Address::Server(address) => match **address {},
            #[cfg(feature = "postgres")]
            Address::Server(address) => {
                Ok(Self(Postgres::at(address.as_ref().clone(), Options::patient())))
            }
        }
    }

    /// Shares a project, as far as this person has it, with another.
    pub fn invite(&self, project: &Project, person: &str) -> Result<Invited, OpError> {
        Ok(self.0.invite(project.id, person)?)
    }

    /// Takes an invitation back.
    pub fn uninvite(&self, project: &Project, person: &str) -> Result<Invited, OpError> {
        Ok(self.0.uninvite(project.id, person)?)
    }

    /// Who shares a project.
    pub fn members(&self, project: &Project) -> Result<Members, OpError> {
        let members = self.0.members(project.id)?;
        members.ok_or_else(|| {
            OpError::missing(format!("the project {} is not here", shown(&project.name)))
        })
    }
}
