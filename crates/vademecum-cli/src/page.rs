//! One file of HTML with what a project keeps: sessions, plans, search; it needs nothing else, and loads nothing.

mod collect;
mod html;
mod safe;
#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::path::Path;

use serde_json::json;
use vademecum::files::{Root, read_named};
use vademecum::ops::shapes::counted;
use vademecum::ops::{Call, OpError, Reply};

use self::safe::Wash;

pub(crate) use self::collect::Which;

/// How each page of ours begins, by which it is known again.
const OPENING: &[u8] = b"<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"generator\" content=\"vade view\">";

/// Writes the page into `file`; a file that is there and no page of ours stays, unless `is_forced`.
pub(crate) fn write(
    call: &Call<'_>,
    which: &Which,
    file: &Path,
    is_forced: bool,
) -> Result<Reply, OpError> {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    check(&file, is_forced)?;
    let wash = Wash::new();
    // A secret is known by what stands beside it, which may come behind the place where it stands bare.
    collect::book(call, which, &wash)?;
    let book = collect::book(call, which, &wash)?;
    let (shown, n_sessions) = (book.n_whole(), book.sessions.len());
    let html = html::page(&book).into_string();
    put(&file, html.as_bytes(), is_forced)?;

    let rest = if shown < n_sessions {
        format!(", {} as lines alone", n_sessions - shown)
    } else {
        String::new()
    };
    let text = format!("wrote {}{rest} to {}", counted(n_sessions, "session"), file.display());
    let object = json!({ "file": file.to_string_lossy(), "sessions": n_sessions, "whole": shown, "bytes": html.len() });
    Ok(Reply { object, text })
}

/// Refuses what must not be written over, before anything is collected.
fn check(file: &Path, is_forced: bool) -> Result<(), OpError> {
    let (folder, name) = parts(file)?;
    let folder = Root::open_private(folder)?.ok_or_else(|| {
        OpError::missing(format!("no folder {}", folder.display()))
            .hint("name a file in a folder that is there")
    })?;
    if folder.stat(name)?.is_none() || is_forced || is_ours(file) {
        return Ok(());
    }
    Err(OpError::conflict(format!(
        "{} is there already, and vade did not write it",
        file.display()
    ))
    .hint("name another file, or replace it with --force"))
}

fn put(file: &Path, html: &[u8], is_forced: bool) -> Result<(), OpError> {
    // Somebody may have put a file there meanwhile.
    check(file, is_forced)?;
    let (folder, name) = parts(file)?;
    // It tells what was kept for one person, so nobody else may read it until they say so.
    let folder = Root::private(folder)?;
    Ok(folder.replace(name, html)?)
}

fn parts(file: &Path) -> Result<(&Path, &OsStr), OpError> {
    // A page is passed on as a file; who wants it elsewhere moves it there.
    let parts = file.parent().zip(file.file_name().filter(|name| *name != "-"));
    parts
        .ok_or_else(|| OpError::usage(format!("--html takes a file, \"{}\" given", file.display())))
}

/// Whether the file is a page of ours.
fn is_ours(file: &Path) -> bool {
    // A page of a session with large contexts is larger than that of a project.
    const MOST: u64 = 256 << 20;

    matches!(read_named(file, MOST), Ok(Some(bytes)) if bytes.starts_with(OPENING))
}
