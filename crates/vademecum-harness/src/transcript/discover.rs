//! Where each harness keeps its transcripts, and which are there; none is opened to find it.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use vademecum_core::time::Time;
use vademecum_files::open_named;

use super::Format;
use crate::claude_code::Env;
use crate::claude_code::folders::Folders;

/// The name under which Codex and Copilot CLI say where a session began, in one of the first lines.
const CWD: &[u8] = b"\"cwd\":";

/// So many bytes hold that: only ids and times stand before it.
const HEAD: u64 = 16 << 10;

/// How many transcripts of one harness are listed.
const FOUND_MAX: usize = 10_000;

/// The transcripts of one user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Discovered {
    /// What is there, the newest first.
    pub found: Vec<Found>,
    /// Where it was looked for.
    pub looked: Vec<Looked>,
}

/// One transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// How it is written; that of opencode is a database.
    pub format: Format,
    /// The file.
    pub path: PathBuf,
    /// When it was written last.
    pub modified: Option<Time>,
    /// Whether its path tells that it is of the project; most harnesses tell it only inside.
    pub is_of_project: bool,
}

impl Found {
    /// The folder that the session began in, where its first lines tell.
    #[must_use]
    pub fn work_folder(&self) -> Option<PathBuf> {
        match self.format {
            Format::ClaudeCode | Format::Codex | Format::Copilot => {}
            Format::Opencode | Format::MessageLog => return None,
        }
        let mut head = Vec::new();
        let file = open_named(&self.path).ok()?;
        file.take(HEAD).read_to_end(&mut head).ok()?;
        let rest = &head[memchr::memmem::find(&head, CWD)? + CWD.len()..];
        let mut texts = serde_json::Deserializer::from_slice(rest).into_iter::<String>();
        texts.next()?.ok().map(PathBuf::from)
    }
}

/// One place where transcripts may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    /// Whose.
    pub format: Format,
    /// The folder or file.
    pub path: PathBuf,
    /// Whether it is there.
    pub is_there: bool,
}

/// Finds the transcripts of the user whose home is `home`.
///
/// With the folders of a `project`, what its path tells to be of another one is left out.
#[must_use]
pub fn discover(env: Env<'_>, home: &Path, project: Option<&[PathBuf]>) -> Discovered {
    let mut discovered = Discovered::default();
    claude_code(env, home, project, &mut discovered);
    let folder = |name: &str, default: &str| {
        let chosen = env(name).filter(|folder| !folder.is_empty()).map(PathBuf::from);
        chosen.unwrap_or_else(|| home.join(default))
    };
    let codex = folder("CODEX_HOME", ".codex");
    for (sessions, depth) in [("sessions", 3), ("archived_sessions", 0)] {
        discovered.look(Format::Codex, codex.join(sessions), |folder, all| {
            walk(folder, depth, all, &is_rollout);
        });
    }
    let copilot = folder("COPILOT_HOME", ".copilot").join("session-state");
    discovered.look(Format::Copilot, copilot, |folder, all| {
        walk(folder, 1, all, &|path| path.ends_with("events.jsonl"));
    });
    let opencode = folder("XDG_DATA_HOME", ".local/share").join("opencode/opencode.db");
    discovered.look(Format::Opencode, opencode, |file, all| {
        all.extend(file.is_file().then(|| file.to_owned()));
    });

    let newest = |found: &Found| (std::cmp::Reverse(found.modified), found.path.clone());
    discovered.found.sort_by_cached_key(newest);
    discovered
}

fn claude_code(
    env: Env<'_>,
    home: &Path,
    project: Option<&[PathBuf]>,
    discovered: &mut Discovered,
) {
    let folders = Folders::new(env, home);
    let is_transcript = |path: &Path| path.extension().is_some_and(|it| it == "jsonl");
    let mut named: Vec<PathBuf> = match project {
        Some(project) => project.iter().map(|it| folders.project(env, it)).collect(),
        None => vec![folders.projects()],
    };
    // Paths that differ in signs alone have one folder.
    let mut seen = BTreeSet::new();
    named.retain(|folder| seen.insert(folder.clone()));
    let n_before = discovered.found.len();
    let depth = usize::from(project.is_none());
    for folder in named {
        discovered.look(Format::ClaudeCode, folder, |folder, all| {
            walk(folder, depth, all, &is_transcript);
        });
    }
    for found in &mut discovered.found[n_before..] {
        found.is_of_project = project.is_some();
    }
}

fn is_rollout(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with("rollout-") && path.extension().is_some_and(|it| it == "jsonl")
}

impl Discovered {
    fn look(&mut self, format: Format, path: PathBuf, find: impl FnOnce(&Path, &mut Vec<PathBuf>)) {
        let mut paths = Vec::new();
        let is_there = path.exists();
        if is_there {
            find(&path, &mut paths);
        }
        self.found.extend(paths.into_iter().map(|path| Found {
            modified: modified(&path).max(in_log(format, &path)),
            format,
            path,
            is_of_project: false,
        }));
        self.looked.push(Looked { format, path, is_there });
    }
}

/// Adds the files in the folders `depth` below `folder`; the last by name come first.
///
/// A folder that cannot be read holds nothing for us.
fn walk(folder: &Path, depth: usize, all: &mut Vec<PathBuf>, is_wanted: &dyn Fn(&Path) -> bool) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort_unstable_by(|a, b| b.cmp(a));
    for path in paths {
        if all.len() >= FOUND_MAX {
            return;
        }
        if depth > 0 {
            walk(&path, depth - 1, all, is_wanted);
        } else if is_wanted(&path) && path.is_file() {
            all.push(path);
        }
    }
}

/// When the log of a database was written last: what is new stands there for a while.
fn in_log(format: Format, path: &Path) -> Option<Time> {
    if format != Format::Opencode {
        return None;
    }
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    modified(Path::new(&log))
}

fn modified(path: &Path) -> Option<Time> {
    let modified = std::fs::metadata(path).ok()?.modified().ok()?;
    let since = modified.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(Time)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, SystemTime};

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    fn write(home: &Path, file: &str, seconds: u64) {
        let path = home.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let file = fs::File::create(path).expect("a file");
        let at: SystemTime = UNIX_EPOCH + Duration::from_secs(seconds);
        file.set_modified(at).expect("a time");
    }

    #[track_caller]
    fn check(home: &Path, env: Env<'_>, project: &[&str], expected: &[(&str, bool)]) {
        let folders: Vec<PathBuf> = project.iter().map(PathBuf::from).collect();
        let discovered = discover(env, home, Some(&*folders).filter(|it| !it.is_empty()));
        let found: Vec<(&str, bool)> = discovered
            .found
            .iter()
            .map(|found| {
                let path = found.path.strip_prefix(home).expect("below the home");
                (path.to_str().expect("text"), found.is_of_project)
            })
            .collect();
        assert_eq!(found, expected);
        assert_eq!(discovered.looked.len(), 4 + project.len().max(1));
    }

    #[test]
    fn every_harness_is_looked_for_and_the_newest_comes_first() {
        let home = tempfile::tempdir().expect("a folder");
        let home = home.path();
        for (file, seconds) in [
            (".claude/projects/-home-dev-proj/s-1.jsonl", 10),
            (".claude/projects/-home-dev-proj/s-1/subagents/agent-a.jsonl", 99),
            (".claude/projects/-home-dev-other/s-2.jsonl", 20),
            (".codex/sessions/2026/03/01/rollout-2026-03-01-x.jsonl", 30),
            (".codex/sessions/2026/03/01/notes.txt", 99),
            (".codex/archived_sessions/rollout-2025.jsonl", 5),
            (".copilot/session-state/c-1/events.jsonl", 40),
            (".local/share/opencode/opencode.db", 15),
            ("chosen/sessions/2026/03/02/rollout-y.jsonl", 50),
        ] {
            write(home, file, seconds);
        }
        let rest = [
            (".copilot/session-state/c-1/events.jsonl", false),
            (".codex/sessions/2026/03/01/rollout-2026-03-01-x.jsonl", false),
            (".claude/projects/-home-dev-other/s-2.jsonl", false),
            (".local/share/opencode/opencode.db", false),
            (".claude/projects/-home-dev-proj/s-1.jsonl", false),
            (".codex/archived_sessions/rollout-2025.jsonl", false),
        ];
        check(home, &|_| None, &[], &rest);
        let mut of_project = vec![rest[0], rest[1], rest[3], (rest[4].0, true), rest[5]];
        check(home, &|_| None, &["/home/dev/proj"], &of_project);
        let both = ["/home/dev/other", "/home/dev/proj"];
        check(home, &|_| None, &both, &rest.map(|(path, _)| (path, path.contains("claude"))));

        let chosen = home.join("chosen").to_str().map(str::to_owned);
        let env = |name: &str| chosen.clone().filter(|_| name == "CODEX_HOME");
        of_project.retain(|(path, _)| !path.contains("codex"));
        of_project.insert(0, ("chosen/sessions/2026/03/02/rollout-y.jsonl", false));
        check(home, &env, &["/home/dev/proj"], &of_project);
    }

    #[test]
    fn a_database_is_as_new_as_its_log() {
        let home = tempfile::tempdir().expect("a folder");
        let home = home.path();
        write(home, ".codex/archived_sessions/rollout-2025.jsonl", 20);
        write(home, ".local/share/opencode/opencode.db", 10);
        let rollout = (".codex/archived_sessions/rollout-2025.jsonl", false);
        let database = (".local/share/opencode/opencode.db", false);
        check(home, &|_| None, &[], &[rollout, database]);
        write(home, ".local/share/opencode/opencode.db-wal", 30);
        check(home, &|_| None, &[], &[database, rollout]);
    }

    #[test]
    fn what_never_ends_is_not_waited_for() {
        let home = tempfile::tempdir().expect("a folder");
        // As a link to /proc/kmsg: nobody writes, and it does not end.
        let path = home.path().join("rollout-x.jsonl");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a FIFO");
        let found = Found { format: Format::Codex, path, modified: None, is_of_project: false };
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || tell.send(found.work_folder()));
        assert_eq!(told.recv_timeout(Duration::from_secs(10)), Ok(None));
    }

    #[test]
    fn nothing_is_found_where_nothing_is() {
        let home = tempfile::tempdir().expect("a folder");
        check(home.path(), &|_| None, &[], &[]);
    }
}
