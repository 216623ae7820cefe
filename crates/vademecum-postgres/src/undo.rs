//! The body of a journal entry as it is kept: with numbers where its changes name what may be erased.

use serde_json::Value;
use serde_json::value::RawValue;
use tokio_postgres::Row;
use vademecum_core::hash::Hash;
use vademecum_core::id::Seq;
use vademecum_core::plan::PlanName;
use vademecum_core::session::SessionKey;
use vademecum_store::chain::BodyBytes;
use vademecum_store::change::Unknown;
use vademecum_store::{Body, Change, StoreError};

use crate::error::{corrupt, failed};
use crate::snapshot::Snapshot;
use crate::statement::{column, utf8};

/// A change as it is kept.
pub(crate) type Raw = Box<RawValue>;

/// A body as it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) arguments: Vec<u8>,
    pub(crate) reply: Vec<u8>,
    pub(crate) undo: Vec<u8>,
}

impl Kept {
    /// The body of a write; of arguments that no repeat is asked for nothing is kept.
    pub(crate) fn new(arguments: &Hash, reply: String, undo: &[Raw]) -> Result<Self, StoreError> {
        let is_asked = *arguments != Hash::default();
        let arguments = if is_asked { arguments.to_vec() } else { Vec::new() };
        let undo = serde_json::to_vec(undo).map_err(|error| failed(&error))?;
        Ok(Self { arguments, reply: reply.into_bytes(), undo })
    }

    /// The body of three columns; none where it was erased.
    pub(crate) fn of(row: &Row, first: usize) -> Result<Option<Self>, StoreError> {
        let part = |at| column::<Option<Vec<u8>>>(row, at);
        let parts = (part(first)?, part(first + 1)?, part(first + 2)?);
        let (Some(arguments), Some(reply), Some(undo)) = parts else { return Ok(None) };
        Ok(Some(Self { arguments, reply, undo }))
    }

    /// What is hashed.
    pub(crate) fn bytes(&self) -> BodyBytes<'_> {
        BodyBytes { arguments: &self.arguments, reply: &self.reply, undo: &self.undo }
    }
}

/// Writes a change down with numbers in the place of the project, session and plan that it names.
pub(crate) fn keep(view: &Snapshot<'_>, change: &Change) -> Result<Raw, StoreError> {
    let text = match change {
        // What a later program wrote is kept byte for byte.
        Change::Unknown(unknown) => unknown.raw.to_string(),
        known => {
            let mut value = serde_json::to_value(known).map_err(|error| failed(&error))?;
            numbered(view, &mut value)?;
            value.to_string()
        }
    };
    RawValue::from_string(text).map_err(|error| failed(&error))
}

/// A body of another store as it is kept here.
pub(crate) fn keep_body(view: &Snapshot<'_>, body: &Body) -> Result<Kept, StoreError> {
    let undo = body.undo.iter().map(|change| keep(view, change)).collect::<Result<Vec<_>, _>>()?;
    Kept::new(&body.arguments, body.reply.clone(), &undo)
}

fn numbered(view: &Snapshot<'_>, value: &mut Value) -> Result<(), StoreError> {
    if let Some(project) = value.get_mut("project") {
        let id = serde_json::from_value(project.take()).map_err(|error| failed(&error))?;
        *project = view.project_number(id)?.into();
    }
    let Some(session) = value.get_mut("session") else { return Ok(()) };
    let key = serde_json::from_value(session.take()).map_err(|error| failed(&error))?;
    let number = view.session_number(&key)?;
    *session = number.into();
    if let Some(plan) = value.get_mut("plan") {
        let name: Option<PlanName> =
            serde_json::from_value(plan.take()).map_err(|error| failed(&error))?;
        // Once its project was joined, a session can be told to use none of the old plans again.
        let found = name.map(|name| view.find_plan(number, &name)).transpose()?.flatten();
        *plan = found.map_or(Value::Null, Value::from);
    }
    Ok(())
}

/// Reads a body; a change that is not known, or that names what is gone, is kept as it stands there.
pub(crate) fn read(view: &Snapshot<'_>, seq: Seq, kept: Kept) -> Result<Body, StoreError> {
    let said = |what: &dyn std::fmt::Display| corrupt(&format!("journal body {}: {what}", seq.0));
    let arguments = match kept.arguments.as_slice() {
        [] => Hash::default(),
        bytes => bytes.try_into().map_err(|_| said(&"no hash of arguments"))?,
    };
    let undo: Vec<Raw> = serde_json::from_slice(&kept.undo).map_err(|error| said(&error))?;
    let change = |raw: &Raw| {
        let known = named(view, raw)?;
        Ok(known.unwrap_or_else(|| Change::Unknown(Unknown::of(raw))))
    };
    let undo = undo.iter().map(change).collect::<Result<_, StoreError>>()?;
    Ok(Body { arguments, reply: utf8(kept.reply)?, undo })
}

/// The change by names; none if it is not known, or what it names is gone.
fn named(view: &Snapshot<'_>, raw: &RawValue) -> Result<Option<Change>, StoreError> {
    let Ok(mut value) = serde_json::from_str::<Value>(raw.get()) else { return Ok(None) };
    if let Some(project) = value.get_mut("project") {
        let Some(number) = project.as_i64() else { return Ok(None) };
        let Some(id) = view.project_of(number)? else { return Ok(None) };
        *project = id.to_string().into();
    }
    if let Some(session) = value.get_mut("session") {
        let Some(number) = session.as_i64() else { return Ok(None) };
        let Some(key) = view.key_of(number)? else { return Ok(None) };
        let key = serde_json::to_value(SessionKey::clone(&key));
        *session = key.map_err(|error| failed(&error))?;
    }
    if let Some(plan) = value.get_mut("plan").filter(|plan| !plan.is_null()) {
        let Some(number) = plan.as_i64() else { return Ok(None) };
        let Some(name) = view.plan_of(number)? else { return Ok(None) };
        *plan = name.as_str().into();
    }
    Ok(serde_json::from_value(value).ok())
}
