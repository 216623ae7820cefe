//! What a model reads of vade before its first call: when to write, what, and how it comes back.

use vademecum::ops::Config;
use vademecum::ops::config::Slot;

/// Clients whose harness runs our hooks, which put back what is kept.
const HOOKED: [&str; 2] = ["claude-code", "codex-mcp-client"];

/// The instructions under `config` for the client of this name, in the words of its profile.
pub(super) fn of(config: &Config, client: Option<&str>) -> String {
    if !config.has_slot(Slot::System) {
        return String::new();
    }
    let automatic = match client {
        Some(client) if !HOOKED.contains(&client) => config.automatic().without_hooks(),
        Some(_) | None => config.automatic(),
    };
    config.profile.words().guidance(config.scratchpad_budget(), automatic)
}

#[cfg(test)]
mod tests {
    use vademecum::core::tokens;
    use vademecum::ops::config::{OnSessionEnd, Profile};

    use super::*;

    #[test]
    fn fit_what_a_client_shows() {
        for profile in Profile::ALL {
            for client in ["claude-code", "another"] {
                for slots in [&Slot::ALL[..], &[Slot::System]] {
                    for on_session_end in [OnSessionEnd::Archive, OnSessionEnd::Purge] {
                        let slots = slots.to_vec();
                        let config = Config { slots, on_session_end, ..Config::of(profile) };
                        let text = of(&config, Some(client));
                        assert!(text.lines().count() <= 12 && text.len() <= 2048, "{profile:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn read_so() {
        let text = of(&Config::default(), None);
        let cost = format!("{} bytes, {} tokens", text.len(), tokens::estimate(&text));
        insta::assert_snapshot!(format!("{cost}\n\n{text}"));
    }
}
