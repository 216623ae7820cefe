//! Looks again at what is left of a forgetting: others may be at it, and a fault is what stays.

use std::time::Duration;

use vademecum::port::{Store, StoreError, Unfinished, read};
use vademecum::world;

use super::{Doctor, holder};

/// How often it is looked again before anything is said: agents that forget one thing after another leave something
/// at many a look, and hardly the same at each.
const LOOKS: usize = 5;

/// The pause before each look; five are longer than a forgetting takes from its intention to the end of its bytes.
const PAUSE: Duration = Duration::from_millis(200);

/// What is left of forgettings, each time again; nothing where nobody works at it, or the store cannot be read.
///
/// Bytes are no fault while somebody writes: whoever erases holds the lock until they are gone.
pub(super) fn of(doctor: &Doctor<'_>, store: &dyn Store) -> Unfinished {
    let look = || read(store, |view| Ok::<_, StoreError>(view.store()?.unfinished));
    let mut left = look().unwrap_or_default();
    for _ in 0..LOOKS {
        left.has_bytes = left.has_bytes && holder::of(&doctor.database).is_none();
        if left.intents.is_empty() && !left.has_bytes {
            break;
        }
        world::pause(PAUSE);
        let now = look().unwrap_or_default();
        left.intents.retain(|intent| now.intents.contains(intent));
        left.has_bytes = left.has_bytes && now.has_bytes;
    }
    left
}
