//! What a model reads of vade before its first call: when to write, what, and how it comes back.

use vademecum::ops::Config;
use vademecum::ops::config::Slot;

/// The instructions under `config`, in the words of its profile.
pub(super) fn of(config: &Config) -> String {
    if !config.has_slot(Slot::System) {
        return String::new();
    }
    config.profile.words().guidance(config.scratchpad_budget())
}

#[cfg(test)]
mod tests {
    use vademecum::core::tokens;
    use vademecum::ops::config::Profile;

    use super::*;

    #[test]
    fn fit_what_a_client_shows() {
        for profile in Profile::ALL {
            let text = of(&Config::of(profile));
            assert!(text.lines().count() <= 12 && text.len() <= 2048, "{profile:?}");
        }
    }

    #[test]
    fn read_so() {
        let text = of(&Config::default());
        let cost = format!("{} bytes, {} tokens", text.len(), tokens::estimate(&text));
        insta::assert_snapshot!(format!("{cost}\n\n{text}"));
    }
}
