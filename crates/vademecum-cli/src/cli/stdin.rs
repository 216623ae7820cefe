//! Reads a text from standard input.

use std::io::{self, IsTerminal, Read};

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

/// All of standard input for a field.
pub(crate) fn read_as(stdin: Stdin) -> Result<String, Failure> {
    let mut text = read()?;
    match stdin {
        Stdin::Text(_) => {}
        Stdin::Statement(_) => text.truncate(text.trim_end_matches(['\n', '\r']).len()),
    }
    Ok(text)
}
