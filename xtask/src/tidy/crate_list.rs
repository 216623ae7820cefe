//! ARCHITECTURE.md lists the crates that `crates/` holds, those of `xtask/`, and no others.

use super::crates_table::{self, PAGE};
use super::finding::Finding;
use crate::tree::Tree;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let rows = crates_table::rows(tree);
    let folders = folders(tree);
    let mut found = Vec::new();
    let is_task = |name: &str| tree.crates.iter().any(|it| it.name == name && it.is_a_task());
    for row in
        rows.iter().filter(|row| !is_task(&row.name) && !folders.contains(&row.name.as_str()))
    {
        let what = format!("a row for {}", row.name);
        found.push(Finding::new(PAGE, row.line, what, "a row for each folder of crates/"));
    }
    for folder in folders.iter().filter(|&&folder| rows.iter().all(|row| row.name != folder)) {
        let what = format!("no row for crates/{folder}");
        found.push(Finding::new(PAGE, 1, what, "a row for each folder of crates/"));
    }
    found
}

/// The folders of `crates/`, each once.
fn folders(tree: &Tree) -> Vec<&str> {
    let inside = tree.files.iter().filter_map(|file| file.path.strip_prefix("crates/"));
    let mut folders: Vec<&str> = inside.filter_map(|path| Some(path.split_once('/')?.0)).collect();
    folders.sort_unstable();
    folders.dedup();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;
    use crate::tree::krate;

    #[test]
    fn finds_a_crate_without_a_row_and_a_row_without_a_crate() {
        let mut tree = Tree::of(&[
            (
                PAGE,
                "# The house\n## Crates\n| `core` | a | |\n| `gone` | b | |\n| `xtask` | c | |\n",
            ),
            ("crates/core/Cargo.toml", ""),
            ("crates/core/src/lib.rs", ""),
            ("crates/new/src/lib.rs", ""),
        ]);
        tree.crates = vec![krate("xtask", &[])];
        tree.crates[0].manifest_path = "xtask/Cargo.toml".to_owned();
        expect(
            check,
            &tree,
            &["ARCHITECTURE.md:4: a row for gone", "ARCHITECTURE.md:1: no row for crates/new"],
        );
    }
}
