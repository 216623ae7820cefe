//! The tree of commands, grown at run time from the operations and the binary's own commands.

use std::ffi::OsString;

use clap::Command;
use serde_json::Value;
use vademecum::ops::operation::Models;
use vademecum::ops::{Config, Op, fields, registry, voice};

use super::arguments;
use super::globals::{self, Shown};
use super::own::{OWN, Own};

/// What a command does.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Leaf {
    /// It calls an operation.
    Op(&'static Op),
    /// It is a thing of the command line alone.
    Own(&'static Own),
}

/// What stands in help for each noun.
const NOUNS: &[(&str, &str)] = &[
    ("config", "Show what is set, and where"),
    ("decision", "Record and list decisions of the project"),
    ("handoff", "Write and read what the next session gets"),
    ("issue", "Record and list issues of the project"),
    ("learning", "Record and list what the next agent on the project must know"),
    ("note", "Keep, find and cross out notes"),
    ("notepad", "Read and change the session's page"),
    ("plan", "Begin, read and complete plans"),
    ("project", "List and rename projects, and join a moved folder to its own"),
    ("sandbox", "Run code that may use the session"),
    ("scratchpad", "Write the session's page within a budget"),
    ("session", "Begin, list, show and archive sessions"),
    ("store", "Copy one store into another, compare two, and say how one is"),
    ("tag", "List the tags of the notes"),
];

/// How the commands stand in the help of the root: what is typed every day comes first.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "What your agents keep",
        &[
            "status",
            "view",
            "note",
            "notepad",
            "context",
            "recap",
            "why",
            "handoff",
            "session",
            "tag",
            "scratchpad",
        ],
    ),
    (
        "What the project knows",
        &[
            "search", "blame", "fix", "how", "check", "stats", "learning", "decision", "issue",
            "plan",
        ],
    ),
    ("Setting up", &["tour", "install", "uninstall", "doctor", "config", "on", "off"]),
    ("Your data", &["project", "export", "import", "adopt", "backup", "store", "forget", "prune"]),
    ("For programs", &["call", "sandbox", "mcp", "hook", "statusline", "completions", "man"]),
];

/// What stands below the help of the root.
pub(super) const ENVIRONMENT: &[(&str, &str)] = &[
    ("VADE_SESSION_ID", "The session that commands work on: harness:id or harness:id/agent"),
    (
        "VADE_STORE",
        "The store, as --store names it, by an absolute path or one that begins with ~/",
    ),
    (
        "VADE_READONLY",
        "1, true or yes: nothing is written, by hooks and servers too; what would write is refused",
    ),
    (
        "CLAUDE_CODE_SESSION_ID, CODEX_SESSION_ID, CODEX_THREAD_ID",
        "Set by Claude Code and Codex: the session below whose shell a command runs",
    ),
    ("CLAUDE_CONFIG_DIR, CODEX_HOME", "Where Claude Code and Codex keep settings and transcripts"),
    (
        "XDG_DATA_HOME, XDG_CONFIG_HOME",
        "Where vademecum/vade.db and vademecum/config.toml lie; else ~/.local/share and ~/.config",
    ),
    ("VISUAL, EDITOR", "The editor of vade note edit and vade notepad edit; else vi"),
    ("NO_COLOR", "Print no colour, whatever its value"),
    ("TZ", "The time zone of the times on a terminal"),
];

/// What a command ends with.
pub(super) const EXIT_STATUS: &[(&str, &str)] = &[
    ("0", "It was done"),
    ("1", "Something unexpected went wrong; of vade store check: the two differ"),
    ("2", "The words are wrong, or not enough"),
    ("3", "What was named is not there"),
    ("4", "It was changed meanwhile, or something is in the way"),
    ("5", "The store is busy: try again"),
    ("6", "It is not allowed here, or vade is off"),
    ("7", "Something is damaged, or a disk is full; of vade doctor: something is bad"),
];

/// What else people type for a verb, out of habit.
fn aliases(word: &str) -> &'static [&'static str] {
    match word {
        "delete" => &["rm", "remove"],
        "list" => &["ls"],
        "restore" => &["undo"],
        _ => &[],
    }
}

/// All commands.
#[derive(Debug)]
pub(crate) struct Tree {
    /// What parses the words.
    pub(crate) root: Command,
    leaves: Vec<Leaf>,
}

impl Leaf {
    /// The words that lead to it.
    pub(crate) fn words(self) -> &'static [&'static str] {
        match self {
            Self::Op(op) => op.declaration.command.map_or(&[], |command| command.words),
            Self::Own(own) => own.words,
        }
    }

    /// Whether all words that lead to it are among `typed`.
    fn may_be_meant(self, typed: &[OsString]) -> bool {
        let is_typed = |word: &&str| {
            typed
                .iter()
                .any(|typed| typed == word || aliases(word).iter().any(|alias| typed == alias))
        };
        self.words().iter().all(is_typed)
    }

    /// The command as it stands in a list, without its options.
    fn listed(self, name: &'static str) -> Command {
        let title = match self {
            Self::Op(op) => op.declaration.title,
            Self::Own(own) => own.title,
        };
        Command::new(name).about(title)
    }

    fn command(self, name: &'static str) -> Command {
        let command = Command::new(name);
        match self {
            Self::Op(op) => {
                let declaration = op.declaration;
                let about = voice::with_commands(declaration.about);
                let command = arguments::add(command, op)
                    .about(declaration.title)
                    .long_about(format!("{}\n\n{about}", declaration.title))
                    .after_long_help(example(op));
                globals::add(command, Shown::For(declaration))
            }
            Self::Own(own) => {
                let command = (own.arguments)(command)
                    .about(own.title)
                    .long_about(format!("{}\n\n{}", own.title, own.about));
                let op = own.of.and_then(registry::find);
                globals::add(command, op.map_or(Shown::None, |op| Shown::For(op.declaration)))
            }
        }
    }
}

/// The example of an operation as a person types it.
fn example(op: &Op) -> String {
    let arguments: Value = serde_json::from_str(op.declaration.example).unwrap_or_default();
    let words = arguments.as_object().and_then(|arguments| fields::words(op, arguments));
    let words = words.unwrap_or_default();
    format!("Example:\n  vade {}\n\nMore options: vade --help", fields::line(&words))
}

impl Tree {
    /// Grows all commands that are offered under `config`, with everything that belongs to them.
    pub(crate) fn grow(config: &Config) -> Self {
        Self::of(config, |_| true)
    }

    /// Grows the same for a line of words: options for those commands alone that it may mean.
    ///
    /// All of them would cost most of what a short command costs.
    pub(crate) fn for_words(config: &Config, typed: &[OsString]) -> Self {
        Self::of(config, |leaf| leaf.may_be_meant(typed))
    }

    fn of(config: &Config, is_whole: impl Fn(Leaf) -> bool + Copy) -> Self {
        let is_own = |op: &&Op| {
            let words = op.declaration.command.map(|command| command.words);
            OWN.iter().any(|own| Some(own.words) == words)
        };
        let offered = registry::ALL.iter().filter(|op| is_offered(op, config));
        let ops = offered.filter(|op| !is_own(op)).map(Leaf::Op);
        let leaves: Vec<Leaf> = ops.chain(OWN.iter().map(Leaf::Own)).collect();
        let root = Command::new("vade")
            .version(env!("CARGO_PKG_VERSION"))
            .about("Keep what an agent would otherwise forget")
            .term_width(100);
        let root = globals::add(root, Shown::All);
        Self { root: grouped(below(root, &leaves, 0, is_whole)), leaves }
    }

    /// What the command with these words does; none for a noun alone.
    pub(crate) fn leaf(&self, path: &[&str]) -> Option<Leaf> {
        self.leaves.iter().copied().find(|leaf| leaf.words() == path)
    }

    /// The words that may follow `path`.
    pub(crate) fn words_below(&self, path: &[&str]) -> Vec<&'static str> {
        next_words(&self.leaves, path.len(), path)
    }
}

fn is_offered(op: &Op, config: &Config) -> bool {
    let declaration = op.declaration;
    let is_configured =
        declaration.models != Models::Scratchpad || config.scratchpad_budget().is_some();
    declaration.command.is_some() && is_configured
}

/// Adds to `command` what the leaves have at `depth`, each word once, with options if it `is_whole`.
fn below(
    command: Command,
    leaves: &[Leaf],
    depth: usize,
    is_whole: impl Fn(Leaf) -> bool + Copy,
) -> Command {
    let words = next_words(leaves, depth, &[]);
    words.into_iter().fold(command, |command, word| {
        let mine: Vec<Leaf> =
            leaves.iter().copied().filter(|leaf| leaf.words().get(depth) == Some(&word)).collect();
        let is_end = |leaf: &&Leaf| leaf.words().len() == depth + 1;
        let child = match mine.iter().find(is_end) {
            Some(leaf) if is_whole(*leaf) => leaf.command(word),
            Some(leaf) => leaf.listed(word),
            None => globals::add(Command::new(word).about(noun(word)), Shown::None),
        };
        command.subcommand(below(child, &mine, depth + 1, is_whole).aliases(aliases(word)))
    })
}

/// The words at `depth` of the leaves that begin with `path`, each once, in order.
fn next_words(leaves: &[Leaf], depth: usize, path: &[&str]) -> Vec<&'static str> {
    let mut words = Vec::new();
    for leaf in leaves.iter().filter(|leaf| leaf.words().starts_with(path)) {
        if let Some(word) = leaf.words().get(depth)
            && !words.contains(word)
        {
            words.push(*word);
        }
    }
    words
}

/// The root with its commands in groups; one that no group names stands at the end.
fn grouped(root: Command) -> Command {
    let commands: Vec<(String, String)> = root
        .get_subcommands()
        .map(|command| {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            (command.get_name().to_owned(), about)
        })
        .collect();
    let named = |word: &&str| commands.iter().find(|(name, _)| name == word);
    let mut text = String::new();
    for (title, words) in GROUPS {
        text.push_str(&listed(title, words.iter().filter_map(named)));
    }
    let is_other = |(name, _): &&(String, String)| {
        !GROUPS.iter().any(|(_, words)| words.contains(&name.as_str()))
    };
    text.push_str(&listed("Others", commands.iter().filter(is_other)));
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}Options:\n{{options}}{{after-help}}"
    );
    let more = "vade COMMAND --help says more about a command.";
    let lines = |rows: &[(&str, &str)]| {
        rows.iter().flat_map(|(name, text)| ["\n  ", name, "\n      ", text]).collect::<String>()
    };
    let codes = EXIT_STATUS.iter().map(|(code, text)| format!("\n  {code}  {text}"));
    let long = format!(
        "Environment:{}\n\nExit status:{}\n\n{more}",
        lines(ENVIRONMENT),
        codes.collect::<String>()
    );
    root.help_template(template).after_help(more).after_long_help(long)
}

/// A heading with its commands below, or nothing.
fn listed<'c>(title: &str, commands: impl Iterator<Item = &'c (String, String)>) -> String {
    let lines: Vec<String> =
        commands.map(|(name, about)| format!("  {name:<11}  {about}\n")).collect();
    if lines.is_empty() { String::new() } else { format!("{title}:\n{}\n", lines.concat()) }
}

fn noun(word: &str) -> String {
    let known = NOUNS.iter().find(|(noun, _)| *noun == word);
    known.map_or_else(|| format!("Commands about {word}"), |(_, about)| (*about).to_owned())
}
