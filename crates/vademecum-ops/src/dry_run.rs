//! Dry runs: what a write would do, told without a write, so that a store that is only looked at tells it too.

use serde::Serialize;
use serde::de::DeserializeOwned;
use vademecum_store::{Change, Scope, View};

use crate::call::Call;
use crate::error::OpError;

impl Call<'_> {
    /// What `decide` gives beside its changes; unless it is a dry run these are written.
    pub(crate) fn write_unless_dry<T: Serialize + DeserializeOwned>(
        &self,
        dry_run: bool,
        (scope, kind): (Scope, &'static str),
        arguments: &impl Serialize,
        decide: impl Fn(&dyn View) -> Result<(Vec<Change>, T), OpError>,
    ) -> Result<T, OpError> {
        if dry_run {
            return self.look(|view| Ok(decide(view)?.1));
        }
        Ok(self.write(scope, kind, arguments, decide)?.value)
    }
}
