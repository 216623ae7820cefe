//! The file `schema/written.rs` of the operations: their arguments' schemas, so that no server makes them.

use anyhow::{Result, ensure};
use vademecum_ops::{Op, registry};

const HEAD: &str = "\
//! The schema of the arguments of each operation, written by `cargo xtask generate` from its type.

/// The name of each operation, and its schema as JSON.
#[rustfmt::skip]
pub(super) const INPUTS: &[(&str, &str)] = &[
";

/// The whole file.
pub(crate) fn file() -> Result<String> {
    let lines = registry::ALL.iter().map(line).collect::<Result<String>>()?;
    Ok(format!("{HEAD}{lines}];\n"))
}

fn line(op: &Op) -> Result<String> {
    let (name, schema) = (op.declaration.name, op.made_input_schema().to_string());
    ensure!(!schema.contains("\"#"), "{name}: a schema with a quote and a hash ends its text");
    Ok(format!("    (\"{name}\", r#\"{schema}\"#),\n"))
}
