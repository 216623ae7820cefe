//! The person's own session of a project; in a store that several persons use each has one.

use vademecum_core::id::{PersonId, ProjectId};
use vademecum_core::session::SessionKey;
use vademecum_store::{StoreError, View};

use crate::succession::{first, is_of_another};
use crate::world::World;

/// The desk of the person who calls, which is looked up where a call means it.
#[derive(Debug, Clone, Copy)]
pub struct Desk<'a> {
    pub(crate) world: &'a World,
    pub(crate) project: Option<ProjectId>,
}

impl Desk<'_> {
    /// Its key; one that no session has where the project is not known yet.
    pub fn key(&self, view: &dyn View) -> Result<SessionKey, StoreError> {
        match self.project {
            Some(project) => of(view, self.world, project, self.world.person()),
            None => Ok(SessionKey::new_desk()),
        }
    }
}

/// The key of `person`'s desk in a project.
///
/// A file has one person, whose desk outlives a lost identity. In a store of several nobody begins the one that is called after the project alone:
/// it came with a copy, and is its writer's.
pub(crate) fn of(
    view: &dyn View,
    world: &World,
    project: ProjectId,
    person: PersonId,
) -> Result<SessionKey, StoreError> {
    let (plain, own) = (SessionKey::desk(project), SessionKey::desk_of(project, person));
    let begun = view.session(&own)?;
    let Some(other) = view.session(&plain)? else {
        return Ok(if world.is_shared() || begun.is_some() { own } else { plain });
    };
    if !world.is_shared() {
        return Ok(if begun.is_some() { own } else { plain });
    }
    // Of two the one that was here first is the desk: neither hides what was at hand.
    let is_first =
        match (first(view, &other)?, begun.map(|own| first(view, &own)).transpose()?.flatten()) {
            (Some(other), Some(own)) => world.wrote(other.by.person) && other.seq < own.seq,
            (Some(other), None) => world.wrote(other.by.person),
            (None, _) => false,
        };
    Ok(if is_first { plain } else { own })
}

/// Whether a session is the desk of another person, who alone is shown it.
pub(crate) fn is_anothers(
    view: &dyn View,
    world: &World,
    key: &SessionKey,
) -> Result<bool, StoreError> {
    if key.harness != SessionKey::DESK || !world.is_shared() {
        return Ok(false);
    }
    if key.is_desk_of_another(world.person()) {
        return Ok(true);
    }
    view.session(key)?.map_or(Ok(false), |desk| is_of_another(view, world, &desk))
}
