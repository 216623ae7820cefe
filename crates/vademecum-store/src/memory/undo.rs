//! The body of a journal entry as it is kept: with numbers where its changes name what may be erased.

use serde_json::Value;
use serde_json::value::RawValue;
use vademecum_core::hash::Hash;
use vademecum_core::id::Seq;
use vademecum_core::plan::PlanName;

use super::state::{PlanNumber, ProjectNumber, SessionNumber, State};
use crate::chain::BodyBytes;
use crate::change::{Change, Unknown};
use crate::error::StoreError;
use crate::journal::Body;

/// A change as it is kept.
pub(super) type Raw = Box<RawValue>;

/// A body as it is kept.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) arguments: Hash,
    pub(super) reply: String,
    pub(super) undo: String,
}

impl Kept {
    /// What is hashed.
    pub(super) fn bytes(&self) -> BodyBytes<'_> {
        let (reply, undo) = (self.reply.as_bytes(), self.undo.as_bytes());
        BodyBytes { arguments: &self.arguments, reply, undo }
    }

    /// How many bytes it takes.
    pub(super) fn size(&self) -> u64 {
        (self.arguments.len() + self.reply.len() + self.undo.len()) as u64
    }
}

/// The list of changes as it is kept.
pub(super) fn list(undo: &[Raw]) -> Result<String, StoreError> {
    serde_json::to_string(undo).map_err(|error| no_json(&error))
}

/// Writes a change down with numbers in the place of the project, session and plan that it names.
pub(super) fn keep(state: &State, change: &Change) -> Result<Raw, StoreError> {
    let mut value = serde_json::to_value(change).map_err(|error| no_json(&error))?;
    numbered(state, &mut value)?;
    RawValue::from_string(value.to_string()).map_err(|error| no_json(&error))
}

/// A body of another store as it is kept here.
pub(super) fn keep_body(state: &State, body: &Body) -> Result<Kept, StoreError> {
    let keep_one = |change: &Change| match change {
        Change::Unknown(unknown) => {
            RawValue::from_string(unknown.raw.to_string()).map_err(|error| no_json(&error))
        }
        known => keep(state, known),
    };
    let undo = body.undo.iter().map(keep_one).collect::<Result<Vec<_>, _>>()?;
    let (arguments, reply) = (body.arguments, body.reply.clone());
    Ok(Kept { arguments, reply, undo: list(&undo)? })
}

fn numbered(state: &State, value: &mut Value) -> Result<(), StoreError> {
    if let Some(project) = value.get_mut("project") {
        let id = serde_json::from_value(project.take()).map_err(|error| no_json(&error))?;
        *project = state.project(id)?.0.into();
    }
    let Some(session) = value.get_mut("session") else { return Ok(()) };
    let key = serde_json::from_value(session.take()).map_err(|error| no_json(&error))?;
    *session = state.session(&key)?.0.into();
    let kept = state.kept(&key)?;
    if let Some(plan) = value.get_mut("plan") {
        let name: Option<PlanName> =
            serde_json::from_value(plan.take()).map_err(|error| no_json(&error))?;
        // Once its project was joined, a session can be told to use none of the old plans again.
        let number = name.and_then(|name| state.find_plan(kept, &name));
        *plan = number.map_or(Value::Null, |number| number.0.into());
    }
    Ok(())
}

/// Reads a body; a change that is not known, or that names what is gone, is kept as it stands there.
pub(super) fn read(state: &State, seq: Seq, kept: &Kept) -> Result<Body, StoreError> {
    let undo: Vec<Raw> = serde_json::from_str(&kept.undo).map_err(|error| StoreError::Corrupt {
        what: format!("journal body {}: {error}", seq.0),
    })?;
    let change = |raw: &Raw| named(state, raw).unwrap_or_else(|| Change::Unknown(Unknown::of(raw)));
    let undo = undo.iter().map(change).collect();
    Ok(Body { arguments: kept.arguments, reply: kept.reply.clone(), undo })
}

/// The change by names; none if it is not known, or what it names is gone.
fn named(state: &State, raw: &RawValue) -> Option<Change> {
    let mut value: Value = serde_json::from_str(raw.get()).ok()?;
    if let Some(project) = value.get_mut("project") {
        let id = state.project_id(ProjectNumber(project.as_u64()?))?;
        *project = id.to_string().into();
    }
    if let Some(session) = value.get_mut("session") {
        let key = state.session_key(SessionNumber(session.as_u64()?))?;
        *session = serde_json::to_value(key).ok()?;
    }
    if let Some(plan) = value.get_mut("plan").filter(|plan| !plan.is_null()) {
        let name = state.plan_name(PlanNumber(plan.as_u64()?))?;
        *plan = name.as_str().into();
    }
    serde_json::from_value(value).ok()
}

fn no_json(error: &serde_json::Error) -> StoreError {
    StoreError::Engine { what: error.to_string() }
}
