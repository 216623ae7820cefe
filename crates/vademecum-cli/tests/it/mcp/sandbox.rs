//! The sandbox over MCP: offered where all tools are asked for, and seen by others at once.

use serde_json::json;

use super::client::Home;

#[test]
fn what_code_writes_is_seen_by_the_next_call() {
    let home = Home::configured("[mcp]\ntools = 'all'");
    let mut client = home.session("752d4c1e-aa");
    let code =
        "await session.notepad.append('from code'); return (await session.notepad.read()).length";
    let ran = client.object("run_sandbox_code", json!({ "code": code }));
    assert_eq!(ran, json!({"result": 9, "calls": 2}));
    assert_eq!(client.object("read_notepad", json!({}))["content"], "from code");

    // A program that is ended has written what it had written.
    let reply = client.call(
        "run_sandbox_code",
        json!({"code": "await session.notepad.append('!'); for (;;) Math.max(1)", "seconds": 1}),
    );
    assert_eq!(reply["isError"], true, "{reply}");
    assert_eq!(client.object("read_notepad", json!({}))["content"], "from code!");
}

#[test]
fn a_program_that_runs_holds_up_no_write() {
    let home = Home::configured("[mcp]\ntools = 'all'");
    let mut client = home.session("752d4c1e-aa");
    client.object("add_note", json!({"content": "before", "tags": ["a"]}));
    let code = "await session.notepad.append('on'); for (;;) Math.max(1)";
    let ask = |code: &str| json!({"name": "run_sandbox_code", "arguments": {"code": code, "seconds": 20}});
    let program = client.ask("tools/call", &ask(code));
    // An answer to anything else than what is waited for fails: the program's own comes in twenty seconds.
    client.object("add_note", json!({"content": "meanwhile", "tags": ["a"]}));
    let other = client.ask("tools/call", &ask("return 1"));
    assert_eq!(
        client.answer(other)["result"]["structuredContent"]["result"],
        1,
        "nor does another program"
    );
    assert_ne!(program, other);
}
