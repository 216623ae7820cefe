//! Whether a harness starts us: hooks, MCP server, permissions.

mod codex;

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use vademecum::harness::claude_code::settings::{self, Wired, wired, wired_server};
use vademecum::harness::hook::Harness;
use vademecum::harness::wiring::{SettingsError, Wiring};
use vademecum::ops::place::Place;

use super::{Doctor, Finding, program};
use crate::install::files;
use crate::install::mark;
use crate::install::shell::Shell;
use crate::install::wiring::{unattended_tools, wires};

const HOOKS: &str = "hooks";
const SERVER: &str = "MCP server";
const INSTALL: &str = "vade install";

/// Settings of a whole machine, which go before a person's own.
const MANAGED: &str = "/etc/claude-code/managed-settings.json";

pub(super) fn check(doctor: &Doctor<'_>, shell: &Shell) -> Vec<Finding> {
    let mut findings = of_claude_code(doctor, shell);
    findings.extend(codex::check(doctor, shell));
    if findings.is_empty() {
        findings.push(Finding::warn(HOOKS, "vade is wired into no harness", INSTALL));
    }
    findings
}

/// Nothing where nothing of us is in its files.
fn of_claude_code(doctor: &Doctor<'_>, shell: &Shell) -> Vec<Finding> {
    let [(_, settings), (_, servers)] = match wires(doctor.world, Harness::ClaudeCode) {
        Ok(wires) => wires.files,
        Err(error) => return vec![Finding::bad(HOOKS, error.message, INSTALL)],
    };
    let bytes = files::read(&settings).unwrap_or_default();
    let found = match wired(bytes.as_deref()) {
        Ok(found) => found,
        Err(error) => return vec![unreadable(doctor, HOOKS, &settings, &error)],
    };
    let server = match read_server(&servers) {
        Ok(server) => server,
        Err(error) => return vec![unreadable(doctor, SERVER, &servers, &error)],
    };
    if found.programs.is_empty() && server.is_none() {
        return Vec::new();
    }
    let mut findings = hooks(doctor, shell, bytes.as_deref(), &found);
    findings.extend(switched_off(doctor, &settings));
    findings.push(of_server(doctor, &found, server.as_deref()));
    findings.extend(permissions(bytes.as_deref(), &found));
    findings
}

fn read_server(path: &Path) -> Result<Option<String>, SettingsError> {
    wired_server(files::read(path).unwrap_or_default().as_deref())
}

fn unreadable(
    doctor: &Doctor<'_>,
    about: &'static str,
    path: &Path,
    error: &SettingsError,
) -> Finding {
    let path = doctor.short(path);
    Finding::bad(about, format!("{path}: {error}"), format!("correct {path}, then run: {INSTALL}"))
}

fn hooks(doctor: &Doctor<'_>, shell: &Shell, bytes: Option<&[u8]>, found: &Wired) -> Vec<Finding> {
    let [program] = found.programs.as_slice() else {
        let text = match found.programs.len() {
            0 => "none is wired",
            _ => "they start different programs",
        };
        return vec![Finding::bad(HOOKS, text, INSTALL)];
    };
    let missing = missing(bytes, program, &[]);
    if !missing.is_empty() {
        return vec![Finding::bad(
            HOOKS,
            format!("incomplete: {INSTALL} would {}", missing.join(", ")),
            INSTALL,
        )];
    }
    vec![of_program(doctor, shell, Path::new(program))]
}

/// What installing would still change for this program.
fn missing(bytes: Option<&[u8]>, program: &str, tools: &[String]) -> Vec<String> {
    let wiring = Wiring::new(Path::new(program), tools.to_vec());
    let plan = wiring.and_then(|wiring| settings::plan(bytes, &wiring));
    plan.map_or_else(|error| vec![error.to_string()], |plan| plan.changes)
}

fn of_program(doctor: &Doctor<'_>, shell: &Shell, program: &Path) -> Finding {
    let name = doctor.short(program);
    if !program.is_file() {
        return Finding::bad(HOOKS, format!("they start {name}, which is not there"), INSTALL);
    }
    if access(program, Access::EXEC_OK).is_err() {
        let text = format!("they start {name}, which cannot be run");
        return Finding::bad(HOOKS, text, format!("chmod 755 {}", program.display()));
    }
    if !shell.is_stable(program) {
        return Finding::warn(HOOKS, format!("they start {name}, which will not stay"), INSTALL);
    }
    match program::version(doctor, program) {
        Some(version) if version == mark::VERSION => {
            Finding::ok(HOOKS, format!("all are wired to {name}"))
        }
        Some(version) => {
            let text = format!("they start vade {version}, this is {}", mark::VERSION);
            Finding::warn(HOOKS, text, INSTALL)
        }
        None => {
            Finding::bad(HOOKS, format!("they start {name}, which is another program"), INSTALL)
        }
    }
}

/// Files that switch all hooks off.
fn switched_off(doctor: &Doctor<'_>, settings: &Path) -> Vec<Finding> {
    let project = Place::of(&doctor.world.folders.work).root.join(".claude");
    let files = [
        settings.to_owned(),
        project.join("settings.json"),
        project.join("settings.local.json"),
        PathBuf::from(MANAGED),
    ];
    let is_off = |path: &&PathBuf| {
        let bytes = files::read(path).unwrap_or_default();
        wired(bytes.as_deref()).is_ok_and(|found| found.are_hooks_off)
    };
    let off = files.iter().filter(is_off).map(|path| {
        let path = doctor.short(path);
        let text = format!("{path} switches all hooks off");
        Finding::bad(HOOKS, text, format!("take \"disableAllHooks\" out of {path}"))
    });
    off.collect()
}

fn of_server(doctor: &Doctor<'_>, found: &Wired, server: Option<&str>) -> Finding {
    match server {
        None => Finding::bad(SERVER, "none is registered: no tool can be called", INSTALL),
        Some(server) if found.programs.iter().any(|program| program != server) => {
            Finding::warn(SERVER, format!("it starts {server}, the hooks another program"), INSTALL)
        }
        Some(server) => {
            Finding::ok(SERVER, format!("registered, {}", doctor.short(server.as_ref())))
        }
    }
}

fn permissions(bytes: Option<&[u8]>, found: &Wired) -> Vec<Finding> {
    const ABOUT: &str = "permission";
    if !found.denied.is_empty() {
        let text = format!("denied: {}", found.denied.join(", "));
        return vec![Finding::warn(ABOUT, text, "take it out of permissions.deny")];
    }
    let Some(program) = found.programs.first() else { return Vec::new() };
    let missing = missing(bytes, program, &unattended_tools());
    let n_asked = missing.iter().filter(|change| change.starts_with("allow ")).count();
    if n_asked == 0 {
        return vec![Finding::ok(ABOUT, "no tool that vade allows asks before each call")];
    }
    let text = match n_asked {
        1 => "1 tool still asks before each call".to_owned(),
        n => format!("{n} tools still ask before each call"),
    };
    vec![Finding::warn(ABOUT, text, INSTALL)]
}
