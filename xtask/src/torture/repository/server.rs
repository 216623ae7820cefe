//! The server, which is asked for all that it offers.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use vademecum_ops::registry;

use super::commands::{self, Known};
use super::hazard;
use super::places::{Base, Form, Place};
use super::round::{Promise, Round};
use super::scene::Scene;
use super::talk::{self, Heard, Talk};
use crate::torture::chance::Chance;

/// After so many servers that fell silent the rest of the tools is left alone.
const N_SERVERS: usize = 3;

impl Round<'_> {
    /// Talks with as many servers as it takes.
    pub(super) fn server(
        &mut self,
        chance: &mut Chance,
        known: &mut Known,
        has_drafts: bool,
    ) -> Result<()> {
        let mut requests = Vec::new();
        let mut talk = self.open(&mut requests, has_drafts)?;
        super::shuffle(chance, &mut requests);
        let requests: Vec<(String, Value)> = requests
            .into_iter()
            .map(|(method, name)| request(&method, &name, chance, known))
            .collect();
        let mut n_silent = 0;
        for (method, params) in requests {
            let Some(open) = talk.as_mut() else { break };
            if !self.ask(open, &method, &params)? {
                n_silent += 1;
                self.hang_up(talk.take(), &talk::name(&method, &params))?;
                if n_silent < N_SERVERS {
                    talk = self.open(&mut Vec::new(), has_drafts)?;
                }
            }
        }
        self.hang_up(talk, &["mcp:".into(), "the end".into()])
    }

    /// Starts one and shakes hands; what it offers.
    fn open(
        &mut self,
        offers: &mut Vec<(String, String)>,
        has_drafts: bool,
    ) -> Result<Option<Talk>> {
        let said = self.scene.said();
        let mut talk = Talk::start(self.scene.command(), &said)?;
        if has_drafts {
            plant(&self.scene, talk.pid())?;
        }
        let info = json!({"name": "torture", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        if !self.ask(&mut talk, "initialize", &params)? {
            self.hang_up(Some(talk), &["mcp:".into(), "initialize".into()])?;
            return Ok(None);
        }
        talk.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        for (list, key, name, method) in [
            ("tools/list", "tools", "name", "tools/call"),
            ("resources/list", "resources", "uri", "resources/read"),
            ("prompts/list", "prompts", "name", "prompts/get"),
        ] {
            let Heard::Answer(line) = self.hear(&mut talk, list, &json!({}))? else { continue };
            let offered = talk::result(&line);
            let names = offered[key].as_array().into_iter().flatten();
            let names = names.filter_map(|one| one[name].as_str());
            offers.extend(names.map(|name| (method.to_owned(), name.to_owned())));
        }
        Ok(Some(talk))
    }

    /// Whether there was an answer.
    fn ask(&mut self, talk: &mut Talk, method: &str, params: &Value) -> Result<bool> {
        Ok(matches!(self.hear(talk, method, params)?, Heard::Answer(_)))
    }

    fn hear(&mut self, talk: &mut Talk, method: &str, params: &Value) -> Result<Heard> {
        let name = talk::name(method, params);
        let heard = talk.ask(method, params);
        self.played.n_commands += 1;
        let (Heard::Answer(text) | Heard::Silence(text) | Heard::Ended(text)) = &heard;
        self.check_said(text, &name);
        match &heard {
            Heard::Answer(text) => {
                let result = talk::result(text);
                let is_done = !result.is_null() && result["isError"] != true;
                self.played.n_done += usize::from(is_done);
            }
            Heard::Silence(_) => self.slow(&name),
            Heard::Ended(_) => self.broken(Promise::Whole, &name, "the server ended".to_owned()),
        }
        self.check_outside(&name)?;
        Ok(heard)
    }

    fn hang_up(&mut self, talk: Option<Talk>, name: &[OsString]) -> Result<()> {
        let Some(talk) = talk else { return Ok(()) };
        let said = self.scene.said();
        let end = talk.end()?;
        let stderr = said.stderr_text()?;
        self.check_end(&end, &stderr, name);
        self.check_said(&stderr, name);
        Ok(())
    }
}

/// The request of something that is offered.
fn request(method: &str, name: &str, chance: &mut Chance, known: &mut Known) -> (String, Value) {
    let params = match method {
        "tools/call" => {
            let arguments = registry::find(name).map(|op| commands::arguments(op, chance, known));
            json!({"name": name, "arguments": arguments.unwrap_or_default()})
        }
        "resources/read" => json!({"uri": name}),
        _ => json!({"name": name}),
    };
    (method.to_owned(), params)
}

/// Links to the person's files where process `pid` would begin a file under its own number.
fn plant(scene: &Scene, pid: u32) -> Result<()> {
    let plans = |name: &str| {
        scene.path(&Place { base: Base::Plans, path: ".", form: Form::Folder }).join(name)
    };
    let begun = [
        scene.tree().join(format!("_handoff.{pid}.new")),
        plans(&format!("notepads/_project/summary.{pid}.draft")),
        plans(&format!("notepads/alpha/summary.{pid}.draft")),
        plans(&format!("notepads/alpha/learnings.{pid}.draft")),
    ];
    for at in begun.iter().filter(|at| !scene.is_led_astray(at)) {
        if let Some(folder) = at.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        hazard::remove(at)?;
        symlink(scene.home().join(".bashrc"), at).with_context(|| at.display().to_string())?;
    }
    Ok(())
}
