//! The files of a harness that wire us, and what is to be changed in each.

use std::path::{Path, PathBuf};

use vademecum::harness::claude_code::commands::COMMANDS;
use vademecum::harness::claude_code::folders::Folders;
use vademecum::harness::claude_code::settings::{self, plan_servers, unplan_servers};
use vademecum::harness::codex;
use vademecum::harness::codex::hooks::{plan_hooks, unplan_hooks};
use vademecum::harness::codex::server::{plan_server, unplan_server};
use vademecum::harness::codex::skills::SKILLS;
use vademecum::harness::hook::Harness;
use vademecum::harness::wiring::command::Command;
use vademecum::harness::wiring::{After, Plan, SettingsError, Wiring};
use vademecum::ops::operation::{Effect, Models};
use vademecum::ops::{OpError, World, registry};

use super::files;
use super::manifest::{What, Wired, failed};

/// Which file of which harness it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The settings of Claude Code: hooks and permissions.
    Settings,
    /// Claude Code's list of MCP servers.
    Servers,
    /// The hooks of Codex.
    CodexHooks,
    /// The configuration of Codex: MCP servers.
    CodexConfig,
    /// A file of ours by which a person calls us in this harness.
    Command(Harness, &'static Command),
}

impl Role {
    /// The role of a file that was changed before; none for files of our own.
    pub(crate) fn of(what: &What) -> Option<(Self, &Wired)> {
        match what {
            What::Settings(wired) => Some((Self::Settings, wired)),
            What::Servers(wired) => Some((Self::Servers, wired)),
            What::CodexHooks(wired) => Some((Self::CodexHooks, wired)),
            What::CodexConfig(wired) => Some((Self::CodexConfig, wired)),
            What::Command { name, wired } => Some((Self::command(name)?, wired)),
            What::Binary { .. } | What::Folder => None,
        }
    }

    /// The command whose file is called so; none of one that only another version has.
    fn command(name: &str) -> Option<Self> {
        Harness::ALL.into_iter().find_map(|harness| {
            let command = commands(harness).iter().find(|it| it.path == name)?;
            Some(Self::Command(harness, command))
        })
    }

    /// Whose file it is.
    pub(crate) fn harness(self) -> Harness {
        match self {
            Self::Settings | Self::Servers => Harness::ClaudeCode,
            Self::CodexHooks | Self::CodexConfig => Harness::Codex,
            Self::Command(harness, _) => harness,
        }
    }

    /// What is kept of such a file.
    pub(crate) fn keep(self, wired: Wired) -> What {
        match self {
            Self::Settings => What::Settings(wired),
            Self::Servers => What::Servers(wired),
            Self::CodexHooks => What::CodexHooks(wired),
            Self::CodexConfig => What::CodexConfig(wired),
            Self::Command(_, command) => What::Command { name: command.path.to_owned(), wired },
        }
    }

    /// Plans the file with us in it.
    pub(crate) fn plan(self, bytes: Option<&[u8]>, wiring: &Wiring) -> Result<Plan, SettingsError> {
        match self {
            Self::Settings => settings::plan(bytes, wiring),
            Self::Servers => plan_servers(bytes, wiring),
            Self::CodexHooks => plan_hooks(bytes, wiring),
            Self::CodexConfig => plan_server(bytes, wiring),
            Self::Command(_, command) => Ok(command.plan(bytes, wiring)),
        }
    }

    /// Plans the file without us in it.
    pub(crate) fn unplan(self, bytes: Option<&[u8]>) -> Result<Plan, SettingsError> {
        match self {
            Self::Settings => settings::unplan(bytes),
            Self::Servers => unplan_servers(bytes),
            Self::CodexHooks => unplan_hooks(bytes),
            Self::CodexConfig => unplan_server(bytes),
            Self::Command(..) => Ok(Command::unplan(bytes)),
        }
    }
}

/// The files of a harness.
pub(crate) struct Wires {
    /// The folder by which it is known to be there.
    pub(crate) folder: PathBuf,
    /// The file with our hooks, and the one with our MCP server.
    pub(crate) files: [(Role, PathBuf); 2],
    /// The files that are wholly ours.
    commands: Vec<(Role, PathBuf)>,
}

impl Wires {
    /// All of them.
    pub(crate) fn all(self) -> impl Iterator<Item = (Role, PathBuf)> {
        self.files.into_iter().chain(self.commands)
    }
}

/// The files of the harness that this environment means.
pub(crate) fn wires(world: &World, harness: Harness) -> Result<Wires, OpError> {
    if !world.folders.home.is_absolute() || world.folders.home.parent().is_none() {
        return Err(OpError::usage("HOME names no folder of a person")
            .hint("set HOME and run the same command again"));
    }
    let (variable, title) = (variable(harness), harness.title());
    if (world.env)(variable).is_some_and(|folder| folder.to_str().is_none()) {
        return Err(OpError::usage(format!("{variable} is no UTF-8, which {title} cannot read")));
    }
    let env = |name: &str| world.var(name);
    let (folder, files) = match harness {
        Harness::ClaudeCode => {
            let Folders { config, settings, servers } = Folders::new(&env, &world.folders.home);
            (config, [(Role::Settings, settings), (Role::Servers, servers)])
        }
        Harness::Codex => {
            let folder = codex::folder(&env, &world.folders.home);
            let (hooks, config) = (folder.join("hooks.json"), folder.join("config.toml"));
            (folder, [(Role::CodexHooks, hooks), (Role::CodexConfig, config)])
        }
    };
    let in_work = |(role, path): (Role, PathBuf)| (role, world.folders.work.join(path));
    let commands = commands(harness).iter();
    let commands = commands.map(|it| in_work((Role::Command(harness, it), folder.join(it.path))));
    Ok(Wires { commands: commands.collect(), files: files.map(in_work), folder })
}

/// What a person types in the harness to call us.
fn commands(harness: Harness) -> &'static [Command] {
    match harness {
        Harness::ClaudeCode => COMMANDS,
        Harness::Codex => SKILLS,
    }
}

/// The variable that names the harness's folder.
fn variable(harness: Harness) -> &'static str {
    match harness {
        Harness::ClaudeCode => "CLAUDE_CONFIG_DIR",
        Harness::Codex => "CODEX_HOME",
    }
}

/// The tools that a model may call without a question: none of them takes anything away.
pub(crate) fn unattended_tools() -> Vec<String> {
    let declarations = registry::ALL.iter().map(|op| op.declaration);
    let is_default = |models| matches!(models, Models::Always | Models::Default);
    let unattended = declarations
        .filter(|op| is_default(op.models) && matches!(op.effect, Effect::Reads | Effect::Writes));
    let server = vademecum::harness::claude_code::SERVER;
    unattended.map(|op| format!("mcp__{server}__{}", op.name)).collect()
}

/// One file of the harness and its change.
#[derive(Debug, Clone)]
pub(crate) struct FileStep {
    pub(crate) role: Role,
    pub(crate) path: PathBuf,
    pub(crate) before: Option<Vec<u8>>,
    pub(crate) plan: Plan,
}

impl FileStep {
    /// Reads the file and plans us in it; refuses a file that cannot be written.
    pub(crate) fn new(role: Role, path: &Path, wiring: &Wiring) -> Result<Self, OpError> {
        let before = files::read(path).map_err(|error| failed("read", path, &error))?;
        let plan = role.plan(before.as_deref(), wiring).map_err(|error| refused(path, &error))?;
        if plan.after != After::Same {
            check_writable(path)?;
        }
        Ok(Self { role, path: path.to_owned(), before, plan })
    }

    /// Whether it has the name of a file of ours and is a person's.
    pub(crate) fn is_of_a_person(&self) -> bool {
        matches!(self.role, Role::Command(..)) && Command::is_of_a_person(self.before.as_deref())
    }

    /// Whether nothing is to be done.
    pub(crate) fn is_same(&self) -> bool {
        self.plan.after == After::Same
    }
}

/// Leaves what would lie in a folder beside a person's own file of our name: it would rule theirs.
pub(crate) fn leave_those_beside(files: &mut [FileStep]) {
    let own: Vec<PathBuf> =
        files.iter().filter(|file| file.is_of_a_person()).map(|file| file.path.clone()).collect();
    for file in files.iter_mut().filter(|file| matches!(file.role, Role::Command(..))) {
        let folder = file.path.parent();
        let is_beside = |own: &PathBuf| {
            let around = own.parent().filter(|around| folder != Some(around));
            around.is_some_and(|around| file.path.starts_with(around))
        };
        if own.iter().any(is_beside) {
            file.plan = Plan { after: After::Same, changes: Vec::new() };
        }
    }
}

/// Refuses a file that cannot be written, before anything is changed.
pub(crate) fn check_writable(path: &Path) -> Result<(), OpError> {
    files::check_writable(path).map_err(|why| {
        OpError::denied(format!("{} cannot be changed: {why}", path.display()))
            .hint("make it writable and run the same command again")
    })
}

/// A file that is left alone, and why.
pub(crate) fn refused(path: &Path, error: &SettingsError) -> OpError {
    let hint = match error {
        SettingsError::Command(_) => "name another folder with --bin-dir",
        SettingsError::Taken(_) => "remove or rename that server, then run it again",
        SettingsError::Place(_) => "take that entry out by hand, then run it again",
        SettingsError::Json(_) | SettingsError::Toml { .. } => {
            "nothing was changed: fix the file, then run it again"
        }
    };
    OpError::new(error.kind(), format!("{}: {error}", path.display())).hint(hint)
}
