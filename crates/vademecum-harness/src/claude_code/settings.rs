//! Wiring vade into the user's Claude Code, and out of it again to the byte.

mod hooks;
mod permissions;
mod servers;
mod status_line;
mod wired;

pub use self::servers::{plan_servers, unplan_servers};
pub use self::wired::{Wired, wired, wired_server};
use crate::wiring::{Plan, SettingsError, Wiring, edit};

/// Plans our hooks, permissions and status line in `settings.json`; none or a blank one is made anew.
///
/// Entries of ours from before are brought up to date, all others stay byte for byte.
pub fn plan(existing: Option<&[u8]>, wiring: &Wiring) -> Result<Plan, SettingsError> {
    edit(existing, |edit| {
        hooks::HOOKS.wire(edit, wiring.command())?;
        permissions::wire(edit, wiring.allow())?;
        status_line::wire(edit, wiring)
    })
}

/// Plans `settings.json` without any entry of ours.
///
/// Where no hook of ours is, a permission of our tools is the person's own.
pub fn unplan(existing: Option<&[u8]>) -> Result<Plan, SettingsError> {
    edit(existing, |edit| {
        status_line::unwire(edit)?;
        if !hooks::HOOKS.programs(edit)?.is_empty() {
            permissions::unwire(edit)?;
        }
        hooks::HOOKS.unwire(edit)
    })
}
