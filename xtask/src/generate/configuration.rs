//! The page `docs/configuration.md`: every key, as the configuration knows it.

use serde_json::Value;
use vademecum_ops::Config;
use vademecum_ops::config::Profile;
use vademecum_ops::settings::{KEYS, Key};

const HEAD: &str = "\
# Configuration

Written by `cargo xtask generate` from the keys in `crates/vademecum-ops/src/settings.rs`.

Everything works without a file. `vade config path` says where yours is looked for, `vade config show --explain` what is set
and by which file. A project may have a `.vademecum.toml` at the top of its work tree: since it comes with the repository,
it may set `profile` (but seed4, which writes into the work tree), `plans.root`, `plans.wisdom_tokens`, `scratchpad.maxTokens`
and `recap.max_tokens` only. It is a regular file of at most 64 KiB and no link; its words are never repeated. A key that is not
known is an error, so that a typing mistake is noticed.

";

/// The profiles whose defaults differ from ours.
const PROFILES: &[Profile] =
    &[Profile::Seed0, Profile::Seed1, Profile::Seed2, Profile::Seed3, Profile::Seed4];

/// The whole page.
pub(crate) fn page() -> String {
    let head = format!("{HEAD}| key | meaning | default |\n|---|---|---|\n");
    std::iter::once(head).chain(KEYS.iter().map(row)).collect()
}

fn row(key: &Key) -> String {
    let default = (key.value)(&Config::default());
    let other = |profile: &Profile| {
        let value = (key.value)(&Config::of(*profile));
        let differs = value != default && key.name != "profile";
        differs.then(|| format!("; {}: {}", name(*profile), word(&value)))
    };
    let others: String = PROFILES.iter().filter_map(other).collect();
    format!("| `{}` | {} | {}{others} |\n", key.name, key.about, word(&default))
}

fn name(profile: Profile) -> &'static str {
    match profile {
        Profile::Default => "default",
        Profile::Seed0 => "seed0",
        Profile::Seed1 => "seed1",
        Profile::Seed2 => "seed2",
        Profile::Seed3 => "seed3",
        Profile::Seed4 => "seed4",
    }
}

fn word(value: &Value) -> String {
    if value.is_null() { "not set".to_owned() } else { format!("`{value}`") }
}
