//! Every key of the configuration by name: what it means, and what it is set to.

use serde_json::{Value, json};

use crate::config::Config;

/// One key of the configuration.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name, the table first: `notes.search_limit`.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// What it is set to; null where nothing is.
    pub value: fn(&Config) -> Value,
}

/// All keys, in the order in which they are shown.
pub const KEYS: &[Key] = &[
    Key {
        name: "profile",
        about: "which published design is followed to the letter: seed0 to seed4, or default for all in one",
        value: |config| json!(config.profile),
    },
    Key {
        name: "notepad.on_session_end",
        about: "what becomes of notepad and notes when their session ends: archive, or purge",
        value: |config| json!(config.on_session_end),
    },
    Key {
        name: "notepad.reminder",
        about: "whether a model is told in one line, long before a compaction, what happened since it wrote notepad and notes, and at a prompt that its last reply claims a save that did not happen",
        value: |config| json!(config.reminder),
    },
    Key {
        name: "notes.search",
        about: "how notes are searched: ranked, or seed for substrings only",
        value: |config| json!(config.search),
    },
    Key {
        name: "notes.search_limit",
        about: "how many notes a search shows; 0 for all",
        value: |config| json!(config.search_limit),
    },
    Key {
        name: "scratchpad.enabled",
        about: "whether the scratchpad is there; true once its table is in your own file",
        value: |config| json!(config.scratchpad.map(|pad| pad.enabled)),
    },
    Key {
        name: "scratchpad.maxTokens",
        about: "the budget of the scratchpad, in tokens of four characters",
        value: |config| json!(config.scratchpad.map(|pad| pad.max_tokens)),
    },
    Key {
        name: "plans.root",
        about: "the folder of the plans' files, seen from the top of the work tree: letters, digits, `.`, `_`, `-` and `/`, at most 64 bytes",
        value: |config| json!(config.plans.root),
    },
    Key {
        name: "plans.merge",
        about: "when a plan's entries go to its project: on_complete, or manual",
        value: |config| json!(config.plans.merge),
    },
    Key {
        name: "plans.wisdom_tokens",
        about: "what wisdom may cost its reader, in tokens of four characters",
        value: |config| json!(config.plans.wisdom_tokens),
    },
    Key {
        name: "plans.wisdom_pick",
        about: "which entries wisdom shows: latest, or literal for the oldest three of the newest five",
        value: |config| json!(config.plans.wisdom_pick),
    },
    Key {
        name: "plans.capture",
        about: "whether entries are made of a prompt that begins with remember:, and of what a sub-agent's last message has under ## Key Learnings, ## Decisions, ## Issues",
        value: |config| json!(config.plans.capture),
    },
    Key {
        name: "context.order",
        about: "in which order an agent built with the library sees what stands in front of the user's words",
        value: |config| json!(config.order),
    },
    Key {
        name: "context.slots",
        about: "where text is put in front of a model: system (MCP instructions), user (scratchpad, changes from outside), delegate (wisdom), startup (start and compaction)",
        value: |config| json!(config.slots),
    },
    Key {
        name: "context.recall",
        about: "whether what earlier sessions kept comes back to a model: ask (when it searches, and what the project knows at the start of a session), auto (at a prompt that names what it is about, too), off (neither, nor is recall offered)",
        value: |config| json!(config.recall),
    },
    Key {
        name: "precompact.enabled",
        about: "whether a model is warned before a compaction",
        value: |config| json!(config.precompact.enabled),
    },
    Key {
        name: "precompact.reserve",
        about: "tokens kept free where the host owns compaction",
        value: |config| json!(config.precompact.reserve),
    },
    Key {
        name: "precompact.soft",
        about: "how many tokens before the compaction the warning is due",
        value: |config| json!(config.precompact.soft),
    },
    Key {
        name: "recap.enabled",
        about: "whether hooks make recaps of the harness's transcripts: after a compaction and for offers",
        value: |config| json!(config.recap.enabled),
    },
    Key {
        name: "recap.method",
        about: "how recaps are made: best, tail, or seed: docs/recap.md",
        value: |config| json!(config.recap.method),
    },
    Key {
        name: "recap.novelty",
        about: "how method seed tells novelty: tfidf, embed or ncd; embed if not set and recap.embed_cmd is",
        value: |config| json!(config.recap.novelty),
    },
    Key {
        name: "recap.alpha",
        about: "what each call that changes something adds to the weight of its chunk, by method seed",
        value: |config| json!(config.recap.alpha),
    },
    Key {
        name: "recap.handoff_file",
        about: "the Markdown file at the top of the work tree that holds the last handoff; a file of each session in the data folder if not set",
        value: |config| json!(config.recap.handoff_file),
    },
    Key {
        name: "recap.max_tokens",
        about: "the most tokens that a recap takes in a context (about 2000, 1500, 1000, 500 or 250); if not set, 1000 where there is room, and up to 2000 of room that nothing else wants",
        value: |config| json!(config.recap.max_tokens),
    },
    Key {
        name: "recap.embed_cmd",
        about: "the command by which method seed tells novelty and centrality, as a list of words; none if empty: docs/recap.md",
        value: |config| json!(config.recap.embed_cmd),
    },
    Key {
        name: "recap.summarize_cmd",
        about: "the command by which method seed summarises chunks, as a list of words; none if empty: docs/recap.md",
        value: |config| json!(config.recap.summarize_cmd),
    },
    Key {
        name: "recap.cmd_seconds",
        about: "how long each of these commands may take for one recap, 1 to 600",
        value: |config| json!(config.recap.cmd_seconds),
    },
    Key {
        name: "mcp.tools",
        about: "which operations models are offered: default, or all",
        value: |config| json!(config.tools),
    },
    Key {
        name: "store.url",
        about: "the store, as sqlite:PATH or postgres://…, a path absolute or below ~/; the one of the data folder if not set",
        value: |config| json!(config.store.as_deref().map(without_password)),
    },
    Key {
        name: "store.redact",
        about: "whether secrets are replaced before anything is kept or shown: docs/secrets.md",
        value: |config| json!(config.redact),
    },
];

/// The address of a store as it may be shown.
fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    // A password may hold the signs that part it from the host, or the host from the settings.
    let place = match rest.rsplit_once('@') {
        Some((user, place)) => {
            let user = user.split([':', '/', '?']).next().unwrap_or_default();
            format!("{user}@{place}")
        }
        None => rest.to_owned(),
    };
    let (place, settings) = place.split_once('?').unwrap_or((&place, ""));
    let settings = settings.split('&').filter(|it| !it.is_empty() && !it.starts_with("password="));
    let settings: Vec<&str> = settings.collect();
    let settings =
        if settings.is_empty() { String::new() } else { format!("?{}", settings.join("&")) };
    format!("{scheme}://{place}{settings}")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::world::Folders;

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (address, shown) in [
            ("sqlite:a@b:c", "sqlite:a@b:c"),
            ("postgres://me@h/x", "postgres://me@h/x"),
            ("postgres://me:Hunter3Pw@h:1/x?schema=a", "postgres://me@h:1/x?schema=a"),
            (
                "postgres://me:S3cr@t@h/x?password=S3cr&sslmode=disable",
                "postgres://me@h/x?sslmode=disable",
            ),
            ("postgres://h/x?password=S3cr", "postgres://h/x"),
            ("postgres://me:pa?ss@h/x", "postgres://me@h/x"),
        ] {
            assert_eq!(super::without_password(address), shown);
        }
    }

    /// A file that sets every key to what is not its default.
    const EVERY: &str = "profile = 'seed1'\nnotepad.on_session_end = 'purge'\nnotepad.reminder = false\nnotes.search = 'ranked'\n\
        notes.search_limit = 7\nscratchpad.enabled = false\nscratchpad.maxTokens = 9\n\
        plans.root = 'notes'\nplans.merge = 'manual'\nplans.wisdom_tokens = 9\n\
        plans.wisdom_pick = 'literal'\nplans.capture = false\ncontext.order = ['steer', 'scratchpad', 'user']\n\
        context.slots = ['startup']\ncontext.recall = 'auto'\nprecompact.enabled = false\nprecompact.reserve = 1\nprecompact.soft = 2\n\
        recap.enabled = false\nrecap.max_tokens = 500\nrecap.method = 'tail'\n\
        recap.novelty = 'ncd'\nrecap.alpha = 0.5\nrecap.handoff_file = 'h.md'\n\
        recap.embed_cmd = ['e']\nrecap.summarize_cmd = ['s', 't']\nrecap.cmd_seconds = 1\nmcp.tools = 'all'\n\
        store.url = 'sqlite:x'\nstore.redact = false\n";

    #[test]
    fn every_key_can_be_set_and_is_shown() {
        let top = tempfile::tempdir().expect("a folder");
        let path = |name: &str| top.path().join(name);
        fs::write(path("config.toml"), EVERY).expect("a file");
        let folders = Folders {
            home: path("home"),
            data: path("data"),
            config: path(""),
            work: path("work"),
        };
        let config = Config::load(&folders, &path("work")).expect("a configuration");
        let default = Config::default();
        for key in KEYS {
            assert_eq!(
                config.sources.iter().filter(|it| it.key == key.name).count(),
                1,
                "{}",
                key.name
            );
            let is_same = (key.value)(&config) == (key.value)(&default);
            assert_eq!(is_same, key.name == "notes.search", "{}", key.name);
        }
        assert_eq!(config.sources.len(), KEYS.len());
    }
}
