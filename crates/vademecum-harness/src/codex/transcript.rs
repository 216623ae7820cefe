//! Rollouts of Codex as turns.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::transcript::{
    Arguments, Facts, Flag, Known, Maybe, Out, Raw, Reader, Str, inner_json, is_failure, joined,
    parse,
};

/// Reads rollouts; the records of a session are in one line of time.
#[derive(Debug, Default)]
pub(crate) struct Turns {}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Record<'a> {
    #[serde(borrow)]
    timestamp: Str<'a>,
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    #[serde(borrow)]
    payload: Maybe<Payload<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Payload<'a> {
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    role: Str<'a>,
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow)]
    namespace: Str<'a>,
    #[serde(borrow)]
    call_id: Str<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
    #[serde(borrow)]
    input: Raw<'a>,
    #[serde(borrow)]
    action: Raw<'a>,
    #[serde(borrow)]
    content: Raw<'a>,
    #[serde(borrow)]
    output: Raw<'a>,
    #[serde(borrow)]
    summary: Raw<'a>,
    #[serde(borrow)]
    message: Raw<'a>,
    #[serde(borrow)]
    cwd: Str<'a>,
    #[serde(borrow)]
    cli_version: Str<'a>,
    #[serde(borrow)]
    model: Str<'a>,
}

impl Reader for Turns {
    fn survey(&mut self, _: u64, _: &str) -> bool {
        false
    }

    fn record(&mut self, _: u64, line: &str, out: &mut Out<'_>) -> serde_json::Result<Known> {
        let record: Record<'_> = parse(line)?;
        let payload = match record.payload.0 {
            Some(payload) => payload,
            // The first versions wrote the items themselves.
            None if is_item(&record.kind) => parse(line)?,
            None if record.kind.said().is_some() => return Ok(Known::Ours),
            None => return Ok(Known::Foreign),
        };
        out.at(&record.timestamp);
        match &*record.kind {
            "session_meta" | "turn_context" => payload.tell_facts(out),
            "compacted" => out.compacted(
                Some(&joined(payload.message)).filter(|text| !text.is_empty()).map(String::as_str),
            ),
            "event_msg" if &*payload.kind == "turn_aborted" => out.interrupted(),
            "response_item" => payload.tell(out),
            kind if is_item(kind) => payload.tell(out),
            _ => {}
        }
        Ok(Known::Ours)
    }
}

fn is_item(kind: &str) -> bool {
    matches!(
        kind,
        "message" | "reasoning" | "function_call" | "function_call_output" | "local_shell_call"
    )
}

impl Payload<'_> {
    fn tell_facts(&self, out: &mut Out<'_>) {
        out.facts(&Facts {
            session: self.id.said(),
            version: self.cli_version.said(),
            model: self.model.said(),
            cwd: self.cwd.said(),
        });
    }

    fn tell(&self, out: &mut Out<'_>) {
        match (&*self.kind, &*self.role) {
            ("message", "user") => parts(self.content).iter().for_each(|text| out.asked(text)),
            ("message", "assistant") => out.said(&joined(self.content)),
            ("reasoning", _) => {
                out.thought(&joined(self.summary));
            }
            ("function_call", _) => self.tell_call(&inner_json(self.arguments), out),
            ("custom_tool_call", _) => self.tell_call(&inner_json(self.input), out),
            ("local_shell_call" | "web_search_call" | "tool_search_call", _) => {
                let arguments = self.action.or(self.arguments).map_or("{}", RawValue::get);
                self.tell_call(arguments, out);
            }
            ("function_call_output" | "custom_tool_call_output" | "tool_search_output", _) => {
                let text = joined(self.output);
                out.answered(&self.call_id, !self.has_failed(&text), &text);
            }
            _ => {}
        }
    }

    fn tell_call(&self, arguments: &str, out: &mut Out<'_>) {
        let name = self.name.said().unwrap_or(&self.kind);
        let arguments = Arguments::of_json(arguments);
        match self.namespace.said() {
            Some(server) => {
                let separator = if server.ends_with("__") { "" } else { "__" };
                out.called(&self.call_id, &format!("{server}{separator}{name}"), &arguments);
            }
            None => out.called(&self.call_id, name, &arguments),
        }
    }

    fn has_failed(&self, text: &str) -> bool {
        #[derive(Deserialize, Default)]
        #[serde(default)]
        struct Output {
            success: Option<Flag>,
        }
        let output = self.output.and_then(|raw| parse::<Maybe<Output>>(raw.get()).ok());
        let success = output.and_then(|output| output.0).and_then(|output| output.success);
        // Behind it stands what a program printed, or how a script was answered.
        let is_script = |at: &usize| text[at + 8..].trim_start().starts_with("{\"chunk_id\"");
        let printed = text.find("Output:\n").filter(|at| !is_script(at));
        let head = printed.map_or(text, |at| &text[..at]);
        success == Some(Flag(false))
            || is_failure(head)
            || [
                "Script failed",
                "apply_patch verification failed",
                "write_stdin failed",
                "exec_command failed",
                "aborted by user",
            ]
            .iter()
            .any(|start| text.starts_with(start))
    }
}

/// The texts of a message, one for each part: a part may be the harness's, its neighbour the user's.
fn parts(content: Raw<'_>) -> Vec<String> {
    let Some(raw) = content else { return Vec::new() };
    match parse::<Vec<&RawValue>>(raw.get()) {
        Ok(parts) => parts.into_iter().map(|part| joined(Some(part))).collect(),
        Err(_) => vec![joined(content)],
    }
}
