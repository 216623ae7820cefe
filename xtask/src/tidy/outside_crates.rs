//! Only engines see a database driver, and only the binary sees a parser, a server or a runtime.

use super::finding::Finding;
use crate::tree::Tree;

/// Crates from outside, and the only crates of ours that may name them. What lies in `xtask/` may use anything.
const OWNERS: &[(&[&str], &[&str])] = &[
    (&["rusqlite", "libsqlite3-sys"], &["vademecum-sqlite"]),
    (&["tokio-postgres", "deadpool-postgres", "postgres"], &["vademecum-postgres"]),
    (&["axum", "tower-http", "hyper", "rmcp"], &["vademecum-cli"]),
    (&["clap", "clap_complete", "clap_mangen"], &["vademecum-cli"]),
    (&["ratatui", "crossterm"], &["vademecum-cli"]),
    (&["rquickjs", "rquickjs-core", "seccompiler"], &["vademecum-sandbox"]),
    (&["anyhow"], &["vademecum-cli"]),
    // The runtime of the PostgreSQL engine lives on a thread of its own, behind a channel.
    (&["tokio"], &["vademecum-cli", "vademecum-postgres"]),
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for krate in tree.crates.iter().filter(|krate| !krate.is_a_task()) {
        for edge in &krate.dependencies {
            let owners = OWNERS.iter().find(|(names, _)| names.contains(&edge.name.as_str()));
            let Some((_, owners)) = owners else { continue };
            if !owners.contains(&krate.name.as_str()) {
                let what = format!("{} uses {}", krate.name, edge.name);
                let line = edge.line(tree, krate);
                let allowed = format!("{} only in {}", edge.name, owners.join(", "));
                found.push(Finding::new(krate.manifest(), line, what, allowed));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;
    use crate::tree::krate;

    #[test]
    fn finds_a_driver_outside_the_engines() {
        let manifest = "[dependencies]\nserde.workspace = true\nrusqlite = \"1\"\n";
        let mut tree = Tree::of(&[("crates/vademecum-ops/Cargo.toml", manifest)]);
        tree.crates = vec![
            krate("vademecum-ops", &[("rusqlite", None), ("serde", None)]),
            krate("vademecum-sqlite", &[("rusqlite", None), ("tokio", Some("dev"))]),
            krate("vademecum-cli", &[("clap", None), ("tokio", None)]),
            krate("xtask", &[("rusqlite", None)]),
        ];
        tree.crates[3].manifest_path = "xtask/Cargo.toml".to_owned();
        expect(
            check,
            &tree,
            &[
                "crates/vademecum-ops/Cargo.toml:3: vademecum-ops uses rusqlite",
                "crates/vademecum-sqlite/Cargo.toml:1: vademecum-sqlite uses tokio",
            ],
        );
    }
}
