//! Reads a text from standard input.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::os::fd::AsFd;

use anyhow::Context;
use vademecum::ops::OpError;
use vademecum::ops::operation::Stdin;

use super::exit::Failure;

/// Whether a person sits at standard input, who would be kept waiting.
pub(crate) fn is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// All of standard input.
pub(crate) fn read() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        OpError::usage(format!("standard input is no UTF-8 text from byte {at} on")).into()
    })
}

/// The most that is taken in from a pipe, which cannot be read twice and so is held in memory.
const PIPED: u64 = 64 << 20;

/// Standard input as a file; where it is none, it has no position.
pub(crate) fn file() -> Result<File, Failure> {
    let owned = io::stdin().as_fd().try_clone_to_owned().context("cannot read standard input")?;
    Ok(File::from(owned))
}

/// All that a pipe gives; `instead` takes a file, which may be longer.
pub(crate) fn piped(pipe: &mut impl Read, instead: &str) -> Result<Vec<u8>, OpError> {
    let mut bytes = Vec::new();
    pipe.take(PIPED + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| OpError::broken(format!("standard input cannot be read: {error}")))?;
    if PIPED < bytes.len() as u64 {
        return Err(OpError::usage(format!("a pipe takes at most {PIPED} bytes, more given"))
            .hint(format!("put it into a file: {instead}")));
    }
    Ok(bytes)
}

/// All of standard input for a field.
pub(crate) fn read_as(stdin: Stdin) -> Result<String, Failure> {
    let mut text = read()?;
    match stdin {
        Stdin::Text(_) => {}
        Stdin::Statement(_) => text.truncate(text.trim_end_matches(['\n', '\r']).len()),
    }
    Ok(text)
}
