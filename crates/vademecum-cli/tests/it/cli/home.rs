//! A home, a project and a store of their own, and the binary run in them.
#![expect(clippy::disallowed_methods, reason = "the test starts the binary, and nothing else")]

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A home of its own.
pub(super) struct Home {
    folder: TempDir,
    variables: Vec<(String, OsString)>,
}

/// What a run said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) code: i32,
    pub(super) out: String,
    pub(super) err: String,
}

impl Home {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("demo")).expect("a folder");
        Self { folder, variables: Vec::new() }
    }

    /// A home with this configuration.
    pub(super) fn configured(toml: &str) -> Self {
        let home = Self::new();
        home.configure(toml);
        home
    }

    pub(super) fn configure(&self, toml: &str) {
        let folder = self.path("config/vademecum");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("config.toml"), toml).expect("a file");
    }

    pub(super) fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    pub(super) fn without(mut self, name: &str) -> Self {
        self.variables.retain(|(known, _)| known != name);
        self
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vade"));
        command
            .args(words)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.folder.path())
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.path("demo"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs `vade` in a folder that is deleted before it starts.
    pub(super) fn in_a_deleted_folder(&self, words: &[&str]) -> Said {
        let gone = self.path("gone");
        std::fs::create_dir(&gone).expect("a folder");
        let vade = self.command(words);
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", r#"rmdir "$PWD" && exec "$0" "$@""#]).arg(vade.get_program());
        shell.args(vade.get_args()).env_clear();
        shell.envs(vade.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = shell.current_dir(gone).stdin(Stdio::null()).output().expect("an end");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        let code = output.status.code().expect("an exit");
        Said { code, out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs `vade` with nothing on standard input.
    pub(super) fn vade(&self, words: &[&str]) -> Said {
        self.vade_reading("", words)
    }

    /// Runs `vade` with `input` on standard input.
    pub(super) fn vade_reading(&self, input: &str, words: &[&str]) -> Said {
        let mut child = self.command(words).stdin(Stdio::piped()).spawn().expect("the binary");
        let mut stdin = child.stdin.take().expect("a pipe");
        let written = stdin.write_all(input.as_bytes()).map_err(|error| error.kind());
        // A command that is refused does not read.
        assert!(matches!(written, Ok(()) | Err(ErrorKind::BrokenPipe)), "{written:?}");
        drop(stdin);
        let output = child.wait_with_output().expect("an end");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        Said {
            code: output.status.code().expect("an exit"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// Runs `vade` with these standard streams, which are not looked at; the exit code.
    pub(super) fn code(&self, words: &[&str], out: Stdio) -> i32 {
        let child = self.command(words).stdin(Stdio::null()).stdout(out).spawn();
        let output = child.expect("the binary").wait_with_output().expect("an end");
        assert_eq!(String::from_utf8_lossy(&output.stderr).matches("panicked").count(), 0);
        output.status.code().expect("an exit, not a signal")
    }

    /// Runs `vade` and gives what it answered as text.
    #[track_caller]
    pub(super) fn text(&self, words: &[&str]) -> String {
        let said = self.vade(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.err);
        said.out
    }

    /// Runs `vade … --json` and gives what it answered.
    #[track_caller]
    pub(super) fn json(&self, words: &[&str]) -> Value {
        let said = self.vade(&[&["--json"], words].concat());
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{words:?}");
        assert_eq!(said.out.lines().count(), 1, "{words:?}: one line of JSON");
        serde_json::from_str(&said.out).expect("JSON")
    }

    /// Runs `vade … --json`, which must fail, and gives `kind: message`.
    #[track_caller]
    pub(super) fn error(&self, words: &[&str]) -> String {
        let said = self.vade(&[&["--json"], words].concat());
        assert_eq!(said.out, "", "{words:?}: a failure answers nothing");
        let object: Value = serde_json::from_str(&said.err).expect("JSON");
        let part = |name: &str| object["error"][name].as_str().expect("text").to_owned();
        let (kind, message) = (part("kind"), part("message"));
        let code = match kind.as_str() {
            "usage" => 2,
            "missing" => 3,
            "conflict" => 4,
            "busy" => 5,
            "denied" => 6,
            "broken" => 7,
            _ => 1,
        };
        assert_eq!(said.code, code, "{words:?}");
        format!("{kind}: {message}")
    }

    /// The page.
    #[track_caller]
    pub(super) fn page(&self) -> String {
        self.json(&["notepad", "show"])["content"].as_str().expect("text").to_owned()
    }

    /// Adds a note and gives its id.
    #[track_caller]
    pub(super) fn add(&self, content: &str, tags: &str) -> String {
        let note = self.json(&["note", "add", content, "--tags", tags]);
        note["id"].as_str().expect("an id").to_owned()
    }

    /// `text` without what differs from run to run: ids of notes, times, folders.
    pub(super) fn steady(&self, text: &str) -> String {
        let text = text.replace(self.folder.path().to_str().expect("text"), "~");
        let mut steady = String::new();
        let mut rest = text.as_str();
        while let Some(c) = rest.chars().next() {
            let (shown, length) = varying(rest).unwrap_or((&rest[..c.len_utf8()], c.len_utf8()));
            steady.push_str(shown);
            rest = &rest[length..];
        }
        steady
    }
}

/// What stands for the id, time or other varying word that `text` begins with, and how long that is.
fn varying(text: &str) -> Option<(&'static str, usize)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    for (opening, shown) in [("note_", "note_ID"), ("entry_", "entry_ID")] {
        if let Some(rest) = text.strip_prefix(opening).filter(|rest| 12 < digits(rest)) {
            return Some((shown, opening.len() + digits(rest)));
        }
    }
    let is_uuid = |word: &&str| word.starts_with("01") && word.matches('-').count() == 4;
    if text.get(..36).as_ref().is_some_and(is_uuid) {
        return Some(("UUID", 36));
    }
    let is_hex = |word: &&str| word.bytes().all(|byte| byte.is_ascii_hexdigit());
    if text.strip_prefix("person:").and_then(|rest| rest.get(..32)).is_some_and(|id| is_hex(&id)) {
        return Some(("person:ID", "person:".len() + 32));
    }
    if text.strip_prefix("desk:").and_then(|rest| rest.get(..32)).is_some_and(|id| is_hex(&id)) {
        return Some(("desk:PROJECT", "desk:".len() + 32));
    }
    if text.strip_prefix("desk=").and_then(|rest| rest.get(..32)).is_some_and(|id| is_hex(&id)) {
        return Some(("desk=PROJECT", "desk=".len() + 32));
    }
    for n_digits in [8, 32] {
        let id = text.strip_prefix("\"id\":\"").and_then(|rest| rest.get(..=n_digits));
        if id.and_then(|id| id.strip_suffix('"')).as_ref().is_some_and(is_hex) {
            return Some(("\"id\":\"PROJECT\"", "\"id\":\"\"".len() + n_digits));
        }
    }
    let named = text.strip_prefix("\"session\":\"").and_then(|rest| rest.get(..8));
    if named.as_ref().is_some_and(is_hex) {
        return Some(("\"session\":\"HANDLE", "\"session\":\"".len() + 8));
    }
    let time = text.get(..24).filter(|word| word.starts_with("20") && word.ends_with('Z'));
    time.filter(|word| word.as_bytes()[10] == b'T').map(|_| ("TIME", 24))
}
