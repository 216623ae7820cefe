//! The options that every command takes.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use clap_complete::ArgValueCompleter;
use vademecum::core::id::WriteId;
use vademecum::core::session::SessionKey;
use vademecum::ops::{Declaration, OpError};

use super::complete;
use super::text::Text;

/// What every command may be told.
#[derive(Debug, Default)]
pub(crate) struct Globals {
    /// The session that the call is about.
    pub(crate) session: Option<String>,
    /// The name under which a repeat of the write is known.
    pub(crate) write_id: Option<WriteId>,
    /// The store, if it is not the usual one.
    pub(crate) store: Option<OsString>,
    /// Whether a person wants the texts of this write kept with the secrets in them.
    pub(crate) allow_secret: bool,
}

/// What must be known before the words can be parsed.
#[derive(Debug, Default)]
pub(crate) struct Scanned {
    /// Whether answers and failures are JSON.
    pub(crate) json: bool,
    /// Whether no colour is wanted.
    pub(crate) no_color: bool,
    /// The folder that the call is about.
    pub(crate) project: Option<PathBuf>,
}

impl Scanned {
    /// Looks at `words` without knowing the commands.
    pub(crate) fn of(words: &[OsString]) -> Self {
        let end = words.iter().position(|word| word == "--");
        let options = &words[..end.unwrap_or(words.len())];
        Self {
            json: options.iter().any(|word| word == "--json"),
            no_color: options.iter().any(|word| word == "--no-color"),
            project: value_of("--project", options).map(PathBuf::from),
        }
    }
}

fn value_of(option: &str, words: &[OsString]) -> Option<OsString> {
    let at = words.iter().position(|word| is_option(word, option))?;
    let word = words[at].as_encoded_bytes();
    match word.iter().position(|byte| *byte == b'=') {
        Some(_) => words[at].to_str()?.split_once('=').map(|(_, value)| value.into()),
        None => words.get(at + 1).cloned(),
    }
}

fn is_option(word: &OsStr, option: &str) -> bool {
    let rest = word.to_str().and_then(|word| word.strip_prefix(option));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

const JSON: &str = "global.json";
const SESSION: &str = "global.session";
const DESK: &str = "global.desk";
const WRITE_ID: &str = "global.write-id";
const STORE: &str = "global.store";
const PROJECT: &str = "global.project";
const NO_COLOR: &str = "global.no-color";
const ALLOW_SECRET: &str = "global.allow-secret";

/// Which of the global options the help of a command shows.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shown {
    /// All of them.
    All,
    /// Those that this operation has a use for.
    For(&'static Declaration),
    /// None.
    None,
}

/// Adds the options to `command`, but for those whose name it uses itself.
pub(crate) fn add(mut command: Command, shown: Shown) -> Command {
    for arg in args() {
        let is_taken = command.get_arguments().any(|own| own.get_long() == arg.get_long());
        if !is_taken {
            let id = arg.get_id().as_str().to_owned();
            command = command.arg(match shown {
                Shown::All => arg,
                Shown::For(declaration) if is_of_use(&id, declaration) => arg,
                Shown::For(_) | Shown::None => arg.hide(true),
            });
        }
    }
    command
}

fn is_of_use(id: &str, declaration: &Declaration) -> bool {
    match id {
        JSON => true,
        SESSION | DESK => declaration.of_session,
        _ => false,
    }
}

fn args() -> [Arg; 8] {
    let option = |id: &'static str, help: &'static str| {
        let long = id.trim_start_matches("global.");
        Arg::new(id).long(long).help(help).help_heading("Global options")
    };
    let text = |id, name, help| option(id, help).value_name(name).value_parser(Text::default());
    let flag = |id, help| option(id, help).action(ArgAction::SetTrue);
    [
        flag(JSON, "Print the answer, or the error, as JSON"),
        text(SESSION, "HANDLE", "Work on this session instead of the one of the call")
            .short('s')
            .add(ArgValueCompleter::new(complete::sessions)),
        flag(DESK, "Work on your own notes instead of an agent's"),
        text(WRITE_ID, "ID", "Name the write, so that repeating the call does it once"),
        text(STORE, "ADDRESS", "Use this store: sqlite:PATH or a path")
            .value_parser(value_parser!(OsString)),
        text(PROJECT, "FOLDER", "Work on the project of this folder")
            .value_parser(value_parser!(PathBuf)),
        flag(NO_COLOR, "Print no colour, as NO_COLOR does"),
        flag(ALLOW_SECRET, "Keep the secrets in what this command writes; only a person may"),
    ]
}

/// Reads the options from the matches of a command and of those above it.
pub(crate) fn read(chain: &[&ArgMatches]) -> Result<Globals, OpError> {
    let is_desk = is_set(chain, DESK);
    let session: Option<String> = value(chain, SESSION);
    if is_desk && session.is_some() {
        return Err(OpError::usage("--session and --desk name two sessions: one is enough"));
    }
    Ok(Globals {
        session: session.or_else(|| is_desk.then(|| SessionKey::DESK.to_owned())),
        write_id: value::<String>(chain, WRITE_ID).map(write_id).transpose()?,
        store: value(chain, STORE),
        allow_secret: is_set(chain, ALLOW_SECRET),
    })
}

/// Whether a flag is given, before the command or behind it.
fn is_set(chain: &[&ArgMatches], id: &str) -> bool {
    chain.iter().any(|matches| matches.try_get_one::<bool>(id).ok().flatten() == Some(&true))
}

/// The value of an option; the one nearest to the command counts.
fn value<T: Clone + Send + Sync + 'static>(chain: &[&ArgMatches], id: &str) -> Option<T> {
    chain.iter().rev().find_map(|matches| matches.try_get_one::<T>(id).ok().flatten().cloned())
}

fn write_id(text: String) -> Result<WriteId, OpError> {
    let given = text.len();
    WriteId::new(text).ok_or_else(|| {
        let max = WriteId::MAX;
        OpError::usage(format!(
            "a write id takes 1 to {max} bytes without control characters, {given} bytes given"
        ))
    })
}
