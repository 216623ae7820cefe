//! Under `VADE_READONLY=1` no process changes a byte of the home, and what would write says why it does not.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use vademecum::ops::registry;

use crate::home::{Home, Said, VADE};
use crate::hook::claude::{Claude, SESSION};
use crate::mcp::client::Client;

const ON: (&str, &str) = ("VADE_READONLY", "1");

/// What stands on standard error of everything that is refused.
const WHY: &str =
    "writes, and VADE_READONLY is set\n  hint: nothing was changed: unset VADE_READONLY to write";

/// In which state the files of the store are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Files {
    /// A command closed it last: the database alone.
    Closed,
    /// A hook wrote last: the database, its log and the index of that.
    Logged,
    /// Nothing was ever written.
    Absent,
}

/// A home with something of each kind in it, something that waits, and something that was appended by hand.
fn full(files: Files) -> Claude {
    let mut claude = Claude::new();
    claude.home.write(".git/HEAD", "ref: refs/heads/main\n");
    claude.home.write("transcript.jsonl", "");
    if files != Files::Absent {
        claude.starts("startup");
        claude.vade(&["notepad", "write", "# Plan\n- [ ] the page"]);
        claude.vade(&["note", "add", "a fact to find", "-t", "fact"]);
        claude.vade(&["plan", "init", "work"]);
        claude.vade(&["learning", "add", "the cache is keyed by path"]);
        append(&claude.home, ".planning/notepads/work/learnings.md", "\n## Appended\n\nby hand\n");
        claude.vade(&["export", "--all", "-o", "kept.json"]);
        let pad = "{\"customType\":\"openclaw:scratchpad\",\"data\":\"## Plan\"}\n";
        claude.home.write("pad.jsonl", pad);
        queue(&claude);
    }
    if files == Files::Closed {
        close(&claude);
    }
    claude.home.variables.push(ON);
    claude
}

fn append(home: &Home, file: &str, text: &str) {
    let before = home.read(file).unwrap_or_default();
    home.write(file, before + text);
}

/// Runs while another process is the writer.
fn locked<T>(claude: &Claude, run: impl FnOnce() -> T) -> T {
    let lock = File::open(claude.data().join("vade.lock")).expect("the lock");
    lock.lock().expect("nobody writes");
    run()
}

/// Lets a command move the log into the database, while what waits is out of its sight.
fn close(claude: &Claude) {
    let (spool, aside) = (claude.data().join("spool"), claude.data().join("aside"));
    fs::rename(&spool, &aside).expect("a folder");
    claude.vade(&["note", "add", "the last one", "-t", "fact"]);
    fs::rename(&aside, &spool).expect("a folder");
}

/// Lets something wait in the spool.
fn queue(claude: &Claude) {
    let asked = json!({ "prompt": "remember: what waits in the spool" });
    let said = locked(claude, || claude.hook("UserPromptSubmit", &asked));
    assert!(said.message.contains("waits on disk"), "{said:?}");
}

fn tree(claude: &Claude) -> BTreeMap<PathBuf, String> {
    claude.home.tree()
}

/// Whether the home is byte for byte what it was; what differs is named, not shown.
#[track_caller]
fn same(before: &BTreeMap<PathBuf, String>, claude: &Claude, after: &str) {
    let now = tree(claude);
    let paths = before.keys().chain(now.keys());
    let changed: Vec<&PathBuf> = paths.filter(|path| before.get(*path) != now.get(*path)).collect();
    assert!(changed.is_empty(), "{after} changed {changed:?}");
}

fn stores() -> [Claude; 3] {
    [Files::Closed, Files::Logged, Files::Absent].map(full)
}

#[test]
fn the_states_of_the_files_are_these() {
    let [closed, logged, absent] = stores();
    let has = |claude: &Claude, file: &str| claude.data().join(file).exists();
    assert!(has(&closed, "vade.db") && !has(&closed, "vade.db-wal"));
    assert!(has(&logged, "vade.db-wal") && has(&logged, "vade.db-shm"));
    assert!([&closed, &logged].into_iter().all(|claude| has(claude, "spool")));
    assert!(!absent.data().exists());
}

#[test]
fn an_operation_that_writes_is_refused_and_another_answers() {
    for claude in stores() {
        let before = tree(&claude);
        for op in registry::ALL {
            let declaration = op.declaration;
            let words = ["call", declaration.name, declaration.example, "--session", &session()];
            let said = claude.home.vade(&words);
            // A dry run is a look.
            if declaration.is_look() || declaration.example.contains("\"dry_run\": true") {
                assert_ne!(said.code, Some(6), "{words:?}: {said:?}");
            } else {
                assert_eq!(said.failure(), format!("6: vade: {} {WHY}\n", declaration.name));
            }
            same(&before, &claude, declaration.name);
        }
    }
}

fn session() -> String {
    format!("claude-code:{SESSION}")
}

/// Commands that write, and what each is called where it is refused.
const REFUSED: [(&[&str], &str); 18] = [
    (&["note", "add", "new", "-t", "x"], "note add"),
    (&["note", "edit", "note_1"], "note edit"),
    (&["notepad", "write", "new"], "notepad write"),
    (&["notepad", "edit"], "notepad edit"),
    (&["handoff", "write", "go on"], "handoff write"),
    (&["session", "new"], "session new"),
    (&["plan", "check"], "plan check"),
    (&["forget", "project", "--yes"], "forget"),
    (&["prune", "--older", "1d"], "prune"),
    (&["off", "--all"], "off"),
    (&["adopt", "transcripts"], "adopt"),
    (&["import", "kept.json"], "import"),
    (&["store", "copy", "one.db", "two.db"], "store copy"),
    (&["backup", "kept.vade", "--restore"], "backup --restore"),
    (&["doctor", "--repair"], "doctor --repair"),
    (&["install", "--yes"], "install"),
    (&["uninstall", "--yes", "--purge"], "uninstall"),
    (&["sandbox", "run", "--code", "return 1"], "sandbox run"),
];

#[test]
fn a_command_that_writes_is_refused() {
    for claude in stores() {
        let before = tree(&claude);
        for (words, name) in REFUSED {
            let said = claude.home.vade(words).failure();
            assert_eq!(said, format!("6: vade: {name} {WHY}\n"), "{words:?}");
            same(&before, &claude, name);
        }
    }
}

/// Commands that read, and what stands in the answer of each where something is kept.
const READ: [(&[&str], &str); 20] = [
    (&["status"], "writes   none, VADE_READONLY is set"),
    (&["notepad", "show"], "the page"),
    (&["note", "list"], "a fact to find"),
    (&["search", "fact"], "a fact to find"),
    (&["context"], "the page"),
    (&["handoff", "show"], "the page"),
    (&["session", "list"], "752d4c1e"),
    (&["session", "timeline"], "note"),
    (&["plan", "show", "work"], "keyed by path"),
    (&["learning", "list"], "keyed by path"),
    (&["how"], ""),
    (&["stats"], ""),
    (&["project", "list"], ""),
    (&["store", "status"], "none now: store_status writes, and VADE_READONLY is set"),
    (&["doctor"], "VADE_READONLY is set: nothing is written"),
    (&["view", "--plain"], ""),
    (&["prune", "--older", "1d", "--dry-run"], ""),
    (&["import", "kept.json", "--dry-run"], "would take in 0 notepads and 0 notes of"),
    (&["adopt", "transcripts", "--dry-run"], "would take in 0 sessions"),
    (&["adopt", "openclaw", "pad.jsonl", "--dry-run"], "would take in 1 notepad"),
];

#[test]
fn a_command_that_reads_answers() {
    for (claude, is_kept) in stores().into_iter().zip([true, true, false]) {
        let before = tree(&claude);
        for (words, part) in READ {
            let said = claude.home.vade(&[words, &["--session", &session()]].concat());
            let said = if said.code == Some(2) { claude.home.vade(words) } else { said };
            assert!(!is_kept || said.stdout.contains(part), "{words:?}: {said:?}");
            // What was appended by hand waits, and is no problem of who looks.
            assert!(!said.stdout.contains("take_in"), "{words:?}: {said:?}");
            assert_ne!(said.code, Some(6), "{words:?}: {said:?}");
            same(&before, &claude, &words.join(" "));
        }
    }
}

#[test]
fn what_another_process_writes_is_seen_while_it_has_the_store_open() {
    let mut claude = full(Files::Logged);
    claude.home.variables.clear();
    let mut command = claude.home.command(Path::new(VADE));
    command.arg("mcp").env("CLAUDE_CODE_SESSION_ID", SESSION);
    let mut server = Client::of(command);
    server.initialize("test");
    claude.home.variables.push(ON);
    for text in ["the first of it", "the second of it"] {
        server.call("add_note", json!({ "content": text, "tags": ["x"] }));
        // What it takes in beside that is over when the spool is.
        for _ in 0..500 {
            if is_spooled(&claude) {
                vademecum::world::pause(Duration::from_millis(20));
            }
        }
        let before = tree(&claude);
        let list = claude.home.vade(&["note", "list", "--session", &session()]);
        assert!(list.stdout.contains(text), "{list:?}");
        assert!(claude.starts("resume").context.contains(text));
        same(&before, &claude, "a look");
    }
}

fn is_spooled(claude: &Claude) -> bool {
    fs::read_dir(claude.data().join("spool")).is_ok_and(|mut files| files.next().is_some())
}

#[test]
fn a_file_that_a_person_names_is_written_and_no_other() {
    for claude in [Files::Closed, Files::Logged].map(full) {
        for (words, file) in [
            (&["export", "--all", "-o", "out.jsonl"][..], "out.jsonl"),
            (&["backup", "out.vade"], "out.vade"),
            (&["view", "--html", "out.html"], "out.html"),
        ] {
            let before = tree(&claude);
            let said = claude.home.vade(words);
            assert_eq!(said.code, Some(0), "{words:?}: {said:?}");
            fs::remove_file(claude.home.path(file)).expect("the file that was named");
            same(&before, &claude, file);
        }
    }
}

#[test]
fn no_event_of_a_hook_writes() {
    let tool = |name: &str| json!({ "tool_name": name, "tool_input": { "content": "x" }, "tool_use_id": "t" });
    let agent = json!({ "agent_id": "a41f", "agent_type": "Explore", "last_assistant_message": "## Decisions\n- one" });
    for claude in stores() {
        let before = tree(&claude);
        for (event, more) in [
            ("SessionStart", new_session()),
            ("SessionStart", json!({ "source": "resume" })),
            ("SessionStart", json!({ "source": "compact" })),
            ("SessionStart", json!({ "source": "fork" })),
            ("UserPromptSubmit", json!({ "prompt": "go on with the cache" })),
            ("UserPromptSubmit", json!({ "prompt": "remember: the port is 8080" })),
            ("PreToolUse", tool("mcp__vade__add_note")),
            ("PreToolUse", tool("Task")),
            ("PostToolUse", tool("Read")),
            ("PostToolBatch", json!({ "tool_calls": [] })),
            ("SubagentStart", agent.clone()),
            ("SubagentStop", agent.clone()),
            ("PreCompact", json!({ "trigger": "auto" })),
            ("PostCompact", json!({ "trigger": "auto", "compact_summary": "so far" })),
            ("Stop", json!({ "stop_hook_active": false })),
            ("SessionEnd", json!({ "reason": "other" })),
        ] {
            let payload = claude.payload(event, &more).to_string();
            let Said { code, stderr, .. } = claude.run(event, payload.as_bytes());
            assert_eq!((code, stderr.as_str()), (Some(0), ""), "{event}");
            same(&before, &claude, event);
        }
    }
}

/// The start of a session that nobody knows.
fn new_session() -> Value {
    json!({ "source": "startup", "session_id": format!("9{}", &SESSION[1..]) })
}

/// As in a job whose home is new, on a store that others fill.
#[test]
fn who_is_nobody_yet_stays_nobody() {
    let claude = full(Files::Closed);
    fs::remove_file(claude.data().join("identity.json")).expect("a file");
    let before = tree(&claude);
    for words in
        [&["store", "status"][..], &["status"], &["search", "fact", "--all"], &["note", "list"]]
    {
        assert_eq!(claude.home.vade(words).code, Some(0), "{words:?}");
    }
    claude.starts("startup");
    claude.home.vade(&["note", "add", "new", "-t", "x"]).failure();
    same(&before, &claude, "a look");
}

#[test]
fn a_start_tells_what_is_kept_and_a_prompt_that_nothing_is_remembered() {
    for mut claude in [Files::Closed, Files::Logged].map(full) {
        let start = claude.starts("resume");
        let context = &start.context;
        assert!(context.contains("the page") && context.contains("a fact to find"), "{context}");
        assert!(
            context.contains("fault: VADE_READONLY is set, so nothing can be saved"),
            "{context}"
        );
        let new = claude.hook("SessionStart", &new_session()).context;
        assert!(new.contains("VADE_READONLY is set") && !new.contains("update_notepad"), "{new}");

        // What is not understood was set by somebody who wants no writes.
        for value in ["1", "yes", "TRUE", "please"] {
            claude.home.variables = vec![("VADE_READONLY", value)];
            let asked = claude.hook("UserPromptSubmit", &json!({ "prompt": "remember: the port" }));
            assert_eq!(asked.message, "vade: not remembered: VADE_READONLY is set", "{value}");
            assert_eq!(asked.context, format!("{}. The user is told so.", asked.message));
        }
        let other = claude.hook("UserPromptSubmit", &json!({ "prompt": "go on" }));
        assert_eq!((other.context.as_str(), other.message.as_str()), ("", ""));

        // What a session left open that ended since is told to the next one.
        claude.home.variables.clear();
        claude.hook("SessionEnd", &json!({ "reason": "other" }));
        claude.home.variables.push(ON);
        let open = claude.hook("SessionStart", &new_session()).context;
        assert!(
            open.contains("the page") && open.contains("fault: VADE_READONLY is set"),
            "{open}"
        );
    }
}

#[test]
fn a_server_offers_what_reads_and_refuses_the_rest() {
    for claude in stores() {
        let before = tree(&claude);
        let mut command = claude.home.command(Path::new(VADE));
        command.arg("mcp").env("CLAUDE_CODE_SESSION_ID", SESSION);
        let mut client = Client::of(command);
        let told = client.initialize("claude-code")["instructions"].take();
        assert!(told.as_str().is_some_and(|text| text.contains("nothing can be saved")), "{told}");
        let tools = client.request("tools/list", json!({}))["tools"].take();
        for tool in tools.as_array().expect("a list") {
            let name = tool["name"].as_str().expect("a name");
            let op = registry::find(name).expect("an operation");
            assert!(op.declaration.is_look(), "{name}");
        }
        for op in registry::ALL {
            let example: Value = serde_json::from_str(op.declaration.example).expect("JSON");
            let answer = client.call(op.declaration.name, example).to_string();
            let is_offered = vademecum::ops::offer::find(op.declaration.name, &<_>::default());
            let is_refused = answer.contains("writes, and VADE_READONLY is set");
            assert_eq!(is_refused, is_offered.is_some() && !op.declaration.is_look(), "{answer}");
            same(&before, &claude, op.declaration.name);
        }
        client.request("resources/list", json!({}));
        client.request("resources/subscribe", json!({ "uri": "vade://notepad" }));
        client.request("prompts/get", json!({ "name": "resume" }));
        drop(client);
        same(&before, &claude, "the server");
    }
}

#[test]
fn a_value_is_a_word_for_yes_or_no() {
    let mut claude = full(Files::Closed);
    for (value, code) in [("1", 6), ("true", 6), ("yes", 6), ("on", 2), ("2", 2)] {
        claude.home.variables = vec![("VADE_READONLY", value)];
        let said = claude.home.vade(&["note", "add", "new", "-t", "x"]);
        assert_eq!(said.code, Some(code), "{value}: {said:?}");
    }
    let said = claude.home.vade(&["status"]).failure();
    assert!(
        said.starts_with(
            "2: vade: VADE_READONLY takes 1, true, yes, 0, false or no, \"2\" given\n  hint: "
        ),
        "{said}"
    );
    for value in ["", "0", "false", "no"] {
        claude.home.variables = vec![("VADE_READONLY", value)];
        let said = claude.home.vade(&["note", "add", "new", "-t", "x"]);
        assert_eq!(said.code, Some(0), "{value}: {said:?}");
    }
}
