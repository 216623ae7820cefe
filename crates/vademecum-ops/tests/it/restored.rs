//! What a profile says comes back after a compaction, or is kept, is there: each in its own words.

use serde_json::{Value, json};
use vademecum_ops::config::{Config, Profile};

use crate::moments::Claude;

/// Writes with the profile's own tool and compacts.
fn compacted(profile: Profile, tool: &str, arguments: Value) -> (Claude, String) {
    let claude = Claude::with(Config::of(profile));
    claude.starts("startup");
    claude.desk.object(tool, arguments);
    let context = claude.starts("compact");
    (claude, context)
}

#[test]
fn what_its_own_tool_wrote_is_in_front_of_the_model_again() {
    const TEXT: &str = "the queue loops on E_DUP";
    let note = json!({"content": TEXT, "tags": ["cause"]});
    for (profile, tool, arguments) in [
        (Profile::Default, "write_notepad", json!({"content": TEXT})),
        (Profile::Default, "add_note", note.clone()),
        (Profile::Seed0, "write_notepad", json!({"content": TEXT})),
        (Profile::Seed1, "add_note", note),
        (Profile::Seed2, "session_scratchpad", json!({"content": TEXT})),
        (Profile::Seed4, "write_notepad", json!({"content": TEXT})),
    ] {
        let (_, context) = compacted(profile, tool, arguments);
        assert!(context.contains(TEXT), "{profile:?} {tool}: {context}");
    }
    let learning = json!({"content": TEXT});
    let (claude, _) = compacted(Profile::Seed3, "add_learning", learning);
    let plan = claude.desk.object("show_plan", json!({"plan": "_project"}));
    assert_eq!(plan["entries"][0]["content"], TEXT);
}
