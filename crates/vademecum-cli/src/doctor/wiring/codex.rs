//! Whether Codex starts us: hooks, the person's approval of them, MCP server.

use std::path::Path;

use vademecum::harness::codex::hooks::{WiredHooks, plan_hooks, wired_hooks};
use vademecum::harness::codex::server::{WiredServer, wired_server};
use vademecum::harness::hook::Harness;
use vademecum::harness::wiring::{SettingsError, Wiring};

use super::super::{Doctor, Finding};
use super::{HOOKS, SERVER, of_program};
use crate::install::files;
use crate::install::shell::Shell;
use crate::install::wiring::wires;

const INSTALL: &str = "vade install codex";

/// What is found; nothing where nothing of us is in its files.
pub(super) fn check(doctor: &Doctor<'_>, shell: &Shell) -> Vec<Finding> {
    let [(_, hooks), (_, config)] = match wires(doctor.world, Harness::Codex) {
        Ok(wires) => wires.files,
        Err(error) => return vec![bad(HOOKS, &error.message, INSTALL)],
    };
    let bytes = files::read(&hooks).unwrap_or_default();
    let found = match wired_hooks(bytes.as_deref()) {
        Ok(found) => found,
        Err(error) => return vec![unreadable(doctor, HOOKS, &hooks, &error)],
    };
    let configured = match wired_server(files::read(&config).unwrap_or_default().as_deref()) {
        Ok(configured) => configured,
        Err(error) => return vec![unreadable(doctor, SERVER, &config, &error)],
    };
    if found.programs.is_empty() && configured.program.is_none() {
        return Vec::new();
    }
    let mut findings = vec![of_hooks(doctor, shell, bytes.as_deref(), &found)];
    findings.extend(approved(&hooks, &found, &configured));
    findings.push(of_server(doctor, &found, &configured));
    findings
}

fn bad(about: &'static str, text: &str, mend: &str) -> Finding {
    Finding::bad(about, format!("Codex: {text}"), mend)
}

fn unreadable(
    doctor: &Doctor<'_>,
    about: &'static str,
    path: &Path,
    error: &SettingsError,
) -> Finding {
    let path = doctor.short(path);
    bad(about, &format!("{path}: {error}"), &format!("correct {path}, then run: {INSTALL}"))
}

fn of_hooks(
    doctor: &Doctor<'_>,
    shell: &Shell,
    bytes: Option<&[u8]>,
    found: &WiredHooks,
) -> Finding {
    let [program] = found.programs.as_slice() else {
        let text = match found.programs.len() {
            0 => "none is wired",
            _ => "they start different programs",
        };
        return bad(HOOKS, text, INSTALL);
    };
    let wiring = Wiring::new(Path::new(program), Vec::new());
    let plan = wiring.and_then(|wiring| plan_hooks(bytes, &wiring));
    let missing = plan.map_or_else(|error| vec![error.to_string()], |plan| plan.changes);
    if !missing.is_empty() {
        let text = format!("incomplete: {INSTALL} would {}", missing.join(", "));
        return bad(HOOKS, &text, INSTALL);
    }
    let finding = of_program(doctor, shell, Path::new(program));
    let mend = finding.mend.map(|mend| mend.replace(super::INSTALL, INSTALL));
    Finding { text: format!("Codex: {}", finding.text), mend, ..finding }
}

/// Codex runs no hook before a person has approved it, and says nothing of those that wait.
fn approved(file: &Path, found: &WiredHooks, configured: &WiredServer) -> Vec<Finding> {
    const ABOUT: &str = "approval";
    if configured.are_hooks_off {
        let mend = "take hooks = false out of [features] in its config.toml";
        return vec![bad(HOOKS, "its configuration switches all hooks off", mend)];
    }
    if found.names.is_empty() {
        return Vec::new();
    }
    let is_waiting =
        |name: &&String| !configured.approved.contains(&format!("{}:{name}", file.display()));
    match found.names.iter().filter(is_waiting).count() {
        0 => vec![Finding::ok(ABOUT, "Codex: every hook has been approved")],
        n => {
            let text = format!("Codex: {n} of {} hooks wait for approval", found.names.len());
            let mend = "start codex and approve them when it asks, or under /hooks";
            vec![Finding::warn(ABOUT, text, mend)]
        }
    }
}

fn of_server(doctor: &Doctor<'_>, found: &WiredHooks, configured: &WiredServer) -> Finding {
    match &configured.program {
        None => bad(SERVER, "none is registered: no tool can be called", INSTALL),
        Some(server) if found.programs.iter().any(|program| program != server) => {
            let text = format!("Codex: it starts {server}, the hooks another program");
            Finding::warn(SERVER, text, INSTALL)
        }
        Some(server) => {
            let path = doctor.short(server.as_ref());
            Finding::ok(SERVER, format!("Codex: registered, {path}"))
        }
    }
}
