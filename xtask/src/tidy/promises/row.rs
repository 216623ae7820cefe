//! One row of the page of promises: what is said, and what proves it.

use crate::tree::Tree;

/// A part of a sentence, and the tests that play it or why it promises nothing.
pub(super) struct Row {
    pub(super) sentence: String,
    pub(super) proof: Proof,
    pub(super) line: usize,
}

impl Row {
    /// Whether it is about `said`: a part of it, or the whole where that is a word or two.
    pub(super) fn is_of(&self, said: &str) -> bool {
        let is_short = self.sentence.split(' ').count() < 3;
        if is_short { said == self.sentence } else { said.contains(&self.sentence) }
    }
}

pub(super) enum Proof {
    /// Each as `crate module::name`, `e2e SCENARIO` or `torture SCENARIO`.
    Tests(Vec<String>),
    Reason(String),
}

/// The rows of every table of the page, heads and rulers passed over.
pub(super) fn rows(page: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for (line, n_line) in page.lines().zip(1..) {
        let Some(cells) = line.trim().strip_prefix('|').and_then(|it| it.strip_suffix('|')) else {
            continue;
        };
        let Some((sentence, proof)) = cells.split_once('|') else { continue };
        let (sentence, proof) = (plain(sentence), proof.trim());
        if matches!(sentence.as_str(), "said" | "") || sentence.starts_with("---") {
            continue;
        }
        let tests = || proof.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        let is_tests = proof.starts_with('`');
        let proof = if is_tests { Proof::Tests(tests()) } else { Proof::Reason(proof.to_owned()) };
        rows.push(Row { sentence, proof, line: n_line });
    }
    rows
}

/// `text` without marks of Markdown, its white space made single.
pub(super) fn plain(text: &str) -> String {
    let text = text.replace(['`', '*'], "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the tree has `test`, named as in [`Proof::Tests`].
pub(super) fn exists(tree: &Tree, test: &str) -> bool {
    let Some((place, name)) = test.split_once(' ') else { return false };
    if let "e2e" | "torture" = place {
        let folder = format!("xtask/src/{place}");
        return holds(tree, &folder, &[], &format!("\"{name}\""));
    }
    let folder = match place {
        "vademecum" => "crates/vademecum/".to_owned(),
        "xtask" => "xtask/".to_owned(),
        short => format!("crates/vademecum-{short}/"),
    };
    let mut parts: Vec<&str> = name.split("::").collect();
    let name = parts.pop().unwrap_or_default();
    parts.retain(|part| *part != "tests");
    holds(tree, &folder, &parts, &format!("fn {name}("))
}

/// Whether a file under `folder`, with `parts` in its path, holds `text`.
fn holds(tree: &Tree, folder: &str, parts: &[&str], text: &str) -> bool {
    let is_it = |path: &str| {
        let names: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
        path.starts_with(folder) && parts.iter().all(|part| names.contains(part))
    };
    let mut files = tree.files.iter().filter(|file| file.is("rs") && is_it(&file.path));
    files.any(|file| file.text.as_deref().is_some_and(|it| it.contains(text)))
}
