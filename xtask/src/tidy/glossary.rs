//! One thing has one word: names avoid the words that docs/GLOSSARY.md puts under "never".

mod definitions;

use super::crates_table::quoted;
use super::finding::Finding;
use crate::tree::{File, Tree};

const PAGE: &str = "docs/GLOSSARY.md";

/// A word of the glossary and one that must not be used for it.
struct Ban {
    word: String,
    never: Vec<String>,
}

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let bans = bans(tree.text(PAGE).unwrap_or(""));
    let mut found = Vec::new();
    for (file, syntax) in tree.rust().filter(|(file, _)| !file.is_test()) {
        let names = definitions::names(syntax, !speaks_for_others(file));
        found.extend(names.iter().filter_map(|(name, line)| fault(&bans, file, name, *line)));
    }
    for file in &tree.files {
        let words = if file.is("sql") { sql_words } else { headings };
        if file.is("sql") || file.is("md") {
            let words = words(file.text.as_deref().unwrap_or(""));
            found.extend(words.iter().filter_map(|(name, line)| fault(&bans, file, name, *line)));
        }
    }
    found
}

/// The harness crate spells fields and variants as the programs do that it understands.
fn speaks_for_others(file: &File) -> bool {
    file.path.starts_with("crates/vademecum-harness/")
}

fn fault(bans: &[Ban], file: &File, name: &str, line: usize) -> Option<Finding> {
    let words = split(name);
    let ban = bans.iter().find(|ban| occurs(&ban.never, &words))?;
    let found = format!("\"{}\" in \"{}\"", ban.never.join(" "), name.trim());
    Some(Finding::new(&file.path, line, found, format!("{} ({PAGE})", ban.word)))
}

/// Whether `never` stands in `words` in a row, in the singular or the plural.
fn occurs(never: &[String], words: &[String]) -> bool {
    let same = |word: &String, never: &String| {
        word == never || word.strip_suffix('s').is_some_and(|singular| singular == never)
    };
    words.windows(never.len()).any(|row| row.iter().zip(never).all(|(a, b)| same(a, b)))
}

/// The bans of the glossary's table: first cell the word, last cell what is never said for it.
fn bans(page: &str) -> Vec<Ban> {
    let rows = page.lines().filter_map(|line| line.trim().strip_prefix('|')?.strip_suffix('|'));
    let cells = rows.map(|row| row.split('|').collect::<Vec<_>>()).filter(|cells| cells.len() == 3);
    let mut bans = Vec::new();
    for cells in cells {
        let word = cells[0].trim();
        let never = quoted(cells[2]);
        bans.extend(never.iter().map(|it| Ban { word: word.to_owned(), never: split(it) }));
    }
    bans
}

/// The words of a name or a sentence in lower case: `RefundKey`, `refund_key` and `Refund key`
/// are the same two.
fn split(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
        if c.is_alphanumeric() {
            words.last_mut().expect("it starts with one").extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The headings of a Markdown page with their lines; code blocks are passed over.
fn headings(text: &str) -> Vec<(String, usize)> {
    let mut in_code = false;
    let mut found = Vec::new();
    for (line, n_line) in text.lines().zip(1..) {
        in_code ^= line.trim_start().starts_with("```");
        if !in_code && line.starts_with('#') {
            found.push((line.trim_start_matches('#').to_owned(), n_line));
        }
    }
    found
}

/// The names of an SQL file with their lines; comments and quoted texts are passed over.
fn sql_words(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (line, n_line) in text.lines().zip(1..) {
        let code = line.split("--").next().unwrap_or("");
        let code: String = code.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
        let names = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        found.extend(names.filter(|name| !name.is_empty()).map(|name| (name.to_owned(), n_line)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    const GLOSSARY: &str = "| word | meaning | never |\n|---|---|---|\n\
                            | engine | keeps what is kept | `backend`, `data store` |\n\
                            | note | one fact | |\n";

    #[test]
    fn finds_other_words_in_definitions() {
        let text = "//! A backend in words is fine.\n\
                    struct SqlBackend { data_stores: u8 }\n\
                    fn a(backend: u8) { let note = other::backend(); }\n\
                    enum Kind { DataStore }\n\
                    #[cfg(test)]\nmod tests { fn backend() {} }\n";
        let files = [(PAGE, GLOSSARY), ("a.rs", text), ("crates/vademecum-harness/src/b.rs", text)];
        expect(
            check,
            &Tree::of(&files),
            &[
                "a.rs:2: \"backend\" in \"SqlBackend\"",
                "a.rs:2: \"data store\" in \"data_stores\"",
                "a.rs:3: \"backend\" in \"backend\"",
                "a.rs:4: \"data store\" in \"DataStore\"",
                "crates/vademecum-harness/src/b.rs:2: \"backend\" in \"SqlBackend\"",
                "crates/vademecum-harness/src/b.rs:3: \"backend\" in \"backend\"",
            ],
        );
    }

    #[test]
    fn finds_other_words_in_sql_and_headings() {
        let sql = "-- the backend\ncreate table backend (note text default 'backend');\n";
        let page = "# Backends\nA backend.\n```\n# backend\n```\n## The data store\n";
        expect(
            check,
            &Tree::of(&[(PAGE, GLOSSARY), ("a.sql", sql), ("b.md", page)]),
            &[
                "a.sql:2: \"backend\" in \"backend\"",
                "b.md:1: \"backend\" in \"Backends\"",
                "b.md:6: \"data store\" in \"The data store\"",
            ],
        );
    }
}
