//! What a repository or an archive may put at its top, met by hooks, commands and the server.
//!
//! A-S4: memory without end, a server that never answers, the environment and secrets on the terminal.
#![expect(clippy::disallowed_methods, reason = "how long a real process takes is what is tested")]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value, json};

use crate::home::{Home, VADE};

/// What stands in a file of the person's and in the environment.
const SECRET: &str = "canary-9c2e";

/// A busy machine takes seconds to start a process; what waits for ever takes longer.
const LIMIT: Duration = Duration::from_secs(20);

/// So often a hook is run before its deadline counts as missed.
const TRIES: usize = 10;

/// Puts something at a path.
type Put = fn(&Home, &Path);

fn link(to: impl AsRef<Path>, path: &Path) {
    symlink(to, path).expect("a link");
}

fn fifo(_: &Home, path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a FIFO");
}

/// The table of the report, and what is said of each row.
const ROWS: [(Put, &str); 9] = [
    (|_, path| link("/dev/zero", path), "is a symbolic link, not a regular file"),
    (|_, path| link("/proc/self/environ", path), "is a symbolic link, not a regular file"),
    (|home, path| link(home.path("credentials"), path), "is a symbolic link, not a regular file"),
    (|_, path| link("/dev/stdin", path), "is a symbolic link, not a regular file"),
    (|home, path| link(home.path("absent"), path), "is a symbolic link, not a regular file"),
    (fifo, "is a FIFO, not a regular file"),
    (|_, path| fs::create_dir(path).expect("a folder"), "is a folder, not a regular file"),
    (
        |_, path| fs::File::create(path).and_then(|it| it.set_len(3 << 30)).expect("a file"),
        "has 3072 MiB, at most 64 KiB are read",
    ),
    (
        |home, path| {
            fs::copy(home.path("credentials"), path).expect("a file");
        },
        "line 1, column 2: an unknown key",
    ),
];

/// A home in a repository with a secret, and a page that every start shows.
fn home() -> Home {
    let home = Home::new();
    home.write("credentials", format!("[default]\naws_secret_access_key = '{SECRET}'\n"));
    home
}

/// Runs vade with these words; `stdin` is what it is given before its input ends.
#[track_caller]
fn run(home: &Home, words: &[&str], stdin: &[u8]) -> Output {
    let mut command = home.command(Path::new(VADE));
    command.args(words).env("AWS_SECRET_ACCESS_KEY", SECRET);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a process");
    child.stdin.take().expect("a pipe").write_all(stdin).expect("room in the pipe");
    let begin = Instant::now();
    while child.try_wait().expect("a state").is_none() {
        let is_late = LIMIT < begin.elapsed();
        if is_late {
            child.kill().expect("it ends");
        }
        assert!(!is_late, "{words:?} did not end");
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("an end");
    for said in [&output.stdout, &output.stderr] {
        let said = String::from_utf8_lossy(said);
        assert!(!said.contains(SECRET), "{words:?}: {said}");
    }
    output
}

fn event(home: &Home, name: &str) -> Vec<u8> {
    let event = json!({
        "session_id": "752d4c1e-0000-4000-8000-000000000009",
        "transcript_path": home.path("transcript.jsonl"),
        "cwd": home.path,
        "hook_event_name": name,
        "source": "startup",
        "prompt": "go on",
    });
    event.to_string().into_bytes()
}

/// The context of a start, which a machine that does much else may hold up, but not each time.
#[track_caller]
fn context(home: &Home, source: &str) -> String {
    let event = String::from_utf8(event(home, "SessionStart")).expect("a text");
    let event = event.replace("startup", source);
    let mut answers = (0..TRIES).filter_map(|_| {
        let output = run(home, &["hook", "claude-code", "SessionStart"], event.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        serde_json::from_slice::<Value>(&output.stdout).ok()
    });
    let answer = answers.next().expect("an answer in one of so many tries");
    answer["hookSpecificOutput"]["additionalContext"].as_str().expect("a context").to_owned()
}

#[test]
fn a_configuration_that_is_none_is_refused_by_what_it_is() {
    for (put, refused) in ROWS {
        let home = home();
        let top = home.path.parent().expect("a folder").to_owned();
        put(&home, &top.join(".vademecum.toml"));

        let listed = home.said(&run(&home, &["note", "list"], b""));
        assert_ne!(listed.code, Some(0), "{listed:?}");
        assert!(listed.stderr.contains(refused), "{listed:?}");

        let context = context(&home, "startup");
        assert!(context.contains(refused), "{context}");
        let prompted = run(
            &home,
            &["hook", "claude-code", "UserPromptSubmit"],
            &event(&home, "UserPromptSubmit"),
        );
        assert_eq!(prompted.status.code(), Some(0));

        let call = json!({"name": "list_notes", "arguments": {}});
        check_served(&home, &call, refused);
    }
}

/// The server answers its handshake and says what is wrong when it is called.
#[track_caller]
fn check_served(home: &Home, call: &Value, refused: &str) {
    let client = json!({"name": "test", "version": "1"});
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
    ];
    let lines = messages.map(|message| message.to_string() + "\n").concat();
    let served = home.said(&run(home, &["mcp"], lines.as_bytes()));
    assert_eq!(served.stdout.lines().count(), 2, "{served:?}");
    assert!(served.stdout.contains("\"serverInfo\""), "{served:?}");
    assert!(served.stdout.contains(refused) || served.stderr.contains(refused), "{served:?}");
}

/// Only archives hold these: git keeps neither FIFOs nor a `.git` of its own.
#[test]
fn a_folder_of_git_that_is_none_holds_up_nobody() {
    let places: [(&str, Put); 6] = [
        (".git", fifo),
        (".git", |_, path| link("/dev/zero", path)),
        (".git", |_, path| link("/dev/stdin", path)),
        (".git", |_, path| {
            fs::File::create(path).and_then(|it| it.set_len(3 << 30)).expect("a file");
        }),
        (".git/config", fifo),
        (".git/config", |_, path| link("/dev/zero", path)),
    ];
    for (name, put) in places {
        let home = home();
        let place = home.path("project").join(name);
        if name == ".git/config" {
            home.write("project/.git/HEAD", "ref: refs/heads/main\n");
        }
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        put(&home, &place);
        let project = home.path("project").display().to_string();
        for words in
            [["note", "add", "kept", "--tag", "a"].as_slice(), &["note", "list"], &["status"]]
        {
            let words = [words, &["--project", &project]].concat();
            let said = home.said(&run(&home, &words, b""));
            assert_eq!(said.code, Some(0), "{said:?}");
        }
    }
}

/// A FIFO as transcript took the context after a compaction.
#[test]
fn a_transcript_that_is_no_file_takes_no_context_away() {
    for put in [
        fifo as Put,
        |_, path| link("/dev/zero", path),
        |_, path| fs::create_dir(path).expect("a folder"),
    ] {
        let home = home();
        put(&home, &home.path("transcript.jsonl"));
        assert!(context(&home, "startup").contains("vade: this session's notepad is empty"));
        assert!(context(&home, "compact").contains("has nothing on its notepad"));
        let prompted = run(
            &home,
            &["hook", "claude-code", "UserPromptSubmit"],
            &event(&home, "UserPromptSubmit"),
        );
        assert_eq!(prompted.status.code(), Some(0));
    }
}

#[test]
fn a_list_that_is_a_fifo_holds_up_nobody() {
    let home = home();
    home.write(".config/vademecum/config.toml", "context.recall = \"auto\"\n");
    fs::create_dir_all(home.path(".local/share/vademecum")).expect("a folder");
    for list in ["receipts.jsonl", "recalls.jsonl", "owed"] {
        fifo(&home, &home.path(&format!(".local/share/vademecum/{list}")));
    }
    assert!(context(&home, "startup").contains("vade: this session's notepad is empty"));
    run(&home, &["doctor"], b"");
    run(&home, &["search", "anything"], b"");
}

/// The store stood in `/.local/share`, for whoever comes next as well.
#[test]
fn without_a_home_there_is_no_store() {
    for folder in ["", "home", "./home"] {
        let home = home();
        let mut command = home.command(Path::new(VADE));
        let listed = command.args(["note", "list"]).env("HOME", folder).output().expect("a run");
        let said = home.said(&listed);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said:?}");
        assert!(said.stderr.starts_with("vade: HOME is no absolute path"), "{said:?}");
        let data = home.path("data");
        let mut command = home.command(Path::new(VADE));
        command.args(["note", "list"]).env("HOME", folder).env("XDG_DATA_HOME", data);
        assert!(command.output().expect("a run").status.success());
    }
    let home = home();
    let mut command = home.command(Path::new(VADE));
    let listed = command.args(["note", "list"]).env_remove("HOME").output().expect("a run");
    assert!(home.said(&listed).stderr.starts_with("vade: HOME is no absolute path"), "{listed:?}");
}
