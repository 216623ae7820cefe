//! Where Claude Code keeps its settings and transcripts.

use std::path::{Path, PathBuf};

use vademecum_files::stat_named;

use super::Env;

/// The longest name of a project's folder before it is cut, in UTF-16 units.
const SLUG_MAX: usize = 200;

/// The folders and files of one user's Claude Code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// `$CLAUDE_CONFIG_DIR`, else `~/.claude`.
    pub config: PathBuf,
    /// The user's settings, with hooks and permissions.
    pub settings: PathBuf,
    /// The user's MCP servers among the harness's own state.
    ///
    /// It lies inside a configured folder, else beside the default one; a file of old versions,
    /// `.config.json`, still goes before it.
    pub servers: PathBuf,
}

impl Folders {
    /// The folders of the user whose home is `home`.
    #[must_use]
    pub fn new(env: Env<'_>, home: &Path) -> Self {
        let chosen = env("CLAUDE_CONFIG_DIR").filter(|dir| !dir.is_empty()).map(PathBuf::from);
        let config = chosen.clone().unwrap_or_else(|| home.join(".claude"));
        let old = config.join(".config.json");
        let is_old = stat_named(&old).is_some_and(|file| file.size > 0);
        let new = chosen.unwrap_or_else(|| home.to_owned()).join(".claude.json");
        Self {
            settings: config.join("settings.json"),
            servers: if is_old { old } else { new },
            config,
        }
    }

    /// The transcript of the session `session_id` that was started in `cwd`.
    ///
    /// None if the id could leave the folder.
    #[must_use]
    pub fn transcript(&self, env: Env<'_>, cwd: &Path, session_id: &str) -> Option<PathBuf> {
        let file = is_plain(session_id).then(|| format!("{session_id}.jsonl"))?;
        Some(self.project(env, cwd).join(file))
    }

    /// The folder with the transcripts of the sessions that were started in `cwd`.
    #[must_use]
    pub fn project(&self, env: Env<'_>, cwd: &Path) -> PathBuf {
        let named = env("CLAUDE_CONFIG_DIR").and_then(|_| env("CLAUDE_CODE_PROJECT_DIR_NAME"));
        let project = named.filter(|name| is_plain(name)).unwrap_or_else(|| slug(cwd));
        self.projects().join(project)
    }

    /// The folder with the folders of all projects.
    #[must_use]
    pub fn projects(&self) -> PathBuf {
        self.config.join("projects")
    }
}

/// The transcript of the sub-agent `agent_id` of the session with this `transcript`.
///
/// None if the id could leave the folder.
#[must_use]
pub fn agent_transcript(transcript: &Path, agent_id: &str) -> Option<PathBuf> {
    let file = is_plain(agent_id).then(|| format!("agent-{agent_id}.jsonl"))?;
    Some(transcript.with_extension("").join("subagents").join(file))
}

/// Whether `name` can be one part of a path: letters, digits, `_` and `-`, at most 64.
fn is_plain(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=64).contains(&name.len()) && name.bytes().all(is_plain)
}

/// The name of a project's folder: `cwd` with `-` for all but letters and digits.
///
/// JavaScript sees UTF-16 units, so a character beyond U+FFFF becomes two.
fn slug(cwd: &Path) -> String {
    let units: Vec<u16> = cwd.to_string_lossy().encode_utf16().collect();
    let letter = |unit: u16| {
        char::from_u32(u32::from(unit)).filter(char::is_ascii_alphanumeric).unwrap_or('-')
    };
    let name: String = units.iter().take(SLUG_MAX).map(|&unit| letter(unit)).collect();
    if units.len() <= SLUG_MAX {
        return name;
    }
    format!("{name}-{}", base36(java_hash(&units).unsigned_abs()))
}

fn java_hash(units: &[u16]) -> i32 {
    units.iter().fold(0i32, |hash, &unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).expect("a remainder of 36 is a digit"));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(variables: &[(&str, &str)]) -> (Folders, Option<PathBuf>) {
        let env = |name: &str| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        let folders = Folders::new(&env, Path::new("/home/dev"));
        let transcript = folders.transcript(&env, Path::new("/home/dev/my_proj"), "s-1");
        (folders, transcript)
    }

    #[test]
    fn the_home_holds_everything() {
        let (folders, transcript) = folders(&[("CLAUDE_CODE_PROJECT_DIR_NAME", "mine")]);
        assert_eq!(folders.settings, Path::new("/home/dev/.claude/settings.json"));
        assert_eq!(folders.servers, Path::new("/home/dev/.claude.json"));
        let expected = "/home/dev/.claude/projects/-home-dev-my-proj/s-1.jsonl";
        assert_eq!(transcript.as_deref(), Some(Path::new(expected)));
    }

    #[test]
    fn a_chosen_folder_holds_everything() {
        let chosen = [("CLAUDE_CONFIG_DIR", "/cc"), ("CLAUDE_CODE_PROJECT_DIR_NAME", "mine")];
        let (folders, transcript) = folders(&chosen);
        assert_eq!(folders.settings, Path::new("/cc/settings.json"));
        assert_eq!(folders.servers, Path::new("/cc/.claude.json"));
        assert_eq!(transcript.as_deref(), Some(Path::new("/cc/projects/mine/s-1.jsonl")));
    }

    #[test]
    fn the_file_of_old_versions_goes_first() {
        let home = tempfile::tempdir().expect("a folder");
        let config = home.path().join(".claude");
        std::fs::create_dir(&config).expect("a folder");
        for (content, file) in [("", "../.claude.json"), ("{}", ".config.json")] {
            std::fs::write(config.join(".config.json"), content).expect("a file");
            let servers = Folders::new(&|_| None, home.path()).servers;
            assert_eq!(servers.file_name(), Path::new(file).file_name());
        }
    }

    #[test]
    fn a_long_folder_is_cut_and_hashed() {
        assert_eq!(slug(Path::new("/a/é😀.b")), "-a-----b");
        assert_eq!(slug(Path::new(&"/x".repeat(100))), "-x".repeat(100));
        let cut = format!("{}-{}", "-x".repeat(100), "s0cpjn");
        assert_eq!(slug(Path::new(&"/x".repeat(101))), cut);
    }

    #[test]
    fn an_id_never_leaves_its_folder() {
        let session = Path::new("/p/s-1.jsonl");
        let expected = Path::new("/p/s-1/subagents/agent-a52.jsonl");
        assert_eq!(agent_transcript(session, "a52").as_deref(), Some(expected));
        for id in ["", "..", "a/b", "a\\b", "é", &"a".repeat(65)] {
            assert_eq!(agent_transcript(session, id), None, "{id}");
        }
    }
}
