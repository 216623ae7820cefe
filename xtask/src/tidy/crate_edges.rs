//! A crate names only the crates below it, as the table in ARCHITECTURE.md says.

use super::crates_table::{self, PAGE, Row};
use super::finding::Finding;
use crate::tree::{Crate, Dependency, Tree};

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let rows = crates_table::rows(tree);
    let mut found = Vec::new();
    for krate in &tree.crates {
        let Some(row) = rows.iter().find(|row| row.name == krate.name) else {
            let what = format!("a crate {} that {PAGE} does not list", krate.name);
            found.push(Finding::new(krate.manifest(), 1, what, "a row below ## Crates"));
            continue;
        };
        let inside = krate.dependencies.iter().filter(|it| it.path.is_some());
        let wrong = inside.filter(|it| !row.allows(&it.name, it.is_for_tests()));
        found.extend(wrong.map(|edge| fault(tree, krate, edge, row)));
    }
    found
}

fn fault(tree: &Tree, krate: &Crate, edge: &Dependency, row: &Row) -> Finding {
    let in_tests = if edge.is_for_tests() { " in tests" } else { "" };
    let mut allowed = row.depends_on.clone();
    allowed.extend(row.in_tests.iter().filter(|_| edge.is_for_tests()).cloned());
    let allowed =
        if allowed.is_empty() { "no crate of ours".to_owned() } else { allowed.join(", ") };
    let found = format!("{} uses {}{in_tests}", krate.name, edge.name);
    Finding::new(krate.manifest(), edge.line(tree, krate), found, allowed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;
    use crate::tree::krate;

    const PAGE_TEXT: &str = "## Crates\n| `core` | a | | |\n| `store` | b | `core` | |\n\
                             | `ops` | c | `core`, `store` | `sqlite` |\n| `xtask` | d | `any` | |\n";

    #[test]
    fn finds_an_edge_against_the_direction() {
        let mut tree = Tree::of(&[
            (PAGE, PAGE_TEXT),
            ("crates/core/Cargo.toml", "[package]\n\n[dependencies]\nstore.workspace = true\n"),
        ]);
        tree.crates = vec![
            krate("core", &[("store", None), ("serde", None)]),
            krate("ops", &[("store", None), ("sqlite", Some("dev"))]),
            krate("store", &[("core", None), ("sqlite", Some("dev"))]),
            krate("xtask", &[("ops", None)]),
            krate("stray", &[]),
        ];
        for edge in tree.crates.iter_mut().flat_map(|krate| &mut krate.dependencies) {
            edge.path = (edge.name != "serde").then(|| format!("crates/{}", edge.name));
        }
        expect(
            check,
            &tree,
            &[
                "crates/core/Cargo.toml:4: core uses store",
                "crates/store/Cargo.toml:1: store uses sqlite in tests",
                "crates/stray/Cargo.toml:1: a crate stray that ARCHITECTURE.md does not list",
            ],
        );
    }

    #[test]
    fn an_engine_for_tests_is_not_one_for_use() {
        let mut tree = Tree::of(&[(PAGE, PAGE_TEXT)]);
        tree.crates = vec![krate("ops", &[("sqlite", None)])];
        tree.crates[0].dependencies[0].path = Some("crates/sqlite".to_owned());
        expect(check, &tree, &["crates/ops/Cargo.toml:1: ops uses sqlite"]);
    }
}
