//! The person's own session of a project.

use vademecum_core::id::ProjectId;
use vademecum_core::session::SessionKey;
use vademecum_store::{SessionFilter, StoreError, View};

/// The desk of the project of a call, which is looked up where a call means it.
#[derive(Debug, Clone, Copy)]
pub struct Desk {
    pub(crate) project: Option<ProjectId>,
}

impl Desk {
    /// Its key; one that no session has where the project is not known yet.
    pub fn key(&self, view: &dyn View) -> Result<SessionKey, StoreError> {
        self.project.map_or_else(|| Ok(SessionKey::new_desk()), |project| of(view, project))
    }
}

/// The key of a project's desk.
///
/// Where none was begun in it, that is the desk of a project that was joined into it: of several the last begun.
pub(crate) fn of(view: &dyn View, project: ProjectId) -> Result<SessionKey, StoreError> {
    let own = SessionKey::desk(project);
    if view.session(&own)?.is_some() {
        return Ok(own);
    }
    let joined = SessionFilter {
        project: Some(project),
        harness: Some(SessionKey::DESK),
        include_archived: true,
        limit: 1,
        ..SessionFilter::default()
    };
    Ok(view.sessions(joined)?.into_iter().next().map_or(own, |desk| desk.key))
}
