//! Holds the tree to the rules of STYLE.md that a machine can hold: one file per rule.

mod code_words;
mod crate_edges;
mod crate_list;
mod crates_table;
mod file_length;
mod file_names;
mod final_newline;
mod finding;
mod first_line;
mod function_length;
mod generated;
mod glossary;
mod links;
mod machine_paths;
mod mod_lines;
mod one_door;
mod outside_crates;
pub(crate) mod pictures;
mod promises;
mod test_code;
mod unfinished;

use anyhow::{Result, bail};

use crate::tree::Tree;
use finding::Finding;

/// One rule, by the name that its findings end with.
struct Rule {
    name: &'static str,
    check: fn(&Tree) -> Vec<Finding>,
}

const RULES: &[Rule] = &[
    Rule { name: "code-words", check: code_words::check },
    Rule { name: "crate-edges", check: crate_edges::check },
    Rule { name: "crate-list", check: crate_list::check },
    Rule { name: "file-length", check: file_length::check },
    Rule { name: "file-names", check: file_names::check },
    Rule { name: "final-newline", check: final_newline::check },
    Rule { name: "first-line", check: first_line::check },
    Rule { name: "function-length", check: function_length::check },
    Rule { name: "generated", check: generated::check },
    Rule { name: "glossary", check: glossary::check },
    Rule { name: "links", check: links::check },
    Rule { name: "machine-paths", check: machine_paths::check },
    Rule { name: "mod-lines", check: mod_lines::check },
    Rule { name: "one-door", check: one_door::check },
    Rule { name: "outside-crates", check: outside_crates::check },
    Rule { name: "pictures", check: pictures::check },
    Rule { name: "promises", check: promises::check },
    Rule { name: "unfinished", check: unfinished::check },
];

/// Checks every rule and fails when one is broken.
pub(crate) fn run(_: &[String]) -> Result<()> {
    let tree = Tree::read()?;
    let mut n_broken = 0;
    for rule in RULES {
        for finding in (rule.check)(&tree) {
            eprintln!("{finding} [{}]", rule.name);
            n_broken += 1;
        }
    }
    if n_broken > 0 {
        bail!("{n_broken} found in {} files, {} rules", tree.files.len(), RULES.len());
    }
    eprintln!("tidy: {} files, {} rules, nothing found", tree.files.len(), RULES.len());
    Ok(())
}
