//! Builds the shims: small C libraries that stand between a program and its libc.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::step;

/// Builds `shims/NAME.c` into `target/torture`; where it lies.
pub(crate) fn build(name: &str) -> Result<PathBuf> {
    let folder = step::target().join("torture");
    fs::create_dir_all(&folder)?;
    let source = step::root().join(format!("xtask/src/torture/shims/{name}.c"));
    let built = folder.join(format!("{name}.so"));
    let mut cc = step::command("cc");
    cc.args(["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"]);
    step::run(cc.arg(&built).arg(source)).context("the linker that Rust needs is a C compiler")?;
    Ok(built)
}
