//! Wires vade into a harness: shows what will change, asks once, keeps what was there.

mod ask;
pub(crate) mod binary;
pub(crate) mod files;
mod manifest;
pub(crate) mod mark;
pub(crate) mod shell;
mod uninstall;
pub(crate) mod wiring;

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};
use vademecum::harness::hook::Harness;
use vademecum::harness::wiring::{After, Wiring};
use vademecum::ops::ops::adopt::due;
use vademecum::ops::recaps::find;
use vademecum::ops::{Call, OpError, Reply, World};

use self::ask::Answer;
use self::binary::{Binary, Choice, Step};
use self::manifest::{Manifest, Records, What, Wired, failed, fingerprint};
use self::shell::Shell;
pub(crate) use self::uninstall::Uninstall;
use self::wiring::{
    FileStep, check_writable, leave_those_beside, refused, unattended_tools, wires,
};

/// Whether hooks of ours stand in a harness's files, by the list in the data folder `data`; none if they never did.
pub(crate) fn has_hooks(data: &Path) -> Option<bool> {
    let is_wired = |what: &What| match what {
        What::Settings(wired) | What::CodexHooks(wired) => Some(wired.after.is_some()),
        What::Servers(_)
        | What::CodexConfig(_)
        | What::Command { .. }
        | What::Binary { .. }
        | What::Folder => None,
    };
    let list = Records::of(data).load().ok()?;
    list.entries.iter().filter_map(|entry| is_wired(&entry.what)).max()
}

/// What a person asked for.
#[derive(Debug, Clone)]
pub(crate) struct Install {
    /// Where to.
    pub(crate) harness: Harness,
    /// The program that runs.
    pub(crate) running: PathBuf,
    /// The folder for the program, where another than the usual one is wanted.
    pub(crate) folder: Option<PathBuf>,
    /// Only shows what would change.
    pub(crate) is_dry: bool,
    /// Asks nothing.
    pub(crate) is_sure: bool,
    /// What is left out.
    pub(crate) without: Without,
}

/// What a person wants left alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Without {
    /// The harness's permissions.
    pub(crate) permissions: bool,
    /// The status line, also where there is none.
    pub(crate) status_line: bool,
}

impl Install {
    /// Wires the harness; asks first unless the person is sure.
    pub(crate) fn run(&self, world: &World) -> Result<Reply, OpError> {
        let tools = match self.harness {
            Harness::ClaudeCode if !self.without.permissions => unattended_tools(),
            // Codex asks for nothing where a tool says that it takes nothing away.
            Harness::ClaudeCode | Harness::Codex => Vec::new(),
        };
        let mut plan = Plan::new(self, world, tools)?;
        if plan.is_empty() {
            return Ok(plan.reply(End::Same, ""));
        }
        let shown = plan.to_string();
        if self.is_dry {
            return Ok(plan.reply(End::Dry, &shown));
        }
        if !self.is_sure {
            match ask::install(&shown, !plan.tools.is_empty())? {
                Answer::All => {}
                Answer::NoPermissions => {
                    plan = Plan::new(self, world, Vec::new())?;
                }
                Answer::Nothing => return Ok(plan.reply(End::Declined, "")),
            }
        }
        plan.apply()?;
        // Who was asked has read it already.
        Ok(plan.reply(End::Done, if self.is_sure { &shown } else { "" }))
    }
}

/// Whether an installation was asked for and done.
pub(crate) fn is_done(reply: &Reply) -> bool {
    reply.object["outcome"] == json!(End::Done)
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum End {
    /// There was nothing to do.
    Same,
    /// It was only shown.
    Dry,
    /// The person said no.
    Declined,
    /// It was done.
    Done,
}

/// Everything that is to be done, as shown to the person.
#[derive(Debug)]
struct Plan<'a> {
    harness: Harness,
    world: &'a World,
    running: &'a Path,
    shell: Shell,
    notice: Option<String>,
    binary: Binary,
    wiring: Wiring,
    tools: Vec<String>,
    files: Vec<FileStep>,
}

impl<'a> Plan<'a> {
    fn new(asked: &'a Install, world: &'a World, tools: Vec<String>) -> Result<Self, OpError> {
        let harness = asked.harness;
        let wires = wires(world, harness)?;
        let config = wires.folder.clone();
        let shell = Shell::of(world);
        let manifest = Records::of(&world.folders.data).load()?;
        let notice = notice(harness, &config, &shell, &world.folders.home);
        let folder = asked.folder.as_ref().map(|folder| world.folders.work.join(folder));
        let choice = Choice {
            running: &asked.running,
            folder: folder.as_deref(),
            home: &world.folders.home,
            shell: &shell,
            manifest: &manifest,
        };
        let binary = choice.binary()?;
        let wiring = Wiring::new(&binary.path, tools.clone())
            .map_err(|error| refused(&binary.path, &error))?;
        let wiring = if asked.without.status_line { wiring } else { wiring.with_status_line() };
        let files = wires.all().map(|(role, path)| FileStep::new(role, &path, &wiring));
        let mut files = files.collect::<Result<Vec<_>, _>>()?;
        leave_those_beside(&mut files);
        check_writable(&world.folders.data.join("install"))?;
        Ok(Self {
            harness,
            world,
            running: &asked.running,
            shell,
            notice,
            binary,
            wiring,
            tools,
            files,
        })
    }

    fn is_empty(&self) -> bool {
        self.binary.step == Step::Stay && self.files.iter().all(FileStep::is_same)
    }

    /// Does it; the list of files is on disk before any of them is touched.
    fn apply(&self) -> Result<(), OpError> {
        let records = Records::of(&self.world.folders.data);
        let mut manifest = records.load()?;
        let changed = self.files.iter().filter(|file| !file.is_same());
        let folders = changed.clone().filter_map(|file| file.path.parent());
        let folders = folders.chain(self.binary.path.parent()).chain([records.folder()]);
        for missing in folders.flat_map(files::missing_folders) {
            manifest.put(&missing, What::Folder);
        }
        files::make_private_folder(&self.world.folders.data)
            .map_err(|error| failed("make", &self.world.folders.data, &error))?;
        if self.binary.step != Step::Stay {
            let copied = self.binary.copied(self.running, &manifest)?;
            manifest.put(&self.binary.path, What::Binary { copied });
        }
        records.save(&manifest)?;
        self.binary.put(self.running)?;
        for file in changed {
            self.change(file, &records, &mut manifest)?;
        }
        Ok(())
    }

    /// Changes one file; the harness may have written it while the person was asked.
    fn change(
        &self,
        shown: &FileStep,
        records: &Records,
        manifest: &mut Manifest,
    ) -> Result<(), OpError> {
        let now = FileStep::new(shown.role, &shown.path, &self.wiring)?;
        if now.plan.changes != shown.plan.changes {
            let message = format!("{} was changed meanwhile", shown.path.display());
            return Err(OpError::conflict(message).hint("run the same command again"));
        }
        let After::Write(bytes) = &now.plan.after else { return Ok(()) };
        if let Some(before) = &now.before {
            records.back_up(&now.path, before)?;
        }
        let wired = Wired {
            base: base(records, &now, manifest.find(&now.path))?,
            after: Some(fingerprint(bytes)),
        };
        manifest.put(&now.path, now.role.keep(wired));
        records.save(manifest)?;
        if let Some(folder) = now.path.parent() {
            files::make_private_folder(folder).map_err(|error| failed("make", folder, &error))?;
        }
        files::replace(&now.path, bytes, 0o600).map_err(|error| failed("write", &now.path, &error))
    }

    /// What is answered: the plan if it is to be shown, what became of it, and what comes next.
    fn reply(&self, end: End, shown: &str) -> Reply {
        let home = &self.world.folders.home;
        let records = Records::of(&self.world.folders.data);
        let outcome = match end {
            End::Same => "nothing to change: vade is installed".to_owned(),
            End::Dry => "dry run: nothing was changed".to_owned(),
            End::Declined => "nothing was changed".to_owned(),
            End::Done => {
                let kept = short(records.folder(), home);
                format!("vade is installed; what was there before is kept in {kept}")
            }
        };
        let warning = self.warning();
        let mut text = format!("{shown}{outcome}\n");
        let left = self.files.iter().filter(|file| file.is_of_a_person());
        let left =
            left.map(|file| format!("{} is yours and stays as it is\n", short(&file.path, home)));
        text.extend(left);
        text.extend(warning.iter().flat_map(|warning| [warning, "\n"]));
        if end == End::Done {
            text.push_str(next(self.harness));
        }
        let files: Vec<Value> = self
            .shown()
            .map(|(path, changes)| json!({ "path": path.to_string_lossy(), "changes": changes }))
            .collect();
        let object = json!({
            "outcome": end,
            "program": self.binary.path.to_string_lossy(),
            "files": files,
            "warning": warning,
        });
        Reply { object, text }
    }

    /// The files that change, and how.
    fn shown(&self) -> impl Iterator<Item = (&Path, Vec<String>)> {
        let program = self
            .binary
            .change(self.running)
            .map(|change| (self.binary.path.as_path(), vec![change]));
        let files = self.files.iter().filter(|file| !file.is_same());
        program
            .into_iter()
            .chain(files.map(|file| (file.path.as_path(), file.plan.changes.clone())))
    }

    /// What a person has to do to call the program by its name.
    fn warning(&self) -> Option<String> {
        let folder = self.binary.path.parent()?;
        if !self.shell.looks_in(folder) {
            let advice = self.shell.advice(folder);
            return Some(format!("{} is not on PATH; {advice}", folder.display()));
        }
        let first = self.shell.find(binary::NAME).filter(|first| *first != self.binary.path)?;
        Some(format!("another vade comes first on PATH: {}", first.display()))
    }
}

/// The backup of a file as it is without us: known from before unless somebody changed it since.
fn base(
    records: &Records,
    file: &FileStep,
    known: Option<&What>,
) -> Result<Option<String>, OpError> {
    let before = file.before.as_deref();
    if let (Some((_, wired)), Some(bytes)) = (known.and_then(wiring::Role::of), before)
        && wired.after == Some(fingerprint(bytes))
    {
        return Ok(wired.base.clone());
    }
    let plan = file.role.unplan(before).map_err(|error| refused(&file.path, &error))?;
    let without = match &plan.after {
        After::Same => before,
        After::Write(bytes) => Some(bytes.as_slice()),
        After::Remove => None,
    };
    without.map(|bytes| records.back_up(&file.path, bytes)).transpose()
}

/// How what lies there from before is taken in; none where this folder is no project that had sessions, or all of them are.
pub(crate) fn before(call: &Call<'_>) -> Result<Option<String>, OpError> {
    let files = due(call)?;
    let n = files.len();
    let transcripts = if n == 1 { "transcript" } else { "transcripts" };
    let soon = find::deleted_soon(call.world, &files);
    let soon = soon.map_or_else(String::new, |soon| format!("    {soon}\n"));
    let say = || {
        format!(
            "  vade adopt transcripts takes in what this project's sessions said before ({n} {transcripts}), for vade search\n{soon}"
        )
    };
    Ok((0 < n).then(say))
}

/// What comes next, once all is in place.
fn next(harness: Harness) -> &'static str {
    match harness {
        Harness::ClaudeCode => {
            "\
next:
  restart Claude Code: sessions that are already open do not use vade
  then ask your agent: keep what you find out in your notepad
  after /compact the notepad is in front of the model again
  vade doctor checks the installation
"
        }
        Harness::Codex => {
            "\
next:
  start codex and approve vade's hooks when it asks, or under /hooks: until then it runs none of them
  then ask your agent: keep what you find out in your notepad
  after /compact the notepad is in front of the model again
  vade doctor checks the installation
"
        }
    }
}

impl std::fmt::Display for Plan<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let home = &self.world.folders.home;
        if let Some(notice) = &self.notice {
            writeln!(f, "{notice}")?;
        }
        for (path, changes) in self.shown() {
            // A link in the place of the program gives way; those to settings are the person's.
            let is_file = self.files.iter().any(|file| file.path == path);
            match files::target(path, home).filter(|_| is_file) {
                Some(target) => writeln!(f, "{} -> {}", short(path, home), short(&target, home))?,
                None => writeln!(f, "{}", short(path, home))?,
            }
            for change in changes {
                writeln!(f, "  {change}")?;
            }
        }
        Ok(())
    }
}

/// What to say where the harness is not to be seen; it can still be wired for later.
fn notice(harness: Harness, config: &Path, shell: &Shell, home: &Path) -> Option<String> {
    let (title, program) = match harness {
        Harness::ClaudeCode => (harness.title(), "claude"),
        Harness::Codex => (harness.title(), "codex"),
    };
    let is_there = config.is_dir() || shell.find(program).is_some();
    let config = short(config, home);
    (!is_there).then(|| {
        format!("{title} was not found: no {config}, no {program} on PATH; wired for later")
    })
}

/// A path as people read it: `~` for their own folder.
pub(crate) fn short(path: &Path, home: &Path) -> String {
    // Where HOME names nobody's folder, every path would begin with it.
    match path.strip_prefix(home).ok().filter(|_| home.parent().is_some()) {
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    }
}
