//! Forks: of a session that keeps much, and as versions tell them that call one a resume.

use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use super::claude::{Claude, SESSION};
use super::faults::held;

const FORK: &str = "99999999-0000-4000-8000-00000000f04c";

/// More than a hook could write one by one.
const N_NOTES: usize = 8_000;

/// A process that runs with the arguments of a harness.
struct Host(Child);

impl Host {
    /// Starts one whose hooks are those of `claude` from here on.
    fn of(claude: &mut Claude, arguments: &[&str]) -> Self {
        let mut host = claude.home.command(Path::new("/bin/sh"));
        host.args(["-c", "read wait", "claude"]).args(arguments);
        let host = host.stdin(Stdio::piped()).spawn().expect("a process");
        // Linux tells of a new program before it tells its arguments.
        let told = format!("/proc/{}/cmdline", host.id());
        while std::fs::read(&told).is_ok_and(|told| told.is_empty()) {
            std::thread::yield_now();
        }
        claude.host_pid = Some(host.id());
        Self(host)
    }

    fn ends(mut self) {
        drop(self.0.stdin.take());
        self.0.wait().expect("an end");
    }
}

/// Lets the session keep a page and so many notes.
fn keep(claude: &Claude) {
    let at = "2026-11-22T09:00:00Z";
    let note = |n: usize| {
        json!({
            "id": format!("note_{}", 1_763_700_000_000 + n), "content": format!("finding number {n}"),
            "tags": ["finding"], "created_at": at, "updated_at": at, "scratched": false,
        })
    };
    let session = json!({
        "name": format!("claude-code:{SESSION}"), "started_at": at, "notepad": "## Plan of many",
        "notes": (0..N_NOTES).map(note).collect::<Vec<_>>(),
    });
    let package = json!({ "vademecum": 1, "project": "p", "sessions": [session] });
    claude.home.write("export.json", package.to_string());
    let file = std::fs::File::open(claude.home.path("export.json")).expect("a file");
    let mut command = claude.home.command(Path::new(crate::home::VADE));
    let said =
        claude.home.said(&command.arg("import").arg("-").stdin(file).output().expect("a run"));
    assert_eq!(said.code, Some(0), "{said:?}");
}

/// What a session keeps, as its list and its page say.
fn kept(claude: &Claude, session: &str) -> (usize, String) {
    let session = format!("claude-code:{session}");
    let vade = |words: &[&str]| claude.home.vade(&[words, &["--session", &session]].concat());
    let notes: Value =
        serde_json::from_str(&vade(&["note", "list", "--limit", "100000", "--json"]).success())
            .expect("JSON");
    let n_notes = notes["notes"].as_array().map_or(0, Vec::len);
    let page: Value =
        serde_json::from_str(&vade(&["notepad", "show", "--json"]).success()).expect("JSON");
    (n_notes, page["content"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn a_fork_has_the_newest_of_thousands_of_notes_at_once_and_all_before_it_is_asked() {
    let mut claude = Claude::new();
    claude.starts("startup");
    keep(&claude);
    let host = Host::of(&mut claude, &["--resume", SESSION, "--fork-session"]);
    let more = json!({ "source": "fork", "session_id": FORK });
    let hooked = claude.hook("SessionStart", &more);
    host.ends();

    assert_eq!(hooked.stderr, "");
    assert!(hooked.context.contains("## Plan of many"), "{}", hooked.context);
    assert!(hooked.context.contains(&format!("finding number {}", N_NOTES - 1)));
    let lacks =
        "of its parent's 8000 notes the newest 1000 are shown from here; tools have them all";
    assert!(hooked.context.contains(lacks), "{}", hooked.context);
    let search = ["note", "search", "finding number 17", "--limit", "1", "--session"];
    let found = claude.home.vade(&[&search[..], &[&format!("claude-code:{FORK}")]].concat());
    assert!(found.success().contains("finding number 17"));
    assert_eq!(kept(&claude, FORK), kept(&claude, SESSION));
    assert_eq!(kept(&claude, FORK).0, N_NOTES);
    let fork = format!("claude-code:{FORK}");
    let history = claude.home.vade(&["notepad", "history", "--json", "--session", &fork]).success();
    let history: Value = serde_json::from_str(&history).expect("JSON");
    let revisions = history["revisions"].as_array().expect("a list");
    let first =
        [revisions.len().into(), revisions[0]["rev"].clone(), revisions[0]["first_line"].clone()];
    assert_eq!(first, [json!(1), json!(1), json!("## Plan of many")]);
}

const PAGE: &str = "- [ ] reconcile the ledger";
const NOTE: &str = "The bank rounds down.";

/// A session that kept a page and a note, and ended.
fn parent() -> Claude {
    let claude = Claude::new();
    claude.starts("startup");
    claude.vade(&["notepad", "write", PAGE]);
    claude.vade(&["note", "add", NOTE, "--tags", "finding"]);
    claude.hook("SessionEnd", &json!({ "reason": "other" }));
    claude
}

/// The session that these words begin, and where it stands; none if it is not known.
fn state(claude: &Claude, session: &str) -> Option<String> {
    let list: Value =
        serde_json::from_str(&claude.home.vade(&["session", "list", "--json"]).success())
            .expect("JSON");
    let sessions = list["sessions"].as_array().expect("a list");
    let named = format!("claude-code:{session}");
    let found = sessions.iter().find(|found| found["name"] == named.as_str())?;
    found["state"].as_str().map(str::to_owned)
}

/// Resumes the parent in a process with `arguments`, whose environment is of `FORK`; whether that is a fork.
#[track_caller]
fn check_resume(arguments: &[&str], is_fork: bool) {
    let mut claude = parent();
    let host = Host::of(&mut claude, arguments);
    claude.environment_of = Some(FORK);
    let hooked = claude.starts("resume");

    for part in [PAGE, NOTE] {
        assert!(hooked.context.contains(part), "{arguments:?}: {}", hooked.context);
    }
    let states = [SESSION, FORK].map(|session| state(&claude, session));
    let expected = if is_fork { [Some("ended"), Some("running")] } else { [Some("running"), None] };
    assert_eq!(states, expected.map(|state| state.map(str::to_owned)), "{arguments:?}");
    if is_fork {
        assert_eq!(kept(&claude, FORK), kept(&claude, SESSION));
        // The same process goes back to the parent: now that is a resume.
        let hooked = claude.starts("resume");
        assert!(!hooked.context.contains("forked from"), "{}", hooked.context);
        assert_eq!(state(&claude, SESSION).as_deref(), Some("running"));
    }
    host.ends();
}

/// Claude Code 2.1.197 names the parent at the start of a fork, and the fork in all that comes then.
#[test]
fn a_fork_is_known_that_is_told_as_a_resume_of_its_parent() {
    check_resume(&["--resume", SESSION, "--fork-session"], true);
    check_resume(&["-p", "go on", "--continue", "--fork-session"], true);
    // The harness makes an id at its start and drops it for that of the session that goes on.
    check_resume(&["--continue"], false);
    check_resume(&["-p", "what does --fork-session do", "--continue"], false);
}

/// Starts the session `FORK` in the process of its parent, with `line` as the first of its record.
#[track_caller]
fn check_branch(line: &Value, is_fork: bool) {
    let mut claude = parent();
    let host = Host::of(&mut claude, &["--resume", SESSION]);
    claude.environment_of = Some(SESSION);
    claude.home.write("branch.jsonl", format!("{line}\n"));
    let transcript = claude.home.path("branch.jsonl");
    let more = json!({ "source": "resume", "session_id": FORK, "transcript_path": transcript });
    let hooked = claude.hook("SessionStart", &more);
    host.ends();

    for part in [PAGE, NOTE] {
        assert_eq!(hooked.context.contains(part), is_fork, "{}", hooked.context);
    }
    assert_eq!(kept(&claude, FORK).0, usize::from(is_fork));
    assert_eq!(state(&claude, SESSION).as_deref(), Some("ended"));
}

/// `/branch` of Claude Code 2.1.197: a resume of a session that nobody knows, whose record names the parent.
#[test]
fn a_branch_gets_copies_of_what_its_record_names() {
    let from = |session: &str| json!({ "type": "user", "forkedFrom": { "sessionId": session } });
    check_branch(&from(SESSION), true);
    check_branch(&from("11111111-0000-4000-8000-00000000aaaa"), false);
    check_branch(&json!({ "type": "user", "sessionId": SESSION }), false);
}

/// Starts a session of another project that is told as a fork of `SESSION`: nothing of that one goes there.
#[track_caller]
fn check_elsewhere(arguments: &[&str], environment_of: Option<&'static str>, more: &Value) {
    let mut claude = parent();
    let host = Host::of(&mut claude, arguments);
    claude.environment_of = environment_of;
    claude.home.write("elsewhere/.git/HEAD", "ref: refs/heads/main\n");
    let elsewhere = claude.home.path("elsewhere");
    let from = json!({ "type": "user", "forkedFrom": { "sessionId": SESSION } });
    claude.home.write("branch.jsonl", format!("{from}\n"));
    let mut event =
        json!({ "cwd": elsewhere, "transcript_path": claude.home.path("branch.jsonl") });
    event.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let hooked = claude.hook("SessionStart", &event);
    host.ends();

    for part in [PAGE, NOTE] {
        assert!(!hooked.context.contains(part), "{arguments:?}: {}", hooked.context);
    }
    assert_eq!(kept(&claude, FORK), (0, String::new()), "{arguments:?}");
}

/// Whoever writes a record or starts a process may name any session: a project keeps its own.
#[test]
fn a_fork_gets_nothing_of_another_project() {
    let branch = json!({ "source": "resume", "session_id": FORK });
    check_elsewhere(&["--resume", SESSION], Some(SESSION), &branch);
    let named = ["--resume", SESSION, "--fork-session"];
    check_elsewhere(&named, Some(FORK), &json!({ "source": "resume" }));
    check_elsewhere(&named, None, &json!({ "source": "fork", "session_id": FORK }));
}

/// A store that another process holds takes no copies at the start: they are made at the first prompt.
#[test]
fn a_fork_that_began_while_the_store_was_busy_gets_its_copies_at_a_prompt() {
    let mut claude = parent();
    let host = Host::of(&mut claude, &["--resume", SESSION, "--fork-session"]);
    let history = claude.home.path("fork.jsonl");
    claude.home.write("fork.jsonl", "");
    let more = json!({ "source": "fork", "session_id": FORK, "transcript_path": history });
    let hooked = held(&claude.data(), || claude.hook("SessionStart", &more));
    assert!(hooked.context.contains("the store is busy"), "{}", hooked.context);
    let event = json!({ "session_id": FORK, "transcript_path": history, "prompt": "go on" });
    claude.hook("UserPromptSubmit", &event);
    host.ends();
    assert_eq!(kept(&claude, FORK), kept(&claude, SESSION));
    assert_eq!(kept(&claude, FORK).0, 1);
}

/// A branch of a branch is of one process, whose arguments and contexts tell of the first session alone.
#[test]
fn a_branch_of_a_branch_is_a_copy_of_that_branch() {
    const BRANCH: &str = "88888888-0000-4000-8000-00000000b4a1";
    let mut claude = parent();
    let host = Host::of(&mut claude, &["--resume", SESSION]);
    let branches = |claude: &Claude, own: &str, record: &str| {
        let name = format!("{own}.jsonl");
        claude.home.write(&name, record);
        let path = claude.home.path(&name);
        let event = json!({ "source": "fork", "session_id": own, "transcript_path": path });
        claude.hook("SessionStart", &event).context
    };
    let from = |session: &str| {
        format!("{}\n", json!({ "type": "user", "forkedFrom": { "sessionId": session } }))
    };
    branches(&claude, BRANCH, &from(SESSION));
    let session = format!("claude-code:{BRANCH}");
    let page = ["notepad", "write", "the branch's page", "--session", &session];
    claude.home.vade(&page).success();
    let context = branches(&claude, FORK, &from(BRANCH));
    assert!(context.contains("the branch's page"), "{context}");
    assert_eq!(kept(&claude, FORK), kept(&claude, BRANCH));
    // One whose record names nobody is no copy of what the process was started with.
    let third = "77777777-0000-4000-8000-00000000b4a2";
    let context = branches(&claude, third, "");
    assert!(!context.contains(PAGE), "{context}");
    assert_eq!(kept(&claude, third), (0, String::new()));
    host.ends();
}

/// What a fork has that wrote before its parent was known: its own, and copies with the ids that they have there.
#[test]
fn a_fork_that_wrote_before_it_was_linked_keeps_its_own_and_gets_the_copies() {
    let mut claude = parent();
    let host = Host::of(&mut claude, &["--resume", SESSION, "--fork-session"]);
    let history = claude.home.path("fork.jsonl");
    claude.home.write("fork.jsonl", "");
    let more = json!({ "source": "fork", "session_id": FORK, "transcript_path": history });
    held(&claude.data(), || claude.hook("SessionStart", &more));
    let fork = format!("claude-code:{FORK}");
    let own = ["note", "add", "The fork's own finding.", "--tags", "finding", "--session", &fork];
    claude.home.vade(&own).success();
    let event = json!({ "session_id": FORK, "transcript_path": history, "prompt": "go on" });
    claude.hook("UserPromptSubmit", &event);
    host.ends();
    assert_eq!(kept(&claude, FORK), (2, PAGE.to_owned()));
}

/// Its first write waits for the store, and goes in before anything that a hook told.
#[test]
#[expect(clippy::disallowed_methods, reason = "nothing tells that a process waits at a lock")]
fn a_fork_whose_first_write_waited_is_a_fork_and_gets_the_copies() {
    let mut claude = parent();
    let host = Host::of(&mut claude, &["--resume", SESSION, "--fork-session"]);
    let history = claude.home.path("fork.jsonl");
    claude.home.write("fork.jsonl", "");
    let event = |more: Value| {
        let mut event = json!({ "session_id": FORK, "transcript_path": history });
        event.as_object_mut().expect("an object").extend(more.as_object().expect("one").clone());
        event
    };
    let fork = format!("claude-code:{FORK}");
    let own = ["note", "add", "The fork's own finding.", "--tags", "finding", "--session", &fork];
    let writing = held(&claude.data(), || {
        claude.hook("SessionStart", &event(json!({ "source": "fork" })));
        claude.hook("UserPromptSubmit", &event(json!({ "prompt": "note it" })));
        let writing = claude.home.command(Path::new(crate::home::VADE)).args(own).spawn();
        std::thread::sleep(std::time::Duration::from_millis(300));
        writing.expect("a run")
    });
    assert!(writing.wait_with_output().expect("an end").status.success());
    let tool = json!({ "tool_name": "Bash", "tool_input": { "command": "ls" } });
    claude.hook("PostToolUse", &event(tool));
    claude.hook("UserPromptSubmit", &event(json!({ "prompt": "go on" })));
    host.ends();
    assert_eq!(kept(&claude, FORK), (2, PAGE.to_owned()));
}
