//! Whether a person who types vade gets this program.

use super::{Doctor, Finding};
use crate::install::binary::NAME;
use crate::install::mark;
use crate::install::shell::Shell;

const ABOUT: &str = "PATH";

pub(super) fn check(doctor: &Doctor<'_>, shell: &Shell) -> Vec<Finding> {
    let Some(first) = shell.find(NAME) else {
        let text = "no vade on PATH: it has to be typed with its folder";
        let folder = doctor.running.parent().filter(|_| shell.is_stable(&doctor.running));
        let mend = folder.map_or_else(|| "vade install".to_owned(), |folder| shell.advice(folder));
        return vec![Finding::warn(ABOUT, text, mend)];
    };
    let path = doctor.short(&first);
    match version(doctor, &first) {
        Some(version) if version == mark::VERSION => {
            vec![Finding::ok(ABOUT, format!("{path}, version {version}"))]
        }
        Some(version) => {
            let text = format!("{path} is version {version}, this is {}", mark::VERSION);
            vec![Finding::warn(ABOUT, text, "vade install")]
        }
        None => {
            let text = format!("{path} comes first and is not this program");
            vec![Finding::warn(ABOUT, text, "move it away, or change the order of PATH")]
        }
    }
}

/// The version of ours that the file at `path` is; none if it is none.
pub(super) fn version(doctor: &Doctor<'_>, path: &std::path::Path) -> Option<String> {
    if std::fs::canonicalize(path).is_ok_and(|path| path == doctor.running) {
        return Some(mark::VERSION.to_owned());
    }
    mark::version(&std::fs::read(path).ok()?)
}
