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

const TAIL: &str = "
## To look only

With `VADE_READONLY=1` in its environment (`true` and `yes` say the same) no process of vade writes: no command, hook, server or
program with the library, to a file or to a server. It is for a CI job on a shared store, and for who wants to look.

- What would write is refused with exit code 6. What reads answers, and leaves out what it would keep beside its answer. A command
  writes the file that you name: `vade export -o`, `vade backup`, `vade view --html`, `vade man`.
- A start of a session tells what is kept. `remember: …` is answered with `not remembered: VADE_READONLY is set`, any other event with
  nothing, and nothing waits for later. What waited before goes on waiting.
- The MCP server offers the tools that read.
- A database is read alone, or with its log and the index of that as they are. Only where somebody took the index away the first look makes it again.
- `vade status` and `vade doctor` say that it is set. Empty, `0`, `false` and `no` are as if it were not; another value is an error, and hooks write nothing.
";

/// The profiles whose defaults differ from ours.
const PROFILES: &[Profile] =
    &[Profile::Seed0, Profile::Seed1, Profile::Seed2, Profile::Seed3, Profile::Seed4];

/// The whole page.
pub(crate) fn page() -> String {
    let head = format!("{HEAD}| key | meaning | default |\n|---|---|---|\n");
    std::iter::once(head).chain(KEYS.iter().map(row)).chain([TAIL.to_owned()]).collect()
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
