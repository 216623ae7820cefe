//! What the commands with an editor share: what became of a draft, and writing it back.

use serde_json::Value;
use vademecum::ops::{Call, OpError, Reply, registry};

use crate::cli::editor::{Draft, Edited};
use crate::cli::exit::Failure;
use crate::cli::setup::Setup;

/// What a person made of a draft; none if nothing was changed. A blank text is refused, as git refuses it.
pub(super) fn edited(
    draft: &Draft,
    setup: &Setup,
    name: &str,
    hint: &str,
) -> Result<Option<String>, Failure> {
    match draft.edit(&setup.world)? {
        Edited::Text(text) => Ok(Some(text)),
        Edited::Same => {
            draft.discard()?;
            Ok(None)
        }
        Edited::Blank => {
            draft.discard()?;
            let message = format!("the {name} was left empty: nothing was written");
            Err(OpError::usage(message).hint(hint).into())
        }
    }
}

/// Writes what a person made of a draft; the draft is let go once it is kept.
pub(super) fn written(
    call: &Call<'_>,
    draft: &Draft,
    name: &str,
    arguments: Value,
) -> Result<Reply, Failure> {
    let op = registry::find(name).expect("the operation is declared");
    match op.run(call, arguments) {
        Ok(reply) => {
            draft.discard()?;
            Ok(reply)
        }
        Err(error) => Err(draft.keep(error)),
    }
}
