//! The guide: every command that it shows runs, page by page, each in a home of its own.

use std::fs;
use std::path::{Path, PathBuf};

use crate::home::{Home, VADE};

const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../guide/src");

fn pages() -> Vec<PathBuf> {
    let files = fs::read_dir(PAGES).expect("the guide").map(|entry| entry.expect("a page").path());
    let mut pages: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    pages.sort();
    pages
}

/// The commands of a page: `$ ` begins one, what follows up to the next belongs to it.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    blocks
        .flat_map(|block| block.strip_prefix("$ ").unwrap_or(block).split("\n$ "))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_of_the_guide_runs() {
    let mut n_run = 0;
    for page in pages() {
        let home = Home::new();
        let bin = Path::new(VADE).parent().expect("a folder");
        for line in commands(&fs::read_to_string(&page).expect("a page")) {
            let mut shell = home.command(Path::new("/bin/sh"));
            shell.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
            let said = home.said(&shell.args(["-c", &line]).output().expect("a shell"));
            assert_eq!(said.code, Some(0), "{}: {line}\n{said:?}", page.display());
            n_run += 1;
        }
    }
    assert!(25 < n_run, "{n_run} commands");
}

#[test]
fn the_table_of_contents_names_every_page() {
    let summary = fs::read_to_string(Path::new(PAGES).join("SUMMARY.md")).expect("a summary");
    let names = pages()
        .into_iter()
        .map(|page| page.file_name().expect("a name").to_string_lossy().into_owned());
    let missing: Vec<_> = names
        .filter(|name| name != "SUMMARY.md" && !summary.contains(&format!("({name})")))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}
