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
    let (words, budget) = (config.profile.words(), config.scratchpad_budget());
    match client {
        Some(client) if !HOOKED.contains(&client) => words.guidance_alone(budget),
        Some(_) | None => words.guidance(budget),
    }
}

#[cfg(test)]
mod tests {
    use vademecum::core::tokens;
    use vademecum::ops::config::Profile;

    use super::*;

    #[test]
    fn fit_what_a_client_shows() {
        for profile in Profile::ALL {
            for client in ["claude-code", "another"] {
                let text = of(&Config::of(profile), Some(client));
                assert!(text.lines().count() <= 12 && text.len() <= 2048, "{profile:?}");
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
