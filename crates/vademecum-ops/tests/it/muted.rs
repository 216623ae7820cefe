//! What vade itself answered is never material of a recap: it would tell what was told before.

use serde_json::json;
use vademecum_ops::registry;

use crate::moments::Claude;
use crate::recaps::Story;

const ANSWER: &str = "error: E_FROM_MEMORY in src/from_memory.rs: test from_memory failed";

#[track_caller]
fn check(tool: &str, input: &serde_json::Value) {
    let claude = Claude::new();
    claude.starts("startup");
    let story = Story::default().asks("Make refunds idempotent.").calls(tool, input);
    story.answers(ANSWER, true).says("Done.").tell(&claude);
    let recap = claude.desk.object("recap", json!({ "path": claude.transcript() }));
    let text = recap.to_string();
    assert!(text.contains("refunds"), "{tool}: {text}");
    let n_told = text.matches("from_memory").count() + text.matches("E_FROM_MEMORY").count();
    assert_eq!(n_told, 0, "{tool} {input}: {text}");
}

#[test]
fn no_operation_is_heard_in_a_recap() {
    for op in registry::ALL {
        let declaration = op.declaration;
        for name in std::iter::once(&declaration.name).chain(declaration.aliases) {
            check(&format!("mcp__vade__{name}"), &json!({}));
        }
        if let Some(command) = declaration.command {
            let line = format!("cd /repo && vade {} x", command.words.join(" "));
            check("Bash", &json!({ "command": line }));
        }
    }
}
