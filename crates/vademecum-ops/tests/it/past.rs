//! What earlier sessions did, recalled from the transcripts that a harness keeps.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};
use vademecum_harness::claude_code::folders::Folders;

use crate::desk::Desk;
use crate::moments::Claude;

const FIRST: &str = "0c70be50-0000-4000-8000-000000000001";
const SECOND: &str = "0b00be50-0000-4000-8000-000000000002";
const ERROR: &str = "error[E0502]: cannot borrow `queue` as mutable";

/// A transcript of Claude Code, record by record.
struct Script {
    session: &'static str,
    day: u32,
    folder: PathBuf,
    records: Vec<Value>,
    calls: usize,
}

impl Script {
    fn new(session: &'static str, day: u32, folder: &Path) -> Self {
        Self { session, day, folder: folder.to_owned(), records: Vec::new(), calls: 0 }
    }

    fn record(&mut self, role: &str, content: &Value) {
        let idx = self.records.len();
        self.records.push(json!({
            "type": role, "uuid": format!("u{idx}"), "parentUuid": idx.checked_sub(1).map(|it| format!("u{it}")),
            "timestamp": format!("2025-10-{:02}T08:{:02}:{:02}.000Z", self.day, idx / 60, idx % 60),
            "cwd": self.folder, "sessionId": self.session,
            "message": {"role": role, "content": content, "model": "claude-sonnet-5", "id": format!("m{idx}")},
        }));
    }

    fn asks(&mut self, text: &str) -> &mut Self {
        self.record("user", &json!(text));
        self
    }

    fn says(&mut self, text: &str) -> &mut Self {
        self.record("assistant", &json!([{"type": "text", "text": text}]));
        self
    }

    fn calls(&mut self, tool: &str, input: &Value, answer: (&str, bool)) -> &mut Self {
        self.calls += 1;
        let id = format!("toolu_{}", self.calls);
        self.record(
            "assistant",
            &json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]),
        );
        let (text, is_error) = answer;
        let result = json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error});
        self.record("user", &json!([result]));
        self
    }

    fn runs(&mut self, command: &str, answer: (&str, bool)) -> &mut Self {
        self.calls("Bash", &json!({ "command": command }), answer)
    }

    fn edits(&mut self, file: &str) -> &mut Self {
        let path = self.folder.join(file);
        self.calls(
            "Edit",
            &json!({"file_path": path, "old_string": "a", "new_string": "b"}),
            ("ok", false),
        )
    }

    fn reads(&mut self, file: &str) -> &mut Self {
        let path = self.folder.join(file);
        self.calls("Read", &json!({ "file_path": path }), ("fn retry() {}", false))
    }

    fn compacts(&mut self) -> &mut Self {
        let idx = self.records.len();
        self.records.push(json!({
            "type": "system", "subtype": "compact_boundary", "uuid": format!("u{idx}"), "parentUuid": null,
            "logicalParentUuid": format!("u{}", idx - 1), "sessionId": self.session, "cwd": self.folder,
            "timestamp": format!("2025-10-{:02}T08:{:02}:{:02}.000Z", self.day, idx / 60, idx % 60),
            "content": "Conversation compacted", "compactMetadata": {"trigger": "auto", "preTokens": 160_000},
        }));
        self
    }

    /// Writes it where Claude Code keeps the sessions of a project, or below one of them.
    fn write(&self, desk: &Desk, name: &str) {
        let folders = Folders::new(&|_| None, &desk.world.folders.home);
        let path = folders.project(&|_| None, &self.folder).join(format!("{name}.jsonl"));
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let lines = self.records.iter().map(|record| format!("{record}\n"));
        fs::write(&path, lines.collect::<String>()).expect("a file");
        let at = UNIX_EPOCH + Duration::from_secs(1_763_600_000 + u64::from(self.day));
        fs::File::options()
            .append(true)
            .open(path)
            .expect("a file")
            .set_modified(at)
            .expect("a time");
    }
}

/// Two sessions that met one error, changed one file and ran one program.
fn two_sessions(desk: &Desk) {
    let work = desk.world.folders.work.canonicalize().expect("a folder");
    let mut first = Script::new(FIRST, 11, &work);
    first
        .asks("Make the webhook retries idempotent, they charge customers twice.")
        .reads("src/retry.rs")
        .edits("src/retry.rs")
        .says("The key in retry.rs must be made once because the bank compares keys.")
        .runs("cargo test -p pay", (ERROR, true))
        .edits("src/queue.rs")
        .says("The borrow ended too late because the guard lived on.")
        .runs("RUST_LOG=debug cargo test -p pay", ("test result: ok. 9 passed", false))
        .runs("git commit -am \"retry: one key for all attempts\"", ("[main 1a2b3c4] retry", false))
        .reads("src/queue.rs")
        .compacts()
        .reads("src/retry.rs")
        .reads("src/queue.rs");
    first.write(desk, FIRST);
    let mut second = Script::new(SECOND, 20, &work);
    second
        .asks("Release it.")
        .runs("cargo test -p pay", (ERROR, true))
        .runs("cargo publish --token ghp_16C7e42F292c6912E7710c838347Ae178B4a", ("done", false));
    second.write(desk, SECOND);
    let mut helper = Script::new(SECOND, 20, &work);
    helper.asks("Rename the guard in the retries of the webhook.").edits("src/retry.rs");
    helper.write(desk, &format!("{SECOND}/subagents/agent-a1b2"));
}

/// What is recalled, but for the line that says where the transcripts lie.
fn recalled(desk: &Desk, kind: &str, about: &str) -> String {
    let said = desk.person("recall", json!({"kind": kind, "about": about}));
    let said = said.map_or_else(|error| error.message, |reply| reply.text);
    let is_told = |line: &&str| !line.starts_with("lines of the transcripts in ");
    said.lines().filter(is_told).collect::<Vec<_>>().join("\n")
}

#[test]
fn who_changed_a_file_what_ended_an_error_and_how_a_program_is_run() {
    let claude = Claude::new();
    let desk = &claude.desk;
    two_sessions(desk);
    insta::assert_snapshot!(recalled(desk, "file", "src/retry.rs"), @r"
    src/retry.rs: changed by these sessions, read 2 times (2 transcripts of this project)
    2025-10-20, session 0b00be50 (sub-agent), line 2: 1 change · asked: Rename the guard in the retries of the webhook.
    2025-10-11, session 0c70be50, line 4: 1 change · asked: Make the webhook retries idempotent, they charge customers twice. · why: The key in retry.rs must be made once because the bank compares keys. · commit: retry: one key for all attempts
    ");
    insta::assert_snapshot!(recalled(desk, "error", "error[E0502]: cannot borrow `queue`"), @r"
    error[E0502]: cannot borrow `queue`: met by these sessions (2 transcripts of this project)
    2025-10-20, session 0b00be50, line 3: in cargo test -p pay
      error[E0502]: cannot borrow `queue` as mutable
      not seen to end; done since: cargo publish --token [secret replaced: generic-secret]
    2025-10-11, session 0c70be50, line 8: in cargo test -p pay
      error[E0502]: cannot borrow `queue` as mutable
      ended by: changed src/queue.rs; then RUST_LOG=debug cargo test -p pay ran well; it came back on 2025-10-20
      why: The borrow ended too late because the guard lived on.
    ");
    insta::assert_snapshot!(recalled(desk, "program", "cargo"), @r"
    cargo: run here as (2 transcripts of this project)
    cargo publish --token [secret replaced: generic-secret] (1 time; last 2025-10-20, session 0b00be50, line 4)
    RUST_LOG=debug cargo test -p pay (1 time; last 2025-10-11, session 0c70be50, line 12)
    cargo test -p pay (2 times, 2 failed, the last too; last 2025-10-20, session 0b00be50, line 2)
    ");
    // As a whole line was typed, by a word of it, and where no program is known.
    let asked = ["cargo publish 2>&1 | tail -3", "test", ""];
    insta::assert_snapshot!(asked.map(|about| recalled(desk, "program", about)).join("\n\n"));
}

/// What was told to be a secret once is one afterwards, in another session too, and however many came between.
#[test]
fn a_secret_of_an_older_session_is_known_in_a_newer_one() {
    let claude = Claude::new();
    let desk = &claude.desk;
    let work = desk.world.folders.work.canonicalize().expect("a folder");
    let mut first = Script::new(FIRST, 10, &work);
    first.asks("Log in.");
    for n in 0..300 {
        first.runs(
            &format!("export DB_PASSWORD=other{n}XkQzWv93mLpR && mytool rotate"),
            ("ok", false),
        );
    }
    first.runs("export DB_PASSWORD=hunter7XkQzWv93mLpR && mytool login", ("ok", false));
    first.write(desk, FIRST);
    let mut second = Script::new(SECOND, 20, &work);
    second.asks("Connect.").runs("mytool connect hunter7XkQzWv93mLpR --now", ("ok", false));
    second.write(desk, SECOND);
    let told = recalled(desk, "program", "mytool connect");
    assert!(
        told.contains("mytool connect [secret replaced: ") && !told.contains("hunter7"),
        "{told}"
    );
}

/// A word that stands in two errors makes neither a return of the other.
#[test]
fn another_error_of_the_same_word_is_no_return() {
    let claude = Claude::new();
    let desk = &claude.desk;
    let work = desk.world.folders.work.canonicalize().expect("a folder");
    let mut first = Script::new(FIRST, 10, &work);
    first
        .asks("Build it.")
        .runs("cargo build", ("error[E0432]: unresolved import `ledger`", true))
        .edits("src/lib.rs")
        .runs("cargo build", ("Finished", false));
    first.write(desk, FIRST);
    let mut second = Script::new(SECOND, 20, &work);
    second
        .asks("Build again.")
        .runs("cargo build", ("error[E0599]: no method `sum` of `ledger`", true));
    second.write(desk, SECOND);
    let told = recalled(desk, "error", "E0599]:");
    assert!(told.starts_with("E0599]: met by these sessions"), "{told}");
    let told = recalled(desk, "error", "ledger");
    assert!(told.contains("ended by: changed src/lib.rs; it did not come back"), "{told}");
    assert!(told.contains("E0599"), "{told}");
}

#[test]
fn what_is_not_known_and_what_cannot_be_asked_is_said() {
    let claude = Claude::new();
    two_sessions(&claude.desk);
    let cases = [
        ("program", "npm", "no session is known to have run npm (2 transcripts of this project)"),
        ("program", "#", "no session is known to have run # (2 transcripts of this project)"),
        (
            "file",
            "try.rs",
            "no session is known to have changed try.rs (2 transcripts of this project)",
        ),
        (
            "error",
            "no such thing",
            "no session is known to have met no such thing (2 transcripts of this project)",
        ),
        ("error", "42", "\"42\" names no error: give a line of it as it was printed"),
        ("file", " ", "about is missing: give the file or the error"),
    ];
    for (kind, about, said) in cases {
        assert_eq!(recalled(&claude.desk, kind, about), said);
    }
}

#[test]
fn where_the_transcripts_lie_is_said_once() {
    let claude = Claude::new();
    two_sessions(&claude.desk);
    let said =
        claude.desk.person("recall", json!({"kind": "file", "about": "./src/../src/retry.rs:4"}));
    let said = said.expect("an answer").text;
    let lines: Vec<&str> = said.lines().filter(|line| line.contains("/projects/")).collect();
    assert_eq!(lines.len(), 1, "{said}");
    assert!(
        lines[0].starts_with("lines of the transcripts in /") && !lines[0].contains(','),
        "{said}"
    );
}

#[test]
fn what_was_noted_and_decided_about_it_stands_beside_it() {
    let claude = Claude::new();
    let desk = &claude.desk;
    two_sessions(desk);
    desk.object(
        "add_decision",
        json!({"content": "retry.rs keeps one key", "rationale": "the bank compares"}),
    );
    desk.object(
        "add_note",
        json!({"content": "The tests of retry.rs need the sandbox", "tags": ["test"]}),
    );
    desk.object("add_note", json!({"content": "A note on other things", "tags": ["test"]}));
    let said = recalled(desk, "file", "src/retry.rs");
    let kept: Vec<&str> = said.lines().skip_while(|line| !line.starts_with("noted")).collect();
    assert_eq!(kept.len(), 3, "{said}");
    assert!(kept.iter().any(|line| line.contains("keeps one key")), "{said}");
    assert!(kept.iter().any(|line| line.contains("need the sandbox")), "{said}");
}

#[test]
fn another_projects_sessions_and_forgotten_ones_are_told_to_nobody() {
    let claude = Claude::new();
    let desk = &claude.desk;
    two_sessions(desk);
    // Claude Code calls the folders of `my-app` and `my.app` alike: what stands within tells.
    let work = desk.world.folders.work.canonicalize().expect("a folder");
    let other = desk.folder().join("other");
    fs::create_dir_all(&other).expect("a folder");
    let mut strange = Script::new(FIRST, 25, &work);
    strange.folder.clone_from(&other);
    strange.asks("Change the file of another project entirely.").edits("src/retry.rs");
    strange.folder.clone_from(&work);
    strange.write(desk, "0d00be50-0000-4000-8000-000000000004");
    assert!(!recalled(desk, "file", "retry.rs").contains("another project"));

    desk.person("adopt", json!({"from": "transcripts"})).expect("an answer");
    let session = format!("claude-code:{FIRST}");
    desk.person("forget", json!({"what": "session", "id": session, "yes": true}))
        .expect("an answer");
    let said = recalled(desk, "file", "retry.rs");
    assert!(said.contains("Rename the guard") && !said.contains("idempotent"), "{said}");
}

/// Claude Code keeps a sub-agent's transcript beside its session's.
#[test]
fn a_forgotten_sub_agent_is_not_told_and_a_secret_of_its_session_is_one_of_its_own() {
    let claude = Claude::new();
    let desk = &claude.desk;
    let work = desk.world.folders.work.canonicalize().expect("a folder");
    let mut own = Script::new(FIRST, 11, &work);
    own.asks("Go.").runs("export DB_PASSWORD=Sup3rS3cretHunter22 && mytool --run", ("ok", false));
    own.write(desk, FIRST);
    let mut helper = Script::new(FIRST, 11, &work);
    helper.asks("Help.").runs("subtool --x Sup3rS3cretHunter22", ("ok", false));
    helper.write(desk, &format!("{FIRST}/subagents/agent-a1b2"));
    let said = recalled(desk, "program", "subtool");
    assert!(said.contains("subtool --x [secret replaced"), "{said}");

    claude.starts("startup");
    let agent = json!({"session_id": FIRST, "agent_id": "a1b2", "agent_type": "Explore"});
    claude.event("SubagentStart", &agent);
    let name = format!("claude-code:{FIRST}/a1b2");
    desk.person("forget", json!({"what": "session", "id": name, "yes": true})).expect("an answer");
    let said = recalled(desk, "program", "subtool");
    assert!(said.starts_with("no session is known to have run subtool"), "{said}");
}

/// One server may serve sessions of several projects.
#[test]
fn a_session_of_another_project_is_told_nothing_of_this_one() {
    let mut claude = Claude::new();
    two_sessions(&claude.desk);
    claude.desk.object("add_note", json!({"content": "A note here", "tags": ["test"]}));
    let here = claude.desk.world.folders.work.clone();
    let there = claude.desk.folder().join("there");
    fs::create_dir_all(&there).expect("a folder");
    claude.desk.world.folders.work = there;
    let session = claude.desk.person("new_session", json!({})).expect("an answer").object;
    claude.desk.world.folders.work = here;
    claude.desk.named = session["name"].as_str().map(str::to_owned);
    let said = recalled(&claude.desk, "program", "cargo");
    assert_eq!(said, "no session is known to have run cargo (0 transcripts of this project)");
}

/// What another folder of the project is told, where the two sessions ran in the one of the desk.
#[track_caller]
fn tells_of_both(desk: &Desk) {
    let said = recalled(desk, "program", "cargo");
    assert!(said.starts_with("cargo: run here as (2 transcripts of this project)"), "{said}");
    let recap = desk.person("recap", json!({})).expect("an answer").text;
    assert!(recap.contains("Release it."), "{recap}");
}

/// Claude Code calls a folder of transcripts after the one that a session began in.
#[test]
fn sessions_in_another_work_tree_of_the_repository_are_of_the_project() {
    let mut desk = Claude::new().desk;
    let main = desk.world.folders.work.clone();
    let side = main.with_file_name("side");
    fs::create_dir_all(&side).expect("a folder");
    let own = main.join(".git/worktrees/side");
    fs::create_dir_all(&own).expect("a folder");
    fs::write(main.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
    fs::write(own.join("gitdir"), format!("{}\n", side.join(".git").display())).expect("a file");
    two_sessions(&desk);
    // What the repository says of a folder counts once the folder says the same.
    desk.world.folders.work = side.clone();
    let said = recalled(&desk, "program", "cargo");
    assert_eq!(said, "no session is known to have run cargo (0 transcripts of this project)");
    fs::write(side.join(".git"), format!("gitdir: {}\n", own.display())).expect("a file");
    tells_of_both(&desk);

    desk.world.folders.work = side;
    let work = desk.world.folders.work.canonicalize().expect("a folder");
    let third = "0d00be50-0000-4000-8000-000000000003";
    let mut script = Script::new(third, 21, &work);
    script.asks("Try it in a tree of its own.").runs("npm test", ("ok", false));
    script.write(&desk, third);
    desk.world.folders.work = main;
    let said = recalled(&desk, "program", "npm");
    assert!(said.starts_with("npm: run here as (3 transcripts of this project)"), "{said}");
}

#[test]
fn sessions_in_the_folder_that_the_project_was_moved_from_are_still_its_own() {
    let mut desk = Claude::new().desk;
    two_sessions(&desk);
    desk.object("add_decision", json!({"content": "Keep keys", "rationale": "banks compare"}));
    let moved = desk.world.folders.work.with_file_name("moved");
    fs::rename(&desk.world.folders.work, &moved).expect("a folder");
    desk.world.folders.work = moved;
    let said = recalled(&desk, "program", "cargo");
    assert_eq!(said, "no session is known to have run cargo (0 transcripts of this project)");
    desk.person("join_project", json!({"project": "project"})).expect("an answer");
    tells_of_both(&desk);
}

#[test]
fn what_the_memory_is_worth_is_counted() {
    let claude = Claude::new();
    let desk = &claude.desk;
    two_sessions(desk);
    claude.starts("startup");
    let first = desk
        .object("add_decision", json!({"content": "Keep keys", "rationale": "the bank compares"}));
    let id = first["id"].clone();
    desk.object(
        "add_decision",
        json!({"content": "Drop keys", "rationale": "it does not", "supersedes": id}),
    );
    desk.object("add_note", json!({"content": "A note", "tags": ["test"]}));
    let said = desk.person("stats", json!({})).expect("an answer").text;
    insta::assert_snapshot!(said, @r"
    IN TRANSCRIPTS                            TOLD BY VADE  NOT TOLD
    sessions                                  0             2
    requests                                  0             2
    calls                                     0             12
    compactions                               0             1
    files read                                0             4
    read again after a compaction, unchanged  0             1 (25 %)
    what that cost, in tokens                 0             4
    searches of a memory                      0             0
    that found something                      0             0

    KEPT AND TOLD                   HERE
    sessions, sub-agents too        1
    pages                           0
    notes                           1
    notes that are open             1
    decisions                       2
    taken back by the same session  1
    corrected by a later one        0
    contexts told                   0
    what they cost, in tokens       0
    sessions offered earlier work   0
    that went on with it            0
    told at prompts                 0
    of these used                   0
    ");
    let late = desk.person("stats", json!({"since": "2025-10-15"})).expect("an answer").object;
    assert_eq!((&late["without"]["sessions"], &late["without"]["calls"]), (&json!(1), &json!(3)));
    let error = desk.error("stats", json!({"since": "yesterday"}));
    assert!(error.contains("\"yesterday\" given"), "{error}");
}

#[test]
fn a_path_with_dots_is_meant_from_where_the_caller_is() {
    let claude = Claude::new();
    let mut desk = claude.desk;
    let git = desk.world.folders.work.join(".git");
    fs::create_dir_all(&git).expect("a folder");
    fs::write(git.join("HEAD"), "ref: refs/heads/main\n").expect("a file");
    two_sessions(&desk);
    let whole = recalled(&desk, "file", "src");
    let head = |said: &str| said.lines().next().map(str::to_owned).unwrap_or_default();
    assert!(head(&whole).starts_with("src: changed by these sessions"), "{whole}");
    let below = |said: &str| said.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    for about in [".", "./", "./src", "src/../src/"] {
        assert_eq!(below(&recalled(&desk, "file", about)).len(), below(&whole).len(), "{about}");
    }
    let queue = recalled(&desk, "file", "src/queue.rs");
    let src = desk.world.folders.work.join("src");
    fs::create_dir_all(&src).expect("a folder");
    desk.world.folders.work = src;
    for about in ["../src/queue.rs", "./queue.rs", "queue.rs"] {
        assert_eq!(below(&recalled(&desk, "file", about)), below(&queue), "{about}");
    }
    assert_eq!(below(&recalled(&desk, "file", "..")).len(), below(&whole).len());
}

#[test]
fn what_names_a_file_that_is_gone_or_was_written_since_is_listed() {
    let claude = Claude::new();
    let desk = &claude.desk;
    let work = desk.world.folders.work.canonicalize().expect("a folder");
    fs::create_dir_all(work.join("src")).expect("a folder");
    fs::write(work.join("src/there.rs"), "").expect("a file");
    let note =
        |content: &str| desk.object("add_note", json!({"content": content, "tags": ["file"]}));
    note("src/there.rs has the retry loop");
    note("src/gone.rs:12 has the lease; ../outside.rs and https://example.com/a/b.rs have not");
    note("pay/elsewhere.rs is named from a folder of its own, and src/read/write names no file");
    note("No file at all");
    let crossed = note("src/crossed.rs is over")["id"].clone();
    desk.object("scratch_note", json!({"id": crossed, "scratched": true}));
    desk.object(
        "add_learning",
        json!({"content": "The lease is short", "pattern": "src/gone.rs:3-9"}),
    );
    let listed = |arguments: Value| {
        let output = desk.person("check_files", arguments).expect("an answer").object;
        let line = |it: &Value| format!("{} {} {}", it["kind"], it["gone"], it["changed"]);
        let found: Vec<String> =
            output["found"].as_array().expect("a list").iter().map(line).collect();
        (output["checked"].clone(), found)
    };
    let gone = [
        "\"learning\" [\"src/gone.rs\"] null",
        "\"note\" [\"src/gone.rs\"] null",
        "\"note\" [\"pay/elsewhere.rs\"] null",
    ];
    assert_eq!(listed(json!({})), (json!(4), gone.map(str::to_owned).to_vec()));
    // The clock of the test stands long before the file was written.
    let (_, found) = listed(json!({"changed": true}));
    assert_eq!(found.len(), 4);
    assert!(found.contains(&"\"note\" null [\"src/there.rs\"]".to_owned()), "{found:?}");
}
