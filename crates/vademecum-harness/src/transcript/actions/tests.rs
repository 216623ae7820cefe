//! What calls of every harness do.

use insta::assert_snapshot;

use super::*;

/// A tool and its arguments.
const CALLS: &[(&str, &str)] = &[
    ("Read", r#"{"file_path":"/a.rs","limit":3}"#),
    ("view", r#"{"path":"/a.rs"}"#),
    ("read", r#"{"filePath":"/a.rs"}"#),
    ("Edit", r#"{"file_path":"/a.rs","old_string":"a","new_string":"b"}"#),
    ("NotebookEdit", r#"{"notebook_path":"/n.ipynb"}"#),
    ("Write", r#"{"file_path":"/a.rs","content":"a\nb\n"}"#),
    ("create", r#"{"path":"/a.rs","file_text":"a"}"#),
    ("Bash", r#"{"command":"cargo test","description":"Test"}"#),
    ("shell", r#"{"command":["bash","-lc","cat a"]}"#),
    ("functions.exec_command", r#"{"cmd":"ls"}"#),
    ("apply_patch", "*** Begin Patch\n*** Update File: a\n*** Add File: b\n+x\n*** End Patch"),
    ("exec", "await tools.exec_command({cmd:\"cargo test\"})"),
    ("exec", "text(1)"),
    ("Grep", r#"{"pattern":"fn","path":"src","output_mode":"content"}"#),
    ("WebFetch", r#"{"url":"https://x","prompt":"p"}"#),
    ("LS", r"{}"),
    ("TodoWrite", r#"{"todos":[{"content":"a","status":"in_progress"}]}"#),
    ("TaskCreate", r#"{"subject":"a","description":"b"}"#),
    ("TaskUpdate", r#"{"taskId":"1","status":"completed"}"#),
    ("TaskUpdate", r#"{"taskId":"1","addBlockedBy":["2"]}"#),
    ("Agent", r#"{"subagent_type":"Explore","prompt":"find it","description":"d"}"#),
    ("AskUserQuestion", r#"{"questions":[{"question":"a?"},{"question":"b?"}]}"#),
    ("ExitPlanMode", r#"{"plan":"do it"}"#),
    ("ask", r#"{"question":"a?"}"#),
    ("done", r#"{"summary":"s"}"#),
    ("remember", r#"{"text":"t"}"#),
    ("recall", r#"{"query":"q"}"#),
    ("recall", r#"{"id":42}"#),
    ("report_intent", r#"{"intent":"i"}"#),
    ("write_stdin", r#"{"chars":"","session_id":1}"#),
    ("write_stdin", r#"{"chars":"y\n","session_id":1}"#),
    ("mcp__vade__add_note", r#"{"text":"t","tags":["a"]}"#),
    ("mcp__vade__update_notepad", r#"{"operation":"append","content":"- x"}"#),
    ("mcp__vade__scratch_note", r#"{"id":"note_1","scratched":true}"#),
    ("mcp__fs__delete_file", r#"{"path":"/a.rs"}"#),
    ("mcp__fs__move_file", r#"{"source":"/a.rs","destination":"/b.rs"}"#),
    ("mcp__fs__write_file", r#"{"path":"/a.rs","content":"a"}"#),
    ("mcp__linear__delete_comment", r#"{"id":"L-1"}"#),
    ("mcp__vade__recap", r"{}"),
    ("mcp__vade__status", r#"{"explain":true}"#),
    ("mcp__vade__recall", r#"{"kind":"error","about":"E0502"}"#),
    ("mcp__vade__recall", r#"{"kind":"known"}"#),
    ("mcp__claude-mem__search", r#"{"query":"q"}"#),
    ("mcp__linear__get_issue", r#"{"id":"L-1"}"#),
    ("Skill", r#"{"skill":"s"}"#),
    ("Read", r"{}"),
    ("new_tool", r#"{"command":"make"}"#),
];

#[test]
fn every_harness_says_what_it_did() {
    let said = |&(tool, arguments): &(&str, &str)| {
        let done = actions(tool, &Arguments::of_json(arguments));
        let json = done.iter().map(|action| serde_json::to_string(action).expect("JSON"));
        let mute = if is_mute(tool, &done) { " (mute)" } else { "" };
        format!("{tool}{mute}: {}", json.collect::<Vec<_>>().join(" "))
    };
    let lines: Vec<String> = CALLS.iter().map(said).collect();
    assert_snapshot!(lines.join("\n"));
}
