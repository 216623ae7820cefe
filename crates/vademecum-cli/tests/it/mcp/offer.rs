//! What a model is shown before it calls anything.

use serde_json::{Value, json};
use vademecum::core::tokens;
use vademecum::ops::config::{Config, Profile};
use vademecum::ops::offer::offered;
use vademecum::ops::registry;

use super::client::Home;

fn tools(home: &Home) -> Value {
    let mut client = home.start();
    client.initialize("test");
    client.request("tools/list", json!({}))["tools"].take()
}

fn names(tools: &Value) -> Vec<&str> {
    let tools = tools.as_array().expect("a list");
    tools.iter().filter_map(|tool| tool["name"].as_str()).collect()
}

#[track_caller]
fn check_names(toml: &str, expected: &[&str]) {
    assert_eq!(names(&tools(&Home::configured(toml))), expected, "{toml}");
}

#[test]
fn the_default_set_is_small() {
    let tools = tools(&Home::new());
    let list = json!({ "tools": tools }).to_string();
    assert!(names(&tools).len() <= 14, "{:?}", names(&tools));
    assert!(list.len() <= 8 * 1024, "{} bytes", list.len());
}

#[test]
fn the_default_set_reads_so() {
    let tools = tools(&Home::new());
    let (mut all, mut always) = (0, 0);
    let mut shown = Vec::new();
    for tool in tools.as_array().expect("a list") {
        let (line, is_always) = (tool.to_string(), tool.get("_meta").is_some());
        // What a model pays for: name, description and arguments.
        let schema = tool["inputSchema"].to_string();
        let read = format!("{}{}{schema}", tool["name"], tool["description"]);
        let cost = tokens::estimate(&read);
        all += cost;
        always += if is_always { cost } else { 0 };
        shown.push(line);
    }
    let bytes = json!({ "tools": tools }).to_string().len();
    let cost = format!("{bytes} bytes; {all} tokens, {always} of them in every request");
    insta::assert_snapshot!(format!("{cost}\n\n{}", shown.join("\n")));
}

#[test]
fn each_tool_is_closed_and_hinted_at() {
    let tools = tools(&Home::configured("[mcp]\ntools = 'all'\n[scratchpad]"));
    for tool in tools.as_array().expect("a list") {
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
        let hints = &tool["annotations"];
        assert!(hints["readOnlyHint"] == true || hints["destructiveHint"].is_boolean(), "{tool}");
        assert_eq!(hints["openWorldHint"], false, "{tool}");
        let name = tool["name"].as_str().expect("a name");
        let is_safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(name.len() <= 30 && name.chars().all(is_safe), "{name}");
    }
}

#[test]
fn a_published_design_has_exactly_its_names() {
    check_names("profile = 'seed0'", &["read_notepad", "write_notepad", "update_notepad"]);
    check_names(
        "profile = 'seed1'",
        &[
            "add_note",
            "search_notes",
            "list_notes",
            "update_note",
            "scratch_note",
            "delete_note",
            "list_tags",
        ],
    );
    check_names("profile = 'seed2'", &["session_scratchpad"]);
    check_names("profile = 'seed2'\n[scratchpad]\nenabled = false", &[]);
}

#[test]
fn the_scratchpad_is_there_where_it_is_configured() {
    let has = |toml: &str| names(&tools(&Home::configured(toml))).contains(&"session_scratchpad");
    assert!(!has(""));
    assert!(has("[scratchpad]"));
    assert!(has("[scratchpad]\nmaxTokens = 10"));
    assert!(!has("[scratchpad]\nenabled = false"));
}

#[track_caller]
fn instructions(toml: &str) -> String {
    let result = Home::configured(toml).start().initialize("test");
    result["instructions"].as_str().expect("a text").to_owned()
}

/// To a client without hooks nothing comes back: its model reads it.
#[test]
fn only_a_client_with_hooks_is_told_that_its_memory_comes_back() {
    let told = |client: &str| {
        let home = Home::new();
        let result = home.start().initialize(client);
        let text = result["instructions"].as_str().expect("a text").to_owned();
        text.lines().next().expect("a line").to_owned()
    };
    let back =
        "Both come back by themselves after compaction and resume; do not re-read them each turn.";
    let alone = "After a compaction or a resume read them again: read_notepad, list_notes.";
    for (client, said) in [("claude-code", back), ("codex-mcp-client", back), ("cursor", alone)] {
        assert!(told(client).ends_with(said), "{client}: {}", told(client));
    }
}

#[test]
fn a_published_design_guides_in_its_own_words() {
    let guidance = vademecum::core::notepad::GUIDANCE;
    assert_eq!(instructions("profile = 'seed0'"), guidance);
    let guidance = vademecum::core::scratchpad::guidance(2000);
    assert_eq!(instructions("profile = 'seed2'"), guidance);
}

/// All that a client is told that has called no tool yet, and what names of nothing get.
fn told(toml: &str) -> Vec<Value> {
    let home = Home::configured(toml);
    let mut client = home.start();
    let mut told = vec![client.initialize("test")];
    for (method, params) in [
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("prompts/list", json!({})),
        ("prompts/get", json!({"name": "resume"})),
        ("resources/read", json!({"uri": "vade://notepad"})),
        ("tools/call", json!({"name": "nothing", "arguments": {}})),
    ] {
        told.push(client.request(method, params));
    }
    told
}

#[test]
fn a_server_tells_of_nothing_that_its_profile_does_not_offer() {
    for profile in Profile::ALL {
        let config = Config::of(profile);
        let words = profile.words();
        let is_offered = |name: &str| offered(&config).any(|op| op.declaration.name == name);
        let foreign_tools = registry::ALL.iter().map(|op| op.declaration.name);
        let foreign_tools: Vec<&str> =
            foreign_tools.filter(|name| name.contains('_') && !is_offered(name)).collect();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = serde_json::to_value(profile).expect("a word");
        for told in told(&format!("profile = {name}")) {
            let text = told.to_string().replace("vade://notepad", "").replace("/notepad\"", "\"");
            let has = |tool: &&&str| text.split(|c| !is_part(c)).any(|word| word == **tool);
            assert_eq!(foreign_tools.iter().find(has), None, "{profile:?}: {text}");
            let is_page = |page: &str| {
                words.page() == Some(page) || profile == Profile::Seed3 && page == "notepad"
            };
            for page in ["notepad", "scratchpad"].into_iter().filter(|page| !is_page(page)) {
                let is_named = text.to_lowercase().split(|c| !is_part(c)).any(|word| word == page);
                assert!(!is_named, "{profile:?}: {page}: {text}");
            }
        }
    }
}

#[test]
fn pages_and_the_prompt_are_there_where_a_session_keeps_something() {
    let offered = |toml: &str| {
        let told = told(toml);
        let name = |value: &Value| value["title"].as_str().unwrap_or("(none)").to_owned();
        let pages = &told[2]["resources"];
        let prompt = &told[4]["prompts"][0];
        let about = prompt["description"].as_str().unwrap_or("(none)");
        format!("{}; {}: {about}", name(&pages[0]), name(prompt))
    };
    for (toml, wanted) in [
        (
            "",
            "Notepad of this session; Resume from the notepad: Put notepad and notes back in context",
        ),
        (
            "profile = 'seed0'",
            "Notepad of this session; Resume from the notepad: Put notepad back in context",
        ),
        ("profile = 'seed1'", "(none); Resume from the notes: Put notes back in context"),
        (
            "profile = 'seed2'",
            "Scratchpad of this session; Resume from the scratchpad: Put scratchpad back in context",
        ),
        ("profile = 'seed3'", "(none); (none): (none)"),
    ] {
        assert_eq!(offered(toml), wanted, "{toml}");
    }
}
