//! The repository as the checks see it: its files and its crates, read once.

use std::cell::OnceCell;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::{needs, step};

/// Every file and crate that a check looks at.
pub(crate) struct Tree {
    pub(crate) files: Vec<File>,
    pub(crate) crates: Vec<Crate>,
}

/// A file that git tracks, or would track when added.
pub(crate) struct File {
    /// The path from the top folder, parted by `/`.
    pub(crate) path: String,
    /// The content; nothing when it is no UTF-8.
    pub(crate) text: Option<String>,
    syntax: OnceCell<Option<syn::File>>,
}

/// A crate of the workspace, as cargo knows it.
#[derive(Debug, Deserialize)]
pub(crate) struct Crate {
    pub(crate) name: String,
    pub(crate) manifest_path: String,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) targets: Vec<Target>,
}

/// One thing that cargo builds of a crate: a library, a program, a test binary, a build script.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Target {
    pub(crate) src_path: String,
}

/// One crate that a crate names in its manifest.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `dev`, `build`, or nothing for a normal one.
    pub(crate) kind: Option<String>,
    /// The folder of a crate of this workspace.
    pub(crate) path: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Crate>,
}

impl Tree {
    /// Reads the files from git and the crates from cargo.
    pub(crate) fn read() -> Result<Self> {
        needs::GIT.provide()?;
        let listed = step::output(step::command("git").args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "--deduplicate",
        ]))?;
        let mut files = Vec::new();
        for path in listed.split_terminator('\0') {
            files.extend(File::read(path)?);
        }
        Ok(Self { files, crates: crates()? })
    }

    /// The file at `path`, with its text.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|file| file.path == path)?.text.as_deref()
    }

    /// Every Rust file with its syntax; one that does not parse is left to the compiler.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&File, &syn::File)> {
        self.files.iter().filter_map(|file| Some((file, file.syntax()?)))
    }
}

impl File {
    pub(crate) fn new(path: &str, text: Option<String>) -> Self {
        Self { path: path.to_owned(), text, syntax: OnceCell::new() }
    }

    /// Reads one listed file; a link, a submodule or a file deleted from the folder is nothing.
    fn read(path: &str) -> Result<Option<Self>> {
        let place = step::root().join(path);
        if !place.symlink_metadata().is_ok_and(|data| data.is_file()) {
            return Ok(None);
        }
        let bytes = std::fs::read(&place).with_context(|| format!("cannot read {path}"))?;
        Ok(Some(Self::new(path, String::from_utf8(bytes).ok())))
    }

    /// The last part of the path.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Whether the file ends in `.extension`.
    pub(crate) fn is(&self, extension: &str) -> bool {
        self.name().rsplit_once('.').is_some_and(|(_, found)| found == extension)
    }

    /// Whether the whole file is test code.
    pub(crate) fn is_test(&self) -> bool {
        self.path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "benches"))
    }

    fn syntax(&self) -> Option<&syn::File> {
        let parse = || self.is("rs").then(|| syn::parse_file(self.text.as_deref()?).ok())?;
        self.syntax.get_or_init(parse).as_ref()
    }
}

impl Crate {
    /// The manifest's path from the top folder.
    pub(crate) fn manifest(&self) -> &str {
        from_top(&self.manifest_path)
    }

    /// Whether it serves the repository and is no part of the product.
    pub(crate) fn is_a_task(&self) -> bool {
        self.manifest().starts_with("xtask/")
    }
}

impl Target {
    /// The path of its first file from the top folder.
    pub(crate) fn source(&self) -> &str {
        from_top(&self.src_path)
    }
}

impl Dependency {
    /// Whether only tests and benchmarks see it.
    pub(crate) fn is_for_tests(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }

    /// The first line of the manifest of `krate` that names it, else 1.
    pub(crate) fn line(&self, tree: &Tree, krate: &Crate) -> usize {
        let manifest = tree.text(krate.manifest()).unwrap_or("");
        let names_it = |line: &str| {
            let rest = line.trim_start().strip_prefix(self.name.as_str());
            rest.is_some_and(|rest| rest.trim_start().starts_with(['.', '=']))
        };
        manifest.lines().position(names_it).map_or(1, |idx| idx + 1)
    }
}

/// The folder that holds the file at `path`; nothing for the top folder.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The path from the top folder that `target` means in `folder`.
pub(crate) fn resolve(folder: &str, target: &str) -> String {
    let mut parts = Vec::new();
    for part in folder.split('/').chain(target.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The path from the top folder of what cargo names by its whole path.
fn from_top(path: &str) -> &str {
    let top = step::root();
    let top = top.to_str().unwrap_or_default();
    path.strip_prefix(top).unwrap_or(path).trim_start_matches('/')
}

fn crates() -> Result<Vec<Crate>> {
    let said = step::output(step::cargo().args(["metadata", "--format-version=1", "--no-deps"]))?;
    let metadata: Metadata = serde_json::from_str(&said).context("cargo metadata")?;
    Ok(metadata.packages)
}

#[cfg(test)]
impl Tree {
    /// A tree of these files alone.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let files =
            files.iter().map(|(path, text)| File::new(path, Some((*text).to_owned()))).collect();
        Self { files, crates: Vec::new() }
    }
}

/// A crate of `crates/` that names `dependencies`, each with its kind.
#[cfg(test)]
pub(crate) fn krate(name: &str, dependencies: &[(&str, Option<&str>)]) -> Crate {
    let dependency = |&(name, kind): &(&str, Option<&str>)| Dependency {
        name: name.to_owned(),
        kind: kind.map(str::to_owned),
        path: None,
    };
    Crate {
        name: name.to_owned(),
        manifest_path: format!("crates/{name}/Cargo.toml"),
        dependencies: dependencies.iter().map(dependency).collect(),
        targets: Vec::new(),
    }
}
