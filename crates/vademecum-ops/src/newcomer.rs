//! A session that is not known yet, and the changes by which it is.

use vademecum_core::id::ProjectId;
use vademecum_core::session::{Began, Place, Session, SessionKey, Standing};
use vademecum_core::time::Time;
use vademecum_store::{Change, StoreError, View};

use crate::call::Call;
use crate::desk;

/// A session that a write is about to make known.
#[derive(Debug, Clone)]
pub(crate) struct Newcomer {
    pub(crate) key: SessionKey,
    pub(crate) place: Place,
    pub(crate) began: Began,
    /// When; none for now.
    pub(crate) at: Option<Time>,
    /// Whether it worked here: one that is known from its transcript alone stands in no line of instances.
    pub(crate) is_in_line: bool,
}

impl Newcomer {
    /// The session, and the changes that make it known, with its project and its parent.
    ///
    /// There are none where it is known already.
    pub(crate) fn begin(
        &self,
        call: &Call<'_>,
        view: &dyn View,
    ) -> Result<(Session, Vec<Change>), StoreError> {
        // A desk is called after its project; any other is looked up without it.
        let is_desk = self.key.harness == SessionKey::DESK;
        let known = if is_desk { None } else { view.session(&self.key)? };
        if let Some(session) = known {
            return Ok((session, Vec::new()));
        }
        let (project, add) = call.begin_project(view)?;
        let key = if is_desk { desk::of(view, project)? } else { self.key.clone() };
        let known = if is_desk { view.session(&key)? } else { None };
        if let Some(session) = known {
            return Ok((session, Vec::new()));
        }
        let mut changes: Vec<Change> = add.into_iter().collect();
        let parent = key.parent();
        if let Some(parent) = &parent
            && view.session(parent)?.is_none()
        {
            let parent = Self { key: parent.clone(), began: Began::Start, ..self.clone() };
            changes.push(added(&parent.session(call, view, project)?));
        }
        let is_child = parent.is_some() && self.began != Began::Fork;
        let began = if is_child { Began::Spawn } else { self.began.clone() };
        let session = Self { key, began, ..self.clone() }.session(call, view, project)?;
        changes.push(added(&session));
        Ok((session, changes))
    }

    /// The session as it is once it is known.
    fn session(
        &self,
        call: &Call<'_>,
        view: &dyn View,
        project: ProjectId,
    ) -> Result<Session, StoreError> {
        let parent = self.key.parent();
        let is_instance =
            self.is_in_line && parent.is_none() && self.key.harness != SessionKey::DESK;
        let at = self.at.unwrap_or_else(|| call.now());
        Ok(Session {
            project,
            key: self.key.clone(),
            parent,
            began: self.began.clone(),
            instance: if is_instance { view.last_instance(project)? + 1 } else { 0 },
            host_name: call.world.host_name.clone(),
            started_at: at,
            seen_at: at,
            ended_at: None,
            place: self.place.clone(),
            standing: Standing::default(),
        })
    }
}

/// The change that makes a session known.
pub(crate) fn added(session: &Session) -> Change {
    let Session { project, key, parent, began, instance, host_name, place, started_at, .. } =
        session.clone();
    Change::AddSession { project, key, parent, began, instance, host_name, place, at: started_at }
}
