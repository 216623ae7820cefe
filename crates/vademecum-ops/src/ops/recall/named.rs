//! Whether a text names a file: by its whole name, and in no other folder.

use crate::ops::search::FoundShape;

/// Whether a piece tells of the file or folder `path`: words find a name by its parts, which other names have too.
pub(super) fn tells(piece: &FoundShape, path: &str) -> bool {
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
