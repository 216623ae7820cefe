//! Our MCP server in Codex's `config.toml`: single places of it change, and no other byte.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::SERVER;
use crate::wiring::{After, Plan, SettingsError, Wiring, is_our_binary};

/// Variables that a server of ours looks at: Codex clears its environment but for those listed.
const VARIABLES: [&str; 6] = [
    "VADE_READONLY",
    "VADE_STORE",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
];

/// Plans our MCP server in `config.toml`; what a person added to its table stays.
///
/// No tool gets a permission: Codex asks for none where a tool says that it takes nothing away.
pub fn plan_server(existing: Option<&[u8]>, wiring: &Wiring) -> Result<Plan, SettingsError> {
    let text = text(existing)?;
    let (text, change) = match entry(text)? {
        Some(entry) if entry.command == wiring.command() => return Ok(SAME),
        Some(entry) => {
            let (before, after) = (&text[..entry.place.start], &text[entry.place.end..]);
            (format!("{before}{}{after}", quoted(wiring.command())), "update")
        }
        None => (appended(text, wiring.command()), "add"),
    };
    // What was a valid file must be one with us in it, and mean us.
    match entry(&text)? {
        Some(entry) if entry.command == wiring.command() => {}
        Some(_) | None => return Err(SettingsError::Place(SERVER)),
    }
    let changes = vec![format!("{change} MCP server {SERVER}")];
    Ok(Plan { after: After::Write(text.into_bytes()), changes })
}

/// Plans `config.toml` without our MCP server.
pub fn unplan_server(existing: Option<&[u8]>) -> Result<Plan, SettingsError> {
    let text = text(existing)?;
    match entry(text) {
        Ok(Some(_)) => {}
        Ok(None) | Err(SettingsError::Taken(_)) => return Ok(SAME),
        Err(error) => return Err(error),
    }
    let mut rest = text.to_owned();
    let mut blocks = blocks(text)?;
    blocks.sort_by_key(|block| std::cmp::Reverse(block.start));
    for block in blocks {
        rest.replace_range(block, "");
    }
    if entry(&rest)?.is_some() {
        return Err(SettingsError::Place(SERVER));
    }
    let after = if rest.is_empty() { After::Remove } else { After::Write(rest.into_bytes()) };
    Ok(Plan { after, changes: vec![format!("remove MCP server {SERVER}")] })
}

/// What of us is in `config.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WiredServer {
    /// The program that our MCP server starts.
    pub program: Option<String>,
    /// The names of the hooks that the person has approved, with their files.
    pub approved: Vec<String>,
    /// Whether the file switches all hooks off.
    pub are_hooks_off: bool,
}

/// Reads what of us is in `config.toml`.
pub fn wired_server(existing: Option<&[u8]>) -> Result<WiredServer, SettingsError> {
    let text = text(existing)?;
    let config: Config = toml::from_str(text).map_err(|error| broken(text, &error))?;
    let state = config.hooks.state.into_iter();
    let approved =
        state.filter(|(_, state)| state.trusted_hash.is_some() && state.enabled != Some(false));
    Ok(WiredServer {
        program: entry(text)?.map(|entry| entry.command),
        approved: approved.map(|(name, _)| name).collect(),
        are_hooks_off: config.features.hooks == Some(false),
    })
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Config {
    hooks: ConfiguredHooks,
    features: Features,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ConfiguredHooks {
    state: std::collections::BTreeMap<String, State>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct State {
    trusted_hash: Option<String>,
    enabled: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Features {
    hooks: Option<bool>,
}

const SAME: Plan = Plan { after: After::Same, changes: Vec::new() };

/// Our entry as it stands.
struct Entry {
    command: String,
    /// Where the value of its command stands.
    place: Range<usize>,
}

fn text(existing: Option<&[u8]>) -> Result<&str, SettingsError> {
    let bytes = existing.unwrap_or_default();
    std::str::from_utf8(bytes).map_err(|error| SettingsError::Json(error.into()))
}

/// The place and the fault; the line itself may hold a secret.
fn broken(text: &str, error: &toml::de::Error) -> SettingsError {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() + 1;
    SettingsError::Toml { line, message: error.message().to_owned() }
}

/// The table of all servers with ours in it; none if there is none.
fn server<'a, 'b>(root: &'b DeTable<'a>) -> Option<&'b Spanned<DeValue<'a>>> {
    root.get("mcp_servers")?.get_ref().as_table()?.get(SERVER)
}

/// The entry under our name; none if there is none.
fn entry(text: &str) -> Result<Option<Entry>, SettingsError> {
    let root = DeTable::parse(text).map_err(|error| broken(text, &error))?;
    let Some(server) = server(root.get_ref()) else { return Ok(None) };
    let found = server.get_ref().as_table().and_then(|server| {
        let command = server.get("command")?;
        let first = server.get("args")?.get_ref().as_array()?.first()?;
        let program = command.get_ref().as_str()?;
        (is_our_binary(program) && first.get_ref().as_str() == Some("mcp"))
            .then(|| Entry { command: program.to_owned(), place: command.span() })
    });
    found.map(Some).ok_or(SettingsError::Taken(SERVER))
}

/// The file with our table at its end.
///
/// A file without a last line end gets none after us either, so that it can be found again.
fn appended(text: &str, program: &str) -> String {
    let variables = VARIABLES.map(|name| format!("\"{name}\"")).join(", ");
    let mut block = format!(
        "[mcp_servers.{SERVER}]\ncommand = {}\nargs = [\"mcp\"]\nenv_vars = [{variables}]",
        quoted(program)
    );
    let mut text = text.to_owned();
    let is_open = !text.is_empty() && !text.ends_with('\n');
    match (text.is_empty(), is_open) {
        (true, _) => block.push('\n'),
        (false, true) => block.insert_str(0, "\n\n"),
        (false, false) => block = format!("\n{block}\n"),
    }
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    text.push_str(&block.replace('\n', line_end));
    text
}

/// A text as TOML.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// Where our table and those in it stand, each from the empty line that we put before it.
fn blocks(text: &str) -> Result<Vec<Range<usize>>, SettingsError> {
    let root = DeTable::parse(text).map_err(|error| broken(text, &error))?;
    let mut places = Vec::new();
    if let Some(server) = server(root.get_ref()) {
        headed(text, server, &mut places);
    }
    Ok(places.into_iter().map(|place| lines(text, &place)).collect())
}

/// Every table with a header of its own within `value`, from the header to the end of its last value.
fn headed(text: &str, value: &Spanned<DeValue<'_>>, places: &mut Vec<Range<usize>>) -> usize {
    let DeValue::Table(table) = value.get_ref() else { return value.span().end };
    let ends: Vec<usize> = table.values().map(|value| headed(text, value, places)).collect();
    let last = ends.into_iter().max().unwrap_or(0);
    match text.as_bytes().get(value.span().start) {
        Some(b'[') => {
            places.push(value.span().start..last.max(value.span().end));
            0
        }
        Some(b'{') => value.span().end,
        // It has no place of its own: dotted keys, or the header of a table in it.
        Some(_) | None => last,
    }
}

/// Whole lines, with one empty line before them.
fn lines(text: &str, place: &Range<usize>) -> Range<usize> {
    let end = text[place.end..].find('\n').map(|at| place.end + at + 1);
    let before = |end: usize| {
        let line = text[..end].strip_suffix('\n')?;
        Some(line.strip_suffix('\r').unwrap_or(line).len())
    };
    let start = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
    let is_empty_before = |at: &usize| text[..*at].is_empty() || text[..*at].ends_with('\n');
    let start = before(start).filter(is_empty_before).unwrap_or(start);
    match end {
        Some(end) => start..end,
        // The file had no last line end before us.
        None => before(start).unwrap_or(start)..text.len(),
    }
}
