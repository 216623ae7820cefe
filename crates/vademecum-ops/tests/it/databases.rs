//! Recaps of sessions in a harness's database: which one is taken, by path and by discovery, and what goes wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};
use vademecum_harness::claude_code::folders::Folders;
use vademecum_sqlite::opencode::{Opencode, made};
use vademecum_store::{DatabasePart, DatabaseSession, Databases, StoreError};

use crate::desk::Desk;

/// opencode's databases, and how often one was opened.
struct Counted(Arc<AtomicUsize>);

impl Databases for Counted {
    fn sessions(&self, path: &Path) -> Result<Vec<DatabaseSession>, StoreError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Opencode.sessions(path)
    }

    fn about(&self, path: &Path, session_id: &str) -> Result<Option<String>, StoreError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Opencode.about(path, session_id)
    }

    fn parts(
        &self,
        path: &Path,
        session_id: &str,
        each: &mut dyn FnMut(DatabasePart<'_>),
    ) -> Result<(), StoreError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Opencode.parts(path, session_id, each)
    }
}

/// A session as a test says it: its id, its parent, where it was started, and when it was written last.
type Told<'a> = (&'a str, Option<&'a str>, &'a str, i64);

/// A machine with transcripts, nothing installed on it.
struct Machine {
    desk: Desk,
    n_opened: Arc<AtomicUsize>,
}

impl Machine {
    fn new() -> Self {
        let (mut desk, n_opened) = (Desk::new(), Arc::new(AtomicUsize::new(0)));
        desk.session = None;
        desk.world.databases = Box::new(Counted(Arc::clone(&n_opened)));
        Self { desk, n_opened }
    }

    fn with(sessions: &[Told<'_>]) -> Self {
        let machine = Self::new();
        machine.lay(sessions);
        machine
    }

    /// Where opencode keeps its database.
    fn database(&self) -> PathBuf {
        self.desk.world.folders.home.join(".local/share/opencode/opencode.db")
    }

    /// The database with these sessions; `~` stands for the project.
    fn lay(&self, sessions: &[Told<'_>]) {
        let project = self.desk.world.folders.work.canonicalize().expect("a folder");
        let project = project.to_str().expect("text");
        let sessions = sessions.iter().map(|&(id, parent, directory, at)| {
            let directory = directory.replace('~', project);
            let message = json!({
                "info": {"id": format!("msg_{id}"), "role": "user", "time": {"created": at}},
                "parts": [{"type": "text", "text": format!("I am {id}.")}],
            });
            json!({
                "info": {"id": id, "parentID": parent, "directory": directory, "version": "1.18.33",
                         "time": {"created": at, "updated": at}},
                "messages": [message],
            })
        });
        let path = self.database();
        write(&path, "");
        made::lay(&path, &sessions.collect::<Vec<_>>()).expect("a database");
    }

    /// A transcript of Claude Code in this folder, written at this time.
    fn claude(&self, folder: &Path, at: i64) {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let folders = Folders::new(&|_| None, &self.desk.world.folders.home);
        let path = folders.project(&|_| None, &folder).join("claude.jsonl");
        let line = json!({"type": "user", "uuid": "a", "parentUuid": null, "sessionId": "claude",
                          "message": {"role": "user", "content": "I am Claude."}});
        write(&path, format!("{line}\n"));
        date(&path, at);
    }

    /// [`Machine::recap`] from a call that names a session, or whose harness told one.
    fn recap_for(
        &mut self,
        named: Option<&str>,
        told: Option<&'static str>,
        arguments: &Value,
    ) -> String {
        self.desk.named = named.map(str::to_owned);
        self.desk.told = told;
        self.recap(arguments)
    }

    /// Whose recap it is, or the error with its hint.
    fn recap(&self, arguments: &Value) -> String {
        match self.desk.call("recap", arguments.clone()) {
            Ok(reply) => {
                let part = |name: &str| reply.object[name].as_str().unwrap_or("-").to_owned();
                format!("{} {}", part("harness"), part("session"))
            }
            Err(error) => {
                let said = format!("{}: {}", error.kind.word(), error.message);
                let hint = error.hint.map_or_else(String::new, |hint| format!("\n  {hint}"));
                let top = self.desk.folder().canonicalize().expect("a folder");
                let top = top.to_str().expect("text");
                // The folder of Claude Code is named for the project's.
                let named = top.replace(['/', '.'], "-");
                format!("{said}{hint}").replace(top, "TOP").replace(&named, "-TOP")
            }
        }
    }
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, bytes).expect("a file");
}

/// Lets the file have been written at this time, in milliseconds.
fn date(path: &Path, at: i64) {
    let at = UNIX_EPOCH + Duration::from_millis(u64::try_from(at).expect("a time"));
    let file = fs::File::options().write(true).open(path).expect("a file");
    file.set_modified(at).expect("a time");
}

const SESSIONS: &[Told<'_>] = &[
    ("ses_old", None, "~", 10),
    ("ses_new", None, "~/crates/deep", 20),
    ("ses_sub", Some("ses_new"), "~", 30),
    ("ses_like", None, "~-2", 40),
    ("ses_other", None, "/home/dev/other", 50),
];

#[test]
fn a_session_says_the_same_as_its_export() {
    let machine = Machine::new();
    let fixtures =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../vademecum-harness/tests/fixtures");
    let export = fs::read(fixtures.join("opencode/export.json")).expect("a fixture");
    let session: Value = serde_json::from_slice(&export).expect("JSON");
    let (file, database) = (machine.desk.folder().join("export.json"), machine.database());
    write(&file, &export);
    write(&database, "");
    made::lay(&database, &[session]).expect("a database");

    let recap = |path: &Path| {
        let recap = machine.desk.call("recap", json!({"path": path, "budget": 300}));
        recap.expect("a recap").object
    };
    let (mut of_database, of_export) = (recap(&database), recap(&file));
    assert_eq!(of_database["transcript"], json!(database));
    let text = of_database["text"].as_str().expect("text").to_owned();
    let top = machine.desk.folder().to_str().expect("text");
    insta::assert_snapshot!("of_a_database", text.replace(top, "TOP"));

    // A database does not tell how many bytes a session has.
    for (field, other) in [("bytes", 0), ("bytes_read", 0)] {
        assert_eq!(of_database["coverage"][field], json!(other));
        of_database["coverage"][field] = of_export["coverage"][field].clone();
    }
    of_database["transcript"] = of_export["transcript"].clone();
    let (database, file) = (database.to_str().expect("text"), file.to_str().expect("text"));
    of_database["text"] = text.replace(database, file).into();
    assert_eq!(of_database, of_export);
}

#[test]
fn the_session_that_is_meant_is_taken() {
    let machine = Machine::with(SESSIONS);
    let database = machine.database();
    fs::copy(&database, machine.desk.world.folders.work.join("old.txt")).expect("a copy");
    for (arguments, expected) in [
        (json!({"path": database}), "opencode ses_new"),
        (json!({"path": "old.txt"}), "opencode ses_new"),
        (json!({"path": database, "harness": "opencode"}), "opencode ses_new"),
        (json!({"path": database, "session_id": "ses_old"}), "opencode ses_old"),
        (json!({"path": database, "session_id": "ses_sub"}), "opencode ses_sub"),
        (json!({"session_id": "ses_other"}), "opencode ses_other"),
        (json!({"session_id": "ses_like", "harness": "opencode"}), "opencode ses_like"),
    ] {
        assert_eq!(machine.recap(&arguments), expected, "{arguments}");
    }
}

#[test]
fn without_one_of_the_project_none_is_taken_but_from_a_database_that_is_named() {
    let machine = Machine::with(&[
        ("ses_1", None, "/home/dev/other", 10),
        ("ses_2", None, "/home/dev/more", 20),
        ("ses_3", Some("ses_2"), "~", 30),
    ]);
    assert_eq!(machine.recap(&json!({"path": machine.database()})), "opencode ses_2");
    let said = machine.recap(&json!({}));
    assert!(said.starts_with("missing: no transcript of "), "{said}");
}

#[test]
fn a_session_of_opencode_is_looked_for_in_its_database() {
    let mut machine = Machine::with(SESSIONS);
    let none = |id: &str| {
        let hint = "vade session list shows the sessions; vade recap PATH takes a file";
        format!("missing: session opencode:{id} has no transcript here\n  {hint}")
    };
    let (of_claude, of_opencode) =
        (json!({"harness": "claude-code"}), json!({"harness": "opencode"}));
    let like = json!({"session_id": "ses_like"});
    let all = &json!({});
    let claude = "claude-code claude";

    // Which session is named, which the harness told, what is asked for, what is found.
    machine.claude(&machine.desk.world.folders.work, 60);
    for (named, told, arguments, expected) in [
        (Some("opencode:ses_old"), None, all, "opencode ses_old"),
        (Some("opencode:ses_sub"), None, all, "opencode ses_sub"),
        (Some("opencode:ses_other"), Some("opencode:ses_old"), all, "opencode ses_other"),
        (Some("opencode:ses_old"), None, &of_opencode, "opencode ses_old"),
        (Some("opencode:ses_old"), None, &of_claude, &none("ses_old")),
        (Some("opencode:ses_old/agent"), None, all, &none("ses_old/agent")),
        (Some("codex:ses_old"), None, all, &none("ses_old").replace("opencode:", "codex:")),
        (None, Some("opencode:ses_old"), all, "opencode ses_old"),
        (None, Some("opencode:ses_sub"), all, "opencode ses_sub"),
        (None, Some("opencode:ses_old"), &like, "opencode ses_like"),
        (None, Some("opencode:ses_old"), &of_claude, claude),
        (None, Some("opencode:ses_late"), all, claude),
        (None, Some("opencode:ses_late"), &of_opencode, "opencode ses_new"),
        (None, Some("codex:ses_old"), all, claude),
    ] {
        let found = machine.recap_for(named, told, arguments);
        assert_eq!(found, expected, "{named:?} {told:?} {arguments}");
    }
    let late = machine.recap_for(Some("opencode:ses_late"), None, all);
    insta::assert_snapshot!("a_session_that_is_not_in_the_database", late);

    let whole = fs::read(machine.database()).expect("a database");
    for bytes in [&whole[..5000], b"no database", b""] {
        write(&machine.database(), bytes);
        assert_eq!(machine.recap_for(None, Some("opencode:ses_new"), all), claude);
    }
    write(&machine.database(), torn_parts(&whole));
    assert_eq!(machine.recap_for(None, Some("opencode:ses_new"), all), claude);
    let torn = machine.recap_for(Some("opencode:ses_new"), None, all);
    insta::assert_snapshot!("a_named_session_that_cannot_be_read", torn);
    fs::remove_file(machine.database()).expect("a file");
    assert_eq!(machine.recap_for(None, Some("opencode:ses_new"), all), claude);
    assert_eq!(machine.recap_for(Some("opencode:ses_new"), None, all), none("ses_new"));
}

/// Whose transcript is found, and how often a database was opened for it.
#[track_caller]
fn check(
    sessions: &[Told<'_>],
    claude: Option<(&str, i64)>,
    arguments: &Value,
    found: (&str, usize),
) {
    let machine = Machine::with(sessions);
    // The log is put into the file when it is closed.
    date(&machine.database(), sessions.iter().map(|it| it.3).max().unwrap_or(0) + 5);
    if let Some((folder, at)) = claude {
        let project = machine.desk.world.folders.work.display().to_string();
        machine.claude(Path::new(&folder.replace('~', &project)), at);
    }
    let recap = machine.recap(arguments);
    assert_eq!((recap.as_str(), machine.n_opened.load(Ordering::SeqCst)), found);
}

#[test]
fn the_newest_of_the_project_is_found_whoever_wrote_it() {
    let all = &json!({});
    // Once for the sessions, twice for one of them.
    check(SESSIONS, None, all, ("opencode ses_new", 3));
    check(SESSIONS, Some(("~", 19)), all, ("opencode ses_new", 3));
    check(SESSIONS, Some(("~", 21)), all, ("claude-code claude", 1));
    check(SESSIONS, Some(("~", 60)), all, ("claude-code claude", 0));
    check(SESSIONS, Some(("/home/dev/other", 60)), all, ("opencode ses_new", 3));
    let other = &[("ses_1", None, "/home/dev/other", 20), ("ses_2", Some("ses_1"), "~", 30)];
    check(other, Some(("~", 1)), all, ("claude-code claude", 1));

    check(SESSIONS, Some(("~", 19)), &json!({"harness": "claude-code"}), ("claude-code claude", 0));
    check(SESSIONS, Some(("~", 60)), &json!({"harness": "opencode"}), ("opencode ses_new", 3));
}

#[test]
fn a_database_that_cannot_be_read_keeps_no_other_transcript_from_being_found() {
    let machine = Machine::with(SESSIONS);
    let hurt = |bytes: &[u8]| write(&machine.database(), bytes);
    let whole = fs::read(machine.database()).expect("a database");
    let parts = torn_parts(&whole);
    let cases =
        [("torn", &whole[..5000]), ("parts", &parts), ("text", b"no database"), ("empty", b"")];
    let said = cases.map(|(name, bytes)| {
        hurt(bytes);
        format!("{name}: {}", machine.recap(&json!({})))
    });
    insta::assert_snapshot!("nothing_but_a_broken_database", said.join("\n"));
    hurt(&whole);
    let held = made::hold(&machine.database()).expect("a lock");
    machine.claude(&machine.desk.world.folders.work, 1);
    assert_eq!(machine.recap(&json!({})), "claude-code claude");
    drop(held);
    for bytes in [&whole[..5000], &torn_parts(&whole)] {
        hurt(bytes);
        assert_eq!(machine.recap(&json!({})), "claude-code claude");
    }
}

/// A database whose sessions can still be listed.
fn torn_parts(whole: &[u8]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let words = b"I am ses_new.";
    let at = bytes.windows(words.len()).position(|it| it == words).expect("a part");
    bytes[at / 4096 * 4096..][..64].fill(0xff);
    bytes
}

#[test]
fn what_goes_wrong_is_told_with_what_to_do() {
    let machine = Machine::with(SESSIONS);
    let (home, work) = (&machine.desk.world.folders.home, &machine.desk.world.folders.work);
    let (database, torn, file) = (machine.database(), home.join("torn.db"), work.join("log.jsonl"));
    write(&file, "{\"role\": \"user\", \"content\": \"a wish\"}\n");
    write(&torn, &fs::read(&database).expect("a database")[..5000]);
    let empty = home.join("empty.db");
    made::lay(&empty, &[]).expect("a database");
    let held = home.join("held.db");
    made::lay(&held, &[]).expect("a database");
    let _lock = made::hold(&held).expect("a lock");
    let ours = Desk::new();
    ours.object("write_notepad", json!({"content": "a page"}));
    let store = home.join("vade.db");
    fs::copy(ours.folder().join("data/vade.db"), &store).expect("a copy");

    let calls = [
        json!({"path": database, "session_id": "ses_lost"}),
        json!({"path": database, "harness": "codex"}),
        json!({"path": file, "session_id": "ses_old"}),
        json!({"path": "none.jsonl", "session_id": "ses_old"}),
        json!({"sample": true, "session_id": "ses_old"}),
        json!({"path": empty}),
        json!({"path": empty, "session_id": "ses_old"}),
        json!({"path": store}),
        json!({"path": held}),
        json!({"path": torn}),
    ];
    let mut said: Vec<String> = calls.map(|arguments| machine.recap(&arguments)).into();
    fs::remove_file(&database).expect("a file");
    said.push(machine.recap(&json!({"session_id": "ses_old"})));
    machine.lay(&[("ses_2", Some("ses_1"), "~", 20), ("ses_3", Some("ses_1"), "~", 30)]);
    said.push(machine.recap(&json!({"path": database})));
    insta::assert_snapshot!("what_goes_wrong_with_a_database", said.join("\n"));
}
