//! What is kept about a file, an error or a task: notes, entries and handoffs that still hold.

use std::path::Path;

use vademecum_core::entry::Category;
use vademecum_recap::past::file;
use vademecum_store::Author;

use super::{Kind, Output, straight};
use crate::call::Call;
use crate::error::OpError;
use crate::finding::{Kind as Of, Wanted};
use crate::ops::search::{self, FoundShape, Reach};
use crate::who;

/// So many are told beside what was done.
const KEPT: usize = 5;

/// So much of a name or an error is searched for, in bytes.
const QUERY: usize = 300;

/// What was noted, decided and left about it in the project of the session that asks, and still holds.
pub(super) fn find(call: &Call<'_>, kind: Kind, about: &str, output: &mut Output) -> Result<(), OpError> {
    let own = call.look(|view| who::session_if_told(call, view))?;
    let reach = own.map_or(Reach::Here, |own| Reach::Of(own.project, own.key));
    let entries = [Category::Decision, Category::Issue, Category::Learning].map(|it| Of::Entry(Some(it)));
    let kinds = [Of::Note, Of::Handoff].into_iter().chain(entries).collect();
    let without_desk = call.caller.origin.author == Author::Agent;
    let wanted = Wanted { kinds, without_desk, ..Wanted::default() };
    let query = match kind {
        Kind::File => about.trim_end_matches('/').rsplit('/').next().unwrap_or(about),
        Kind::Error => about.lines().max_by_key(|line| line.len()).unwrap_or(about),
        Kind::Known | Kind::Program => about,
    };
    let query = &query[..query.floor_char_boundary(QUERY)];
    let found = search::find(call, (query, &reach), &wanted, Some(4 * KEPT))?;
    let whole = found.found.len() - usize::try_from(found.partly).unwrap_or_default();
    let mut pieces = found.found;
    let path = straight(Path::new(file(about))).to_string_lossy().into_owned();
    // A part of a name is another name; a part of an error or of a task may be what it is known by.
    output.partly = whole == 0 && matches!(kind, Kind::Error | Kind::Known);
    pieces.truncate(if output.partly { pieces.len() } else { whole });
    pieces.retain(|piece| piece.over.is_none() && (kind != Kind::File || tells(piece, &path)));
    pieces.truncate(KEPT);
    output.kept = pieces;
    Ok(())
}

/// Whether a piece tells of the file or folder `path`: words find a name by its parts, which other names have too.
fn tells(piece: &FoundShape, path: &str) -> bool {
    names_file(&piece.text, path) || piece.tags.iter().any(|tag| names_file(tag, path))
}

/// Whether `text` names the file or folder `path`, by no other folder than its own.
fn names_file(text: &str, path: &str) -> bool {
    let (text, path) = (text.to_lowercase(), path.trim_matches('/').to_lowercase());
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_below = |whole: &str, part: &str| {
        whole.strip_suffix(part).is_some_and(|it| it.is_empty() || it.ends_with('/'))
    };
    text.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        let mut next = behind.chars();
        let goes_on = match next.next() {
            Some('.') => next.next().is_some_and(is_of_name),
            next => next.is_some_and(is_of_name),
        };
        let whole = text[..at + name.len()].strip_suffix(&*path);
        // However the path is written: `.env`, `app/@modal/page.tsx`, `My Docs/a b.md`.
        if whole.is_some_and(|it| !it.ends_with(is_of_name)) {
            return !goes_on;
        }
        let starts = before.rfind(|c: char| !is_of_name(c) && !matches!(c, '.' | '/'));
        let starts = starts.map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let told = text[starts..at + name.len()].trim_start_matches(['.', '/']);
        !goes_on && (is_below(told, &path) || is_below(&path, told))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_known_however_it_is_written() {
        for path in [".env", ".github/workflows/ci.yml", "app/@modal/page.tsx", "My Docs/a b.md"] {
            assert!(names_file(&format!("see '{path}': it is stale"), path), "{path}");
        }
        assert!(!names_file("see app/@modal/page.tsx.bak", "app/@modal/page.tsx"));
    }

    #[test]
    fn a_file_is_named_by_its_whole_name() {
        for (text, is_named) in [
            ("a.rs is slow", true),
            ("see `src/a.rs:14`.", true),
            ("crates/x/src/a.rs", true),
            ("in A.rs.", true),
            ("./src/a.rs", true),
            ("a note on main.rs", false),
            ("cli/refund.rs: a bug in rs", false),
            ("data.rs", false),
            ("a.rs.bak", false),
            ("a.rsx", false),
            ("cli/a.rs", false),
            ("", false),
        ] {
            assert_eq!(names_file(text, "src/a.rs"), is_named, "{text}");
        }
    }
}
