//! Many processes add entries to one plan, from two work trees and by `>>`, all at once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use vademecum_core::entry::Category;
use vademecum_core::mirror;

use super::client::Server;
use super::home::Home;
use super::{Extent, Given};

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000004";

/// How many processes, half of them in each work tree.
const N_SERVERS: usize = 8;

/// How many shells, half of them in each work tree.
const N_SHELLS: usize = 4;

/// Lets all of them write, and looks for every entry in the store and in both files.
pub(super) fn run(given: &Given) -> Result<String> {
    let n_each = match given.extent {
        Extent::Quick => 50,
        Extent::Full => 200,
    };
    let home = Home::new(&given.vade)?;
    let trees = trees(&home)?;
    for tree in &trees {
        ensure!(home.cli_in(SESSION, &["plan", "init", "a"], tree)?.1 == Some(0), "no plan");
    }
    let begin = Instant::now();
    write_all(&home, &trees, n_each)?;
    let seconds = begin.elapsed().as_secs_f64();
    let n_expected = (N_SERVERS + N_SHELLS) * n_each;
    check(&home, &trees, n_expected)?;
    let rate = f64::from(u32::try_from(n_expected)?) / seconds;
    Ok(format!(
        "{N_SERVERS} servers and {N_SHELLS} shells × {n_each} entries in 2 work trees: {n_expected} kept, \
         0 lost, 0 twice, both files whole, {rate:.0} a second"
    ))
}

/// A repository with two work trees, as git lays them out.
fn trees(home: &Home) -> Result<[PathBuf; 2]> {
    let (main, side) = (home.path("project"), home.path("side"));
    let own = main.join(".git/worktrees/side");
    fs::create_dir_all(&own)?;
    fs::create_dir_all(&side)?;
    fs::write(main.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    fs::write(own.join("commondir"), "../..\n")?;
    // Git points back, and only then is it believed that both are one repository.
    fs::write(own.join("gitdir"), format!("{}\n", side.join(".git").display()))?;
    fs::write(side.join(".git"), format!("gitdir: {}\n", own.display()))?;
    Ok([main, side])
}

pub(super) fn file(tree: &Path) -> PathBuf {
    tree.join(".planning/notepads/a/learnings.md")
}

fn write_all(home: &Home, trees: &[PathBuf; 2], n_each: usize) -> Result<()> {
    let servers: Vec<Server> = (0..N_SERVERS)
        .map(|writer| home.serve_in(SESSION, &trees[writer % 2]))
        .collect::<Result<_>>()?;
    thread::scope(|scope| {
        let mut writers = Vec::new();
        for (writer, mut server) in servers.into_iter().enumerate() {
            writers.push(scope.spawn(move || -> Result<()> {
                let server = &mut server;
                for n in 0..n_each {
                    let entry =
                        json!({"content": format!("server {writer} entry {n}"), "plan": "a"});
                    let answer = server.wire.object("add_learning", &entry)?;
                    ensure!(answer.get("problems").is_none(), "{answer}");
                }
                Ok(())
            }));
        }
        for shell in 0..N_SHELLS {
            let file = file(&trees[shell % 2]);
            writers.push(scope.spawn(move || append(shell, n_each, &file)));
        }
        writers.into_iter().try_for_each(|writer| writer.join().expect("a writer does not panic"))
    })
}

/// One shell that appends entries one after the other; all in the same second by their headers.
pub(super) fn append(shell: usize, n_each: usize, file: &Path) -> Result<()> {
    let script = format!(
        "n=0; while [ $n -lt {n_each} ]; do \
         printf '\\n## 2026-01-27T14:30:00Z | Task: %s\\n\\nshell {shell} entry %s\\n\\n---\\n' {shell} $n >> \"$1\"; \
         n=$((n+1)); done"
    );
    let done = Command::new("sh").args(["-c", &script, "sh"]).arg(file).status()?;
    ensure!(done.success(), "the shell ended with {done}");
    Ok(())
}

/// Every entry is in the store once and in each file once.
fn check(home: &Home, trees: &[PathBuf; 2], n_expected: usize) -> Result<()> {
    // The last words of one work tree reach the other when something is added there.
    for (n, tree) in [&trees[0], &trees[1], &trees[0]].into_iter().enumerate() {
        let content = format!("last words {n}");
        ensure!(
            home.cli_in(SESSION, &["learning", "add", &content, "--plan", "a"], tree)?.1 == Some(0)
        );
    }
    let (checked, _) = home.cli_in(SESSION, &["plan", "check"], &trees[1])?;
    ensure!(checked["problems"] == json!([]), "{checked}");
    let words = ["plan", "show", "a", "--limit", "0", "--all"];
    let (shown, _) = home.cli(SESSION, &words)?;
    once(shown["entries"].as_array().into_iter().flatten().filter_map(content), n_expected + 3)
        .context("in the store")?;
    let superseded = shown["entries"].as_array().into_iter().flatten();
    let superseded = superseded.filter(|entry| entry.get("supersedes").is_some()).count();
    ensure!(superseded == 0, "{superseded} entries correct others");
    for (tree, n_last) in trees.iter().zip([3, 2]) {
        let text = fs::read_to_string(file(tree))?;
        let found = mirror::parse(Category::Learning, &text);
        let said = found.iter().filter_map(|found| found.said.as_ref().ok());
        once(said.map(|said| said.content.as_str().to_owned()), n_expected + n_last)
            .with_context(|| format!("in {}", tree.display()))?;
    }
    home.check_sound()
}

pub(super) fn content(entry: &Value) -> Option<String> {
    Some(entry["content"].as_str()?.to_owned())
}

pub(super) fn once(contents: impl Iterator<Item = String>, n_expected: usize) -> Result<()> {
    let mut counts = BTreeMap::<String, usize>::new();
    for content in contents {
        *counts.entry(content).or_default() += 1;
    }
    let twice: Vec<&String> =
        counts.iter().filter(|(_, n)| 1 < **n).map(|(content, _)| content).take(5).collect();
    ensure!(twice.is_empty(), "more than once: {twice:?}");
    ensure!(counts.len() == n_expected, "{} of {n_expected}", counts.len());
    Ok(())
}
