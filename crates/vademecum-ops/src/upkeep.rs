//! What each command and server does beside its work, in silence: it ends what others left behind.

use vademecum_core::time::Time;
use vademecum_store::{Author, Origin, Store, Surface, Unfinished};

use crate::call::{Call, Caller};
use crate::config::Config;
use crate::moments;
use crate::who::Clues;
use crate::world::World;
use crate::{OpError, forgetting};

/// Whether there is anything to do: two looks, which every command pays for. Where nothing is written, never.
#[must_use]
pub fn is_due(store: &dyn Store, world: &World) -> bool {
    if world.is_read_only() {
        return false;
    }
    let is_unfinished =
        |left: Unfinished| left.has_bytes || left.has_forks || !left.intents.is_empty();
    moments::is_waiting(&world.folders.data)
        || vademecum_store::read(store, |view| Ok(view.store()?.unfinished))
            .is_ok_and(is_unfinished)
}

/// Whether events of hooks wait to be taken in.
#[must_use]
pub fn is_spooled(world: &World) -> bool {
    moments::is_waiting(&world.folders.data)
}

/// Ends what was begun to be forgotten or copied, and takes in what waits in the spool until `until`.
///
/// Without a time the spool is left alone: it waits for the store that hooks write to, and for no other.
/// What a store that is full or held does not take is left to whoever comes next.
pub fn upkeep(store: &dyn Store, world: &World, config: &Config, until: Option<Time>) {
    drop(finish(store, world, config));
    if let Some(until) = until {
        moments::take_in(store, world, config, until);
    }
}

/// Ends what was begun to be forgotten.
pub(crate) fn finish(store: &dyn Store, world: &World, config: &Config) -> Result<(), OpError> {
    let caller = Caller {
        origin: Origin { surface: Surface::Hook, author: Author::Tool },
        clues: Clues::default(),
        write_id: None,
    };
    forgetting::finish(&Call::new(store, world, config, caller)).map(drop)
}
