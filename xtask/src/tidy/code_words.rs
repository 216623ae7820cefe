//! What ARCHITECTURE.md names in code is there: files, types, functions, tables and columns.

use std::collections::HashSet;

use super::crates_table::quoted;
use super::finding::Finding;
use crate::tree::Tree;

const PAGE: &str = "ARCHITECTURE.md";

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let code = Code::of(tree);
    let page = tree.text(PAGE).unwrap_or("");
    let words = page
        .lines()
        .zip(1..)
        .flat_map(|(text, line)| quoted(text).into_iter().map(move |word| (word, line)));
    let missing = words.filter_map(|(word, line)| Some((code.missing(&word)?, line)));
    missing
        .map(|(name, line)| {
            let found = format!("no code is called {name}");
            Finding::new(PAGE, line, found, "names of this tree")
        })
        .collect()
}

/// What can be named: paths, and every word of the code.
struct Code<'a> {
    paths: Vec<&'a str>,
    words: HashSet<&'a str>,
    functions: HashSet<&'a str>,
}

impl<'a> Code<'a> {
    fn of(tree: &'a Tree) -> Self {
        let mut code = Self {
            paths: tree.files.iter().map(|file| file.path.as_str()).collect(),
            words: HashSet::new(),
            functions: HashSet::new(),
        };
        let is_code = |path: &str| !path.starts_with("xtask/src/tidy/");
        for file in tree.files.iter().filter(|file| is_code(&file.path)) {
            let text = file.text.as_deref().unwrap_or("");
            if file.is("rs") || file.is("sql") {
                let mut last = "";
                for word in text.split(|c: char| !is_of_a_name(c)) {
                    if last == "fn" || file.is("sql") {
                        code.functions.insert(word);
                    }
                    code.words.insert(word);
                    last = word;
                }
            }
        }
        code
    }

    /// The name in `word` that the tree does not have; a word that names no code lacks nothing.
    fn missing(&self, word: &str) -> Option<String> {
        if word.starts_with("vademecum") && word.contains('/') {
            let is_there = |path: &&str| {
                let path = path.strip_prefix("crates/").unwrap_or(path);
                let rest = path.strip_prefix(word);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
            };
            return (!self.paths.iter().any(is_there)).then(|| word.to_owned());
        }
        let (name, arguments) = word.split_once('(').unwrap_or((word, ""));
        let parts: Vec<&str> = name.split("::").collect();
        if !parts.iter().all(|part| !part.is_empty() && part.chars().all(is_of_a_name)) {
            return None;
        }
        let is_called = word.ends_with(')');
        let called = parts.iter().rev().take(usize::from(is_called));
        let unknown = called.filter(|name| !self.functions.contains(**name)).copied().next();
        let arguments = arguments.trim_end_matches(')').split(", ");
        let mut named = parts.into_iter().chain(arguments).filter(|name| is_a_name(name));
        unknown.or_else(|| named.find(|name| !self.words.contains(name))).map(str::to_owned)
    }
}

fn is_of_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether `word` can only be a name in our code: `n_notes`, `Store`; constants are mostly others'.
fn is_a_name(word: &str) -> bool {
    let is_name = word.chars().all(is_of_a_name) && word.len() > 2;
    let is_constant = !word.contains(|c: char| c.is_ascii_lowercase());
    let has_capital = word.starts_with(|c: char| c.is_ascii_uppercase());
    is_name && !is_constant && (has_capital || word.trim_matches('_').contains('_'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    #[test]
    fn finds_names_that_code_does_not_have() {
        let page = "`Store` `Store::maintain(task)` `read(look)` `vademecum-a/src/b` `n_notes`\n\
                    `vade plan check` `''` `BEGIN IMMEDIATE` `git` `note(row, gone_at)` `O_APPEND`\n\
                    `vademecum-a/src/c.rs` `Gone::there`\n";
        let code = "struct Store; fn read(look: u8) { n_notes() }";
        let tree = Tree::of(&[
            (PAGE, page),
            ("crates/vademecum-a/src/b.rs", code),
            ("a.sql", "create table note (row)"),
        ]);
        expect(
            check,
            &tree,
            &[
                "ARCHITECTURE.md:1: no code is called maintain",
                "ARCHITECTURE.md:2: no code is called gone_at",
                "ARCHITECTURE.md:3: no code is called vademecum-a/src/c.rs",
                "ARCHITECTURE.md:3: no code is called Gone",
            ],
        );
    }
}
