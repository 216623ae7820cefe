//! The switch: vade off or on, for a project or for the whole store.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::project::shown;
use vademecum_core::time::Time;
use vademecum_store::{Change, Scope};

use crate::call::Call;
use crate::error::OpError;

/// How the switch stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Switched {
    /// The project; none for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Whether vade is on there.
    pub on: bool,
    /// Whether it stays off here because it is off for all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub off_for_all: bool,
    /// Whether it was off there before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub was_off: bool,
}

impl Switched {
    /// The switch in words.
    #[must_use]
    pub fn say(&self) -> String {
        let place = self.project.as_deref().map_or_else(|| "all projects".to_owned(), shown);
        let state = if self.on { "on" } else { "off" };
        let note = match self {
            Self { on: true, off_for_all: true, .. } => "; off for all projects (vade on --all)",
            Self { on: true, was_off: true, .. } => {
                ". A conversation that was compacted meanwhile has its page and notes back when it is \
                 resumed or compacted again; read_notepad and list_notes give them before"
            }
            Self { .. } => "",
        };
        format!("vade is {state} for {place}{note}")
    }
}

/// Sets the switch.
pub(crate) fn set(call: &Call<'_>, all: bool, off_at: Option<Time>) -> Result<Switched, OpError> {
    let project = if all { None } else { Some(call.open_project()?) };
    let id = project.as_ref().map(|project| project.id);
    let was_off = call.read(|view| match id {
        Some(id) => Ok(view.project(id)?.is_some_and(|project| project.off_at.is_some())),
        None => Ok(view.store()?.off_at.is_some()),
    })?;
    call.write(Scope::Store, "switch", &(id, off_at), |_| {
        Ok((vec![Change::SetOff { project: id, off_at }], ()))
    })?;
    let off_for_all = call.read(|view| Ok(view.store()?.off_at))?.is_some() && !all;
    let (project, on) = (project.map(|project| project.name), off_at.is_none());
    Ok(Switched { project, on, off_for_all, was_off })
}
