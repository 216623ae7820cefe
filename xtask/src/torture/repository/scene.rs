//! Where one seed plays: a home with canaries, a project with an odd name, and commands that run there.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use super::child::{self, Said};
use super::hazard;
use super::marks::{Kind, Marks};
use super::places::{Base, Form, PLACES, Place, private, text};
use super::snapshot::Allowed;
use crate::torture::chance::Chance;

/// The session that everything is done in.
pub(super) const SESSION: &str = "5aa00000-5aa0-4000-8000-0000000000ab";

/// A session of the same person in another project.
pub(super) const OTHER: &str = "6bb00000-5aa0-4000-8000-0000000000cd";

/// How the work tree stands to git.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// `.git` is the repository.
    Main,
    /// `.git` points to a repository beside.
    Side,
    /// An archive that was unpacked.
    None,
}

/// One home with all that is in it.
pub(super) struct Scene {
    top: TempDir,
    vade: PathBuf,
    layout: Layout,
    name: OsString,
    /// The work tree as the person names it: through a link, by chance.
    pub(super) entry: PathBuf,
    plans: &'static str,
    pub(super) marks: Marks,
}

/// Names that somebody may give a folder.
const NAMES: &[&[u8]] = &[
    b"project",
    b"project",
    b"two words",
    b"it's \"quoted\"",
    b"line\nbreak",
    b"no\xfftext\xfe",
    b"esc\x1b[31m\x1b]0;x\x07",
    "bidi\u{202e}txt".as_bytes(),
    b"$(touch owned)`id`",
    b"-rf",
    b"~",
];

impl Scene {
    /// Makes it, and everything in it is as it should be.
    pub(super) fn new(vade: &Path, chance: &mut Chance) -> Result<Self> {
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix("vade-hostile-");
        // In memory nothing waits for a disk, and no disk is filled.
        let memory = Path::new("/dev/shm");
        let top = if memory.is_dir() { builder.tempdir_in(memory)? } else { builder.tempdir()? };
        let layouts = [Layout::Main, Layout::Main, Layout::Side, Layout::None];
        let layout = *super::pick(chance, &layouts);
        let name = match chance.below(12) {
            0 => OsString::from("x".repeat(200)),
            _ => OsString::from_vec(super::pick(chance, NAMES).to_vec()),
        };
        let plans = *super::pick(chance, &[".planning", ".planning", ".planning", "docs/plans"]);
        let tree = top.path().join("home/work").join(&name);
        let through = top.path().join("home/by-link").join(&name);
        let entry = if chance.below(5) == 0 { through.clone() } else { tree.clone() };
        let marks = Marks::new(chance);
        let scene = Self { top, vade: vade.to_owned(), layout, name, entry, plans, marks };
        fs::create_dir_all(&tree)?;
        fs::create_dir(scene.home().join("by-link"))?;
        symlink(&tree, through)?;
        scene.furnish(chance)?;
        Ok(scene)
    }

    fn furnish(&self, chance: &mut Chance) -> Result<()> {
        for folder in
            ["tmp", "bin", "outside", ".local/bin", ".local/share/vademecum", ".config/vademecum"]
        {
            fs::create_dir_all(self.home().join(folder))?;
        }
        for folder in [".claude", ".codex"] {
            fs::create_dir_all(self.home().join(folder))?;
        }
        fs::create_dir(self.top.path().join("said"))?;
        for (name, text) in private(&self.marks) {
            write(&self.home().join(name), text.as_bytes())?;
        }
        hazard::fifo(&self.outside("fifo"))?;
        fs::write(self.outside("hard"), text(Form::Entries, "plain words"))?;
        write(&self.home().join("other/.git/HEAD"), b"ref: refs/heads/main\n")?;
        write(&self.home().join("bin/editor"), b"#!/bin/sh\necho more >> \"$1\"\n")?;
        for place in PLACES {
            put(place, &self.twin(place), self.marks.of(Kind::Outside))?;
        }
        fs::write(self.home().join(".config/vademecum/config.toml"), self.own_settings(chance))?;
        fs::write(self.tree().join("README.md"), "# Readme\n")?;
        for place in PLACES.iter().filter(|place| self.is_there(place)) {
            self.put_ordinary(place)?;
        }
        self.project_settings(chance)
    }

    /// The person's own configuration: every tool, and by chance a published design.
    fn own_settings(&self, chance: &mut Chance) -> String {
        let profiles = ["default", "default", "default", "default", "seed3", "seed4"];
        let profile = super::pick(chance, &profiles);
        format!(
            "profile = \"{profile}\"\n[mcp]\ntools = \"all\"\n[scratchpad]\nmaxTokens = 5000\n[plans]\nroot = \"{}\"\n",
            self.plans
        )
    }

    fn project_settings(&self, chance: &mut Chance) -> Result<()> {
        let texts = [
            "profile = \"seed4\"\n",
            "profile = \"seed3\"\n",
            "[recap]\nmax_tokens = 500\n",
            "[plans]\nroot = \"../outside\"\n",
            "[store]\nurl = \"sqlite:../../outside/vade.db\"\n",
            "[plans]\nroot = \"docs/../../../outside\"\n",
        ];
        if chance.below(3) == 0 {
            fs::write(self.tree().join(".vademecum.toml"), super::pick(chance, &texts))?;
        }
        Ok(())
    }

    /// Whether a place is filled before anything is spoiled; the program makes some itself.
    fn is_there(&self, place: &Place) -> bool {
        match place.base {
            Base::Git => place.path != "commondir" && self.layout != Layout::None,
            Base::Side => self.layout == Layout::Side,
            Base::Plans => false,
            Base::Tree => !matches!(place.form, Form::Settings) && place.path != "_handoff.md",
            Base::Claude | Base::Codex => true,
        }
    }

    /// Puts into a place what belongs there.
    pub(super) fn put_ordinary(&self, place: &Place) -> Result<()> {
        let at = self.path(place);
        match (place.form, self.layout) {
            (Form::Git, Layout::Side) => {
                let own = self.home().join("main/.git/worktrees/side");
                let bytes = [b"gitdir: ", own.as_os_str().as_bytes(), b"\n"].concat();
                write(&at, &bytes)
            }
            (Form::Path, _) if place.path == "gitdir" => {
                write(&at, self.tree().join(".git").as_os_str().as_bytes())
            }
            (Form::Git, Layout::None) => Ok(()),
            (Form::Settings, _) => write(&at, b"[recap]\nmax_tokens = 500\n"),
            _ => put(place, &at, "nothing of note"),
        }
    }

    pub(super) fn home(&self) -> PathBuf {
        self.top.path().join("home")
    }

    pub(super) fn tree(&self) -> PathBuf {
        self.home().join("work").join(&self.name)
    }

    pub(super) fn git(&self) -> PathBuf {
        match self.layout {
            Layout::Main | Layout::None => self.tree().join(".git"),
            Layout::Side => self.home().join("main/.git"),
        }
    }

    pub(super) fn data(&self) -> PathBuf {
        self.home().join(".local/share/vademecum")
    }

    pub(super) fn outside(&self, name: &str) -> PathBuf {
        self.home().join("outside").join(name)
    }

    pub(super) fn said(&self) -> Said {
        Said::below(&self.top.path().join("said"))
    }

    /// Where a place is.
    pub(super) fn path(&self, place: &Place) -> PathBuf {
        let base = match place.base {
            Base::Tree => self.tree(),
            Base::Plans => self.tree().join(self.plans),
            Base::Git => self.git(),
            Base::Side => self.home().join("main/.git/worktrees/side"),
            Base::Claude => self.home().join(".claude/projects/project"),
            Base::Codex => self.home().join(".codex/sessions/2026/11/22"),
        };
        if place.path == "." { base } else { base.join(place.path) }
    }

    /// What looks like it and lies outside.
    pub(super) fn twin(&self, place: &Place) -> PathBuf {
        let base = match place.base {
            Base::Tree => "",
            Base::Plans => self.plans,
            Base::Git => ".git",
            Base::Side => ".git/worktrees/side",
            Base::Claude => ".claude/projects",
            Base::Codex => ".codex/sessions",
        };
        let base = self.outside("tree").join(base);
        if place.path == "." { base } else { base.join(place.path) }
    }

    /// Whether something above a place is spoiled already, so that it would be put elsewhere.
    pub(super) fn is_led_astray(&self, at: &Path) -> bool {
        let home = self.home();
        at.ancestors()
            .skip(1)
            .take_while(|above| *above != home)
            .any(|above| fs::symlink_metadata(above).is_ok_and(|meta| !meta.is_dir()))
    }

    /// The program, in the project, with its environment.
    pub(super) fn command(&self) -> Command {
        self.command_in(&self.entry)
    }

    /// The same in another folder.
    pub(super) fn command_in(&self, folder: &Path) -> Command {
        let mut command = child::limited(&self.vade);
        let home = self.home();
        command
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", &home)
            .env("PWD", folder)
            .env("TMPDIR", home.join("tmp"))
            .env("EDITOR", format!("sh {}/bin/editor", home.display()))
            .env("CLAUDE_CODE_SESSION_ID", SESSION)
            .env("AWS_SECRET_ACCESS_KEY", self.marks.of(Kind::Around))
            .current_dir(folder);
        command
    }

    /// What may change: work tree, git's folder, vade's folders, and what the documents list of a harness.
    pub(super) fn allowed(&self) -> Allowed {
        let home = self.home();
        let below = |names: &[&str]| names.iter().map(|name| home.join(name)).collect();
        let harness = [
            ".claude/settings.json",
            ".claude.json",
            ".claude/commands",
            ".codex/hooks.json",
            ".codex/config.toml",
            ".codex/skills",
            ".local/bin/vade",
            ".config/vademecum",
        ];
        let lists = [".claude", ".codex", ".local", ".local/bin", ".local/share", ".config"];
        let mut whole: Vec<PathBuf> = below(&harness);
        whole.extend([self.tree(), self.git(), self.data()]);
        let mut lists: Vec<PathBuf> = below(&lists);
        lists.extend([home.clone(), home.join("tmp")]);
        Allowed { whole, lists }
    }
}

/// Makes a folder, or a file that is `about` something.
fn put(place: &Place, at: &Path, about: &str) -> Result<()> {
    match place.form {
        Form::Folder | Form::Git => Ok(fs::create_dir_all(at)?),
        form => write(at, text(form, about).as_bytes()),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("a file lies in a folder")?;
    fs::create_dir_all(folder)?;
    Ok(fs::write(path, bytes)?)
}

/// A word for the program.
pub(super) fn word(text: impl AsRef<OsStr>) -> OsString {
    text.as_ref().to_owned()
}

impl Drop for Scene {
    fn drop(&mut self) {
        // What nobody may read, we may not either: then the folder stays until the machine is cleaned.
        child::remove(self.top.path());
    }
}
