//! No file names a place that exists on one machine only.

use super::finding::Finding;
use crate::tree::Tree;

/// Homes that stand for any home, in documents and tests.
const FICTITIOUS: &[&str] = &["dev"];

/// How such a place begins; `true` where the next part is a person's name.
const BEGINNINGS: &[(&str, bool)] = &[
    ("/home/", true),
    ("/Users/", true),
    (concat!("\\Us", "ers\\"), true),
    (concat!("/ro", "ot/"), false),
    (concat!("/wo", "rk/"), false),
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in &tree.files {
        let lines = file.text.as_deref().unwrap_or("").lines().zip(1..);
        found.extend(lines.filter_map(|(text, line)| {
            let place = first_place(text)?;
            let allowed = "a path from the top folder, or below /home/dev/";
            Some(Finding::new(&file.path, line, place, allowed))
        }));
    }
    found
}

fn first_place(text: &str) -> Option<String> {
    let all = BEGINNINGS.iter().flat_map(|&(beginning, has_name)| {
        text.match_indices(beginning).filter_map(move |(at, _)| {
            let name = name(&text[at + beginning.len()..]);
            let is_real = !has_name || !(name.is_empty() || FICTITIOUS.contains(&name));
            (is_real && starts_a_path(&text[..at])).then(|| format!("{beginning}{name}"))
        })
    });
    all.min()
}

fn name(rest: &str) -> &str {
    let is_in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    rest.split(|c| !is_in_name(c)).next().unwrap_or("")
}

/// Whether what follows `before` is the start of a path, and not the middle of a longer one.
fn starts_a_path(before: &str) -> bool {
    let last = before.chars().next_back();
    !last.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '~' | '}' | '>'))
        || before.ends_with("file://")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::expect;

    #[test]
    fn finds_places_of_one_machine() {
        let (home, super_user) = (["/ho", "me"].concat(), ["/ro", "ot"].concat());
        let text = format!(
            "see {home}/ada/notes\n{home}/dev/notes and {home}/<user>/ are fine\n\
             (\"{super_user}/.cargo\")\nhttps://example.org{home}/ada\n$HOME/work/x ~/work/y\n\
             C:\\Users\\Ada\\x\n"
        );
        let machine = "\\Users\\".to_owned() + "Ada";
        let tree = Tree::of(&[("a.md", &text)]);
        let wanted = [
            format!("a.md:1: {home}/ada"),
            format!("a.md:3: {super_user}/"),
            format!("a.md:6: {machine}"),
        ];
        expect(check, &tree, &wanted.each_ref().map(String::as_str));
    }
}
