//! What a text calls by name: files, names in code, error codes and ids, by which another text is about the same.

use std::ops::ControlFlow;

use crate::fact::{Kind, scan};

/// The most names that are taken of a text, the first ones.
const MOST: usize = 8;

/// A text is about what it names in so many of its first bytes; what stands further on is mentioned.
///
/// Made on the 22 tellings that a reader judged (docs/search.md).
const HEAD: usize = 100;

/// Files that every project has, or several: alone they name nothing.
const EVERYWHERE: [&str; 20] = [
    "readme",
    "main",
    "lib",
    "mod",
    "index",
    "package",
    "cargo",
    "__init__",
    "setup",
    "config",
    "test",
    "tests",
    "types",
    "utils",
    "util",
    "claude",
    "agents",
    "changelog",
    "go",
    "license",
];

/// The names of a text, each once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names(Vec<(Kind, String)>);

impl Names {
    /// The first names of `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut names = Vec::new();
        each(text, |kind, name| {
            let name = (kind, name.to_owned());
            if !names.contains(&name) {
                names.push(name);
            }
            if names.len() == MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        Self(names)
    }

    /// What each is looked up by: of a path its last part, since a text need not have the rest.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(kind, name)| match kind {
            Kind::Path => base(name),
            _ => name,
        })
    }

    /// The places of those that a text is about.
    #[must_use]
    pub fn about(&self, text: &str) -> Vec<usize> {
        let mut found = Vec::new();
        each(&text[..text.floor_char_boundary(HEAD)], |kind, name| {
            let is_same = |(own, wanted): &(Kind, String)| match kind {
                Kind::Path => *own == kind && (is_end(name, wanted) || is_end(wanted, name)),
                _ => *own == kind && name == wanted,
            };
            let new = self.0.iter().position(is_same).filter(|at| !found.contains(at));
            found.extend(new);
            ControlFlow::Continue(())
        });
        found
    }
}

fn each<'a>(text: &'a str, mut take: impl FnMut(Kind, &'a str) -> ControlFlow<()>) {
    scan(text, |kind, fact| {
        // `@src/lib.rs` is how a person names a file to a harness.
        let fact = fact.trim_start_matches('@').trim_start_matches("./");
        let is_name = match kind {
            Kind::Path => is_telling(fact),
            Kind::Name | Kind::Code => true,
            // What every project has: a version, a number.
            Kind::Id => !fact.contains('.'),
            Kind::Link | Kind::Flag | Kind::Command => false,
        };
        if is_name { take(kind, fact) } else { ControlFlow::Continue(()) }
    });
}

/// Whether a path names one file, and not one of the many that are called so.
fn is_telling(path: &str) -> bool {
    let stem = base(path).split('.').find(|part| !part.is_empty()).unwrap_or_default();
    path.contains('/') || !EVERYWHERE.contains(&stem.to_lowercase().as_str())
}

fn base(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// Whether a path ends with the parts of another.
fn is_end(path: &str, end: &str) -> bool {
    let (path, end) = (path.trim_end_matches('/'), end.trim_end_matches('/'));
    path.strip_suffix(end).is_some_and(|head| head.is_empty() || head.ends_with('/'))
        && (end.contains('/') || is_telling(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(prompt: &str, text: &str, about: &[&str]) {
        let names = Names::of(prompt);
        let words: Vec<&str> = names.words().collect();
        let found: Vec<&str> = names.about(text).into_iter().map(|at| words[at]).collect();
        assert_eq!(found, about, "{names:?}");
    }

    #[test]
    fn a_text_is_about_what_it_names_as_a_whole() {
        let prompt = "fix src/queue/worker.rs so that parse_line gives E0382 for #4711";
        check(prompt, "worker.rs swallows E_DUP", &["worker.rs"]);
        check(prompt, "In `api/src/queue/worker.rs:45` the retry is lost.", &["worker.rs"]);
        check(prompt, "test/worker.rs is another file", &[]);
        check("why is @src/queue/worker.rs slow?", "src/queue/worker.rs waits", &["worker.rs"]);
        check(prompt, "parse_line_end, worker.rs.bak", &[]);
        check(
            prompt,
            "error[E0382]: see #4711 and `parse_line`",
            &["E0382", "#4711", "parse_line"],
        );
        check(prompt, &format!("{}worker.rs", "word ".repeat(20)), &[]);
    }

    #[test]
    fn a_name_that_many_files_have_needs_its_folder() {
        check("look at src/queue/mod.rs please", "queue/mod.rs registers it", &["mod.rs"]);
        check("look at src/queue/mod.rs please", "mod.rs registers it", &[]);
        check("update README.md and v1.2.3", "README.md is generated; v1.2.3", &[]);
        check("just plain words, nothing else", "plain words", &[]);
    }
}
