//! The facts of a text as text, to compare by.

use std::collections::HashSet;
use std::ops::ControlFlow;

use vademecum_recap::fact;
use vademecum_recap::fact::Kind;

/// A fact as text, its path short.
pub(crate) type Fact = (Kind, String);

/// The facts of a text.
pub(crate) fn facts(text: &str, roots: &[String]) -> HashSet<Fact> {
    let mut found = HashSet::new();
    fact::scan(text, |kind, fact| {
        let fact = if kind == Kind::Path { short(fact, roots) } else { fact };
        found.insert((kind, fact.to_owned()));
        ControlFlow::Continue(())
    });
    found
}

fn short<'a>(path: &'a str, roots: &[String]) -> &'a str {
    let below = |root: &String| path.strip_prefix(root.as_str())?.strip_prefix('/');
    let path = roots.iter().find_map(below).unwrap_or(path);
    path.strip_prefix("./").unwrap_or(path)
}
