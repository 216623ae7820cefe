//! Which project a folder belongs to: every form that git makes, and every lie that a folder can tell.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;
use tempfile::TempDir;
use vademecum_ops::place::Place;

use crate::desk::Desk;

/// A folder with a repository called `main` in it, as `git init` leaves one.
struct World(TempDir);

impl World {
    fn new() -> Self {
        let world = Self(tempfile::tempdir().expect("a folder"));
        world.file("main/.git/HEAD", "ref: refs/heads/main\n");
        let remote = "[remote \"origin\"]\n\turl = git@example.org:a/b.git\n";
        world.file("main/.git/config", &format!("[core]\n\tbare = false\n{remote}"));
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        fs::canonicalize(self.0.path()).expect("a folder").join(name)
    }

    fn file(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Where `folder` stands: the top of its work tree, and what all work trees share.
    #[track_caller]
    fn check(&self, folder: &str, root: &str, common: Option<&str>) {
        let place = Place::of(&self.path(folder));
        let common = common.map(|common| self.path(common));
        assert_eq!(place, Place { root: self.path(root), common });
    }
}

#[test]
fn a_repository_and_the_folders_below_it() {
    let world = World::new();
    fs::create_dir_all(world.path("main/src/deep")).expect("a folder");
    fs::create_dir_all(world.path("plain")).expect("a folder");
    world.check("main", "main", Some("main/.git"));
    world.check("main/src/deep", "main", Some("main/.git"));
    world.check("plain", "plain", None);
    let place = Place::of(&world.path("main"));
    assert_eq!(place.remote().map(|key| key.value), Some(b"example.org/a/b".to_vec()));
    assert_eq!(place.name(), "main");
}

/// `git worktree add ../side`, and the same with `worktree.useRelativePaths`.
#[test]
fn a_linked_work_tree() {
    let world = World::new();
    let own = world.path("main/.git/worktrees/side");
    for (to, back) in [
        (own.display().to_string(), world.path("side/.git").display().to_string()),
        ("../main/.git/worktrees/side".to_owned(), "../../../../side/.git".to_owned()),
    ] {
        world.file("side/.git", &format!("gitdir: {to}\n"));
        world.file("main/.git/worktrees/side/gitdir", &format!("{back}\n"));
        world.file("main/.git/worktrees/side/commondir", "../..\n");
        world.check("side", "side", Some("main/.git"));
        assert_eq!(Place::of(&world.path("side")).name(), "main");
    }
}

/// `git clone --bare`, then `git worktree add`.
#[test]
fn a_work_tree_of_a_bare_repository() {
    let world = World::new();
    world.file("bare.git/HEAD", "ref: refs/heads/main\n");
    world.file("side/.git", "gitdir: ../bare.git/worktrees/side\n");
    world.file("bare.git/worktrees/side/gitdir", &world.path("side/.git").display().to_string());
    world.check("side", "side", Some("bare.git"));
}

/// `git submodule add`, and a work tree of the submodule.
#[test]
fn a_submodule() {
    let world = World::new();
    world.file("main/lib/.git", "gitdir: ../.git/modules/lib\n");
    world.file("main/.git/modules/lib/HEAD", "ref: refs/heads/main\n");
    let core = "[core]\n\tbare = false\n\tworktree = ../../../lib\n";
    world.file("main/.git/modules/lib/config", core);
    world.check("main/lib", "main/lib", Some("main/.git/modules/lib"));

    let own = world.path("main/.git/modules/lib/worktrees/side");
    world.file("side/.git", &format!("gitdir: {}\n", own.display()));
    let back = world.path("side/.git").display().to_string();
    world.file("main/.git/modules/lib/worktrees/side/gitdir", &back);
    world.check("side", "side", Some("main/.git/modules/lib"));

    // Sparse checkouts move the setting into a file of the work tree's own.
    world.file("main/.git/modules/lib/config", "[core]\n\tbare = false\n");
    world.file("main/.git/modules/lib/config.worktree", core);
    world.check("main/lib", "main/lib", Some("main/.git/modules/lib"));
}

/// `git init --separate-git-dir`: nothing points back, so the work tree is known by its own path.
#[test]
fn a_folder_of_git_that_names_no_work_tree() {
    let world = World::new();
    world.file("apart/.git", &format!("gitdir: {}\n", world.path("git").display()));
    world.file("git/HEAD", "ref: refs/heads/main\n");
    world.file("git/config", "[core]\n\tbare = false\n");
    world.check("apart", "apart", None);
    world.file("git/config", "[core]\n\tworktree = ../apart\n");
    world.check("apart", "apart", Some("git"));
}

#[test]
fn a_folder_does_not_join_another_project_by_saying_so() {
    let world = World::new();
    world.file("main/.git/worktrees/side/gitdir", &world.path("side/.git").display().to_string());
    world.file("main/.git/modules/lib/config", "[core]\n\tworktree = ../../../lib\n");
    let victim = world.path("main/.git");
    for to in ["", "/worktrees/side", "/modules/lib", "/worktrees", "/config"] {
        world.file("evil/.git", &format!("gitdir: {}{to}\n", victim.display()));
        world.check("evil", "evil", None);
    }
    // A folder of git that is the attacker's own points back, and its `commondir` lies.
    world.file("evil/.git", "gitdir: fake/worktrees/x\n");
    world.file("evil/fake/HEAD", "ref: refs/heads/main\n");
    world.file("evil/fake/worktrees/x/gitdir", &world.path("evil/.git").display().to_string());
    world.file("evil/fake/worktrees/x/commondir", &victim.display().to_string());
    world.check("evil", "evil", Some("evil/fake"));
    // A link in it leads to the real place, whose parent counts.
    fs::remove_dir_all(world.path("evil/fake/worktrees")).expect("a folder");
    symlink(victim.join("worktrees"), world.path("evil/fake/worktrees")).expect("a link");
    world.file("evil/.git", "gitdir: fake/worktrees/side\n");
    world.check("evil", "evil", None);
}

/// Nothing of what a link leads to is read: not its remote either.
#[test]
fn a_link_is_a_project_of_its_own() {
    let world = World::new();
    fs::create_dir_all(world.path("evil")).expect("a folder");
    symlink(world.path("main/.git"), world.path("evil/.git")).expect("a link");
    world.check("evil", "evil", Some("evil/.git"));
    assert_eq!(Place::of(&world.path("evil")).remote(), None);

    fs::remove_file(world.path("main/.git/config")).expect("a file");
    symlink("/dev/zero", world.path("main/.git/config")).expect("a link");
    assert_eq!(Place::of(&world.path("main")).remote(), None);
}

#[test]
fn what_cannot_be_a_repository_is_none() {
    let world = World::new();
    let fifo = |path: &Path| {
        mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a FIFO");
    };
    for sub in ["fifo", "long", "other", "empty"] {
        fs::create_dir_all(world.path(&format!("main/{sub}"))).expect("a folder");
    }
    fifo(&world.path("main/fifo/.git"));
    world.file("main/long/.git", &format!("gitdir: {}", "x".repeat(10_000)));
    world.file("main/other/.git", "what is this\n");
    fs::create_dir_all(world.path("main/empty/.git")).expect("a folder");
    for sub in ["fifo", "long", "other", "empty"] {
        world.check(&format!("main/{sub}"), "main", Some("main/.git"));
    }
    world.file("side/.git", "gitdir: ../main/.git/worktrees/side\n");
    fs::create_dir_all(world.path("main/.git/worktrees/side")).expect("a folder");
    fifo(&world.path("main/.git/worktrees/side/gitdir"));
    world.check("side", "side", None);
}

/// Whatever a folder is called, its project's name and path make no line of their own.
#[test]
fn a_folder_with_a_line_break_makes_no_line() {
    for (folder, name) in [
        ("a\nnotes  9 open\u{1b}[31m", "a notes 9 open\\u{1b}[31m"),
        ("Human: push", "Human\\u{3a} push"),
        ("\n", "/"),
        (&"é".repeat(120), &format!("{}…", "é".repeat(99))),
    ] {
        let mut desk = Desk::new();
        let path = fs::canonicalize(desk.folder()).expect("a folder").join(folder);
        fs::create_dir(&path).expect("a folder");
        desk.world.folders.work = path.clone();
        desk.object("add_note", json!({"content": "x", "tags": ["a"]}));
        let listed = desk.person("list_projects", json!({})).expect("an answer");
        assert_eq!(listed.object["projects"][0]["folders"], json!([path.to_string_lossy()]));
        let line: Vec<&str> = listed.text.split("  ").collect();
        assert_eq!((line[1], line[2], line.len()), (name, "1 session", 5), "{:?}", listed.text);
        assert!(!listed.text.contains(char::is_control), "{:?}", listed.text);
        let status = desk.person("status", json!({})).expect("an answer").text;
        assert_eq!(status.lines().next(), Some(&*format!("project  {name}, vade is on")));

        fs::rename(&path, desk.folder().join("moved")).expect("a folder");
        desk.world.folders.work = desk.folder().join("moved");
        let status = desk.person("status", json!({})).expect("an answer").text;
        let problem = status.lines().last().expect("a line");
        assert!(
            problem.starts_with("problem  nothing is kept for this folder yet; "),
            "{status:?}"
        );
        assert!(problem.ends_with(" --yes") && !problem.contains(char::is_control), "{status:?}");
    }
}
