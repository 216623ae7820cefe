//! The page `docs/operations.md`: every operation, as its declaration says it.

use anyhow::{Context, Result};
use serde_json::Value;
use vademecum_ops::fields::{self, Field, FieldKind};
use vademecum_ops::operation::{Effect, Models};
use vademecum_ops::{Op, registry};

const HEAD: &str = "\
# Operations

Written by `cargo xtask generate` from the declarations in `crates/vademecum-ops/src/ops/`.

An operation is declared once and offered on several surfaces: to people as a command, to models as an MCP tool of the
same name, and to anybody by `vade call NAME '{…}'`. Every command takes `--json`, `--session`, `--write-id`, `--store` and
`--project`; an operation of a session also takes `session` among its arguments over MCP. A person
who names none means the agent's session at work, else the desk; one that `vade adopt transcripts` took in counts for `recap` and `why` alone. A write id makes a repeat of
one write of notes, notepad, plans or words give the first reply; a call that changed nothing is not remembered, and the switch, imports,
forgetting and archiving are done again. A failure leaves everything as
it was and has a kind, from which the exit code comes:

| exit code | kind | meaning |
|---|---|---|
| 0 | | done |
| 1 | `unexpected` | something around the call failed, such as a closed stream |
| 2 | `usage` | what was given is not allowed |
| 3 | `missing` | what was named does not exist |
| 4 | `conflict` | it was changed since, or the write id was used for something else |
| 5 | `busy` | another process held the store for too long |
| 6 | `denied` | it is not allowed here |
| 7 | `broken` | the store, a file or the program is damaged, or a disk is full |

Answers go to standard output, everything else to standard error: with `--json` a failure is there as
`{\"error\":{\"kind\":…,\"message\":…,\"hint\":…}}`, and standard output stays empty.
";

/// The whole page.
pub(crate) fn page() -> Result<String> {
    let head = format!("{HEAD}\n| operation | command | effect | models |\n|---|---|---|---|\n");
    let rows = registry::ALL.iter().map(|op| {
        let name = op.declaration.name;
        format!("| [`{name}`](#{name}) | {} | {} | {} |\n", command(op), effect(op), models(op))
    });
    let mut parts: Vec<String> = std::iter::once(head).chain(rows).collect();
    for op in registry::ALL {
        parts.push(section(op).context(op.declaration.name)?);
    }
    Ok(parts.concat())
}

fn section(op: &Op) -> Result<String> {
    let declaration = op.declaration;
    let mut parts = vec![format!("\n## {}\n{}\n", declaration.name, declaration.about)];
    if !declaration.aliases.is_empty() {
        parts.push(format!("\nAlso called `{}`.\n", declaration.aliases.join("`, `")));
    }
    // What is compiled in may be what this very run is about to write anew.
    let fields = fields::of_schema(op, &op.made_input_schema());
    if !fields.is_empty() {
        parts.push(
            "\n| argument | command line | takes | meaning |\n|---|---|---|---|\n".to_owned(),
        );
        parts.extend(fields.iter().map(row));
    }
    parts.push(format!("\n```sh\n{}\n```\n", example(op)?));
    Ok(parts.concat())
}

fn row(field: &Field) -> String {
    let needed = if field.is_required { ", needed" } else { "" };
    let place = if field.is_place {
        format!("`{}`", field.value_name())
    } else {
        format!("`--{}`", field.option())
    };
    let stdin = if field.stdin.is_some() { ", or standard input" } else { "" };
    let (name, help) = (&field.name, field.help.replace('|', "\\|"));
    format!("| `{name}` | {place}{stdin} | {}{needed} | {help} |\n", takes(field))
}

fn takes(field: &Field) -> String {
    match &field.kind {
        FieldKind::Text => "text".to_owned(),
        FieldKind::Choice(words) => format!("`{}`", words.join("`, `")),
        FieldKind::Integer => "a whole number".to_owned(),
        FieldKind::Switch => "`true` or `false`".to_owned(),
        FieldKind::Texts { .. } => "texts".to_owned(),
        FieldKind::Number => "number".to_owned(),
        FieldKind::Json => "JSON".to_owned(),
    }
}

/// The example as a command, else as a call.
fn example(op: &Op) -> Result<String> {
    let declaration = op.declaration;
    let arguments: Value = serde_json::from_str(declaration.example)?;
    let arguments = arguments.as_object().context("the example is no object")?;
    Ok(match fields::words(op, arguments) {
        Some(words) => format!("vade {}", fields::line(&words)),
        None => format!("vade call {} '{}'", declaration.name, declaration.example),
    })
}

fn command(op: &Op) -> String {
    op.declaration
        .command
        .map_or_else(String::new, |command| format!("`vade {}`", command.words.join(" ")))
}

fn effect(op: &Op) -> &'static str {
    match op.declaration.effect {
        Effect::Reads => "reads",
        Effect::Writes => "writes",
        Effect::Destroys => "destroys",
    }
}

fn models(op: &Op) -> &'static str {
    match op.declaration.models {
        Models::Always => "always loaded",
        Models::Default => "by default",
        Models::Extra => "with `mcp.tools = \"all\"`",
        Models::Scratchpad => "where a scratchpad is configured",
        Models::Never => "never",
    }
}
