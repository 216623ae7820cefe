//! Names for files that are moved into their place once they are whole.

use std::ffi::{OsStr, OsString};
use std::io;

/// How many random bytes a draft's name has: nobody can lay a file in the way of each.
const RANDOM: usize = 8;

/// The ending of every draft.
const ENDING: &str = ".new";

/// A new name for the draft of the file called `name`; who writes it otherwise than [`Root`](crate::Root) does moves it too.
pub fn draft_name(name: &OsStr) -> io::Result<OsString> {
    let mut bytes = [0; RANDOM];
    getrandom::fill(&mut bytes).map_err(io::Error::from)?;
    let mut draft = name.to_owned();
    draft.push(format!(".{:016x}{ENDING}", u64::from_ne_bytes(bytes)));
    Ok(draft)
}

/// Whose draft `name` is: a writer that was killed may have left it.
#[must_use]
pub fn draft_of(name: &str) -> Option<&str> {
    let (file, random) = name.strip_suffix(ENDING)?.rsplit_once('.')?;
    let is_random = random.len() == 2 * RANDOM && random.bytes().all(|it| it.is_ascii_hexdigit());
    is_random.then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_tells_whose_it_is() {
        let draft = draft_name(OsStr::new("summary.md")).expect("random bytes");
        assert_ne!(draft, draft_name(OsStr::new("summary.md")).expect("random bytes"));
        let cases = [
            (draft.to_str().expect("a text"), Some("summary.md")),
            ("summary.md", None),
            ("summary.new", None),
            ("summary.md.77.new", None),
            ("summary.md.xyxyxyxyxyxyxyxy.new", None),
        ];
        for (name, file) in cases {
            assert_eq!(draft_of(name), file, "{name}");
        }
    }
}
